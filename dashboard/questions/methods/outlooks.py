"""Whether testing of a share can stop, for every row of a question that has hits, n and a baseline."""

from typing import Any, Final

import msgspec
import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import first_seen
from tabletape.dashboard.statistics.stopping import family_e_value, outlook

TYPES: Final = {
    "verdict": pa.string(), "fair_from": pa.float64(), "fair_to": pa.float64(), "fair": pa.float64(),
    "e_value": pa.float64(), "family_e_value": pa.float64(), "power": pa.float64(),
    "soon": pa.int64(), "more": pa.int64(), "late": pa.int64(),
}  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return the rows (`wins` of `games` against a `baseline`) with what they say of going on (see `Outlook`).

    `family_e_value` is that of all rows of a version together.
    """
    outlooks: list[dict[str, Any]] = []
    for _, of_version in first_seen(rows, "game", "ruleset"):
        each = of_version.to_pylist()
        said = [msgspec.structs.asdict(outlook(row["wins"], row["games"], row["baseline"])) for row in each]
        family = family_e_value([row["e_value"] for row in said])
        outlooks += [row | more | {"family_e_value": family} for row, more in zip(each, said, strict=True)]
    return pa.Table.from_pylist(outlooks, pa.schema([*rows.schema, *TYPES.items()]))
