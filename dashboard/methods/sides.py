"""Rows of sides, one a seat of a game, as contests for the conditional logit."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dashboard.statistics.conditional_logit import Contests, Floats


def groups(rows: pa.Table, *keys: str) -> Iterator[tuple[tuple[Any, ...], pa.Table]]:
    """Return the rows of each value of some columns, in order; rows with equal values stand together."""
    starts = [*run_starts(rows, *keys).tolist(), rows.num_rows]
    for begin, end in pairwise(starts):
        found = rows.slice(begin, end - begin)
        yield tuple(found[key][0].as_py() for key in keys), found


def run_starts(rows: pa.Table, *keys: str) -> NDArray[np.intp]:
    """Return the rows at which one of some columns takes another value than in the row before; the first is one."""
    if not rows.num_rows:
        return np.array([], np.intp)
    begins = np.zeros(rows.num_rows, bool)
    begins[0] = True
    for key in keys:
        values = rows[key].combine_chunks()
        differs = pc.not_equal(values.slice(1), values.slice(0, len(values) - 1))
        begins[1:] |= pc.fill_null(differs, True).to_numpy(zero_copy_only=False)
    return np.flatnonzero(begins)


def decided(sides: pa.Table) -> pa.Table:
    """Leave out games with a single side, and those that not exactly one side has won."""
    starts = game_starts(sides)
    won = column(sides, "won").astype(int)
    sizes = np.diff(np.append(starts, len(won)))
    fit = (np.add.reduceat(won, starts) == 1) & (sizes > 1) if len(won) else sizes > 1
    return sides.filter(pa.array(np.repeat(fit, sizes)))


def game_starts(sides: pa.Table) -> NDArray[np.intp]:
    """Return the rows at which a game begins."""
    return run_starts(sides, "game_id")


def contests(sides: pa.Table, terms: Floats) -> Contests:
    """Return decided games (see `decided`) with their terms, a row a side."""
    return Contests(terms, game_starts(sides), np.flatnonzero(column(sides, "won")))


def column(rows: pa.Table, name: str) -> NDArray[np.float64]:
    """Return a column of numbers or truth values as an array; what is missing is 0."""
    found: NDArray[np.float64] = pc.fill_null(rows[name].cast(pa.float64()), 0.0).to_numpy()
    return found


def indicators(values: Sequence[str | None]) -> tuple[list[str], Floats]:
    """Return the different values and, for every row, a column each that is 1 where the row has it."""
    names = sorted({value for value in values if value})
    place = {name: number for number, name in enumerate(names)}
    terms = np.zeros((len(values), len(names)))
    for row, value in enumerate(values):
        if value:
            terms[row, place[value]] = 1.0
    return names, terms
