"""Numbers of things in words, and things in a row."""

import math
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

_ENDINGS: Final = {
    "ies": "y",
    "lives": "life",
    **{f"{one}es": one for one in ("ss", "ch", "sh", "x", "o")},
}
"""What one of several ends with where it is not the same without the last letter."""

WHOLE: Final = 10
"""From here on a median is said in whole numbers and halves."""


def counted(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 game`, `2,000 games`, `3 matches`."""
    return f"{number:,.0f} {one if number == 1 else many or one + 's'}"


def day_said(day: date) -> str:
    """Return a day as people write it, on one line: `11 September 2026`."""
    return f"{day.day}\u00a0{day:%B}\u00a0{day.year}"


def middle(median: float, games: int = 0) -> str:
    """Return a median as people say it: a long one, and the length of one of `games`, whole; or halves between two."""
    is_said_so = games != 1 and (median < WHOLE or float(2 * median).is_integer())
    return f"{round(median, 1):g}" if is_said_so else f"{median:.0f}"


def tenths(mean: float) -> str:
    """Return a mean with one digit, 4.25 as 4.3: Python rounds halves to even ones."""
    return f"{math.floor(mean * 10 + 0.5) / 10:.1f}"


def is_several(name: str) -> bool:
    """Return whether a name is that of several things: tokens, hit_points; not score, bonus, glass."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def one_of(name: str) -> str:
    """Return what one of several is called, `point` for points; what is no name of several stays."""
    ending = next((several for several in _ENDINGS if name.endswith(several)), "s" if is_several(name) else "")
    return name.removesuffix(ending) + _ENDINGS.get(ending, "")


def how_many(number: int, one: str) -> str:
    """Return a number with its noun, and words for none: `no card`, `1 card`, `2 cards`."""
    return counted(number, one) if number else f"no {one}"


def nth(number: str) -> str:
    """Return a number as one of a row: 1st, 2nd, 11th."""
    ends = {"1": "st", "2": "nd", "3": "rd"}
    return f"{number}{'th' if number[-2:-1] == '1' else ends.get(number[-1:], 'th')}"


def joined(names: Iterable[str], word: str = "and") -> str:
    """Return names as people list them: `Ann`, `Ann and Ben`, `Ann, Ben and Cyd`; `nobody` where there are none."""
    *others, last = [*names] or ["nobody"]
    return f"{', '.join(others)} {word} {last}" if others else last


def pluralized(names: Sequence[str], one: str, several: str) -> str:
    """Say something of one or of several: `Ann has not …`, `Ann and Ben have not …`."""
    return f"{joined(names)} {one if len(names) == 1 else several}"


def with_article(words: str) -> str:
    """Return words that stand for one thing with their article: `an organism`, `a ting`."""
    return f"an {words}" if words[:1] in "aeiou" else f"a {words}"


def often(times: int) -> str:
    """Return how often something was: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


def as_often(times: int) -> str:
    """Return how many other rules share the first place with the one that is named; empty where it has it alone."""
    return f" (as often as {counted(times - 1, 'other rule')})" if times > 1 else ""
