"""How long games take when some never finished: Kaplan and Meier's estimate.

A game that broke off after 40 turns says that it takes longer than 40, not that it takes 40.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
from scipy.special import expit, logit

from tabletape.dashboard.statistics.intervals import CONFIDENCE, z_of


class Duration(msgspec.Struct, frozen=True, kw_only=True):
    """How long games take: the length that half of them pass, its 95 % interval, and how many games tell it.

    `median` and the ends are None where so many games broke off that it is not known.
    """

    games: int
    unfinished: int
    median: float | None
    low: float | None
    high: float | None


def duration(lengths: Sequence[float], finished: Sequence[bool]) -> Duration:
    """Return the median length of games, those that broke off (`finished` is false) counted as longer than they were.

    The interval holds the lengths at which half is not ruled out (on the logit scale, with Greenwood's variance).
    Sources: E. L. Kaplan, P. Meier, Nonparametric estimation from incomplete observations, JASA 53 (1958);
    R. Brookmeyer, J. Crowley, A confidence interval for the median survival time, Biometrics 38 (1982).
    """
    sizes, ended = np.asarray(lengths, float), np.asarray(finished, bool)
    times = np.unique(sizes[ended])
    running = np.array([(sizes >= time).sum() for time in times])
    ending = np.array([((sizes == time) & ended).sum() for time in times])
    left = np.cumprod(1 - ending / running) if len(times) else np.array([])
    low, high = _reach(times, left, running, ending)
    return Duration(games=len(sizes), unfinished=int((~ended).sum()), median=_half(times, left), low=low, high=high)


def _half(times: np.ndarray, left: np.ndarray) -> float | None:
    """Return the length at which half are left: where exactly half are, between this length and the next."""
    exact = np.flatnonzero(np.isclose(left, 0.5))
    if len(exact) and exact[0] + 1 < len(times):
        return float(times[exact[0]] + times[exact[0] + 1]) / 2
    return _first(times, left <= 0.5)


def _first(times: np.ndarray, holds: np.ndarray) -> float | None:
    """Return the first time at which something holds."""
    return float(times[np.argmax(holds)]) if holds.any() else None


def _reach(
    times: np.ndarray, left: np.ndarray, running: np.ndarray, ending: np.ndarray
) -> tuple[float | None, float | None]:
    """Return the first lengths at which the lower and the upper bound of those still running fall to one half."""
    inside = (left > 0) & (left < 1)
    spare = np.where(running > ending, running - ending, 1)
    greenwood = np.sqrt(np.cumsum(ending / (running * spare)))
    scale = np.where(inside, logit(np.where(inside, left, 0.5)), np.where(left > 0, np.inf, -np.inf))
    error = np.where(inside, greenwood / np.where(inside, 1 - left, 1.0), 0.0) * z_of(CONFIDENCE)
    return _first(times, expit(scale - error) <= 0.5), _first(times, expit(scale + error) <= 0.5)
