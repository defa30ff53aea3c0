"""Shares of things that come in clumps: copies of a card in a game, decisions of a game, seats with the same deck.

The things of one game share its fate, so they tell less than as many independent ones would.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from tabletape.dashboard.statistics.intervals import CONFIDENCE, Interval, wilson_at, z_of

NOTICED_EFFECT: Final = 1 + 1e-9
"""A design effect below this is 1, but for the rounding of the computer."""

FREEDOM: Final = 1.2
"""Degrees of freedom of an interval for each game but the first (see `clustered`)."""


class Clumps(msgspec.Struct, frozen=True):
    """What a share needs to know of its games: sums over the games of the hits h and the things n of each.

    `games` is their number, `hh`, `hn` and `nn` the sums of h², h·n and n².
    """

    games: float
    hh: float
    hn: float
    nn: float


def clumps(counts: Iterable[tuple[float, float]]) -> Clumps:
    """Return the sums of games given as pairs `(h, n)`; games without a thing (n = 0) do not count."""
    counted = [(h, n) for h, n in counts if n]
    return Clumps(
        len(counted), sum(h * h for h, _ in counted), sum(h * n for h, n in counted), sum(n * n for _, n in counted)
    )


def design_effect(hits: float, n: float, sums: Clumps) -> float:
    """Return how many times larger the variance of `hits / n` is than that of independent things; at least 1.

    It is k/(k-1) · Σ(h - p·n)² / n² over the k games, divided by p(1-p)/n. Where p is 0 or 1, or there is one game
    only, the games say nothing about it, and they are taken to be wholly alike inside: Σn²/n. Where each game has one
    thing there are no clumps, and it is 1.
    Source: J. N. K. Rao, A. J. Scott, A simple method for the analysis of clustered binary data, Biometrics 48 (1992).
    """
    if not n or sums.nn == n:
        return 1.0
    share, k = hits / n, sums.games
    if k < 2 or hits in {0, n}:
        return max(sums.nn / n, 1.0)
    scatter = sums.hh - 2 * share * sums.hn + share * share * sums.nn
    return max(k / (k - 1) * scatter / (n * share * (1 - share)), 1.0)


def clustered(hits: float, n: float, sums: Clumps, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of a share of things in clumps: Wilson's on n / (design effect); from 0 to 1 where n is 0.

    Few games know little about their own scatter, so where it counts (a design effect above 1) Student's quantile takes
    the place of the normal one, with a few more degrees of freedom than k - 1, because Wilson's interval is wider than
    the plain one already: chosen so that intervals hold the truth in 93 to 97 % of runs of 8, 20 and 40 games, whether
    the things of a game share its fate or only lean the same way. Things cannot be more alike than wholly: where that,
    which is known beforehand and needs no quantile, leaves a narrower interval, that one is right, so that two games
    say no less than one. Raises `ValueError` unless 0 <= hits <= n.
    """
    effect, alike = design_effect(hits, n, sums), max(sums.nn / n, 1.0) if n else 1.0
    z = z_of(confidence)
    wholly = wilson_at(hits / alike, n / alike, z)
    if effect <= NOTICED_EFFECT or sums.games < 2 or hits in {0, n}:
        return wilson_at(hits / effect, n / effect, z)
    from scipy.special import stdtrit  # noqa: PLC0415 - a share of things that do not clump waits for no library

    student = wilson_at(hits / effect, n / effect, float(stdtrit(FREEDOM * (sums.games - 1), (1 + confidence) / 2)))
    return min(student, wholly, key=lambda each: each.high - each.low)
