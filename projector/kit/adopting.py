"""Going on from a written consequence that differs from the rules: the table did what the log says."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from events.vocabulary import Consequence
from projector.model.table import Table


@contextmanager
def as_written(table: Table[Any, Any], event: Consequence) -> Iterator[None]:
    """Do within this what a line says: what it derives of the line's own type first has been written down by it."""
    before = len(table.derived)
    yield
    new = table.derived[before:]
    said = next((each for each in new if type(each.event) is type(event)), None)
    table.derived = [*table.derived[:before], *(each for each in new if each is not said)]


def surplus(event: Any, expected: Any, field: str) -> int:
    """Return by how much a written number exceeds the derived one, which the fold has counted already (or none)."""
    difference: int = getattr(event, field) - (getattr(expected, field) if expected is not None else 0)
    return difference
