"""A against B: how sure it is that a share is larger in B, whether luck makes such a difference, what would be found.

Games of A and of B are different games; the same games read twice are compared game by game instead.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, ndtri

from tabletape.dashboard.statistics.intervals import FEWEST

PRIOR: Final = 5
"""Beta(5, 5): before the first game a share weighs as much as ten games, half of them won."""

SHUFFLES: Final = 2000
NUMBERS_A_DRAW: Final = 1_000_000
"""How many numbers are drawn together."""

SEED: Final = 20
"""The same games give the same answer, so luck is drawn from a seed."""


def larger(a: tuple[int, int], b: tuple[int, int]) -> float:
    """Return P(B > A) for two shares `(hits, n)`, each Beta(5, 5) before its games.

    Exact for whole numbers: the sum over the ways B can be ahead.
    Sources: E. Miller, Formulas for Bayesian A/B testing (2014); J. D. Cook, Exact calculation of beta inequalities
    (2005).
    """
    (wins_a, n_a), (wins_b, n_b) = a, b
    alpha_a, beta_a = PRIOR + wins_a, PRIOR + n_a - wins_a
    alpha_b, beta_b = PRIOR + wins_b, PRIOR + n_b - wins_b
    i = np.arange(alpha_b)
    terms = betaln(alpha_a + i, beta_a + beta_b) - np.log(beta_b + i) - betaln(1 + i, beta_b) - betaln(alpha_a, beta_a)
    return float(min(np.exp(terms).sum(), 1.0))


def permutation(hits: Sequence[float], in_b: Sequence[bool], strata: Sequence[object]) -> float:
    """Return how often luck makes a difference of two shares at least as large as this one.

    `hits` has each game's 0 or 1 (or number), `in_b` whether it is of B, `strata` what it may only be exchanged within
    (its deck and who began). 1 where no stratum has games of both.
    Source: P. Good, Permutation, parametric, and bootstrap tests of hypotheses (2005).
    """
    values, groups = np.asarray(hits, float), np.asarray(in_b, bool)
    if not groups.any() or groups.all():
        return 1.0
    _, codes = np.unique(np.array([repr(each) for each in strata]), return_inverse=True)
    rng = np.random.default_rng(SEED)
    places, ordered = np.argsort(codes, kind="stable"), np.sort(codes)
    difference = abs(_differences(values, groups[None, :])[0])
    as_large = 0
    batch = max(NUMBERS_A_DRAW // len(values), 1)
    for begin in range(0, SHUFFLES, batch):
        size = min(batch, SHUFFLES - begin)
        # Sorted by stratum and luck: within each stratum any order is as likely.
        order = np.argsort(ordered + rng.random((size, len(values))), axis=1)
        shuffled = np.empty((size, len(values)), bool)
        shuffled[:, places] = groups[places][order]
        as_large += int((np.abs(_differences(values, shuffled)) >= difference - 1e-12).sum())
    return (as_large + 1) / (SHUFFLES + 1)


def _differences(values: NDArray[np.float64], groups: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the difference of the means of B and A, a row a grouping."""
    in_b, n_b = groups @ values, groups.sum(axis=1)
    differences: NDArray[np.float64] = in_b / n_b - (values.sum() - in_b) / (len(values) - n_b)
    return differences


def detectable(share: float, n: int) -> float:
    """Return the smallest difference of two shares that n games on each side would find with 80 % power.

    About 2.8 standard errors (1.96 + 0.84) of a difference; 1 where there is no game.
    Source: J. Cohen, Statistical power analysis for the behavioral sciences (1988).
    """
    return min(2.8 * float(np.sqrt(2 * share * (1 - share) / n)), 1.0) if n else 1.0


def middle_difference(
    a: Sequence[float], b: Sequence[float], *, middle: Callable[..., Any] = np.median
) -> tuple[float, tuple[float, float] | None]:
    """Return the median of B minus that of A with its 95 % interval, by drawing whole games with repetition.

    The same of another `middle` of them, such as the mean.

    No interval where either has fewer than `FEWEST` games: drawn with repetition they are too much alike. Of one on
    each side the interval of a difference of medians has no width, of two it holds the truth in 66 % of runs, of three
    in 88 %, of four in 93 %.
    Source: B. Efron, R. Tibshirani, An introduction to the bootstrap (1993). Raises `ValueError` where one has none.
    """
    if not (a and b):
        raise ValueError("a middle needs at least one game on each side")
    ours, others = np.asarray(a, float), np.asarray(b, float)
    difference = float(middle(others) - middle(ours))
    if min(len(a), len(b)) < FEWEST:
        return difference, None
    rng = np.random.default_rng(SEED)
    drawn = [middle(rng.choice(each, (SHUFFLES, len(each))), axis=1) for each in (others, ours)]
    low, high = np.quantile(drawn[0] - drawn[1], (0.025, 0.975))
    return difference, (float(low), float(high))


def slope(rungs: Sequence[tuple[int, float, float]]) -> tuple[float, float, float] | None:
    """Return how much a share changes from one rung to the next, with the ends of its 95 % interval.

    Each rung is its place, its hits and its n; None with fewer than two rungs. By least squares, with one more hit and
    one more miss on each rung, which for two rungs is the interval of a difference by A. Agresti and B. Caffo, Simple
    and effective confidence intervals, The American Statistician 54 (2000).
    """
    if len(rungs) < 2:
        return None
    places, hits, n = np.array(rungs, dtype=np.float64).T
    weights = (places - places.mean()) / ((places - places.mean()) ** 2).sum()
    shares = (hits + 1) / (n + 2)
    middle = float(weights @ shares)
    half = float(ndtri(0.975) * np.sqrt((weights**2 * shares * (1 - shares) / (n + 2)).sum()))
    change = float(weights @ (hits / n))
    most = 1 / float(places.max() - places.min())
    return change, max(min(middle - half, change), -most), min(max(middle + half, change), most)
