"""Some legal decisions, each as likely: what might be done is drawn, and put to the rules only then."""

from collections.abc import Sequence
from typing import Final

from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import legal
from tabletape.projector.games.evolve.state import SETUP, Evolve
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.game import Dice

FEW: Final = 24
"""Where more are asked for, nearly all that might be done are put to the rules anyway."""


def sample(table: Evolve, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return at most `most` of the legal decisions of a player: all, or as many of them, each as likely."""
    if most > FEW or table.over or table.phase == SETUP or legal.order_is_due(table):
        every = legal.legal(table, player)
        return every if len(every) <= most else dice.sample(every, most)
    sure = legal.decisions_now(table, player)
    now = legal.at_once(table, player)
    with as_it_was(table, legal.past_all):
        left = [*sure, *legal.without(now, legal.proposed_in_main_step(table, player))]
        numbers = [*range(len(left))]
        found: list[Event] = []
        while numbers and len(found) < most:
            number = dice.choose(numbers)
            numbers.remove(number)
            if number < len(sure) or legal.is_legal(table, left[number]):
                found.append(left[number])
    return found
