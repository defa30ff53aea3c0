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
from tabletape.dashboard.statistics.intervals import CONFIDENCE, wilson_at

DECIDED_CHANCE: Final = 0.8
"""A game is as good as won for a player whose chance to win is at least this."""

DRAWS: Final = 400
"""How often the worth of a lead is drawn from what the games leave possible, where no formula says what follows."""

ENOUGH: Final = 300
"""Over how many games it is looked at how a mean over games goes with the worth of a lead."""

FAR: Final = 2.0
"""So many standard deviations of the worth of a lead away it is looked at how a mean goes with it."""

SEED: Final = 20261128
"""Where the draws begin."""

WIDE: Final = 5.0
"""Before the first game nothing is thought of what a lead is worth."""


class Positions(msgspec.Struct, frozen=True):
    """The ends of all turns of some games, a row a player and turn; those of a turn, and of a game, stand together.

    `progress` and `share` (of the game's turns that are over) lie between 0 and 1, `starts` are the rows at which a
    turn's end begins, `games` the numbers of the games of these (growing, not all need be there), `winners` the
    winners' rows.
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


class Lead(Posterior, frozen=True):
    """What a lead is worth, fitted on games: `games` are their numbers, `without` how the fit changes without each."""

    games: NDArray[np.intp]
    without: Floats


class Mean(msgspec.Struct, frozen=True):
    """A mean over games with its 95 % interval; none where there is one game."""

    value: float
    low: float | None = None
    high: float | None = None


def worth_of_a_lead(positions: Positions) -> Lead:
    """Fit how progress turns into a chance to win, as a conditional logit in progress and progress x share.

    The turns of a game have one winner and leads that hardly change, so they tell less than as many games: how sure the
    fit is follows from how it changes without each game, by one step of Newton's method (the jackknife).
    Sources: R. G. Miller, The jackknife, Biometrika 61 (1974); D. Pregibon, Logistic regression diagnostics, Annals of
    Statistics 9 (1981).
    """
    contests, begins = positions.contests, _begins(positions.games)
    terms, starts = contests.terms, contests.starts
    mean = fit(contests, np.full(2, WIDE)).mean
    weighed = terms * chances(contests, mean)[:, None]
    expected = np.add.reduceat(weighed, starts, axis=0)
    asked = np.add.reduceat(terms[contests.winners] - expected, begins, axis=0)
    squares = np.add.reduceat(terms[:, :, None] * weighed[:, None, :], starts, axis=0)
    told = np.add.reduceat(squares - expected[:, :, None] * expected[:, None, :], begins, axis=0)
    others = told.sum(axis=0) + np.eye(2) / WIDE**2 - told
    without = -np.linalg.solve(others, asked[:, :, None])[:, :, 0]
    without -= without.mean(axis=0)
    k = len(begins)
    return Lead(mean, (k - 1) / k * without.T @ without, positions.games[begins], without)


def drama(deficits: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return for each game the mean of the roots of the winner's deficits at the ends of turns behind; 0 for none.

    `deficits` (0 to 1; at most 0 is not behind) has a value a turn, `starts` are the places at which a game begins.
    """
    roots = np.sqrt(np.maximum(deficits, 0.0))
    means: Floats = np.add.reduceat(roots, starts) / np.maximum(np.add.reduceat((deficits > 0).astype(int), starts), 1)
    return means


def decisiveness(of_winner: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return for each game the share, at its end, in which the winner's chance stayed above 0.8.

    `of_winner` is that chance, a value a turn, `starts` are the places at which a game begins.
    """
    sizes = np.diff(np.append(starts, len(of_winner)))
    turns = np.arange(len(of_winner)) - np.repeat(starts, sizes) + 1
    shares: Floats = 1 - np.maximum.reduceat(np.where(of_winner <= DECIDED_CHANCE, turns, 0), starts) / sizes
    return shares


def uncertainty(chance: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return the entropy of who wins at every turn's end, 1 where all players are equally likely."""
    inside = np.clip(chance, 1e-12, 1.0)
    entropy = -np.add.reduceat(inside * np.log(inside), starts)
    sizes = np.diff(np.append(starts, len(chance)))
    entropies: Floats = entropy / np.log(np.maximum(sizes, 2))
    return entropies


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
    points = []
    for begin, end in pairwise([*_begins(positions.games).tolist(), len(positions.starts)]):
        first = rows[begin]
        starts, winners = positions.starts[begin:end] - first, positions.winners[begin:end] - first
        chance = _of_winner(terms[first : rows[end]] @ leads, starts, winners)
        rises = np.diff(chance, axis=0)
        place = int(np.argmax(rises[:, 0]))
        low, high = np.quantile(rises[place, 1:], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
        sure = np.mean(np.argmax(rises[:, 1:], axis=0) == place)
        before, after = chance[place : place + 2, 0]
        points.append(
            TurningPoint(
                place=place,
                before=float(before),
                after=float(after),
                low=float(low),
                high=float(high),
                sure=float(sure),
            )
        )
    return points


def _of_winner(worth: Floats, starts: NDArray[np.intp], winners: NDArray[np.intp]) -> Floats:
    """Return the winner's chance at the start of a game and at every turn's end, a column a column of `worth`."""
    sizes = np.diff(np.append(starts, len(worth)))
    raised = np.exp(worth - np.repeat(np.maximum.reduceat(worth, starts), sizes, axis=0))
    at_ends = raised[winners] / np.add.reduceat(raised, starts)
    of_winner: Floats = np.vstack([np.full(worth.shape[1], 1 / sizes[0]), at_ends])
    return of_winner


def mean_with_reach(of_games: Floats) -> tuple[float, float | None]:
    """Return the mean of numbers, one a game, and how far its 95 % interval reaches; None where there is one game.

    Source: Student, The probable error of a mean, Biometrika 6 (1908).
    """
    n = len(of_games)
    mean = float(np.mean(of_games))
    if n < 2:
        return mean, None
    error = np.std(of_games, ddof=1) / np.sqrt(n)
    return mean, float(stdtrit(n - 1, (1 + CONFIDENCE) / 2) * error)


class Swing(msgspec.Struct, frozen=True):
    """How a mean over games varies with each of the games on which that is fitted with which it is worked out.

    `down` and `up` say so where the mean falls and where it rises; `places` are those of its games among the fitted.
    """

    down: Floats
    up: Floats
    places: NDArray[np.intp]


def mean_of_shares(of_games: Floats, swing: Swing | None = None) -> Mean:
    """Return the mean of numbers between 0 and 1, one a game, with its 95 % interval.

    The interval is Wilson's for as many hits and misses as would vary as much, so that near 0 and 1 it is no longer
    symmetric, with Student's quantile: the fewer games make up most of what it varies, the wider.
    """
    n = len(of_games)
    mean = float(np.mean(of_games))
    if n < 2:
        return Mean(mean)
    own, varied = (of_games - mean) / np.sqrt(n * (n - 1)), swing or Swing(np.zeros(n), np.zeros(n), np.arange(n))
    reaches = []
    for fitted in (varied.down, varied.up):
        influence = fitted.copy()
        influence[varied.places] += own
        variance, alike = float((influence**2).sum()), mean * (1 - mean) / n
        effective = n * alike / variance if variance > 0 and alike > 0 else n
        quantile = float(stdtrit(min(_degrees_of_freedom(influence), n - 1), (1 + CONFIDENCE) / 2))
        reaches.append(wilson_at(mean * effective, effective, quantile))
    return Mean(mean, reaches[0].low, reaches[1].high)


def _degrees_of_freedom(influence: Floats) -> float:
    """Return by how many independent squares a sum of squares is known as well, where a few may make up most of it.

    Source: F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics 2 (1946).
    """
    squares = influence**2
    spread = float((squares**2).sum() - squares.sum() ** 2 / len(squares))
    return max(2 * float(squares.sum()) ** 2 / spread, 1.0) if spread > 0 else float(len(squares) - 1)


def openness(positions: Positions, lead: Lead) -> tuple[Mean, Mean]:
    """Return the mean decisiveness and the mean uncertainty of games, among those on which `lead` was fitted.

    A lead that is worth less changes them more than one that is worth more: each end of an interval has a slope of its
    own, over as much of the worth of a lead as the interval leaves open.
    """
    last = int(np.searchsorted(positions.games, positions.games[0] + ENOUGH))
    some = _first(positions, last) if last < len(positions.games) else positions
    k, root = len(lead.games), np.linalg.cholesky(lead.covariance)
    below, middle, above = (
        np.array([[each.mean() for each in open_games(some, lead.mean + far * step)] for step in root.T])
        for far in (-FAR, 0.0, FAR)
    )
    grows, falls, rises = above > below, (middle - below) / FAR, (above - middle) / FAR
    slopes = np.where(grows, falls, rises), np.where(grows, rises, falls)
    along = np.linalg.solve(root, lead.without.T) * -np.sqrt((k - 1) / k)
    places = np.searchsorted(lead.games, np.unique(positions.games))
    decided, unsure = (
        mean_of_shares(of_games, Swing(down @ along, up @ along, places))
        for of_games, down, up in zip(open_games(positions, lead.mean), *(each.T for each in slopes), strict=True)
    )
    return decided, unsure


def open_games(positions: Positions, worth: Floats) -> tuple[Floats, Floats]:
    """Return the decisiveness and the mean uncertainty of every game, for a given worth of a lead."""
    chance = chances(positions.contests, worth)
    unsure = uncertainty(chance, positions.starts)
    edges = _begins(positions.games)
    means = np.add.reduceat(unsure, edges) / np.diff(np.append(edges, len(unsure)))
    of_winner = positions.games[np.searchsorted(positions.starts, positions.winners, side="right") - 1]
    return decisiveness(chance[positions.winners], _begins(of_winner)), means


def _first(positions: Positions, turns: int) -> Positions:
    rows = positions.starts[turns]
    winners = positions.winners[positions.winners < rows]
    return Positions(
        positions.progress[:rows], positions.share[:rows], positions.starts[:turns], positions.games[:turns], winners
    )


def _begins(games: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the places at which another game begins."""
    return np.flatnonzero(np.diff(games, prepend=-1))
