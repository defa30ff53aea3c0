"""How likely luck alone brings what was seen, where every game has a chance of its own to be won."""

from collections.abc import Sequence
from typing import Final

import numpy as np

AS_LIKELY: Final = 1 + 1e-7
"""What is more likely than something by less than this is as likely, but for the rounding of the computer."""


def chance_of_luck(wins: int, chances: Sequence[float]) -> float:
    """Return the chance that luck alone brings a number of wins that is no likelier, of games won with some `chances`.

    Games need not be alike: a deck that two of three players have wins two of three by luck. The distribution of the
    wins is had from its characteristic function. Source: Y. Hong, On computing the distribution function for the
    Poisson binomial distribution, Computational Statistics & Data Analysis 59 (2013).
    """
    each, games = np.unique(np.asarray(chances), return_counts=True)
    n = len(chances)
    turned = np.exp(2j * np.pi * np.arange(n + 1) / (n + 1))
    of_wins = np.prod((1 - each + np.outer(turned, each)) ** games, axis=1)
    likely = np.fft.fft(of_wins).real / (n + 1)
    return min(1.0, float(likely[likely <= likely[wins] * AS_LIKELY].sum()))
