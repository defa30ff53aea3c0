"""What games tell of many effects: of each by itself, and of each where most are small and a few may be large.

Two things are asked of an effect. *What do these games say of it?* needs an interval that holds it whatever it is, also
where it alone is large: nothing is assumed of it, and the other effects are only noise, of a size that the games tell.
*What is to be thought of it?* weighs that with how large effects mostly are: an estimate, a rank, a chance. An interval
of the second kind cannot hold what it promises for every spread of effects while few games tell the spread: with a
normal prior of deviation 0.3 a card worth 19 points was held by 3 % of its "95 %" intervals.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, logit, ndtr, ndtri

from tabletape.dashboard.statistics.conditional_logit import Contests, Floats, Posterior, averaged, fit, log_likelihood

SCALE: Final = 0.25
SPREAD_SCALE: Final = 1.2
"""Most effects (logit scale) are normal around 0. Their deviation is unknown: its logarithm is normal around that of
`SCALE` with this deviation, so that two of three games have one between 0.08 and 0.8."""

SCALES: Final = np.geomspace(0.05, 1.2, 7)
WEIGHTS: Final = np.exp(-((np.log(SCALES / SCALE) / SPREAD_SCALE) ** 2) / 2)
"""The deviations that are looked at, and how likely each is before the games."""

LARGE: Final = 0.02
LARGE_SCALE: Final = 1.0
"""How likely an effect is one of the few large ones, and the deviation of these: 24 points at one half."""

RIGHT: Final = 0.5
"""How likely somebody else is right who says something of an effect before the first game."""

MOST_GAMES: Final = 2000
"""The likelihood of more games is as good as normal."""

IMPLAUSIBLE: Final = 0.147
"""A scale by which the games are less likely, beside the best one, is left out: what is left is its 95 % interval."""

NONE: Final = 1e-9
"""The deviation of effects that are none."""

DRAWS: Final = 2000
DRAWS_OF_A_SCALE: Final = 1000
SEED: Final = 20
HALVINGS: Final = 40

LEAST: Final = 1e-4
"""The precision that an effect has of which no game tells."""

CLEAR: Final = 0.025
"""An effect is clear whose probability to lie above 0, or below it, is less."""


class Mixture(msgspec.Struct, frozen=True):
    """Distributions, a column each, as mixtures of normal ones: weights, means and deviations, a row a component."""

    weights: Floats
    means: Floats
    deviations: Floats

    def below(self, values: Floats | float) -> Floats:
        """Return the probability of each to lie below a value."""
        below: Floats = (self.weights * ndtr((values - self.means) / self.deviations)).sum(axis=0)
        return below

    def quantile(self, level: float) -> Floats:
        """Return the value of each that lies above a share of its probability."""
        low, high = (self.means + sign * 9 * self.deviations for sign in (-1, 1))
        return _crossing(lambda values: self.below(values) - level, low.min(axis=0), high.max(axis=0))


class Before(msgspec.Struct, frozen=True):
    """What somebody else says of effects before the first game: means and deviations, infinite where it says nothing.

    It is right with a probability of `RIGHT`; else it says nothing. So games that speak against it are heard.
    """

    means: Floats
    deviations: Floats


class Told(msgspec.Struct, frozen=True):
    """What games tell of effects: of each by itself (`alone`, a row a scale of the others)."""

    alone: Mixture

    @property
    def narrowed(self) -> Floats:
        """By how much the games narrow what was thought of each effect before the first one: 0 is nothing, 1 is all."""
        variance = (self.alone.weights * self.alone.deviations**2).sum(axis=0)
        narrowed: Floats = 1 - 1 / np.sqrt(1 + _variance_before() / variance)
        return narrowed

    @property
    def weighed(self) -> Mixture:
        """What is to be thought of each effect: what the games say, weighed with how large effects mostly are."""
        return self._weighed(self.alone.means, self.alone.deviations**2)

    def after(self, before: Before) -> Mixture:
        """Return `weighed`, where somebody else has said something of some effects before the first game."""
        plain, alone = self.weighed, self.alone
        said, is_told = alone.deviations**2, np.isfinite(before.deviations)
        told = np.where(is_told, before.deviations, 1.0) ** 2
        means, joint = (alone.means * told + before.means * said) / (said + told), said * told / (said + told)
        # Right: both tell of one effect. Wrong: they tell of two, each as large as effects mostly are.
        right = _log_normal(alone.means - before.means, said + told) + _log_thought(means, joint)
        wrong = _log_thought(alone.means, said) + _log_thought(before.means, told)
        is_right = np.tile(np.where(is_told, expit(right - wrong + logit(RIGHT)), 0.0), (2, 1))
        both = self._weighed(means, joint)
        return Mixture(
            np.vstack([both.weights * is_right, plain.weights * (1 - is_right)]),
            np.vstack([both.means, plain.means]),
            np.vstack([both.deviations, plain.deviations]),
        )

    @property
    def clear(self) -> NDArray[np.bool_]:
        """Which effects are clear, weighed with how large effects mostly are."""
        below = self.weighed.below(0.0)
        return np.minimum(below, 1 - below) < CLEAR

    @property
    def by_luck(self) -> Floats:
        """The chance of each effect to be clear if it is 0, by how much the games tell of it."""
        deviations = self.alone.deviations
        reach = 9 * deviations.max(axis=0)

        def below(estimates: Floats) -> Floats:
            return self._weighed(np.broadcast_to(estimates, deviations.shape), deviations**2).below(0.0)

        enough = _crossing(lambda at: CLEAR - below(at), 0 * reach, reach)
        by_luck: Floats = 2 * (self.alone.weights * ndtr(-enough / deviations)).sum(axis=0)
        return by_luck

    @property
    def is_plausible(self) -> NDArray[np.bool_]:
        """By which scales the games are not much less likely than by the best one, whatever was thought before."""
        likelihood = self.alone.weights[:, 0] / WEIGHTS
        plausible: NDArray[np.bool_] = likelihood >= IMPLAUSIBLE * likelihood.max()
        return plausible

    def draws(self, weighed: Mixture) -> Floats:
        """Return draws of all effects together, a row a draw, the same each time; `weighed` is what is thought of them.

        How large effects mostly are is unknown, but it is the same for all of them: a draw in which one is far from 0
        because all may be is no draw in which it alone is. Drawn each by itself they would rank too surely.
        """
        rng = np.random.default_rng(SEED)
        return self._drawn(weighed, rng.choice(len(SCALES), DRAWS, p=self.alone.weights[:, 0]), rng)

    def among_highest(self, weighed: Mixture, number: int) -> tuple[Floats, Floats]:
        """Return the least and the greatest chance of each effect to be among so many highest ones.

        Few games do not tell how large effects mostly are, and the chance hangs on that: said as one number it was
        true half as often where all effects are small. So it is looked at for every scale that is plausible, and where
        the smallest is, also as if all effects that are not large were none.
        """
        number = min(number, weighed.means.shape[1])
        looks = [(weighed, scale) for scale, is_plausible in enumerate(self.is_plausible) if is_plausible]
        looks += [(_with_none(weighed), 0)] if self.is_plausible[0] else []
        chances = [self._chances(each, scale, number) for each, scale in looks]
        return np.min(chances, axis=0), np.max(chances, axis=0)

    def _chances(self, weighed: Mixture, scale: int, number: int) -> Floats:
        """Return the chance of each effect to be among the highest if all are drawn by one scale."""
        drawn = self._drawn(weighed, np.full(DRAWS_OF_A_SCALE, scale), np.random.default_rng(SEED))
        highest = np.argpartition(-drawn, number - 1, axis=1)[:, :number]
        chances: Floats = np.bincount(highest.ravel(), minlength=drawn.shape[1]) / DRAWS_OF_A_SCALE
        return chances

    def _drawn(self, weighed: Mixture, chosen: NDArray[np.intp], rng: np.random.Generator) -> Floats:
        """Return draws of all effects together, each by the scale that was chosen for it."""
        scales, effects = self.alone.means.shape
        kinds = (weighed.weights.reshape(-1, scales, effects) / self.alone.weights).cumsum(axis=0)
        kind = (rng.random((len(chosen), effects)) > kinds[:, chosen]).sum(axis=0).clip(max=len(kinds) - 1)
        rows, places = chosen[:, None] + scales * kind, np.arange(effects)
        noise = rng.standard_normal(rows.shape)
        draws: Floats = weighed.means[rows, places] + weighed.deviations[rows, places] * noise
        return draws

    def _weighed(self, means: Floats, said: Floats) -> Mixture:
        fits, after, spreads = [], [], []
        for scale, chance in ((SCALES[:, None], 1 - LARGE), (LARGE_SCALE, LARGE)):
            before = scale**2
            both = said + before
            fits.append(np.log(chance) + _log_normal(means, both))
            after.append(means * before / both)
            spreads.append(np.sqrt(said * before / both))
        is_large = expit(fits[1] - fits[0])
        weights = np.vstack([self.alone.weights * (1 - is_large), self.alone.weights * is_large])
        return Mixture(weights, np.vstack(after), np.vstack(spreads))


def _with_none(weighed: Mixture) -> Mixture:
    """Return what is thought of effects, those of the smallest scale as good as none: they rank by lot."""
    means, deviations = weighed.means.copy(), weighed.deviations.copy()
    smallest = np.arange(0, len(means), 2 * len(SCALES))
    means[smallest], deviations[smallest] = 0.0, NONE
    return Mixture(weighed.weights, means, deviations)


def told(contests: Contests, effects: int, others: Floats) -> Told:
    """Return what contests tell of the first `effects` terms; the others are normal around 0, deviations `others`.

    For each scale of the effects the terms are normal after the games; divided by what was assumed of one effect, its
    distribution is what the games alone say of it. The scales count by how well they explain the games.
    """
    priors = [np.concatenate([np.full(effects, scale), others]) for scale in SCALES]
    how = _normal if len(contests.starts) > MOST_GAMES else _exactly
    fits = list(how(contests, priors))
    evidence = np.log(WEIGHTS) + [each for each, _ in fits]
    weights = np.exp(evidence - evidence.max())[:, None]
    means, variances = (
        np.array([rows[:effects] for rows in each])
        for each in ([each.mean for _, each in fits], [each.deviation**2 for _, each in fits])
    )
    alone = 1 / np.maximum(1 / variances - 1 / SCALES[:, None] ** 2, LEAST)
    shape = np.ones_like(means)
    return Told(Mixture(shape * weights / weights.sum(), alone * means / variances, np.sqrt(alone)))


def _exactly(contests: Contests, priors: list[Floats]) -> Iterator[tuple[float, Posterior]]:
    """Yield for each prior how well it explains the games, by its logarithm, and what the terms are after them."""
    likelihood = log_likelihood(contests)
    for prior in priors:
        near = fit(contests, prior)
        explained = likelihood(near.mean) - ((near.mean / prior) ** 2).sum() / 2 - np.log(prior).sum()
        yield explained + _log_volume(near), averaged(contests, prior, near)


def _normal(contests: Contests, priors: list[Floats]) -> Iterator[tuple[float, Posterior]]:
    """Yield the same as `_exactly`, by a likelihood that is normal around where one of the priors finds the terms."""
    middle = priors[len(priors) // 2]
    near = fit(contests, middle)
    precision = cho_solve(cho_factor(near.covariance), np.eye(len(middle)))
    shift, precision = precision @ near.mean, precision - np.diag(1 / middle**2)
    for prior in priors:
        covariance = cho_solve(cho_factor(precision + np.diag(1 / prior**2)), np.eye(len(prior)))
        after = Posterior(covariance @ shift, covariance)
        yield float(shift @ after.mean) / 2 - np.log(prior).sum() + _log_volume(after), after


def _log_normal(values: Floats, variances: Floats) -> Floats:
    """Return the logarithm of normal densities around 0, but for what all have alike."""
    return -(values**2 / variances + np.log(variances)) / 2


def _log_thought(means: Floats, variances: Floats) -> Floats:
    """Return how likely estimates are by what is mostly thought of effects, by its logarithm, a row a scale."""
    small, large = (
        np.log(chance) + _log_normal(means, variances + scale**2)
        for scale, chance in ((SCALES[:, None], 1 - LARGE), (LARGE_SCALE, LARGE))
    )
    thought: Floats = np.logaddexp(small, large)
    return thought


def _log_volume(posterior: Posterior) -> float:
    return float(np.linalg.slogdet(posterior.covariance)[1]) / 2


def _crossing(rising: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Return where each of some rising functions is 0, between two values."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_below = rising(middle) < 0
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    between: Floats = (low + high) / 2
    return between


@cache
def _variance_before() -> float:
    """Return the variance of a normal distribution as wide as what is thought of an effect before the first game."""
    scales = np.append(SCALES, LARGE_SCALE)[:, None]
    weights = np.append((1 - LARGE) * WEIGHTS / WEIGHTS.sum(), LARGE)[:, None]
    end = Mixture(weights, np.zeros_like(scales), scales).quantile(0.975)
    return float(end[0] / ndtri(0.975)) ** 2
