"""Whether bots of every kind say the same of a share: a ladder of strengths, not a pool."""

from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import first_seen
from tabletape.dashboard.statistics.comparison import slope
from tabletape.dashboard.statistics.intervals import wilson
from tabletape.projector.selfplay.kinds import Bot

SHARE: Final = ("game", "ruleset", "measure", "value", "players")
"""What a share is of, whichever bots played."""


RUNGS: Final = tuple(Bot)

TREND: Final = ("trend", "trend_low", "trend_high")


def answer(rows: pa.Table) -> pa.Table:
    """Return the rows (`wins` of `games` against a `baseline`, a row a kind of bots) with what all kinds say.

    That is the verdict, and the trend: how much the share changes from one rung to the next, with its interval.
    """
    found: list[dict[str, Any]] = []
    for _, of_share in first_seen(rows, *SHARE):
        kinds = of_share.to_pylist()
        trend = slope([(RUNGS.index(row["bots"]), row["wins"], row["games"]) for row in kinds])
        said = {"verdict": _verdict(kinds), **dict(zip(TREND, trend or (None,) * 3, strict=True))}
        found += [row | said for row in kinds]
    added = [("verdict", pa.string()), *((name, pa.float64()) for name in TREND)]
    return pa.Table.from_pylist(found, pa.schema([*rows.schema, *added]))


def _verdict(kinds: Sequence[dict[str, Any]]) -> str | None:
    """Return what the kinds of bots say of a share: where all are clear, whether on the same side of the baseline."""
    if len(kinds) < 2:
        return None
    sides = {_side(row) for row in kinds}
    if {-1, 1} <= sides:
        return "depends on play"
    return "open" if 0 in sides else "agree"


def _side(row: dict[str, Any]) -> int:
    """Return on which side of the baseline the interval of a share lies; 0 where it holds it."""
    reach = wilson(row["wins"], row["games"])
    return int(reach.low > row["baseline"]) - int(reach.high < row["baseline"])
