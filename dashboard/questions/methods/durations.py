"""How long games take, with those that did not finish."""

from typing import Final

import msgspec
import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import groups
from tabletape.dashboard.statistics.survival import duration

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "measure": pa.string(), "games": pa.int64(),
        "unfinished": pa.int64(), "median": pa.float64(), "low": pa.float64(), "high": pa.float64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return the median of each measure from a row a game: its `length`, and whether it is `over`."""
    found = []
    for (game, ruleset, measure), games in groups(rows, "game", "ruleset", "measure"):
        estimate = duration(games["length"].to_pylist(), games["over"].to_pylist())
        found.append({"game": game, "ruleset": ruleset, "measure": measure, **msgspec.structs.asdict(estimate)})
    return pa.Table.from_pylist(found, SCHEMA)
