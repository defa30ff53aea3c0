"""Rows of sides, one a seat of a game, as contests for the conditional logit."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dashboard.statistics.conditional_logit import Contests, Floats


def groups(rows: pa.Table, *keys: str) -> Iterator[tuple[tuple[Any, ...], pa.Table]]:
    """Return the rows of each value of some columns, in order; rows with equal values stand together."""
    values = list(zip(*(rows[key].to_pylist() for key in keys), strict=True))
    begin = 0
    for end in range(1, len(values) + 1):
        if end == len(values) or values[end] != values[begin]:
            yield values[begin], rows.slice(begin, end - begin)
            begin = end


def decided(sides: pa.Table) -> pa.Table:
    """Leave out games with a single side, and those that not exactly one side has won."""
    starts = game_starts(sides)
    won = column(sides, "won").astype(int)
    sizes = np.diff(np.append(starts, len(won)))
    fit = (np.add.reduceat(won, starts) == 1) & (sizes > 1) if len(won) else sizes > 1
    return sides.filter(pa.array(np.repeat(fit, sizes)))


def game_starts(sides: pa.Table) -> NDArray[np.intp]:
    """Return the rows at which a game begins."""
    ids = np.array(sides["game_id"].to_pylist(), object)
    return np.flatnonzero(np.append(True, ids[1:] != ids[:-1])) if len(ids) else np.array([], np.intp)


def contests(sides: pa.Table, terms: Floats) -> Contests:
    """Return decided games (see `decided`) with their terms, a row a side."""
    return Contests(terms, game_starts(sides), np.flatnonzero(column(sides, "won")))


def column(rows: pa.Table, name: str) -> NDArray[Any]:
    """Return a column of numbers or truth values as an array; what is missing is 0."""
    return np.array([value or 0 for value in rows[name].to_pylist()])


def indicators(values: Sequence[str | None]) -> tuple[list[str], Floats]:
    """Return the different values and, for every row, a column each that is 1 where the row has it."""
    names = sorted({value for value in values if value})
    place = {name: number for number, name in enumerate(names)}
    terms = np.zeros((len(values), len(names)))
    for row, value in enumerate(values):
        if value:
            terms[row, place[value]] = 1.0
    return names, terms
