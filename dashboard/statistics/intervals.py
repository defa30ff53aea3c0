"""Numbers that say how sure they are: shares with their intervals, differences, spreads. Pure functions on numbers.

Playtests are few, so no share is shown without its count and its 95 % interval (docs/generated/metrics.md).
"""

import math
from statistics import NormalDist
from typing import Final

import msgspec

CONFIDENCE: Final = 0.95
"""How sure an interval is: of a hundred such intervals 95 hold the true share."""

STRICTER: Final = 0.99
"""How sure a difference has to be to be called clear."""

FEWEST: Final = 5
"""Fewer games than these on a side show nothing clearly: what they seem to show a few others would turn round."""

TINY: Final = 0.005
"""What is less than this from nothing, or from all, is rounded to it, and is not it."""

NO_BREAK: Final = "\N{NO-BREAK SPACE}"
"""The space at which no line breaks."""

PSEUDO_GAMES: Final = 10
"""Games, half of them won, that a small share is pulled towards (see `shrunk`)."""


class Interval(msgspec.Struct, frozen=True):
    """The lower and upper end of an interval."""

    low: float
    high: float


class Difference(msgspec.Struct, frozen=True):
    """The difference of two shares, its 95 % interval, and what it is worth: `no evidence`, `weak` or `clear`.

    `no evidence`: the 95 % interval holds zero; `weak`: it does not, but the 99 % interval does, or a side has fewer
    than `FEWEST` games; `clear`: neither does.
    """

    value: float
    low: float
    high: float
    words: str


def wilson(hits: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Return the Wilson score interval of a share `hits / n`; from 0 to 1 where n is 0.

    Source: E. B. Wilson, Probable inference, JASA 22 (1927). Raises `ValueError` unless 0 <= hits <= n.
    """
    return wilson_at(hits, n, z_of(confidence))


def wilson_at(hits: float, n: float, z: float) -> Interval:
    """Return the Wilson score interval that reaches `z` standard errors; `hits` and `n` need not be whole.

    Raises `ValueError` unless 0 <= hits <= n.
    """
    _require(hits, n)
    if not n:
        return Interval(0.0, 1.0)
    z2 = z * z
    share = hits / n
    centre = share + z2 / (2 * n)
    reach = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n)))
    low, high = (centre - reach) / (1 + z2 / n), (centre + reach) / (1 + z2 / n)
    return Interval(0.0 if hits == 0 else max(low, 0.0), 1.0 if hits == n else min(high, 1.0))


def _require(hits: float, n: float) -> None:
    if not 0 <= hits <= n:
        raise ValueError(f"a share is some of all, not {hits} of {n}")


def z_of(confidence: float) -> float:
    """Return how many standard errors an interval reaches to each side: 1.96 for 95 %."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def newcombe(first: tuple[float, float], second: tuple[float, float]) -> Difference:
    """Return the difference of two shares `(hits, n)`, the first minus the second.

    Source: R. G. Newcombe, Interval estimation for the difference, Statistics in Medicine 17 (1998), method 10.
    """
    value, low, high = _newcombe(first, second, CONFIDENCE)
    _, low_99, high_99 = _newcombe(first, second, STRICTER)
    is_weak = low_99 <= 0 <= high_99 or min(first[1], second[1]) < FEWEST
    words = "no evidence" if low <= 0 <= high else "weak" if is_weak else "clear"
    return Difference(value, low, high, words)


def _newcombe(first: tuple[float, float], second: tuple[float, float], confidence: float) -> tuple[float, float, float]:
    one, two = wilson(*first, confidence), wilson(*second, confidence)
    if not (first[1] and second[1]):
        return 0.0, -1.0, 1.0
    p, q = first[0] / first[1], second[0] / second[1]
    low = p - q - math.hypot(p - one.low, two.high - q)
    return p - q, low, p - q + math.hypot(one.high - p, q - two.low)


def games_needed(margin: float) -> int:
    """Return the number of games after which a share is known within `margin` (0.1: ten points), whatever it is.

    The Wilson interval is widest at one half, where its half width is z / (2 sqrt(n + z²)).
    Raises `ValueError` unless 0 < margin < 0.5.
    """
    if not 0 < margin < 0.5:
        raise ValueError(f"a margin lies between 0 and 0.5, not at {margin}")
    z2 = z_of(CONFIDENCE) ** 2
    return math.ceil(z2 / (4 * margin * margin) - z2)


def shrunk(hits: float, n: float) -> float:
    """Return a share pulled towards one half by ten pseudo-games: (hits + 5) / (n + 10)."""
    _require(hits, n)
    return (hits + PSEUDO_GAMES / 2) / (n + PSEUDO_GAMES)


# -- in words ----------------------------------------------------------------------------------------------------------


def percent(share: float) -> str:
    """Return a share as a whole percentage without its sign: `67`."""
    return str(math.floor(share * 100 + 0.5))


def percentage_in_words(share: float) -> str:
    """Return a share or a chance as a whole percentage; one that is neither nothing nor all is not rounded to it.

    `<1 %` below one half of a percent, `>99 %` above 99.5.
    """
    if 0 < share < TINY:
        return "<1 %"
    return ">99 %" if 1 - TINY <= share < 1 else f"{percent(share)} %"


def share_in_words(hits: float, n: float, interval: Interval | None = None) -> str:
    """Return a share with its count and its 95 % interval, Wilson's unless given: `67 % (8 of 12; 39-86 %)`."""
    if not n:
        return "none yet (0 of 0)"
    reach = wilson(hits, n) if interval is None else interval
    return f"{percentage_in_words(hits / n)} ({hits:g} of {n:g}; {percent(reach.low)}-{percent(reach.high)} %)"


def share_said(hits: float, n: float, interval: Interval | None = None) -> str:
    """Return the same for a page, which has room for words: `8 of 12, 67 % (likely 39 to 86 %)`.

    No line breaks within the count, nor within the interval.
    """
    if not n:
        return "none yet (0 of 0)"
    reach = wilson(hits, n) if interval is None else interval
    count = f"{hits:g} of {n:g}, {percentage_in_words(hits / n)}".replace(" ", NO_BREAK)
    return f"{count} ({f'likely {percent(reach.low)} to {percent(reach.high)} %'.replace(' ', NO_BREAK)})"


def difference_in_words(difference: Difference) -> str:
    """Return a difference of shares with its 95 % interval: `+12 percentage points (likely -3 to +27)`.

    Where the evidence for it is weak, also that it may be luck.
    """
    value, low, high = (f"{round(each * 100):+d}" for each in (difference.value, difference.low, difference.high))
    may_be = ", which may still be luck" if difference.words == "weak" else ""
    return f"{value} percentage points (likely {low} to {high}){may_be}"
