"""The turn of each game at which it was decided who wins, as far as that can be known."""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import groups, run_starts, won_by_one
from tabletape.dashboard.questions.methods.tension import FEWEST, lead_of, numbered, positions_of
from tabletape.dashboard.statistics.tension import turning_points

SURE: Final = 0.5
"""A turn that is the turning point in fewer of the draws is not named."""

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "game_id": pa.string(), "turn": pa.int64(),
        **dict.fromkeys(("before", "after", "rise_low", "rise_high", "sure"), pa.float64()),
        "fitted_on": pa.string(), "fitted_games": pa.int64(), "missing": pa.int64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return a row a decided game that was asked for; `rows` are those of the question `tension`."""
    points = [
        {"game": game, "ruleset": ruleset} | each
        for (game, ruleset, _), turns in groups(rows, "game", "ruleset", "players")
        for each in _of_kind(turns)
    ]
    return pa.Table.from_pylist(points, SCHEMA)


def _of_kind(rows: pa.Table) -> list[dict[str, Any]]:
    """Return the turning points of games of one ruleset and number of players."""
    turns = numbered(rows)
    mine = won_by_one(turns.filter(turns["mine"]), "number", "turn")
    if not mine.num_rows:
        return []
    source, lead, fitted = lead_of(turns)
    starts = run_starts(mine, "number")
    ids = [mine["game_id"][start].as_py() for start in starts.tolist()]
    if lead is None:
        return [{"game_id": each, "missing": FEWEST - fitted} for each in ids]
    ends = mine.take(pa.array(run_starts(mine, "number", "turn")))
    places = np.append(run_starts(ends, "number"), ends.num_rows)
    points = []
    for id_, begin, each in zip(ids, places.tolist(), turning_points(positions_of(mine), lead), strict=False):
        known = {"game_id": id_, "sure": each.sure, "fitted_on": source, "fitted_games": fitted}
        if each.sure >= SURE and each.low > 0:
            known |= {"turn": ends["turn"][begin + each.place].as_py(), "before": each.before, "after": each.after}
            known |= {"rise_low": each.low, "rise_high": each.high}
        points.append(known)
    return points
