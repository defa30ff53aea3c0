"""How many rows of an answer stand out, and how many would by luck: of many intervals some leave out the truth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Final

import msgspec
import numpy as np

from tabletape.dashboard.questions import Question
from tabletape.dashboard.questions.share_columns import Share
from tabletape.dashboard.statistics.intervals import CONFIDENCE, wilson, z_of
from tabletape.projector.model.amounts import counted

ROWS: Final = 2
"""A single interval is none of many."""

Row = Mapping[str, Any]


class Tested(msgspec.Struct, frozen=True):
    """A row that could stand out: whether it does, the chance of that if nothing mattered, and its e-value, if any."""

    out: bool
    chance: float
    e_value: float | None = None


def standing_out(asked: Question, rows: Sequence[Row]) -> tuple[str, ...]:
    """Say how many rows leave out what they would be if nothing mattered, and how many would by luck, by dimension.

    That is the baseline of the first share, a strength of one half, or a difference of 0. Beside it stands one e-value
    for all of them, where rows have one. Nothing is said where there are fewer than two such rows. Decks are told apart
    by several dimensions, which count the same games anew: each for itself; so does each kind of bots.
    """
    families: dict[str, list[Row]] = {}
    for row in rows:
        families.setdefault(", ".join(filter(None, (row.get("dimension"), row.get("played_by")))), []).append(row)
    tested_by_name = {name: [*_tested(asked, family)] for name, family in families.items()}
    return tuple(_sentence(name, tested) for name, tested in tested_by_name.items() if len(tested) >= ROWS)


def _tested(asked: Question, rows: Iterable[Row]) -> Iterator[Tested]:
    """Yield what could stand out."""
    share = asked.shares[0] if asked.shares else None
    for row in rows:
        if row.get("own") and row["own"] > row["other"]:
            continue  # The same games as seen from the other side.
        if "e_value" in row:
            continue  # It has one of its own, and one of its family.
        if share is not None:
            if row.get("baseline") and row[share.n]:
                yield _of_share(share, row)
        elif "stands_out" in row:
            continue  # It says so itself, with the luck of its own (`tested`, `by_luck`).
        elif row.get("low") is not None and (even := neutral(row)) is not None:
            yield _of_interval(row, even)


def _of_share(share: Share, row: Row) -> Tested:
    from tabletape.dashboard.statistics.stopping import e_value  # noqa: PLC0415 - a question without a baseline waits for no library

    # Of several baselines (tables of two and of three) the mean stands for all, which makes the e-value smaller, if at
    # all: it is convex in the hits (W. Hoeffding, On the distribution of the number of successes, 1956).
    n, baseline = row[f"{share.name}_effective"], round(row["baseline"], 6)
    out = not row[f"{share.name}_low"] <= row["baseline"] <= row[f"{share.name}_high"]
    # Things that share the fate of their game are no bets of their own.
    evidence = e_value(row[share.hits], row[share.n], baseline) if n == row[share.n] and 0 < baseline < 1 else None
    return Tested(out, chance_by_luck(max(round(n), 1), baseline), evidence)


def neutral(row: Row) -> float | None:
    """Return what the interval of a row would hold if nothing mattered: one half, or 0; None where nothing says so."""
    if "strength" in row:
        return 0.5
    return 0.0 if {"effect", "difference", "rho"} & row.keys() else None


def _of_interval(row: Row, even: float) -> Tested:
    out = not row["low"] <= even <= row["high"]
    if "strength" in row and "narrowed" in row:
        return Tested(out, _of_shrunk(row["narrowed"]))
    # A p-value p gives the e-value 1 / (2 sqrt(p)): V. Vovk, R. Wang, E-values (2021).
    by_luck = row.get("by_luck")
    return Tested(out, 1 - CONFIDENCE, None if by_luck is None else 1 / (2 * by_luck**0.5))


def _of_shrunk(narrowed: float) -> float:
    """Return the chance that the interval of a strength of 0, pulled to 0 by what was thought before, leaves 0 out.

    Estimates are pulled by as much as the games narrowed the variance, and intervals narrow by its root.
    """
    pulled = 1 - (1 - narrowed) ** 2
    return 2 * NormalDist().cdf(-z_of(CONFIDENCE) / pulled**0.5) if pulled > 0 else 0.0


def luck_in_words(luck: float) -> str:
    """Return how many rows stand out by luck, as `about 3`, `0.4` or `fewer than 0.1`."""
    return f"about {luck:.0f}" if luck >= 1 else f"{luck:.1f}" if luck >= 0.1 else "fewer than 0.1"


def _sentence(name: str, tested: Sequence[Tested]) -> str:
    words = luck_in_words(sum(each.chance for each in tested))
    out = sum(each.out for each in tested)
    about = f"By {name}: of" if name else "Of"
    verb = "leaves" if out == 1 else "leave"
    evidence = [each.e_value for each in tested if each.e_value is not None]
    family = f" One e-value for {_all_of(evidence, tested)}: {_of_family(evidence):.2g}." if evidence else ""
    return (
        f"{about} {counted(len(tested), 'interval')} {out} {verb} out what would be if nothing mattered; by luck alone "
        f"{words} would, on average.{family}"
    )


def _of_family(evidence: Sequence[float]) -> float:
    from tabletape.dashboard.statistics.stopping import family_e_value  # noqa: PLC0415 - see `_of_share`

    return family_e_value(list(evidence))


def _all_of(evidence: Sequence[float], tested: Sequence[Tested]) -> str:
    return "all of them" if len(evidence) == len(tested) else f"{len(evidence)} of them"


@lru_cache(maxsize=4096)
def chance_by_luck(n: int, baseline: float) -> float:
    """Return the chance that Wilson's interval of n independent things leaves out their true share, the baseline."""
    from scipy.stats import binom  # noqa: PLC0415 - a question without a baseline waits for no library

    # The interval leaves the baseline out below one count and above another: both are found without trying all.
    counts = np.arange(n + 1)
    reach = 4 * np.sqrt(n * baseline * (1 - baseline)) + 4
    near = counts[np.abs(counts - n * baseline) <= reach]
    inside = [int(hits) for hits in near if (interval := wilson(int(hits), n)).low <= baseline <= interval.high]
    return float(1 - binom.cdf(inside[-1], n, baseline) + binom.cdf(inside[0] - 1, n, baseline)) if inside else 1.0
