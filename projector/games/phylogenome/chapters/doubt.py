"""What nobody can check: cards that no library has, and cards whose text only people can read."""

from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.phylogenome.chapters.cards import AS_DECLARED, nameless_species
from tabletape.projector.games.phylogenome.state import TABLEAU, Phylo, PhyloCard, in_play
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import named
from tabletape.projector.model.rules import Rule, Undecidable


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
