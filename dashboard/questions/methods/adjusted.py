"""How strong players, decks, seats and beginning are when each is allowed for in the others."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tabletape.dashboard.questions.methods.ratings import PRIOR, compared
from tabletape.dashboard.questions.methods.sides import column, contests, decided, game_starts, groups, indicators
from tabletape.dashboard.statistics.conditional_logit import Floats, Posterior, fit

TERMS: Final = {"player": "name", "deck": "deck", "seat": "seat"}
"""What is allowed for, and the column that says it."""

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "measure": pa.string(), "value": pa.string(), "games": pa.int64(),
        "strength": pa.float64(), "low": pa.float64(), "high": pa.float64(), "narrowed": pa.float64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return a row for every player, deck and seat and for who begins, the strongest of each first.

    `rows` has a row for every side of the games that somebody won: `ruleset_id`, `game_id`, `name`, `deck`, `seat`,
    `first`, `won`.
    """
    strengths = []
    for (game, ruleset), sides in groups(rows, "game", "ruleset"):
        head = {"game": game, "ruleset": ruleset}
        strengths += [head | row for row in _strengths(decided(sides))]
    return pa.Table.from_pylist(strengths, SCHEMA)


def _strengths(sides: pa.Table) -> Iterator[dict[str, Any]]:
    if not sides.num_rows:
        return
    measured = {measure: indicators(sides, name) for measure, name in TERMS.items()}
    first = column(sides, "first")[:, None]
    if (measured["seat"][1] == first).all(axis=0).any():
        del measured["seat"]  # who begins always sits there: the two cannot be told apart
    every = np.hstack([*(terms for _, terms in measured.values()), first])
    posterior = fit(contests(sides, every), np.full(every.shape[1], PRIOR))
    starts = game_starts(sides)
    # The games that tell of a term: in which not all sides have it alike.
    told: Floats = (np.maximum.reduceat(every, starts) > np.minimum.reduceat(every, starts)).sum(axis=0)
    at = 0
    for measure, (names, _) in measured.items():
        # What all have alike is told from nothing.
        rows: list[dict[str, Any]] = [
            {"measure": measure, "value": name, "games": int(told[at + place])}
            | _row(posterior, at + place, (at, at + len(names)))
            for place, name in enumerate(names)
            if len(names) > 1 and told[at + place]
        ]
        yield from sorted(rows, key=lambda row: (-row["strength"], row["value"]))
        at += len(names)
    if told[at]:
        yield {"measure": "first player", "value": "", "games": int(told[at]), **_row(posterior, at, (at, at))}


def _row(posterior: Posterior, place: int, alike: tuple[int, int]) -> dict[str, float]:
    """Return the chance of one term to beat the average of those like it (none: to beat none), and what games told."""
    weights = np.zeros(len(posterior.mean))
    begin, end = alike
    if end > begin:
        weights[begin:end] = -1 / (end - begin)
    weights[place] += 1.0
    return compared("strength", posterior, weights)
