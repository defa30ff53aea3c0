"""Differences of pairs: their mean with an interval, and one that holds however often one has looked."""

from collections.abc import Sequence
from math import inf, log, sqrt
from typing import Final

import msgspec
import numpy as np
from scipy.stats import binomtest, norm, t

from tabletape.dashboard.statistics.clusters import clumps, design_effect
from tabletape.dashboard.statistics.stopping import e_value

CONFIDENCE: Final = 0.95
TUNED_PAIRS: Final = 300
"""The number of pairs at which the interval that always holds is narrowest, for its kind."""

Counts = tuple[float, float]
"""Hits, and the things that could be hits, of one game."""


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """What `n` pairs say of a difference.

    `mean` with its interval `low` to `high` where the number of pairs was fixed beforehand; `always` is half the width
    of the interval around the mean that holds at every number of pairs at once, so one may stop by it. `more` and
    `fewer` count the pairs with a difference above and below 0, `p` is McNemar's exact P for them, and `e_value` the
    evidence against a difference of 0 whenever one looks (20 rejects it at 5 %).
    """

    n: int
    mean: float
    low: float
    high: float
    always: float
    more: int
    fewer: int
    p: float
    e_value: float


def paired(differences: Sequence[float]) -> Paired:
    """Return what the differences of pairs say. Raises `ValueError` where there is none.

    The interval counts two more pairs, one for the change and one against it (Bonett and Price 2012): without them few
    pairs that all came out alike would claim to know the difference for sure.
    The interval that always holds is the normal mixture of Robbins, in the asymptotic form of Waudby-Smith, Arbour,
    Sinha, Kennedy and Ramdas (2021); P and e-value look at the signs of the pairs that differ.
    """
    if not differences:
        raise ValueError("there are no pairs")
    values = np.asarray(differences, dtype=np.float64)
    n, mean = len(values), float(values.mean())
    seen = n + 2
    middle = float(values.sum()) / seen
    deviation = sqrt((float((values**2).sum()) + 2) / seen - middle**2)
    half = float(norm.ppf(0.5 + CONFIDENCE / 2)) * deviation / sqrt(seen)
    more, fewer = int((values > 0).sum()), int((values < 0).sum())
    differing = more + fewer
    return Paired(
        n=n,
        mean=mean,
        low=min(middle - half, mean),
        high=max(middle + half, mean),
        always=deviation * _always(n, 1 - CONFIDENCE),
        more=more,
        fewer=fewer,
        p=float(binomtest(more, differing).pvalue) if differing else 1.0,
        e_value=e_value(more, differing, 0.5) if differing else 1.0,
    )


class Shift(msgspec.Struct, frozen=True):
    """By how much a measure is higher after than before, and the ends of its 95 % interval: infinite where unknown."""

    value: float
    low: float
    high: float


def mean_shift(before: Sequence[float], after: Sequence[float]) -> Shift:
    """Return the shift of a mean over pairs, by Student's interval of their differences.

    Raises `ValueError` where there is no pair, or the numbers are not pairs.
    """
    differences = [there - here for here, there in zip(before, after, strict=True)]
    if not differences:
        raise ValueError("there are no pairs")
    value, half = float(np.mean(differences)), _half(differences)
    return Shift(value, value - half, value + half)


def share_shift(before: Sequence[Counts], after: Sequence[Counts]) -> Shift | None:
    """Return the shift of a share over pairs of games, each with its `(hits, things)`; None where one has no thing.

    Things of one game share its fate, so the interval looks at pairs of games: at how far the hits of each lie from
    what the shares let expect (linearized, as is usual for a ratio: W. G. Cochran, Sampling Techniques, 1977, ch. 6).
    As in `paired` two more pairs keep few alike pairs from claiming to know for sure, each of as many things as tell as
    much as a single one: where no game has a hit, these may be all things of a game, which would have it together.
    A share rises or falls by 1 at most, and so far the interval goes at most.
    Raises `ValueError` where the games are not pairs.
    """
    (h_before, n_before), (h_after, n_after) = (
        tuple(map(sum, zip(*counts, strict=True))) for counts in (before, after)
    )
    if not (n_before and n_after):
        return None
    one = min(design_effect(h_before, n_before, clumps(before)), design_effect(h_after, n_after, clumps(after)))
    scatter = _residuals([*after, (one, one), (0, one)]) - _residuals([*before, (0, one), (one, one)])
    value, half = h_after / n_after - h_before / n_before, _half(scatter)
    return Shift(value, max(value - half, -1.0), min(value + half, 1.0))


def _residuals(counts: Sequence[Counts]) -> np.ndarray:
    """Return how far each game's hits lie from the share of all, in things of a mean game."""
    h, n = np.asarray(counts, dtype=np.float64).T
    residuals: np.ndarray = (h - n * h.sum() / n.sum()) / n.mean()
    return residuals


def _half(values: Sequence[float] | np.ndarray) -> float:
    k = len(values)
    return float(t.ppf(0.5 + CONFIDENCE / 2, k - 1) * np.std(values, ddof=1) / sqrt(k)) if k > 1 else inf


def _always(n: int, alpha: float) -> float:
    """Return half the width of the interval that always holds, in standard deviations of one difference."""
    rho2 = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / TUNED_PAIRS
    scaled = n * rho2 + 1
    return sqrt(2 * scaled / (n * n * rho2) * log(sqrt(scaled) / alpha))
