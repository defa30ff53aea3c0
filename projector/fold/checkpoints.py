"""Any moment of a game at once: copies of the table along its journal, and short walks from the nearest one.

A copy every so many changes, not events: how far a walk is depends on what changed, and a single event that takes back
an evening's play may change more than a hundred others.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from tabletape.projector.model.changes import Change
from tabletape.projector.model.table import Table

CHECKPOINT_INTERVAL: Final = 48
"""Changes between two copies; a walk is at most half as long."""


class Checkpoints:
    """Copies of a table at several lengths of its journal, made when they are first needed."""

    def __init__(self, base: Table[Any, Any]) -> None:
        self._lengths = [0]
        self._tables = [base]

    def table_at(self, journal: Sequence[Change], length: int) -> Table[Any, Any]:
        """Return a new table as it was when its journal was `length` changes long."""
        journal_ends = self._lengths
        self._keep_up_with(journal, length)
        after = bisect_left(journal_ends, length)
        nearest = (
            after - 1
            if after == len(journal_ends) or (after and journal_ends[after] - length > CHECKPOINT_INTERVAL // 2)
            else after
        )
        table = self._tables[nearest].copy()
        walk(table, journal, journal_ends[nearest], length)
        return table

    def _keep_up_with(self, journal: Sequence[Change], length: int) -> None:
        """Forget the copies beyond the end of a journal and make those that are missing up to a length of it."""
        while self._lengths[-1] > len(journal):
            self._lengths.pop()
            self._tables.pop()
        here = self._lengths[-1]
        last = min(len(journal), length + CHECKPOINT_INTERVAL - 1)
        if here >= length or here + CHECKPOINT_INTERVAL > last:
            return
        table = self._tables[-1].copy()
        for there in range(here + CHECKPOINT_INTERVAL, last + 1, CHECKPOINT_INTERVAL):
            walk(table, journal, here, there)
            here = there
            self._lengths.append(there)
            self._tables.append(table.copy())


def walk(table: Table[Any, Any], journal: Sequence[Change], here: int, there: int) -> None:
    """Take a copy of a table from one length of its original's journal to another, forth or back."""
    if there >= here:
        table.walk(journal[here:there])
    else:
        table.walk(journal[there:here], back=True)
