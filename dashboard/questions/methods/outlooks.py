"""Whether testing of a share can stop, for every row of a question that has hits, n and a baseline."""

from typing import Final

import msgspec
import pyarrow as pa

from tabletape.dashboard.statistics.stopping import outlook

TYPES: Final = {
    "verdict": pa.string(), "fair": pa.float64(), "e_value": pa.float64(), "power": pa.float64(), "more": pa.int64(),
}  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return the rows (`wins` of `games` against a `baseline`) with what they say of going on (see `Outlook`)."""
    counts = zip(*(rows[name].to_pylist() for name in ("wins", "games", "baseline")), strict=True)
    found = [msgspec.structs.asdict(outlook(*each)) for each in counts]
    for name, kind in TYPES.items():
        rows = rows.append_column(name, pa.array([each[name] for each in found], kind))
    return rows
