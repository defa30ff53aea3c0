"""How tense games are: what the winners had to catch up, how long it stayed open, how uncertain it was.

Source: C. Browne, Automatic generation and evaluation of recombination games (2008); the Ludii project.
"""

from itertools import pairwise
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from tabletape.dashboard.statistics.conditional_logit import Contests, Floats, Posterior, chances, fit
from tabletape.dashboard.statistics.intervals import CONFIDENCE

DECIDED: Final = 0.8
"""A game is as good as won for a player whose chance to win is at least this."""

DRAWS: Final = 400
"""How often the worth of a lead is drawn from what the games leave possible, where no formula says what follows."""

FITS: Final = 100
ENOUGH: Final = 300
"""How often it is drawn for means over games, and over how many games these are then taken."""

SEED: Final = 20261128
"""Where the draws begin."""

WIDE: Final = 5.0
"""Before the first game nothing is thought of what a lead is worth."""


class Positions(msgspec.Struct, frozen=True):
    """The ends of all turns of some games, a row a player and turn; those of a turn, and of a game, stand together.

    `progress` and `share` (of the game's turns that are over) lie between 0 and 1, `starts` are the rows at which a
    turn's end begins, `games` the numbers of the games of these (growing), `winners` the winners' rows.
    """

    progress: Floats
    share: Floats
    starts: NDArray[np.intp]
    games: NDArray[np.intp]
    winners: NDArray[np.intp]

    @property
    def contests(self) -> Contests:
        """The positions as contests that progress decides, the more the later."""
        terms = np.column_stack([self.progress, self.progress * self.share])
        return Contests(terms, self.starts, self.winners)


def worth_of_a_lead(positions: Positions) -> Posterior:
    """Fit how progress turns into a chance to win, as a conditional logit in progress and progress x share.

    The turns of a game have one winner and leads that hardly change, so they tell less than as many games: in each
    direction the covariance is as many times larger as what games ask for varies more than what as many turns would.
    Source: J. N. K. Rao, A. J. Scott, The analysis of categorical data from complex sample surveys, JASA 76 (1981).
    """
    contests = positions.contests
    found = fit(contests, np.full(2, WIDE))
    weighed = contests.terms * chances(contests, found.mean)[:, None]
    asked = contests.terms[contests.winners] - np.add.reduceat(weighed, contests.starts, axis=0)
    of_games = np.add.reduceat(asked, _begins(positions.games), axis=0)
    k = len(of_games)
    root = np.linalg.cholesky(found.covariance)
    alike, along = np.linalg.eigh(root.T @ of_games.T @ of_games @ root * k / max(k - 1, 1))
    wide = root @ along * np.sqrt(np.maximum(alike, 1.0))
    return Posterior(found.mean, wide @ wide.T)


def drama(deficits: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return for each game the mean of the roots of the winner's deficits at the ends of turns behind; 0 for none.

    `deficits` (0 to 1; at most 0 is not behind) has a value a turn, `starts` are the places at which a game begins.
    """
    roots = np.sqrt(np.maximum(deficits, 0.0))
    found: Floats = np.add.reduceat(roots, starts) / np.maximum(np.add.reduceat((deficits > 0).astype(int), starts), 1)
    return found


def decisiveness(of_winner: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return for each game the share, at its end, in which the winner's chance stayed above 0.8.

    `of_winner` is that chance, a value a turn, `starts` are the places at which a game begins.
    """
    sizes = np.diff(np.append(starts, len(of_winner)))
    turns = np.arange(len(of_winner)) - np.repeat(starts, sizes) + 1
    found: Floats = 1 - np.maximum.reduceat(np.where(of_winner <= DECIDED, turns, 0), starts) / sizes
    return found


def uncertainty(chance: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return the entropy of who wins at every turn's end, 1 where all players are equally likely."""
    inside = np.clip(chance, 1e-12, 1.0)
    entropy = -np.add.reduceat(inside * np.log(inside), starts)
    sizes = np.diff(np.append(starts, len(chance)))
    found: Floats = entropy / np.log(np.maximum(sizes, 2))
    return found


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The turn of a game at whose end the winner's chance had risen most, the place of that turn in its game.

    `before` and `after` are the chance; `low` and `high` the interval of its rise, and `sure` the part of what the fit
    leaves possible in which it is this turn.
    """

    place: int
    before: float
    after: float
    low: float
    high: float
    sure: float


def turning_points(positions: Positions, lead: Posterior) -> list[TurningPoint]:
    """Return the turning point of every game, for what the games leave possible of the worth of a lead.

    Before its first turn every side's chance is the same. The draws are the same every time.
    """
    drawn = np.random.default_rng(SEED).multivariate_normal(lead.mean, lead.covariance, DRAWS)
    leads = np.vstack([lead.mean, drawn]).T
    terms, rows = positions.contests.terms, np.append(positions.starts, len(positions.progress))
    found = []
    for begin, end in pairwise([*_begins(positions.games).tolist(), len(positions.starts)]):
        first = rows[begin]
        starts, winners = positions.starts[begin:end] - first, positions.winners[begin:end] - first
        chance = _of_winner(terms[first : rows[end]] @ leads, starts, winners)
        rises = np.diff(chance, axis=0)
        place = int(np.argmax(rises[:, 0]))
        low, high = np.quantile(rises[place, 1:], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
        sure = np.mean(np.argmax(rises[:, 1:], axis=0) == place)
        before, after = chance[place : place + 2, 0]
        found.append(
            TurningPoint(
                place=place,
                before=float(before),
                after=float(after),
                low=float(low),
                high=float(high),
                sure=float(sure),
            )
        )
    return found


def _of_winner(worth: Floats, starts: NDArray[np.intp], winners: NDArray[np.intp]) -> Floats:
    """Return the winner's chance at the start of a game and at every turn's end, a column a column of `worth`."""
    sizes = np.diff(np.append(starts, len(worth)))
    raised = np.exp(worth - np.repeat(np.maximum.reduceat(worth, starts), sizes, axis=0))
    at_ends = raised[winners] / np.add.reduceat(raised, starts)
    found: Floats = np.vstack([np.full(worth.shape[1], 1 / sizes[0]), at_ends])
    return found


def mean_with_reach(of_games: Floats, variance: float = 0.0) -> tuple[float, float | None]:
    """Return the mean of numbers, one a game, and how far its 95 % interval reaches; None where there is one game.

    `variance` is that of the mean for another reason: what the numbers are worked out with is not known for sure.
    Source: Student, The probable error of a mean, Biometrika 6 (1908).
    """
    n = len(of_games)
    mean = float(np.mean(of_games))
    if n < 2:
        return mean, None
    error = np.sqrt(np.var(of_games, ddof=1) / n + variance)
    return mean, float(stdtrit(n - 1, (1 + CONFIDENCE) / 2) * error)


def open_games(positions: Positions, lead: Posterior) -> tuple[Floats, Floats]:
    """Return the decisiveness and the mean uncertainty of every game, for a given worth of a lead."""
    chance = chances(positions.contests, lead.mean)
    unsure = uncertainty(chance, positions.starts)
    edges = _begins(positions.games)
    means = np.add.reduceat(unsure, edges) / np.diff(np.append(edges, len(unsure)))
    of_winner = positions.games[np.searchsorted(positions.starts, positions.winners, side="right") - 1]
    return decisiveness(chance[positions.winners], _begins(of_winner)), means


def vague(positions: Positions, lead: Posterior) -> tuple[float, float]:
    """Return the variances of the mean decisiveness and of the mean uncertainty that the worth of a lead leaves.

    They are those over draws of it. Of many games some tell it: the fit is the same for all.
    """
    last = int(np.searchsorted(positions.games, positions.games[0] + ENOUGH))
    some = _first(positions, last) if last < len(positions.games) else positions
    drawn = np.random.default_rng(SEED).multivariate_normal(lead.mean, lead.covariance, FITS)
    means = [[each.mean() for each in open_games(some, Posterior(worth, lead.covariance))] for worth in drawn]
    decided, unsure = np.var(means, axis=0, ddof=1)
    return float(decided), float(unsure)


def _first(positions: Positions, turns: int) -> Positions:
    rows = positions.starts[turns]
    winners = positions.winners[positions.winners < rows]
    return Positions(
        positions.progress[:rows], positions.share[:rows], positions.starts[:turns], positions.games[:turns], winners
    )


def _begins(games: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the places at which another game begins."""
    return np.flatnonzero(np.diff(games, prepend=-1))
