"""Who wins a game, as a choice among its sides: a conditional logit with normal priors, fitted by Laplace's method.

A game is one observation, however many sides it has: P(side i wins) = exp(η_i) / Σ exp(η_j) over the sides of the game,
with η linear in what is known of the side. With two sides this is a logistic regression on their difference (for
one term a side: Bradley-Terry), with more it is Plackett and Luce's model of "the winner before all others".
"""

from collections.abc import Callable
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

Floats = NDArray[np.float64]

STEPS: Final = 50
TOLERANCE: Final = 1e-9

ROUNDS: Final = 4
NEAR_ENOUGH: Final = 1e-5
"""How often a distribution is averaged over itself, and how near the mean is looked for each time."""

MAX_GAMES_AT_FIRST: Final = 2000
"""With more games than this, the search for the mode starts from the mode of a part of them."""


class Contests(msgspec.Struct, frozen=True):
    """Games and their sides, a row a side, the sides of a game together.

    `terms` (rows x terms) says what is known of each side, `starts` where each game begins, `winners` which row won it.
    """

    terms: Floats
    starts: NDArray[np.intp]
    winners: NDArray[np.intp]

    @property
    def games(self) -> NDArray[np.intp]:
        """The number of the game of every row."""
        sizes = np.diff(np.append(self.starts, len(self.terms)))
        return np.repeat(np.arange(len(self.starts)), sizes)


class Posterior(msgspec.Struct, frozen=True):
    """The normal distribution that the terms have after the games: their means and covariance."""

    mean: Floats
    covariance: Floats

    @property
    def deviation(self) -> Floats:
        """The standard deviation of every term."""
        return np.sqrt(np.diag(self.covariance))

    def contrast(self, weights: Floats) -> tuple[float, float]:
        """Return the mean and the standard deviation of a weighted sum of the terms."""
        return float(weights @ self.mean), float(np.sqrt(weights @ self.covariance @ weights))


def fit(contests: Contests, prior: Floats) -> Posterior:
    """Return what games tell about their terms, which before were normal around 0 with the deviations `prior`.

    The mean is the mode of the posterior (Newton's method), the covariance the inverse of the curvature there.
    Sources: D. McFadden, Conditional logit analysis (1974); R. L. Plackett, The analysis of permutations (1975);
    L. Tierney, J. B. Kadane, Accurate approximations for posterior moments, JASA 81 (1986).
    """
    few = len(contests.starts) < MAX_GAMES_AT_FIRST
    # The mode is the same wherever the search begins; where every sixteenth game has it is near.
    mean = np.zeros(len(prior)) if few else fit(_some(contests, 16), prior).mean
    lost, starts = _losers(contests)
    precision = np.diag(1 / prior**2)
    curvature = precision
    for _ in range(STEPS if len(starts) else 0):
        information, slope = _at(mean, lost, starts)
        curvature = precision + information
        step = cho_solve(cho_factor(curvature), slope - mean / prior**2)
        mean = mean + step
        if np.linalg.norm(step) < TOLERANCE:
            break
    return Posterior(mean, cho_solve(cho_factor(curvature), np.eye(len(prior))))


def averaged(contests: Contests, prior: Floats, near: Posterior) -> Posterior:
    """Return the normal distribution that is nearest to what games tell about their terms; `near` is that of `fit`.

    Where few games tell of many terms, the worth of a side is far from known, and chances lie nearer to 0 and to 1 than
    at the mode: the curvature there says too much, and the mode is too near to 0. Here slope and curvature are averages
    over the distribution itself, which is looked for in turn.
    Sources: M. Opper, C. Archambeau, The variational Gaussian approximation revisited, Neural Computation 21 (2009);
    D. J. C. MacKay, The evidence framework applied to classification networks, Neural Computation 4 (1992).
    """
    lost, starts = _losers(contests)
    mean, covariance = near.mean, near.covariance
    for _ in range(ROUNDS if len(starts) else 0):
        flatter = 1 / np.sqrt(1 + np.pi / 8 * ((lost @ covariance) * lost).sum(axis=1))
        for _ in range(STEPS):
            information, slope = _at(mean, lost, starts, flatter)
            factor = cho_factor(np.diag(1 / prior**2) + information)
            step = cho_solve(factor, slope - mean / prior**2)
            mean = mean + step
            if np.abs(step).max() < NEAR_ENOUGH:
                break
        covariance = cho_solve(factor, np.eye(len(mean)))
    return Posterior(mean, covariance)


def log_likelihood(contests: Contests) -> Callable[[Floats], float]:
    """Return the function that gives the logarithm of the likelihood of contests for given terms."""
    lost, starts = _losers(contests)

    def at(mean: Floats) -> float:
        worth = lost @ mean
        sizes = np.diff(np.append(starts, len(worth)))
        highest = np.maximum(np.maximum.reduceat(worth, starts), 0.0)
        raised = np.exp(worth - np.repeat(highest, sizes))
        return -float((np.log(np.add.reduceat(raised, starts) + np.exp(-highest)) + highest).sum())

    return at if len(starts) else lambda _mean: 0.0


def _at(mean: Floats, lost: Floats, starts: NDArray[np.intp], flatter: Floats | None = None) -> tuple[Floats, Floats]:
    """Return the negative second and the first derivative of the logarithm of the likelihood.

    `flatter` is by how much chances change less with the worth of each side that lost, where that is not known.
    """
    worth = lost @ mean
    chance = _losers_chances(worth if flatter is None else flatter * worth, starts)
    weighted = lost * chance[:, None]
    expected = np.add.reduceat(weighted, starts, axis=0) if len(starts) < len(lost) else weighted
    if flatter is None:
        return lost.T @ weighted - expected.T @ expected, -expected.sum(axis=0)
    slope = -expected.sum(axis=0)
    weighted *= flatter[:, None]
    shared = np.add.reduceat(lost * (chance * np.sqrt(flatter))[:, None], starts, axis=0)
    return lost.T @ weighted - shared.T @ shared, slope


def _losers(contests: Contests) -> tuple[Floats, NDArray[np.intp]]:
    """Return how the terms of each side that lost differ from its winner's, and the rows at which a game begins."""
    games = contests.games
    losers = np.ones(len(contests.terms), bool)
    losers[contests.winners] = False
    mine = games[losers]
    return contests.terms[losers] - contests.terms[contests.winners[mine]], np.flatnonzero(np.diff(mine, prepend=-1))


def _losers_chances(worth: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return the chance of every side that lost, whose winner is worth 0."""
    sizes = np.diff(np.append(starts, len(worth)))
    highest = np.maximum(np.maximum.reduceat(worth, starts), 0.0)
    raised = np.exp(worth - np.repeat(highest, sizes))
    shares: Floats = raised / np.repeat(np.add.reduceat(raised, starts) + np.exp(-highest), sizes)
    return shares


def _some(contests: Contests, step: int) -> Contests:
    """Return every n-th game."""
    sizes = np.diff(np.append(contests.starts, len(contests.terms)))
    chosen = np.arange(len(sizes)) % step == 0
    winners = contests.winners[chosen] - contests.starts[chosen]
    starts = np.cumsum(sizes[chosen]) - sizes[chosen]
    return Contests(contests.terms[np.repeat(chosen, sizes)], starts, starts + winners)


def _chances(worth: Floats, games: NDArray[np.intp], starts: NDArray[np.intp]) -> Floats:
    """Return every side's chance to win its game."""
    if not len(starts):
        return worth
    highest = np.maximum.reduceat(worth, starts)
    raised = np.exp(worth - highest[games])
    chances: Floats = raised / np.add.reduceat(raised, starts)[games]
    return chances


def chances(contests: Contests, mean: Floats) -> Floats:
    """Return every side's chance to win its game, for given terms."""
    return _chances(contests.terms @ mean, contests.games, contests.starts)
