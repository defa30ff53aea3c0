"""Intervals by their formulas, without the statistics of the product."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, t

Z = float(norm.ppf(0.975))


def wilson(hits: float, n: float, z: float = Z) -> tuple[float, float]:
    """Return the roots of (p - hits/n)² = z² p (1 - p) / n."""
    low, high = np.sort(np.roots([1 + z * z / n, -2 * hits / n - z * z / n, (hits / n) ** 2]).real)
    return (0.0 if hits == 0 else max(float(low), 0.0)), (1.0 if hits == n else min(float(high), 1.0))


def clustered(games: Iterable[tuple[float, float]]) -> tuple[float, float, float]:
    """Return the ends of the interval of a share of things that come in clumps, and as many as they are worth.

    Each game has its hits and its things. Wilson's interval on n divided by the design effect of Rao and Scott, with
    Student's quantile for 1.2 degrees of freedom a game but the first, or as if all things of a game were alike, where
    that is narrower.
    """
    h, n = np.array([each for each in games if each[1]], float).T
    k, hits, things = len(n), h.sum(), n.sum()
    alike = max((n**2).sum() / things, 1.0)
    if (n == 1).all():
        effect = 1.0
    elif k < 2 or hits in {0, things}:
        effect = alike
    else:
        p = hits / things
        effect = max(k / (k - 1) * ((h - p * n) ** 2).sum() / (things * p * (1 - p)), 1.0)
    ends = [wilson(hits / effect, things / effect)]
    if effect > 1 + 1e-9 and k > 1 and 0 < hits < things:
        student = wilson(hits / effect, things / effect, float(t.ppf(0.975, 1.2 * (k - 1))))
        ends = [student, wilson(hits / alike, things / alike)]
    low, high = min(ends, key=lambda each: each[1] - each[0])
    return low, high, things / effect


def assert_share(row: dict[str, Any], name: str, hits: int, n: int) -> None:
    """Hold a share of an answer against its counts: the share and Wilson's interval."""
    assert row[name] == pytest.approx(hits / n if n else None)
    if n:
        assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(wilson(hits, n), abs=1e-9)
        assert row[f"{name}_effective"] == n


def assert_clumped(row: dict[str, Any], name: str, games: Iterable[tuple[float, float]]) -> None:
    """Hold a share of things in clumps against its games: pairs of hits and things."""
    known = [each for each in games if each[1]]
    hits, n = sum(h for h, _ in known), sum(n for _, n in known)
    if not n:
        assert row[name] is None
        return
    low, high, effective = clustered(known)
    assert row[name] == pytest.approx(hits / n)
    assert (row[f"{name}_low"], row[f"{name}_high"], row[f"{name}_effective"]) == pytest.approx((low, high, effective))
