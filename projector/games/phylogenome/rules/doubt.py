"""What nobody can check: cards that no library has, and cards whose text only people can read."""

from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Consequence
from projector.games.phylogenome.rules.carried_out import AS_DECLARED
from projector.games.phylogenome.state import TABLEAU, Phylo, PhyloCard, in_play
from projector.kit.common_rules import SINGLE_IDENTITY, is_unknown, names_in, shown_as_one_card, unknown_among
from projector.model.game import RuleVerdict
from projector.model.listed_cards import are_known
from projector.model.phrases import named
from projector.model.rules import Rule, Undecidable, Verdict, case, rule
from projector.model.things import Zone

NAMING: Final = ("card", "discarded", "target", "cards", "paid")
"""The fields of lines that name cards."""


@rule("phylogenome.state.known-card", "Outside the rulebook", "", "A log names cards that exist.")
def known_cards(table: Phylo, event: Any) -> Verdict:
    """All cards of a list are known."""
    return None if are_known(table.library, event.cards) else unknown_among(table, event.cards)


@case(known_cards)
def known_card(table: Phylo, event: Any) -> Verdict:
    """The cards that a line names lie on the table, or are known, or nobody has seen them."""
    moved = (move.card for move in getattr(event, "moves", ()))
    return unknown_among(table, (*names_in(event, NAMING), *moved))


one_identity: Final = rule("phylogenome.state.single-identity", "Outside the rulebook", "", SINGLE_IDENTITY)(
    shown_as_one_card
)


def may_lie_in(table: Phylo, name: str, zone: Zone) -> bool:
    """Return whether a card lies in a zone, may be an unseen one there, or cannot be told because it is unknown."""
    return table.may_be_in(name, zone) or is_unknown(table, name)


# -- what only people can check ----------------------------------------------------------------------------------------


def unchecked_card(table: Phylo) -> str:
    """Return the name of a card that acts now although nobody can check what it does, or nothing.

    Such a card is in play, or was played once and its text may still hold.
    """
    if table.unchecked and table.turn <= table.unchecked_until:
        return table.unchecked
    return next((card.name for card in table.cards.values() if in_play(card) and _is_unchecked(card)), "")


def _is_unchecked(card: PhyloCard) -> bool:
    if card.text is None:
        return card.zone.name != TABLEAU
    return bool(card.text.manual)


def nameless_species(table: Phylo, player: str = "") -> str:
    """Return the name of a Species in play (facing a player) whose text is unknown, or nothing."""
    lying = table.zones[TABLEAU].cards
    return next((each.name for each in lying if each.text is None and player in {"", each.controller}), "")


SURE: Final = (
    "setup.",
    "deck.",
    "end.nothing-after-end",
    "card.three-types",
    "state.known-card",
    "state.single-identity",
)
"""Beginnings of ids: rules that a line breaks whatever a card says."""


def doubt(table: Phylo, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the verdict that a card may have set a rule aside which nobody can check; None where there is none."""
    if rule.id.removeprefix("phylogenome.").startswith(SURE):
        return None
    if isinstance(event, ev.StateObserved):
        totals = doubt_of_totals(table, event.player or "")
        return None if totals is None else RuleVerdict(rule, totals)
    own = table.find(event.card) if isinstance(event, ev.EventPlayed) else None
    card = own.name if own is not None and _is_unchecked(own) else unchecked_card(table)
    if not card:
        return None
    if isinstance(event, Consequence):
        message = f"{named(table, card)} does what only people can tell, so nobody can check what follows"
        return RuleVerdict(AS_DECLARED, Undecidable(message, once=True))
    message = f"{named(table, card)} is a card that nobody can check: it may allow what the rules forbid"
    return RuleVerdict(rule, Undecidable(message, once=True))


def doubt_of_totals(table: Phylo, player: str = "") -> Undecidable | None:
    """Return why the totals of a player (of all) may rest on an uncheckable card, or None."""
    card = table.unchecked or unchecked_card(table) or nameless_species(table, player)
    if not card:
        return None
    return Undecidable(f"a card that nobody can check has been played: {named(table, card)}", once=True)
