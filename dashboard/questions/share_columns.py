"""Shares put beside their counts: the share, its 95 % interval, and how much its things tell.

Things that come in clumps (copies of a card in a game, decisions of a game) are shown with a column of sums over the
games, `{games, hh, hn, nn}` (see `dashboard.statistics.clusters`), which is taken out of the answer again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from tabletape.dashboard.statistics.clusters import Clumps, clustered, design_effect
from tabletape.dashboard.statistics.intervals import Interval, share_in_words, share_said, shrunk, wilson

SUFFIXES = ("", "_low", "_high", "_effective")


class Share(msgspec.Struct, frozen=True):
    """A share of an answer: the columns of its hits, of its n and (where things come in clumps) of its clumps."""

    name: str
    hits: str
    n: str
    clumps: str = ""

    def in_words(self, row: Mapping[str, Any]) -> str:
        """Return the share of a row with its count and its interval."""
        return share_in_words(*self._known(row))

    def said(self, row: Mapping[str, Any]) -> str:
        """Return the same as a page says it."""
        return share_said(*self._known(row))

    def _known(self, row: Mapping[str, Any]) -> tuple[float, float, Interval | None]:
        if not row[self.n]:
            return 0, 0, None
        return row[self.hits], row[self.n], Interval(row[f"{self.name}_low"], row[f"{self.name}_high"])

    def effective(self, row: Mapping[str, Any]) -> tuple[float, float]:
        """Return hits and n of as many independent things as the row's tell as much as, to compare with others."""
        n = row[f"{self.name}_effective"] or 0.0
        return (row[self.name] or 0.0) * n, n

    @property
    def hidden(self) -> frozenset[str]:
        """The columns of an answer that the words of the share say already."""
        return frozenset({self.hits, self.n, *(f"{self.name}{suffix}" for suffix in SUFFIXES[1:])})


def with_shares(answer: pa.Table, shares: Sequence[Share], pulled: Sequence[Share]) -> pa.Table:
    """Put shares beside their counts, and those that are `pulled` towards one half."""
    for share in shares:
        shares_of_rows = [_share(*counts) for counts in _counts(answer, share)]
        for place, suffix in enumerate(SUFFIXES):
            answer = answer.append_column(share.name + suffix, _numbers([each[place] for each in shares_of_rows]))
    clumps = {share.clumps for share in shares if share.clumps}
    answer = answer.select([name for name in answer.column_names if name not in clumps])
    for share in pulled:
        values = [shrunk(hits, n) for hits, n, _ in _counts(answer, share)]
        answer = answer.append_column(share.name, _numbers(values))
    return answer


def _numbers(values: Sequence[float | None]) -> pa.Array:
    """Return a column of numbers. `pa.array` would do, but its first call loads pandas: 0.3 seconds of a start."""
    known = np.packbits(np.array([value is not None for value in values], bool), bitorder="little")
    numbers = np.array([value or 0.0 for value in values], np.float64)
    return pa.Array.from_buffers(pa.float64(), len(values), [pa.py_buffer(known), pa.py_buffer(numbers)])


def _counts(answer: pa.Table, share: Share) -> Iterable[tuple[int, int, dict[str, float] | None]]:
    clumps = answer[share.clumps].to_pylist() if share.clumps else [None] * answer.num_rows
    return zip(answer[share.hits].to_pylist(), answer[share.n].to_pylist(), clumps, strict=True)


def _share(hits: int, n: int, sums: dict[str, float] | None) -> tuple[float | None, ...]:
    """Return a share, the ends of its interval and its effective n; None where nothing is known."""
    if not n:
        return None, None, None, None
    if sums is None:
        interval = wilson(hits, n)
        return hits / n, interval.low, interval.high, float(n)
    clumps = Clumps(**{key: float(value or 0) for key, value in sums.items()})
    interval = clustered(hits, n, clumps)
    return hits / n, interval.low, interval.high, n / design_effect(hits, n, clumps)
