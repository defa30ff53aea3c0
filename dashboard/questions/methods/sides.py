"""Rows of sides, one a seat of a game, as contests for the conditional logit."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabletape.dashboard.statistics.conditional_logit import Contests, Floats

GAME: Final = ("ruleset_id", "game_id")
"""What a game is known by: it may have been read by several rulesets."""


def groups(rows: pa.Table, *keys: str) -> list[tuple[tuple[Any, ...], pa.Table]]:
    """Return the rows of each value of some columns, by these values; the rows of each stay in their order."""
    return sorted(first_seen(rows, *keys), key=itemgetter(0))


def first_seen(rows: pa.Table, *keys: str) -> Iterator[tuple[tuple[Any, ...], pa.Table]]:
    """Return the rows of each value of some columns, those first that come first."""
    rows = _arranged(rows, keys, _appearances)
    starts = [*run_starts(rows, *keys).tolist(), rows.num_rows]
    for begin, end in pairwise(starts):
        alike = rows.slice(begin, end - begin)
        yield tuple(alike[key][0].as_py() for key in keys), alike


def together(rows: pa.Table, *keys: str) -> pa.Table:
    """Return rows in the order of their values in some columns; those with equal values stay in their order.

    DuckDB answers with several threads, the rows of one game in their order, but the games in any: sums over them would
    differ in the last digit from one time to the next.
    """
    return _arranged(rows, keys, _ranks)


def _arranged(rows: pa.Table, keys: Iterable[str], numbers: Callable[[pa.ChunkedArray], NDArray[np.int64]]) -> pa.Table:
    places = np.zeros(rows.num_rows, np.int64)
    for key in keys:
        values = numbers(rows[key])
        places = numbers(pa.chunked_array([places * (values.max(initial=0) + 1) + values]))
    return rows if (np.diff(places) >= 0).all() else rows.take(np.argsort(places, kind="stable"))


def _appearances(values: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return a number for every value, from 0 by first appearance."""
    encoded = values.combine_chunks().dictionary_encode("encode")
    numbers: NDArray[np.int64] = encoded.indices.to_numpy().astype(np.int64)
    return numbers


def _ranks(values: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return a number for every value, from 0 by size, or by the alphabet."""
    encoded = values.combine_chunks().dictionary_encode("encode")
    ranks = np.empty(len(encoded.dictionary), np.int64)
    ranks[pc.sort_indices(encoded.dictionary).to_numpy()] = np.arange(len(ranks))
    ranks_of_all: NDArray[np.int64] = ranks[encoded.indices.to_numpy()]
    return ranks_of_all


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
    """Put the sides of games together, without games of a single side and those that not exactly one side has won."""
    return won_by_one(together(sides, *GAME), *GAME)


def won_by_one(sides: pa.Table, *keys: str) -> pa.Table:
    """Leave out contests with a single side, and those that not exactly one side has won.

    The sides of a contest have equal values in some columns, and stand together.
    """
    starts = run_starts(sides, *keys)
    won = column(sides, "won").astype(int)
    sizes = np.diff(np.append(starts, len(won)))
    fit = (np.add.reduceat(won, starts) == 1) & (sizes > 1) if len(won) else sizes > 1
    return sides if fit.all() else sides.filter(pa.array(np.repeat(fit, sizes)))


def game_starts(sides: pa.Table) -> NDArray[np.intp]:
    """Return the rows at which a game begins."""
    return run_starts(sides, *GAME)


def contests(sides: pa.Table, terms: Floats) -> Contests:
    """Return decided games (see `decided`) with their terms, a row a side."""
    return Contests(terms, game_starts(sides), np.flatnonzero(column(sides, "won")))


def column(rows: pa.Table, name: str) -> NDArray[np.float64]:
    """Return a column of numbers or truth values as an array; what is missing is 0."""
    numbers: NDArray[np.float64] = pc.fill_null(rows[name].cast(pa.float64()), 0.0).to_numpy()
    return numbers


def indicators(sides: pa.Table, name: str) -> tuple[list[str], Floats]:
    """Return the different values of a column of text and, for every row, a column each that is 1 where it has it."""
    values = pc.if_else(pc.equal(sides[name], ""), None, sides[name]).combine_chunks().dictionary_encode()
    names = sorted(values.dictionary.to_pylist())
    place = np.array([names.index(value) for value in values.dictionary.to_pylist()], np.intp)
    rows = np.flatnonzero(values.is_valid().to_numpy(zero_copy_only=False))
    terms = np.zeros((len(values), len(names)))
    terms[rows, place[values.indices.drop_null().to_numpy()]] = 1.0
    return names, terms
