"""Some legal decisions, each as likely: one of what might be done is drawn, and put to the rules only then."""

from collections.abc import Sequence

from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import legal
from tabletape.projector.games.evolve.state import SETUP, Evolve
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.game import Dice


def sample(table: Evolve, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return at most `most` of the legal decisions of a player: all, or as many of them, each as likely."""
    if most > 1 or table.over or table.phase == SETUP or legal.order_is_due(table):
        offers = legal.legal(table, player)
        return offers if len(offers) <= most else dice.sample(offers, most)
    sure = legal.decisions_now(table, player)
    now = legal.at_once(table, player)
    with as_it_was(table, legal.past_all):
        left = [*sure, *legal.without(now, legal.proposed_in_main_step(table, player))]
        numbers = [*range(len(left))]
        while numbers:
            number = dice.choose(numbers)
            if number < len(sure) or legal.is_legal(table, left[number]):
                return [left[number]]
            numbers.remove(number)
    return []
