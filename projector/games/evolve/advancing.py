"""The automatic steps of a game, one after the other: what follows by itself and a log need not write down."""

from collections.abc import Callable

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import turns
from tabletape.projector.games.evolve.changes import draw
from tabletape.projector.games.evolve.resolving import resolve_next
from tabletape.projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Evolve
from tabletape.projector.games.evolve.trigger_order import end_of_turn


def open_game(table: Evolve) -> None:
    """Begin the first turn if the set-up is complete."""
    if turns.is_set_up(table):
        turns.begin_turn(table, table.first)


def advance(table: Evolve, event: Event) -> bool:
    """Take one automatic step towards an event; return whether there was one."""
    if resolve_next(table):
        return True
    if table.owed is not None or table.over:
        return False
    phase = table.phase
    if phase == SETUP:
        open_game(table)
    elif phase == DRAW and isinstance(event, ev.DnaChanged | ev.MpChanged):
        return turns.gain_before_draw(table)
    elif phase == BEGIN and table.triggers_due and table.watching:
        turns.run_triggers(table)
    elif phase == BEGIN and (type(event) is ev.PhaseStarted or _may_show_end(table, event)):
        turns.enter_main(table)
    elif phase == MAIN and _may_show_end(table, event):
        turns.enter_end(table)
    else:
        return _advance_in_end_step(table)
    return table.phase != phase or phase == BEGIN


def _advance_in_end_step(table: Evolve) -> bool:
    """Take the count before the discard or the abilities that wait for it; return whether there was either."""
    if table.phase == END and turns.counts_before_discard(table):
        turns.count_before_discard(table)
        return True
    if table.end_triggers != "due":
        return False
    turns.run_late_end_triggers(table)
    return True


def _may_show_end(table: Evolve, event: Event) -> bool:
    """Return whether a line may show that the end step has begun: it says so, or tells what happens in that step."""
    if isinstance(event, ev.PhaseStarted):
        return event.phase == "end"
    starves = isinstance(event, ev.StarvationCounted | ev.GameEnded) and turns.counts_before_discard(table)
    return starves or bool(end_of_turn(table))


def take_step(table: Evolve) -> bool:
    """Take the next automatic step of which a log need not say anything; return whether there was one.

    The draw at the start of a turn is none, but whoever draws gains DNA and MP at once: so both are one step here.
    """
    if resolve_next(table):
        return True
    if table.owed is not None or table.over:
        return False
    if table.phase == SETUP:
        open_game(table)
        return table.phase != SETUP
    if table.phase == DRAW and turns.gain_before_draw(table):
        return True
    if table.phase == DRAW:
        draw(table, table.players[table.active], (), 1)
        turns.begin_step(table)
    elif table.phase == BEGIN:
        turns.enter_main(table)
    elif table.phase == MAIN and table.watching:
        turns.enter_end(table)
    else:
        return _advance_in_end_step(table)
    return True


# -- steps that are tried out ------------------------------------------------------------------------------------------


Place = tuple[int, int, int]
"""How far a table has come: the lengths of its journal and of what the rules made and applied."""


def place_of(table: Evolve) -> Place:
    """Return how far a table has come."""
    return len(table.journal), len(table.derived), len(table.applied)


def go_back(table: Evolve, place: Place) -> None:
    """Take back steps that lead nowhere."""
    journal, derived, applied = place
    table.undo(journal)
    del table.derived[derived:]
    del table.applied[applied:]


def until(table: Evolve, event: Event, is_reached: Callable[[Evolve], bool]) -> bool:
    """Take automatic steps until something is reached; if nothing does, take none. Return whether it is."""
    place = place_of(table)
    while not is_reached(table):
        if not advance(table, event):
            go_back(table, place)
            return False
    return True
