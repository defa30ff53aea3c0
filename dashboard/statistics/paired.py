"""Differences of pairs: their mean with an interval, and one that holds however often one has looked."""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final

import msgspec
import numpy as np
from scipy.stats import binomtest, norm

from dashboard.statistics.stopping import e_value

CONFIDENCE: Final = 0.95
TUNED: Final = 300
"""The interval that always holds is narrowest, for its kind, at so many pairs."""


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


def _always(n: int, alpha: float) -> float:
    """Return half the width of the interval that always holds, in standard deviations of one difference."""
    rho2 = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / TUNED
    scaled = n * rho2 + 1
    return sqrt(2 * scaled / (n * n * rho2) * log(sqrt(scaled) / alpha))
