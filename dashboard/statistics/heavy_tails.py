"""Effects of which most are small and a few may be large: a conditional logit with Student's prior, drawn by Gibbs.

A normal prior with a fixed deviation pulls a large effect as hard as a small one, and takes its own width for
knowledge: a card worth 19 points was held by 3 % of its "95 %" intervals. Here each effect has a deviation of its own,
and how large the effects of a game are altogether is unknown, too: the games tell both. So few games leave intervals as
wide as what was thought before, and more games let a large effect go, and draw all of them together where none is.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import msgspec
import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.special import ndtr, stdtr

from tabletape.dashboard.statistics.conditional_logit import Contests, Floats, curvature_and_slope, fit, log_likelihood

FREEDOM: Final = 3.0
"""Degrees of freedom of Student's distribution: one effect in twenty lies beyond 3.2 scales, one in 100 beyond 5.8."""

SCALE: Final = 0.45
SPREAD: Final = 0.35
"""The scale of Student's distribution (logit scale) is itself unknown: its logarithm is normal around that of `SCALE`
with this deviation, so that two of three games have one between 0.32 and 0.64. Half of all effects are thought to lie
within 8 points at one half, 19 of 20 within 32."""

SCALES: Final = SCALE * np.exp(SPREAD * np.linspace(-2.5, 2.5, 21))
WEIGHTS: Final = np.exp(-(np.linspace(-2.5, 2.5, 21) ** 2) / 2)
"""The scales that are looked at, and how likely each is before the games."""

MOST_GAMES: Final = 2000
"""Of more games the likelihood is as good as normal, and is not looked at draw by draw."""

WARMING: Final = 200
DRAWS: Final = 1500
SEED: Final = 20


class EffectDraws(msgspec.Struct, frozen=True):
    """Draws of effects from what the games leave open, a row a draw; the scale of the effects, as the games tell it."""

    after: Floats
    scale: float

    @property
    def by_luck(self) -> Floats:
        """The chance of each effect that its 95 % interval leaves out 0 if it is 0, by what the games tell of it.

        How much that is the width of its 80 % interval tells, as if nothing else stood beside it.
        """
        low, high = np.quantile(self.after, (0.1, 0.9), axis=0)
        widths, chances = _alone(SCALES[np.abs(np.log(SCALES / self.scale)).argmin()])
        found: Floats = np.interp(high - low, widths[::-1], chances[::-1])
        return found

    @property
    def narrowed(self) -> Floats:
        """By how much the games narrowed the 95 % interval of each effect: 0 is nothing, 1 is all."""
        low, high = np.quantile(self.after, (0.025, 0.975), axis=0)
        found: Floats = np.maximum(1 - (high - low) / _width_before(), 0.0)
        return found


@cache
def _width_before() -> float:
    """Return how wide the 95 % interval of an effect is before the first game, whatever the scale is."""
    ends = np.linspace(0, 10, 2001)
    above = (WEIGHTS[:, None] * stdtr(FREEDOM, -ends / SCALES[:, None])).sum(axis=0) / WEIGHTS.sum()
    return 2 * float(np.interp(-0.025, -above, ends))


def drawn(contests: Contests, effects: int, others: Floats) -> EffectDraws:
    """Draw the first `effects` terms of contests; the other terms are normal around 0 with the deviations `others`.

    β ~ t(3), as a mixture of normals, of which the scale, deviations and effects are drawn in turn. Draws
    are proposed by a likelihood that is normal around where they lie (Laplace), and kept by the true one (Metropolis
    and Hastings). The same contests give the same draws.
    Sources: M. West, On scale mixtures of normal distributions, Biometrika 74 (1987); A. Gelman and others, Bayesian
    data analysis (2013), ch. 12 and 17.
    """
    rng = np.random.default_rng(SEED)
    centre = fit(contests, np.concatenate([np.full(effects, SCALE), others])).mean
    is_normal = len(contests.starts) > MOST_GAMES
    gibbs = _Gibbs(None if is_normal else log_likelihood(contests), effects, others, rng)
    for _ in range(2):
        centre = gibbs.run(*_normal(contests, centre), WARMING).mean(axis=0)
    after = gibbs.run(*_normal(contests, centre), DRAWS)[:, :effects]
    return EffectDraws(after, gibbs.mean_scale)


@cache
def _alone(scale: float) -> tuple[Floats, Floats]:
    """Return for growing information of the games how wide an effect's 80 % interval is, and its chance to stand out.

    For one effect alone, whose estimate is normal around 0: it stands out where 0 is left out after Student's prior.
    """
    effects = np.linspace(-6, 6, 1201)
    prior = (1 + (effects / scale) ** 2 / FREEDOM) ** (-(FREEDOM + 1) / 2)
    deviations = np.geomspace(0.03, 30, 30)[::-1]
    widths, chances = np.empty(len(deviations)), np.empty(len(deviations))
    for place, deviation in enumerate(deviations):
        estimates = np.linspace(0, 6 * deviation, 150)[:, None]
        chance = prior * np.exp(-(((effects - estimates) / deviation) ** 2) / 2)
        below = (np.cumsum(chance, axis=1) - chance / 2) / chance.sum(axis=1, keepdims=True)
        widths[place] = np.diff(np.interp((0.1, 0.9), below[0], effects))[0]
        at_nothing = below[:, len(effects) // 2]  # it falls as the estimate grows
        enough = np.interp(-0.025, -at_nothing, estimates[:, 0], right=np.inf)
        chances[place] = 2 * ndtr(-enough / deviation)
    return widths, chances


def _normal(contests: Contests, centre: Floats) -> tuple[Floats, Floats]:
    """Return the likelihood near a point as a normal one: its precision, and the precision times its mean."""
    curvature, slope = curvature_and_slope(contests, centre)
    return curvature, curvature @ centre + slope


class _Gibbs:
    """Draws effects and their deviations in turn; it goes on from where it was."""

    def __init__(
        self, likelihood: Callable[[Floats], float] | None, effects: int, others: Floats, rng: np.random.Generator
    ) -> None:
        self._likelihood = likelihood
        self._effects, self._others, self._rng = effects, others, rng
        self._variances = np.full(effects, SCALE**2)
        self.mean_scale = SCALE

    def run(self, precision: Floats, shift: Floats, draws: int) -> Floats:
        """Return draws of all terms, for a normal likelihood; `mean_scale` is that of their scales then."""
        found, scales = np.empty((draws, len(shift))), np.empty(draws)
        terms, beyond = np.zeros(len(shift)), -np.inf
        for number in range(draws):
            proposed = self._terms(precision, shift)
            above = self._above(proposed, precision, shift)
            if np.log(self._rng.random()) < above - beyond:
                terms, beyond = proposed, above
            found[number] = terms
            effects = terms[: self._effects]
            scales[number] = self._scale(effects)
            # The squares of the deviations are inverse-gamma.
            rate = (FREEDOM * scales[number] ** 2 + effects**2) / 2
            self._variances = rate / self._rng.gamma((FREEDOM + 1) / 2, size=self._effects)
        self.mean_scale = float(np.exp(np.log(scales).mean()))
        return found

    def _scale(self, effects: Floats) -> float:
        """Draw the scale of some effects, whatever their deviations are."""
        far = np.log1p((effects / SCALES[:, None]) ** 2 / FREEDOM).sum(axis=1)
        chance = np.log(WEIGHTS) - len(effects) * np.log(SCALES) - (FREEDOM + 1) / 2 * far
        weights = np.cumsum(np.exp(chance - chance.max()))
        return float(SCALES[np.searchsorted(weights, self._rng.random() * weights[-1])])

    def _above(self, terms: Floats, precision: Floats, shift: Floats) -> float:
        """Return by how much the logarithm of the true likelihood is above that of the normal one."""
        if self._likelihood is None:
            return 0.0
        return self._likelihood(terms) - float(shift @ terms - terms @ precision @ terms / 2)

    def _terms(self, precision: Floats, shift: Floats) -> Floats:
        prior = np.concatenate([self._variances, self._others**2])
        factor = cho_factor(precision + np.diag(1 / prior), lower=True)
        noise = solve_triangular(factor[0], self._rng.standard_normal(len(shift)), lower=True, trans="T")
        found: Floats = cho_solve(factor, shift) + noise
        return found
