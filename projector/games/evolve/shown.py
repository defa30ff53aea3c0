"""Consequences that show what has happened: the automatic steps that they tell of, in the order that they show."""

from collections.abc import Iterator
from itertools import chain, islice, permutations
from typing import Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.fold.consequence_match import is_counterpart, says
from tabletape.projector.games.evolve import steps
from tabletape.projector.games.evolve.orders import MAX_ORDERS, is_order_allowed, take_order_shown
from tabletape.projector.games.evolve.state import BEGIN, Doing, Evolve
from tabletape.projector.kit.late_steps import go_back, place_of
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.due import number_of_cards

FATES: Final = (ev.OrganismStressed, ev.OrganismDied, ev.FoodUnstressed, ev.CardEntered, ev.CardLeft, ev.EventCancelled)
"""Consequences that say what becomes of a card."""


def catch_up(table: Evolve, event: Consequence) -> Derived | None:
    """Take the automatic steps that a written consequence shows; if none of them makes it, take none.

    A consequence that the rules make of no step but that resembles one is taken for that one, so that it is compared
    with it. Return the derived consequence that it is, where the steps in their usual order have made it.
    """
    derived = table.TURN.until_made(table, event, says)
    if derived is None and not take_order_shown(table, event) and not _try_other_orders(table, event):
        _take_for_another(table, event)
    return derived


def reach_draw(table: Evolve, event: ev.CardsDrawn) -> None:
    """Take the automatic steps as far as a printed draw: the one that is written down, or else the first."""
    due, place, turn = (event.player, number_of_cards(event)), place_of(table), table.TURN

    def is_written(table: Evolve) -> bool:
        owed = table.owed
        return owed is not None and (owed.player, owed.count) == due

    if turn.until(table, event, is_written):
        return
    while True:
        for _ in in_other_orders(table):
            if turn.until(table, event, is_written):
                return
        if not turn.advance(table, event):
            break
    go_back(table, place)
    turn.until(table, event, lambda table: table.owed is not None)


def _try_other_orders(table: Evolve, event: Consequence) -> bool:
    """Take the steps that a consequence shows, with abilities that wait at the same time in another order."""
    place = place_of(table)
    while True:
        seen = len(table.derived)
        for _ in in_other_orders(table):
            if table.TURN.until_made(table, event, says, seen) is not None:
                return True
        if not table.TURN.advance(table, event):
            go_back(table, place)
            return False
        if take_order_shown(table, event):
            return True


def in_other_orders(table: Evolve) -> Iterator[None]:
    """Put what waits to be carried out into other orders, one after the other, and in the end back.

    Each ability comes first once, and of not too many any order at all; at the start of a turn a ruling may forbid one.
    A draw that is due waits again; and an open event may happen before the abilities that its playing has set off.
    """
    owed, place = table.owed, place_of(table)
    waiting: tuple[Doing, ...] = (*table.agenda, *(() if owed is None else (owed.doing,)))
    at_start = table.phase == BEGIN and table.event is None
    if len(waiting) > 1:
        firsts = ((each, *waiting[:index], *waiting[index + 1 :]) for index, each in enumerate(waiting))
        for order in chain(firsts, islice(permutations(waiting), MAX_ORDERS)):
            if not at_start or is_order_allowed(table, [each.source for each in order]):
                table.update(table, owed=None, agenda=order)
                yield
                go_back(table, place)
    if waiting and table.event is not None:
        table.update(table, owed=None, agenda=())
        steps.resolve_event(table)
        table.set(table, "agenda", (*table.agenda, *waiting))
        yield
        go_back(table, place)


def _take_for_another(table: Evolve, event: Consequence) -> None:
    """Take the automatic steps that a consequence shows which the rules make of none."""
    if any(_is_about_the_same(event, each) for each in table.derived):
        return
    if all(table.TURN.until_made(table, event, fits) is None for fits in (_is_about_the_same, is_same_fate)):
        table.TURN.until(table, event, lambda table: table.manual)


def _is_about_the_same(written: Consequence, derived: Derived) -> bool:
    return is_counterpart(written, derived.event)


def is_same_fate(written: Consequence, derived: Derived) -> bool:
    """Return whether two consequences say what becomes of the same card."""
    made = derived.event
    return isinstance(written, FATES) and isinstance(made, FATES) and written.card == made.card
