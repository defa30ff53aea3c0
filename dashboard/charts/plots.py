"""Charts of one thing over another: made with Altair, labelled directly instead of by legends, readable in both themes.

Every function takes plain rows and gives a chart; what a row says in words stands beside its mark. `draw` shows one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import quantiles
from typing import Any, Final

import altair as alt
import msgspec
import pyarrow as pa
import streamlit as st

from tabletape.dashboard.charts.rows import BLUE, colour_of
from tabletape.projector.model.amounts import counted

GREY: Final = "#8A8F98"
ROW: Final = 30
LABELS: Final = 270
"""Pixels for the names beside a chart."""

AXIS: Final = 44
TITLE: Final = 18
"""Pixels below the rows of a chart: its axis, the axis' title."""

FEWEST: Final = 6
BARS: Final = 24
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The widths that a step of lengths may have; how many steps there are for few games, and for many."""

DOTS: Final = 50
"""Up to so many games are drawn as dots."""

DOTS_ABREAST: Final = 25
"""So many dots have room side by side, also on a phone."""

DOT: Final = 14
TALLEST: Final = 12
"""The pixels of a dot, and how many have room above each other: of more each has less."""

MIN_QUARTERED: Final = 4
"""Of fewer games no median and no quartiles are drawn."""

WORDS: Final = 12
"""Size of the words in cells."""

Rows = Sequence[Mapping[str, Any]]


def draw(make: Callable[..., alt.LayerChart], rows: Sequence[Any], *more: Any, **settings: Any) -> None:
    """Show what a function of this module makes of some rows, over the width of its place.

    It is made once for the same rows: Altair takes its time.
    """
    cache_key = msgspec.json.encode([rows, more, settings])
    st.vega_lite_chart(
        spec=_spec(make.__name__, cache_key, _theme(), lambda: make(rows, *more, **settings)), width="stretch"
    )


@st.cache_data(show_spinner=False, max_entries=1000)
def _spec(name: str, cache_key: bytes, theme: str, _make: Callable[[], alt.LayerChart]) -> dict[str, Any]:  # noqa: ARG001 - what a chart is remembered by
    with alt.data_transformers.disable_max_rows():
        spec: dict[str, Any] = (
            _make()
            .configure_view(stroke=None)
            .configure_axis(gridOpacity=0.35, labelColor=ink(), titleColor=ink())
            .to_dict()
        )
    return spec


def _theme() -> str:
    return st.context.theme.type or "light"


def ink() -> str:
    """Return the colour of text in the reader's theme."""
    return "#E6E8EB" if _theme() == "dark" else "#31333F"


def paper() -> str:
    """Return the colour of nothing in the reader's theme, a little away from the page's own."""
    return "#1D232C" if _theme() == "dark" else "#EEF2F7"


def of_rows(rows: Rows) -> pa.Table:
    """Return rows as the data of a chart: as a table, because Altair looks at every value of a list of rows."""
    return pa.Table.from_pylist(list(rows))


def colour_by_part(rows: Rows) -> alt.Color:
    """Colour marks by A and B, or by who played; the words beside them say which is which."""
    amongst = _amongst(rows)
    return alt.Color(
        "among:N", scale=alt.Scale(domain=amongst, range=[colour_of(each) for each in amongst]), legend=None
    )


def _amongst(rows: Rows) -> list[str]:
    return sorted({row["among"] for row in rows}) or [""]


def _layered(*layers: alt.Chart, height: float) -> alt.LayerChart:
    """Return layers as one chart of a height in pixels, axes included."""
    return alt.LayerChart(layer=list(layers)).properties(height=height)


WORD_BY_WORD: Final = "split(datum.label, /[- ]/)"
"""A name above a column, a word a line: on a phone two columns have room for it."""

LINE: Final = 15
"""Pixels of a further line of such a name."""


def _names(**more: Any) -> alt.Axis:
    """Return an axis of names: no line, no ticks."""
    return alt.Axis(labelLimit=LABELS, domain=False, ticks=False, **more)


def lengths(
    rows: Rows,
    *,
    axis: str,
    middle: Mapping[str, float] | None = None,
    whole: int = 1,
    ends: tuple[float, float] | None = None,
) -> alt.LayerChart:
    """Draw how many games have which `length`: a dot a game at its own length up to `DOTS` of them, bars for more.

    `middle` are the medians of A and B, or of people and bots. Bars count in steps of `whole` or of more. Dots lie on
    an axis between `ends`, or between the shortest and the longest game.
    """
    amongst = _amongst(rows)
    many = max(sum(row["games"] for row in rows if row["among"] == among) for among in amongst) > DOTS
    marks, height = (_bars(rows, axis, whole), 170) if many else _stacked_dots(rows, axis, ends)
    medians = [{"length": value, "among": among} for among, value in (middle or {}).items()]
    lines = alt.Chart(of_rows(medians)).mark_rule(color=ink(), strokeDash=[3, 3]).encode(x="length:Q")
    return _layered(*([marks, lines] if medians else [marks]), height=height)


def _bars(rows: Rows, axis: str, whole: int) -> alt.Chart:
    counts, step = _in_steps(rows, whole)
    scale = alt.Scale(domain=[min(row["from"] for row in counts), max(row["end"] for row in counts)], nice=False)
    shown = alt.Axis(title=axis, grid=False, tickMinStep=step, format="d", tickCount=6)
    up = alt.Axis(title="games", tickMinStep=1, format="d", domain=False, tickCount=4)
    opacity = 0.9 if len(_amongst(rows)) == 1 else 0.5
    bars: alt.Chart = alt.Chart(of_rows(counts)).mark_bar(opacity=opacity, stroke=None).encode(
        x=alt.X("from:Q", scale=scale, axis=shown), x2="end:Q", y=alt.Y("games:Q", stack=None, axis=up),
        color=colour_by_part(rows), tooltip=["words:N"],
    )  # fmt: skip
    return bars


def _stacked_dots(rows: Rows, axis: str, ends: tuple[float, float] | None) -> tuple[alt.Chart, int]:
    """Return a dot for each game over its own length, and the height; one that would cover another lies above it."""
    low, high = ends or (min(row["length"] for row in rows), max(row["length"] for row in rows))
    wide = max(high - low, 1) / DOTS_ABREAST
    levels: list[float] = []
    """Where the last dot lies at each height."""
    dots = []
    for row in sorted(rows, key=lambda row: (row["length"], row["among"])):
        for _ in range(row["games"]):
            level = next((at for at, last in enumerate(levels) if row["length"] - last >= wide), len(levels))
            levels[level : level + 1] = [row["length"]]
            words = f"{row['length']:g} {axis}"
            dots.append({"at": row["length"], "level": level + 1, "among": row["among"], "words": words})
    scale = alt.Scale(domain=[low - wide, high + wide], nice=False)
    tall = alt.Scale(domain=[0, len(levels) + 1], nice=False)
    chart = alt.Chart(of_rows(dots)).mark_circle(size=90, opacity=0.9).encode(
        x=alt.X("at:Q", scale=scale, axis=alt.Axis(title=axis, grid=False, tickMinStep=1, format="d", tickCount=6)),
        y=alt.Y("level:Q", scale=tall, axis=None), color=colour_by_part(rows), tooltip=["words:N"],
    )  # fmt: skip
    return chart, AXIS + TITLE + DOT * (min(len(levels), TALLEST) + 1)


def _in_steps(rows: Rows, whole: int) -> tuple[list[dict[str, Any]], int]:
    """Count games in steps of 1, 2, 5, 10 … so many that there are enough of them in each; return the step too.

    A step of whole numbers begins and ends between two of them: its mark stands over the numbers that it counts.
    """
    reach = max(row["length"] for row in rows) - min(row["length"] for row in rows) + 1
    few = min(BARS, max(FEWEST, round(2 * sqrt(sum(row["games"] for row in rows)))))
    step = next(each for each in STEPS if each >= whole and (reach / each <= few or each == STEPS[-1]))
    counts: dict[tuple[str, int], int] = {}
    for row in rows:
        place = row["among"], int(row["length"] // step * step)
        counts[place] = counts.get(place, 0) + row["games"]
    binned = [
        {
            "among": among,
            "from": length - 0.5,
            "end": length + step - 0.5,
            "games": games,
            "words": f"{said}: {counted(games, 'game')}",
        }
        for (among, length), games in counts.items()
        for said in (str(length) if step == 1 else f"{length} to {length + step - 1}",)
    ]
    return binned, step


def heat(rows: Rows, *, axis: str) -> alt.LayerChart:
    """Draw a table whose cells are the stronger in colour, the larger the `share` of `type` in `round`."""
    types = list(dict.fromkeys(row["type"] for row in rows))
    scale = alt.Scale(domain=[0, max(row["share"] for row in rows)], range=[paper(), BLUE])
    cells = alt.Chart(of_rows(rows)).mark_rect(stroke=None).encode(
        x=alt.X("round:O", title=axis, axis=alt.Axis(labelAngle=0, domain=False, ticks=False, labelOverlap=True)),
        y=alt.Y("type:N", sort=types, title=None, axis=_names()),
        color=alt.Color("share:Q", scale=scale, legend=None),
        tooltip=["type:N", "round:O", "words:N"],
    )  # fmt: skip
    return _layered(cells, height=len(types) * ROW + AXIS + TITLE)


def band(rows: Rows, *, axis: str, value: str) -> alt.LayerChart:
    """Draw the median over `at` with a band from `low` to `high`."""
    scale = alt.Scale(domain=[min(0, *(row["low"] for row in rows)), max(row["high"] for row in rows) or 1])
    tooltip = [alt.Tooltip("at:Q", title=axis), *(alt.Tooltip(f"{each}:Q") for each in ("low", "median", "high", "n"))]
    chart = alt.Chart(of_rows(rows)).encode(x=_along(rows, axis), color=colour_by_part(rows), tooltip=tooltip)
    low = alt.Y("low:Q", title=value, scale=scale, axis=alt.Axis(domain=False, tickCount=4))
    return _layered(
        chart.mark_area(opacity=0.22, stroke=None).encode(y=low, y2="high:Q"),
        chart.mark_line(strokeWidth=2.5, point={"size": 28}).encode(y=alt.Y("median:Q", title=value, scale=scale)),
        height=190,
    )


def running(rows: Rows, *, axis: str, value: str) -> alt.LayerChart:
    """Draw how many (`n`) still tell at each place of a band, to lie below it."""
    bars = alt.Chart(of_rows(rows)).mark_bar(opacity=0.5).encode(
        x=_along(rows, axis),
        y=alt.Y("n:Q", stack=None, title=value, axis=alt.Axis(domain=False, tickCount=2, format="d")),
        color=colour_by_part(rows),
        tooltip=["at:Q", "n:Q", "among:N"],
    )  # fmt: skip
    return _layered(bars, height=110)


def _along(rows: Rows, axis: str) -> alt.X:
    """Return the axis of turns or rounds, which is the same for a band and for what lies below it."""
    places = [row["at"] for row in rows]
    scale = alt.Scale(domain=[min(places) - 0.5, max(places) + 0.5], nice=False)
    return alt.X("at:Q", title=axis, scale=scale, axis=alt.Axis(grid=False, tickMinStep=1, format="d"))


def matrix(rows: Rows) -> alt.LayerChart:
    """Draw who wins (`own`) against whom (`other`); a cell with few games stays grey. `words` stands in the cell."""
    names = sorted({row["own"] for row in rows} | {row["other"] for row in rows})
    room = LINE * (max(len(re.split(r"[- ]", name)) for name in names) - 1)
    above = _names(orient="top", labelAngle=0, labelExpr=WORD_BY_WORD, labelPadding=room + 4, labelFlush=False)
    scale = alt.Scale(domain=[0.2, 0.5, 0.8], range=["#E9A66B", "#F2F2F2", "#85B7E6"], clamp=True)
    chart = alt.Chart(of_rows(rows)).encode(
        x=alt.X("other:N", sort=names, title="against", axis=above),
        y=alt.Y("own:N", sort=names, title=None, axis=_names()),
        tooltip=["own:N", "other:N", alt.Tooltip("interval:N", title="won")],
    )
    few = alt.condition("datum.few", alt.value("#B9BDC4"), alt.Color("shrunk:Q", scale=scale, legend=None))
    layers = [
        chart.mark_rect(stroke=paper(), strokeWidth=3).encode(color=few),
        chart.mark_text(lineBreak="\n", dy=-6, color="#22262E", fontSize=WORDS).encode(text="words:N"),
    ]
    return _layered(*layers, height=len(names) * 62 + AXIS + TITLE + room)


def leads(rows: Rows) -> alt.LayerChart:
    """Draw how far winners were `ahead` at each `part` of their game: the median and the middle half, or each game."""
    percent = "format(100 * datum.value, '.0f') + ' %'"
    x = alt.X("part:Q", title="part of the game played", axis=alt.Axis(grid=False, labelExpr=percent, tickCount=5))
    signed = "datum.value ? format(100 * datum.value, '+.0f') + ' %' : '0 %'"
    axis = alt.Axis(labelExpr=signed, domain=False, tickCount=5)
    y = alt.Y("ahead:Q", title="winner ahead", axis=axis)
    zero = alt.Chart(of_rows([{"ahead": 0}])).mark_rule(color=GREY, strokeDash=[4, 4]).encode(y=y)
    quartiles = _quartiles(rows)
    if not quartiles:
        each = alt.Chart(of_rows(rows)).mark_line(strokeWidth=1.5, interpolate="step-after")
        return _layered(zero, each.encode(x=x, y=y, detail="game_id:N", color=colour_by_part(rows)), height=260)
    together = alt.Chart(of_rows(quartiles)).encode(x=x, color=colour_by_part(rows))
    middle = together.mark_area(opacity=0.3, stroke=None).encode(
        y=alt.Y("low:Q", title="winner ahead", axis=axis), y2="high:Q"
    )
    return _layered(zero, middle, together.mark_line(strokeWidth=3).encode(y="median:Q"), height=260)


def _quartiles(rows: Rows) -> list[dict[str, Any]]:
    """Return the median and the quartiles at each part of the games, where there are `MIN_QUARTERED` of them."""
    at: dict[tuple[str, float], list[float]] = {}
    for row in rows:
        at.setdefault((row["among"], row["part"]), []).append(row["ahead"])
    quartiles = []
    for (among, part), ahead in sorted(at.items()):
        if len(ahead) >= MIN_QUARTERED:
            low, median, high = quantiles(ahead, n=4, method="inclusive")
            quartiles.append({"among": among, "part": part, "low": low, "median": median, "high": high})
    return quartiles
