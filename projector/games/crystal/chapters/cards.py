"""Cards that a log names: the card file knows them, whoever could not name one shows it later; else it is open."""

from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters.choosing import as_written, uncheckable
from tabletape.projector.games.crystal.chapters.setup import known_list
from tabletape.projector.games.crystal.state import Crystal, hand_of, lane_of
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.common_rules import SINGLE_IDENTITY, names_in, shown_as_one_card, unknown_among
from tabletape.projector.kit.moves import Move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import Rule, Undecidable, Verdict, case, rule
from tabletape.projector.model.showing import show

NAMING: Final = ("card", "cards", "target", "source")
"""The fields of lines that name cards."""


@case(known_list)
def known_cards(table: Crystal, event: Any) -> Verdict:
    """The drawn cards are in the card file, or were declared and reported then."""
    return unknown_among(table, event.cards or ())


known_shown: Final = case(known_list)(common_rules.known_shown)


@case(known_list)
def known_played(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The card that is played is in the card file."""
    return unknown_among(table, (event.card,))


one_identity: Final = rule(
    "crystal.state.single-identity", "Outside the rulebook", "", SINGLE_IDENTITY, rests_on="nothing"
)(shown_as_one_card)


def card_shown(table: Crystal, event: ev.CardShown) -> None:
    """Name an unnamed card; one that is deployed counts in its lane from now on.

    What it cost and did as it was played is not made up for: nobody knew it then, so totals since are not judged.
    """
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    hand = hand_of(table, owner)
    card = show(table, event.was, event.card, hand if hand.unseen > 0 else zone_of(table, "out", owner))
    if unnamed is not None and unnamed is not card and lane_of(card):
        board.count_card(table, card, lane_of(card))


# -- what nobody can tell ----------------------------------------------------------------------------------------------


def doubt(table: Crystal, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the verdict that it is open whether a line breaks a rule; None where the log can tell."""
    rests_on = rule.rests_on
    if rests_on in {"cards", "printed"}:
        unknown = unknown_cards(filter(None, map(card_of, names_in(event, NAMING))), table.library)
        if unknown:
            return RuleVerdict(known_list, Undecidable(unknown, once=True))
    if (
        rests_on in {"printed", "nothing"}
        or (rests_on == "living" and not table.over and all(player.living for player in table.players.values()))
        or (rests_on == "lately" and table.round > table.unchecked_round + 1)
    ):
        return None
    unchecked = unchecked_card(table, event)
    return None if unchecked is None else RuleVerdict(as_written, unchecked)


def unchecked_card(table: Crystal, event: Any = None) -> Undecidable | None:
    """Return the verdict that a card in play, or just being played, is uncheckable; None without one."""
    name = table.uncheckable or (event.card if isinstance(event, ev.CardDeployed) else "")
    card = table.find(name)
    text = card.text if card is not None else None
    if text is not None and text.manual:
        return uncheckable(text)
    if not table.uncheckable:
        return None
    if is_unseen(name):
        which = f"nobody knew which card {name} is as it was played"
    else:
        which = f"no card file has {name}, and it is in play"
    return Undecidable(f"{which}; what follows may come from it", once=True)


MOVES: Final = (Move(line=ev.CardShown, needs=(known_shown, one_identity), does=card_shown),)
