"""How much shorter games are that a player plays for the second time."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import groups
from tabletape.dashboard.statistics.tension import mean_with_reach

KIND: Final = ("game", "ruleset", "players")
MEASURES: Final = ("decisions", "rounds", "turns", "minutes")

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "measure": pa.string(), "players": pa.int64(),
        "pairs": pa.int64(), "independent": pa.int64(), "difference": pa.float64(), "low": pa.float64(),
        "high": pa.float64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return by how much second games are longer than first ones, a row a measure.

    `rows` has a row for every `first_game` that stands beside a `second_game`, with each measure of both.
    """
    differences: list[dict[str, Any]] = []
    for kind, games in groups(rows, *KIND):
        head = dict(zip(KIND, kind, strict=True))
        differences += [head | row for row in _measured(games.to_pylist())]
    return pa.Table.from_pylist(differences, SCHEMA)


def _measured(pairs: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for measure in MEASURES:
        told = [row for row in pairs if row[f"{measure}_first"] and row[f"{measure}_second"]]
        if not told:
            continue
        logs = np.log([row[f"{measure}_second"] / row[f"{measure}_first"] for row in told])
        apart = _apart([(row["first_game"], row["second_game"]) for row in told])
        mean, reach = mean_with_reach(np.array([logs[each].mean() for each in apart]))
        # Groups that are all alike do not tell how much others may differ.
        ends = (None, None) if not reach else (float(np.expm1(mean - reach)), float(np.expm1(mean + reach)))
        yield {
            "measure": measure, "pairs": len(told), "independent": len(apart), "difference": float(np.expm1(mean)),
            "low": ends[0], "high": ends[1],
        }  # fmt: skip


def _apart(pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Return the places of pairs in groups, of which no two share a game."""
    clusters: list[tuple[set[str], list[int]]] = []
    for place, games in enumerate(pairs):
        touching = [each for each in clusters if not each[0].isdisjoint(games)]
        clusters = [each for each in clusters if each not in touching]
        names = set(games).union(*(each[0] for each in touching))
        clusters.append((names, [*(at for each in touching for at in each[1]), place]))
    return [sorted(each[1]) for each in clusters]
