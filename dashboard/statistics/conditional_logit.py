"""Who wins a game, as a choice among its sides: a conditional logit with normal priors, fitted by Laplace's method.

A game is one observation, however many sides it has: P(side i wins) = exp(η_i) / Σ exp(η_j) over the sides of the game,
with η linear in what is known of the side. With two sides this is a logistic regression on their difference (for
one term a side: Bradley-Terry), with more it is Plackett and Luce's model of "the winner before all others".
"""

from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array

Floats = NDArray[np.float64]

STEPS: Final = 50
TOLERANCE: Final = 1e-9


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
    mean = np.zeros(len(prior))
    precision = np.diag(1 / prior**2)
    games = contests.games
    # A side has a few of all cards, so nearly all of its terms are 0.
    terms = csr_array(contests.terms)
    won = terms[contests.winners].sum(axis=0)
    curvature = precision
    for _ in range(STEPS):
        chances = _chances(terms @ mean, games, contests.starts)
        weighted = csr_array(
            (terms.data * np.repeat(chances, np.diff(terms.indptr)), terms.indices, terms.indptr), terms.shape
        )
        of_game = csr_array((chances, (games, np.arange(len(games)))), (len(contests.starts), len(games)))
        expected = of_game @ terms
        curvature = precision + (terms.T @ weighted - expected.T @ expected).toarray()
        slope = won - weighted.sum(axis=0) - mean / prior**2
        step = cho_solve(cho_factor(curvature), slope)
        mean = mean + step
        if np.linalg.norm(step) < TOLERANCE:
            break
    return Posterior(mean, cho_solve(cho_factor(curvature), np.eye(len(prior))))


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
