"""When playtesting of a share can stop: fair, not fair, or about how many games more.

The baseline is what the share would be if nothing mattered: one half for two players, a third for three.
"""

from functools import lru_cache
from typing import Final, Literal

import msgspec
import numpy as np
from scipy.special import betainc, betaln
from scipy.stats import binom

from tabletape.dashboard.statistics.intervals import wilson

Floats = float | np.ndarray

PSEUDO_GAMES: Final = 10
"""What is thought before the first game weighs as much as ten: Beta(5, 5) around one half."""

ODDS: Final = 1.5
"""Shares whose odds are within this factor of the baseline's are near it: 40 to 60 % of one half, 18 to 33 % of a
quarter. Ten points on either side would be little for a share of one half, and much for one of a quarter."""

FAIR: Final = 0.9
UNFAIR_PROBABILITY: Final = 0.05
"""Fair: near the baseline with at least the first probability; not fair: with less than the second."""

REJECT: Final = 20.0
"""An e-value from here on rejects the baseline at 5 %, however often one has looked."""

FURTHEST: Final = 4000
"""The most games that a plan looks ahead."""

LOOKS: Final = np.unique(np.round(np.geomspace(1, FURTHEST, 60)).astype(int))
"""After how many games more a forecast looks whether it is decided: after each of the first ones, then less often."""

FUTURES: Final = 500
SEED: Final = 20

Verdict = Literal["fair", "not fair", "keep testing"]


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What the games so far say of a share, and what is still missing.

    `fair` is the probability that it lies near its baseline (`fair_from` to `fair_to`), `e_value` the evidence against
    the baseline, `power` the chance that so many games tell a share at the upper end of what is fair. Of tests that
    stand as this one does, one in ten is decided by `soon` games more, half by `more`, nine in ten by `late`; None
    where that is beyond `FURTHEST`, and where it is decided already.
    """

    verdict: Verdict
    fair_from: float
    fair_to: float
    fair: float
    e_value: float
    power: float
    soon: int | None
    more: int | None
    late: int | None


def outlook(hits: int, n: int, baseline: float) -> Outlook:
    """Return what `hits` of `n` games say of a share with a baseline. Raises `ValueError` unless 0 <= hits <= n."""
    if not 0 <= hits <= n:
        raise ValueError(f"a share is some of all, not {hits} of {n}")
    low, high = near(baseline)
    fair, said = float(_fair(hits, n, baseline)), verdict(hits, n, baseline)
    soon, more, late = forecast(hits, n, baseline) if said == "keep testing" else (None, None, None)
    return Outlook(
        verdict=said, fair_from=low, fair_to=high, fair=fair, e_value=e_value(hits, n, baseline),
        power=power(n, baseline), soon=soon, more=more, late=late,
    )  # fmt: skip


def near(baseline: float) -> tuple[float, float]:
    """Return the shares between which one counts as fair: its odds are within a factor of the baseline's."""
    odds = baseline / (1 - baseline)
    low, high = odds / ODDS, odds * ODDS
    return low / (1 + low), high / (1 + high)


def verdict(hits: int, n: int, baseline: float) -> Verdict:
    """Return what the probability decides with which a share lies near its baseline."""
    fair = _fair(hits, n, baseline)
    if fair > FAIR:
        return "fair"
    return "not fair" if fair < UNFAIR_PROBABILITY else "keep testing"


def _fair(hits: Floats, n: Floats, baseline: float) -> Floats:
    """Return the probability that a share lies near its baseline."""
    low, high = near(baseline)
    a, b = PSEUDO_GAMES * baseline + hits, PSEUDO_GAMES * (1 - baseline) + n - hits
    return betainc(a, b, high) - betainc(a, b, low)  # type: ignore[no-any-return]


def e_value(hits: int, n: int, baseline: float) -> float:
    """Return the evidence against a share that is exactly its baseline: the ratio of two chances of these games.

    Above, the share is drawn from a Beta distribution around the baseline that weighs ten games; below, it is the
    baseline. If the baseline is true the ratio ever reaches 20 with a chance of 5 % at most, so one may look after
    every game. Source: J. Ville, Étude critique de la notion de collectif (1939); A. Ramdas and others, Game-theoretic
    statistics and safe anytime-valid inference, Statistical Science 38 (2023).
    """
    a, b = PSEUDO_GAMES * baseline, PSEUDO_GAMES * (1 - baseline)
    mixture = betaln(a + hits, b + n - hits) - betaln(a, b)
    plain = hits * np.log(baseline) + (n - hits) * np.log1p(-baseline)
    return float(np.exp(min(mixture - plain, 700.0)))


def family_e_value(values: list[float]) -> float:
    """Return the evidence against "no row of a table differs from its baseline": the mean of the rows' e-values.

    A mean of e-values is one, however the rows depend on each other (the wins of one deck are the losses of another),
    so looking at many rows costs nothing. Raises `ValueError` where there is no row. Source: V. Vovk, R. Wang,
    E-values: calibration, combination and applications, Annals of Statistics 49 (2021).
    """
    if not values:
        raise ValueError("there are no rows")
    return sum(values) / len(values)


def power(n: int, baseline: float) -> float:
    """Return the chance that n games tell a share at the upper end of what is fair: Wilson's interval leaves it out."""
    counts = np.arange(n + 1)
    is_detected = (
        [not (interval := wilson(int(hits), n)).low <= baseline <= interval.high for hits in counts] if n else [False]
    )
    return float(binom.pmf(counts, n, near(baseline)[1]) @ np.array(is_detected))


@lru_cache(maxsize=256)
def forecast(hits: int, n: int, baseline: float) -> tuple[int | None, int | None, int | None]:
    """Return after how many games more one in ten, half and nine in ten of such tests are decided; None: too far away.

    The true share is drawn from what the games so far leave open, then games are played on, and the first look counts
    at which the verdict is fair or not fair. Source: D. J. Spiegelhalter, K. R. Abrams, J. P. Myles, Bayesian
    approaches to clinical trials (2004), ch. 6: predictive distributions.
    """
    rng = np.random.default_rng(SEED)
    share = rng.beta(PSEUDO_GAMES * baseline + hits, PSEUDO_GAMES * (1 - baseline) + n - hits, FUTURES)
    steps = np.diff(LOOKS, prepend=0)
    won = hits + np.cumsum(rng.binomial(steps, share[:, None]), axis=1)
    fair = np.asarray(_fair(won, n + LOOKS, baseline))
    decided = (fair > FAIR) | (fair < UNFAIR_PROBABILITY)
    first = np.where(decided.any(axis=1), LOOKS[decided.argmax(axis=1)], FURTHEST + 1)
    quantiles = np.quantile(first, (0.1, 0.5, 0.9), method="inverted_cdf")
    soon, half, late = (int(each) if each <= FURTHEST else None for each in quantiles)
    return soon, half, late
