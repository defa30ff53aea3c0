"""How many rows of an answer stand out, and how many would by luck: of many intervals some leave out the truth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from tabletape.dashboard.questions import Question
from tabletape.dashboard.statistics.intervals import CONFIDENCE, wilson
from tabletape.projector.model.amounts import counted

ROWS: Final = 2
"""A single interval is none of many."""

Row = Mapping[str, Any]


def standing_out(asked: Question, rows: Sequence[Row]) -> tuple[str, ...]:
    """Say how many rows leave out what they would be if nothing mattered, and how many would by luck, by dimension.

    That is the baseline of the first share, or a difference of 0 (`versions`). Nothing is said where there are fewer
    than two such rows. Decks are told apart by several dimensions, which count the same games anew: each for itself.
    """
    families: dict[str, list[Row]] = {}
    for row in rows:
        families.setdefault(row.get("dimension") or "", []).append(row)
    found = {name: [*_tested(asked, family)] for name, family in families.items()}
    return tuple(_sentence(name, tested) for name, tested in found.items() if len(tested) >= ROWS)


def _tested(asked: Question, rows: Iterable[Row]) -> Iterator[tuple[bool, float]]:
    """Yield for each row that could stand out whether it does, and the chance of that if nothing mattered."""
    share = asked.shares[0] if asked.shares else None
    for row in rows:
        if share is not None and row.get("baseline") and row[share.n]:
            out = not row[f"{share.name}_low"] <= row["baseline"] <= row[f"{share.name}_high"]
            yield out, chance_by_luck(max(round(row[f"{share.name}_effective"]), 1), round(row["baseline"], 6))
        elif share is None and row.get("unit"):
            yield not row["low"] <= 0 <= row["high"], 1 - CONFIDENCE


def _sentence(name: str, tested: Sequence[tuple[bool, float]]) -> str:
    luck = sum(chance for _, chance in tested)
    words = f"about {luck:.0f}" if luck >= 1 else f"{luck:.1f}" if luck >= 0.1 else "fewer than 0.1"
    out = sum(each for each, _ in tested)
    about = f"By {name}: of" if name else "Of"
    verb = "leaves" if out == 1 else "leave"
    return (
        f"{about} {counted(len(tested), 'interval')} {out} {verb} out what would be if nothing mattered; by luck alone "
        f"{words} would, on average."
    )


@lru_cache(maxsize=4096)
def chance_by_luck(n: int, baseline: float) -> float:
    """Return the chance that Wilson's interval of n independent things leaves out their true share, the baseline."""
    from scipy.stats import binom  # noqa: PLC0415 - a question without a baseline waits for no library

    # The interval leaves the baseline out below one count and above another: both are found without trying all.
    counts = np.arange(n + 1)
    reach = 4 * np.sqrt(n * baseline * (1 - baseline)) + 4
    near = counts[np.abs(counts - n * baseline) <= reach]
    inside = [int(hits) for hits in near if (found := wilson(int(hits), n)).low <= baseline <= found.high]
    return float(1 - binom.cdf(inside[-1], n, baseline) + binom.cdf(inside[0] - 1, n, baseline)) if inside else 1.0
