"""How long games take, with those that did not finish."""

from typing import Final

import msgspec
import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import groups
from tabletape.dashboard.statistics.survival import duration

KIND: Final = ("game", "ruleset", "measure", "players")

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "measure": pa.string(), "players": pa.int64(),
        "games": pa.int64(), "unfinished": pa.int64(), "median": pa.float64(), "low": pa.float64(),
        "high": pa.float64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return the median of each measure from a row a game: its `length`, and whether it is `over`."""
    estimates = []
    for kind, games in groups(rows, *KIND):
        estimate = duration(games["length"].to_pylist(), games["over"].to_pylist())
        estimates.append({**dict(zip(KIND, kind, strict=True)), **msgspec.structs.asdict(estimate)})
    return pa.Table.from_pylist(estimates, SCHEMA)
