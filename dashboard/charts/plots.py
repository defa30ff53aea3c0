"""Charts of one thing over another: made with Altair, labelled directly instead of by legends, readable in both themes.

Every function takes plain rows and gives a chart; what a row says in words stands beside its mark. `draw` shows one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from statistics import quantiles
from typing import Any, Final

import altair as alt
import msgspec
import pyarrow as pa
import streamlit as st

from tabletape.dashboard.charts.rows import colours_of

GREY: Final = "#8A8F98"
LABELS: Final = 270
"""Pixels for the names beside a chart."""

AXIS: Final = 44
TITLE: Final = 18
"""Pixels below the rows of a chart: its axis, the axis' title."""

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
    amongst = list(dict.fromkeys(row["among"] for row in rows)) or [""]
    colours = colours_of(amongst)
    return alt.Color("among:N", scale=alt.Scale(domain=amongst, range=[colours[each] for each in amongst]), legend=None)


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
    y = alt.Y("ahead:Q", title="ahead, of the whole way", axis=axis)
    zero = alt.Chart(of_rows([{"ahead": 0}])).mark_rule(color=GREY, strokeDash=[4, 4]).encode(y=y)
    quartiles = _quartiles(rows)
    if not quartiles:
        each = alt.Chart(of_rows(rows)).mark_line(strokeWidth=1.5, interpolate="step-after")
        return _layered(zero, each.encode(x=x, y=y, detail="game_id:N", color=colour_by_part(rows)), height=260)
    together = alt.Chart(of_rows(quartiles)).encode(x=x, color=colour_by_part(rows))
    middle = together.mark_area(opacity=0.3, stroke=None).encode(
        y=alt.Y("low:Q", title="ahead, of the whole way", axis=axis), y2="high:Q"
    )
    return _layered(zero, middle, together.mark_line(strokeWidth=3).encode(y="median:Q"), height=260)


def _quartiles(rows: Rows) -> list[dict[str, Any]]:
    """Return the median and the quartiles at each part of the games, where there are `MIN_QUARTERED` of them."""
    at: dict[tuple[str, float], list[float]] = {}
    for row in rows:
        at.setdefault((row["among"], row["part"]), []).append(row["ahead"])
    quartiles = []
    for (among, part), ahead in sorted(at.items(), key=lambda item: item[0][1]):
        if len(ahead) >= MIN_QUARTERED:
            low, median, high = quantiles(ahead, n=4, method="inclusive")
            quartiles.append({"among": among, "part": part, "low": low, "median": median, "high": high})
    return quartiles
