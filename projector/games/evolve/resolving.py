"""What has been declared happens: last in, first out - response, event, answering attack, play or action.

What happens then stands in the chapter of each, as `resolves` says.
"""

from collections.abc import Callable
from typing import Any, Final

from tabletape.projector.games.evolve.effects import carry_on
from tabletape.projector.games.evolve.state import Evolve

Resolve = Callable[[Evolve, Any], None]
"""Lets happen what was declared: a `Pending`, or an event that is open (`Opened`)."""
RESOLVE: Final[dict[str, Resolve]] = {}
"""How each kind of what has been declared happens."""


def resolves(kind: str) -> Callable[[Resolve], Resolve]:
    """Declare what happens when a kind of play or action (`PlayKind`), or an `event`, resolves."""

    def declare(resolve: Resolve) -> Resolve:
        RESOLVE[kind] = resolve
        return resolve

    return declare


def resolve_next(table: Evolve) -> bool:
    """Resolve the last thing that was declared; return whether there was one that could."""
    if table.owed is not None or table.over:
        return False
    event, answer, pending = table.event, table.answer, table.pending
    if table.agenda:
        carry_on(table)
    elif event is not None and not (pending is not None and table.options["event_resolution"] == "after"):
        RESOLVE["event"](table, event)
    elif answer is not None:
        table.update(table, answer=None, played=(), declined=())
        RESOLVE[answer.kind](table, answer)
    elif pending is not None:
        table.set_pending(None)
        RESOLVE[pending.kind](table, pending)
    else:
        return False
    if table.agenda:
        carry_on(table)
    return True


def is_open(table: Evolve) -> bool:
    """Return whether something that was declared has not happened yet."""
    return bool(table.pending is not None or table.event is not None or table.answer is not None or table.agenda)


def resolve_all(table: Evolve) -> None:
    """Resolve everything that was declared, as far as the next draw."""
    # As `is_open` asks it: mostly nothing is open, and each line of the main step and each try-out comes through here.
    while table.pending is not None or table.event is not None or table.answer is not None or table.agenda:
        if not resolve_next(table):
            return


def resolve_event(table: Evolve) -> None:
    """Resolve the open event, and what abilities have put on the agenda."""
    while (table.event is not None or table.agenda) and resolve_next(table):
        pass


def settle(table: Evolve) -> None:
    """Carry out what abilities of cards have put on the agenda, as far as the next draw."""
    if table.agenda and table.event is None:
        carry_on(table)
