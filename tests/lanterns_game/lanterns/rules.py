"""The rules of Lanterns."""

from typing import Any

from lanterns.happenings import CardPlayed, CardThrown
from lanterns.table import Lanterns
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import name_in_words
from tabletape.projector.model.rules import Broken, Verdict, rule


@rule("lanterns.card.from-hand", "Turns", "L2", "A card is played or thrown away from the own hand.")
def from_hand(table: Lanterns, event: Any) -> Verdict:
    """The card must be able to lie in the hand."""
    if table.may_be_in(event.card, table.zones[f"hand:{event.player}"]):
        return None
    return Broken(f"{name_in_words(table, event.card)} is not in the hand", "a card of the hand")


@rule("lanterns.end.all-together", "End", "L3.2", "All win together who have laid every card.")
def all_together(_table: Lanterns, _event: Any) -> Verdict:
    """Only the fold decides when the game is over."""
    return "the game is not over"


def explain_mismatch(table: Lanterns, event: Any, _expected: Any) -> RuleVerdict:
    """Return the rule that a wrong end breaks."""
    return RuleVerdict(all_together, all_together(table, event))


ROWS = {CardPlayed: (from_hand,), CardThrown: (from_hand,)}
