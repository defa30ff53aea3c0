"""The rules of a card that nobody could name and that is shown."""

from events.games import crystal as ev
from projector.games.crystal.rules.setup import known_list, unknown_among
from projector.games.crystal.state import Crystal
from projector.model.rules import NOT_APPLICABLE, Verdict, case, rule
from projector.model.showing import why_not_shown


@case(known_list)
def known_shown(table: Crystal, event: ev.CardShown) -> Verdict:
    """The card that is shown is in the card file."""
    return unknown_among(table, (event.card,))


@rule(
    "crystal.state.single-identity",
    "Outside the rulebook",
    "",
    "A card that nobody could name is one card, which lies nowhere else (implied).",
)
def one_identity(table: Crystal, event: ev.CardShown) -> Verdict:
    """A card without a name turns out to be one that it can be; of an unknown card nobody can tell."""
    is_unknown = unknown_among(table, (event.card,)) is not None
    return NOT_APPLICABLE if is_unknown else why_not_shown(table, event.was, event.card)
