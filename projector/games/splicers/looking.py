"""A look at the table as it would be after a step."""

from collections.abc import Callable
from typing import TypeVar

from projector.games.splicers.rounds import settle
from projector.games.splicers.state import Splicers

Looked = TypeVar("Looked")


def look_ahead(table: Splicers, step: Callable[[Splicers], None], look: Callable[[], Looked]) -> Looked:
    """Return what there is to see after a step and all that follows from it; the table stays as it is."""
    length = len(table.journal)
    kept = [*table.derived], table.newly_applied, [*table.rests]
    step(table)
    settle(table)
    seen = look()
    table.undo(length)
    table.derived, table.newly_applied, table.rests[:] = kept
    return seen
