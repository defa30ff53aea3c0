"""Going on from a written consequence that differs from the rules: the table did what the log says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.table import Table


@contextmanager
def as_written(table: Table[Any, Any], event: Consequence) -> Iterator[None]:
    """Do within this what a line says: what it derives of the line's own type first has been written down by it.

    It was the log that did it, so no rule is counted as carried out.
    """
    before, applied = len(table.derived), table.newly_applied
    yield
    table.newly_applied = applied
    new = table.derived[before:]
    adopted = next((each for each in new if type(each.event) is type(event)), None)
    table.derived = [*table.derived[:before], *(each for each in new if each is not adopted)]


def adopt_total(field: str, written: str) -> Callable[[Any, Any, Any], None]:
    """Return what takes a total over as it is written, in a field of the player or the card that a line is about."""

    def adopt(table: Table[Any, Any], event: Event, _expected: Any) -> None:
        thing = table.players.get(getattr(event, "player", "")) or table.find(getattr(event, "card", ""))
        if thing is not None:
            table.set(thing, field, getattr(event, written))

    return adopt


def go_on_with(
    table: Table[Any, Any], lines: tuple[type[Consequence], ...], about: tuple[str, str], field: str, by: int
) -> None:
    """Change a total in what the log has still to write about a player or a card: `about` is a field and its value.

    So one slip is one finding.
    """
    name, value = about
    for index, each in enumerate(table.derived if by else ()):
        line: Any = each.event
        if isinstance(line, lines) and getattr(line, name, None) == value and hasattr(line, field):
            changed = msgspec.structs.replace(line, **{field: getattr(line, field) + by})
            table.derived[index] = Derived(changed, each.rule, each.mark)


def surplus(event: Event, expected: Any, field: str) -> int:
    """Return by how much a written number exceeds the derived one, which the fold has counted already (or none)."""
    difference: int = getattr(event, field) - (getattr(expected, field) if expected is not None else 0)
    return difference
