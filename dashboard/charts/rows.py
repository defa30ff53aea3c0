"""Charts of rows: what each row is about, its marks, and its words beside them, as HTML that wraps at any width.

Charts of one thing over another are in `charts`. What a row says stands in the page as text; its looks are in
`pages.css`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Any, Final

import msgspec
import streamlit as st

BLUE: Final = "#2F7FD0"
COLOURS: Final = {
    "B": "#D9730D",
    "random bots": "#D9730D",
    "greedy bots": "#12936A",
    "search bots": "#A05CC8",
    "mixed bots": "#8A8F98",
}
"""The colours of what is set beside another; told apart by everybody, and readable on white and on black."""

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The marks on the axis of a share."""

TICKS: Final = 4
"""About how many steps lie between the marks of any other axis."""


class Label(msgspec.Struct, frozen=True):
    """What a row is about: its text, a small note below it, and the address that it leads to."""

    text: str
    note: str = ""
    link: str = ""

    def __str__(self) -> str:
        """Return the text alone."""
        return self.text


class Dot(msgspec.Struct, frozen=True):
    """A number with its interval, and its words; `among` says whose it is in a comparison: of A or B, of which bots.

    `inner` is a narrower interval inside the other one, of less confidence, where there is one.
    """

    label: str | Label
    value: float
    low: float
    high: float
    words: str
    among: str = ""
    inner: tuple[float, float] | None = None


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


def draw_dots(
    found: Sequence[Dot], *, share: bool, baselines: Mapping[Any, float] | None = None, axis: str = ""
) -> None:
    """Show a dot with its interval for each row, its words beside it; a share's axis goes from 0 to 100 %.

    `baselines` holds, by the label of a row, what its share would be if it did not matter; `axis` is its title.
    """
    st.html(dots(found, share=share, baselines=baselines or {}, axis=axis))


def dots(found: Sequence[Dot], *, share: bool, baselines: Mapping[Any, float], axis: str = "") -> str:
    """Return a chart of dots as HTML."""
    along = Axis(0, 1, SHARES, is_share=True) if share else _axis(found)
    ordered: dict[str | Label, list[Dot]] = {}
    for each in found:
        ordered.setdefault(each.label, []).append(each)
    rows = [_row_of_dots(label, mine, along, baselines.get(label)) for label, mine in ordered.items()]
    return _chart([*rows, _axis_row(along, axis)])


def colour_of(among: str) -> str:
    """Return the colour of what is set beside another: of a kind of bots the same for A and B."""
    return COLOURS.get(among.rpartition(", ")[2], BLUE)


# -- rows --------------------------------------------------------------------------------------------------------------


def _row_of_dots(label: str | Label, found: Iterable[Dot], along: Axis, baseline: float | None) -> str:
    """Return a row with a track for each of its dots: one, or those that are set beside each other."""
    ticks = "".join(_mark("tick", along.place(mark)) for mark in along.marks)
    if baseline is not None:
        ticks += _mark("baseline", along.place(baseline))
    return _row(label, [(ticks + "".join(_marks(each, along)), each.words) for each in found])


def _marks(dot: Dot, along: Axis) -> Iterator[str]:
    colour = colour_of(dot.among)
    low, high = along.place(dot.low), along.place(dot.high)
    yield _mark("interval", low, high - low, colour)
    if dot.inner:
        low, high = map(along.place, dot.inner)
        yield _mark("inner", low, high - low, colour)
    yield f'<i class="dot" style="--from:{along.place(dot.value):g};--colour:{colour}"></i>'


def _mark(kind: str, begin: float, width: float = 0, colour: str = "currentColor") -> str:
    return f'<i class="{kind}" style="--from:{begin:g};--wide:{width:g};--colour:{colour}"></i>'


def _row(label: str | Label, tracks: Sequence[tuple[str, str]]) -> str:
    """Return a row: what it is about, and for each of its tracks the marks and the words."""
    shown = "".join(
        f'<div class="track">{marks}</div><div class="words">{escape(words)}</div>' for marks, words in tracks
    )
    kind = "row of-one" if len(tracks) == 1 else "row"
    return f'<div class="{kind}" style="--marks:{len(tracks)}"><div class="about">{_about(label)}</div>{shown}</div>'


def _about(label: str | Label) -> str:
    if isinstance(label, str):
        return escape(label)
    text = f'<a href="{escape(label.link)}">{escape(label.text)}</a>' if label.link else escape(label.text)
    return text + (f"<small>{escape(label.note)}</small>" if label.note else "")


def _axis_row(along: Axis, title: str) -> str:
    marks = "".join(
        f'<span style="--from:{along.place(mark):g}">{escape(along.written(mark))}</span>' for mark in along.marks
    )
    named = f'<div class="title">{escape(title)}</div>' if title else ""
    return f'<div class="axis"><div class="track">{marks}</div>{named}</div>'


def _chart(rows: Iterable[str]) -> str:
    return f'<div class="row-chart"><div class="rows">{"".join(rows)}</div></div>'


def _axis(found: Iterable[Dot]) -> Axis:
    """Return an axis that holds zero and all intervals, with marks at 1, 2 or 5 times a power of ten."""
    values = [0.0, *(value for each in found for value in (each.low, each.value, each.high))]
    low, high = min(values), max(values)
    reach = (high - low) or 1.0
    power = 10.0 ** floor(log10(reach / TICKS))
    step = next(factor * power for factor in (1, 2, 5, 10) if reach / (factor * power) <= TICKS)
    first, last = floor(low / step), max(ceil(high / step), floor(low / step) + 1)
    marks = tuple(round(number * step, 10) for number in range(first, last + 1))
    return Axis(marks[0], marks[-1], marks)
