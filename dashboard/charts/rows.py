"""Charts of rows: what each row is about, its marks, and its words beside them, as HTML that wraps at any width.

Charts of one thing over another are in `charts`. What a row says stands in the page as text; its looks are in
`pages.css`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import Final

import msgspec
import streamlit as st

from tabletape.dashboard.html import rendered

BLUE: Final = "#2F7FD0"
ORANGE: Final = "#D9730D"
COLOURS: Final = {
    "random bots": ORANGE,
    "greedy bots": "#12936A",
    "search bots": "#A05CC8",
    "mixed bots": "#8A8F98",
}
"""The colours of what is set beside another; told apart by everybody, and readable on white and on black."""

PARTS: Final = "parts of the page"
"""Where the session keeps which parts of the games its page shows, in their order."""

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The marks on the axis of a share."""

TICKS: Final = 4
"""About how many steps lie between the marks of any other axis."""


class Label(msgspec.Struct, frozen=True):
    """What a row is about: its text, a small note below it, the address that it leads to, and a heading above it."""

    text: str
    note: str = ""
    link: str = ""
    above: str = ""

    def __str__(self) -> str:
        """Return the text alone."""
        return self.text


class Dot(msgspec.Struct, frozen=True):
    """A number with its interval, and its words; `among` says whose it is in a comparison: of A or B, of which bots.

    `inner` is a narrower interval inside the other one, of less confidence, where there is one. `each` are the single
    numbers that it is the middle of, where there are so few that they are shown. `even` is what the number would be if
    it did not matter, which is another one for A than for B. `kinds` stand before the words, each in its own colour.
    """

    label: str | Label
    value: float
    low: float
    high: float
    words: str
    among: str = ""
    inner: tuple[float, float] | None = None
    each: tuple[float, ...] = ()
    even: float | None = None
    kinds: tuple[tuple[str, str], ...] = ()

    @property
    def stacked(self) -> list[tuple[float, int]]:
        """The single numbers, each with how many equal ones lie below it."""
        return [(number, level) for number, times in sorted(Counter(self.each).items()) for level in range(times)]


class Axis(msgspec.Struct, frozen=True):
    """Where numbers stand on a track: from which to which one, the marks between them, and how they are written."""

    low: float
    high: float
    marks: tuple[float, ...]
    is_share: bool = False

    def place(self, value: float) -> float:
        """Return where a number stands, in percent of the track."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def written(self, mark: float) -> str:
        """Return a mark as it is written."""
        return f"{100 * mark:.0f} %" if self.is_share else f"{mark:g}"


def draw_dots(marks: Sequence[Dot], *, share: bool, axis: str = "", whole: Sequence[float] = ()) -> None:
    """Show a dot with its interval for each row, its words beside it; a share's axis goes from 0 to 100 %.

    `axis` is its title, and `whole` what it shows in any case.
    """
    st.html(dots(marks, share=share, axis=axis, whole=whole))


def dots(marks: Sequence[Dot], *, share: bool, axis: str = "", whole: Sequence[float] = ()) -> str:
    """Return a chart of dots as HTML."""
    along = Axis(0, 1, SHARES, is_share=True) if share else _axis(marks, whole)
    ordered: dict[str | Label, list[Dot]] = {}
    for each in marks:
        ordered.setdefault(each.label, []).append(each)
    colours = colours_of(each.among for each in marks)
    parts = list(colours)
    rows = [(label, sorted(of, key=lambda dot: parts.index(dot.among))) for label, of in ordered.items()]
    return rendered("dots", rows=rows, along=along, axis=axis, colours=colours)


def colours_of(amongst: Iterable[str]) -> dict[str, str]:
    """Return the colour of each part of the games: kinds of bots have their own, also beside each other's rulesets.

    A part has the same one in every chart of a page, also in one that the first of the page's parts is not in.
    """
    parts = list(dict.fromkeys(amongst))
    of_page = st.session_state.get(PARTS, ())
    parts = [*of_page] if {*parts} <= {*of_page} else parts
    rulesets = [each for each in parts if ", " not in each and each not in COLOURS]
    colours = {each: COLOURS.get(each.rpartition(", ")[2], BLUE) for each in parts}
    return colours | dict.fromkeys(rulesets[1:], ORANGE)


def _axis(dots_drawn: Sequence[Dot], whole: Sequence[float]) -> Axis:
    """Return an axis of all intervals and zero, or of single numbers, and `whole`; marks at 1, 2 or 5 times 10^n."""
    values = [value for dot in dots_drawn for value in (dot.each or (0.0, dot.low, dot.value, dot.high))]
    low, high = min((*values, *whole)), max((*values, *whole))
    if whole:  # A scale begins at its lowest mark.
        return Axis(low, high, tuple(range(floor(low), floor(high) + 1, ceil((high - low) / TICKS))))
    reach = (high - low) or 1.0
    power = 10.0 ** floor(log10(reach / TICKS))
    step = next(factor * power for factor in (1, 2, 5, 10) if reach / (factor * power) <= TICKS)
    first, last = floor(low / step), max(ceil(high / step), floor(low / step) + 1)
    marks = tuple(round(number * step, 10) for number in range(first, last + 1))
    return Axis(marks[0], marks[-1], marks)
