"""An answer drawn for a notebook: each share, or median, with its interval, its baseline and its words."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import pyarrow as pa

from tabletape.dashboard.tape.records import cell_text
from tabletape.events.errors import RefusedError

if TYPE_CHECKING:
    from tabletape.dashboard.tape.answers import QuestionAnswer

BLUE: Final = "#2F7FD0"
GREY: Final = "#8A8F98"
ROW: Final = 30
"""Pixels of a row."""

RANGES: Final = (("p10", "p90"), ("low", "high"), ("median", "p90"))
"""The columns that the range of a median may have, the widest first."""

Drawn = dict[str, Any]


def chart_of(answer: "QuestionAnswer") -> alt.LayerChart:
    """Return the chart of an answer. Raises `RefusedError` where it has neither a share nor a median."""
    first = answer.question.shares[0].name if answer.question.shares else ""
    shares = [each for each in answer.shares if each.name == first]
    if shares:
        return _titled(answer, [each._asdict() for each in shares], alt.Scale(domain=[0, 1]), "%")
    rows = list(_medians(answer))
    if rows:
        return _titled(answer, rows, alt.Scale(zero=True), "~g")
    raise RefusedError(f"the answer to {answer.question.name} is a table, not a chart: .rows and .to_arrow() have it")


def _medians(answer: "QuestionAnswer") -> Sequence[Drawn]:
    """Return the medians of an answer that are known, as rows of a chart."""
    names = answer.table.column_names
    ends = next((each for each in RANGES if {*each, "median"} <= {*names}), None)
    if ends is None:
        return []
    low, high = ends
    texts = [name for name in names if any(isinstance(row[name], str) for row in answer.rows)]
    return [
        {
            "label": ", ".join(str(row[name]) for name in texts),
            "value": row["median"],
            "low": row[low],
            "high": row[high],
            "baseline": None,
            "words": f"{cell_text(row['median'])} ({cell_text(row[low])} to {cell_text(row[high])})",
        }
        for row in answer.rows
        if row["median"] is not None
    ]


def _titled(answer: "QuestionAnswer", rows: Sequence[Drawn], scale: alt.Scale, form: str) -> alt.LayerChart:
    """Return rows as a chart under the title of their question, with the games that are counted below it."""
    title = alt.TitleParams(answer.question.title, subtitle=[answer.counted] if answer.counted else [], anchor="start")
    names = _apart([each["label"] for each in rows])
    data = pa.Table.from_pylist([{**each, "label": name} for each, name in zip(rows, names, strict=True)])
    y = alt.Y("label:N", sort=names, title=None, axis=alt.Axis(labelLimit=300, domain=False, ticks=False))
    base = alt.Chart(data).encode(y=y, tooltip=["label:N", "words:N"])
    x = alt.X("value:Q", title=None, scale=scale, axis=alt.Axis(format=form))
    layers = [
        base.mark_tick(color=GREY, thickness=2, size=ROW * 0.7).encode(x=alt.X("baseline:Q", scale=scale)),
        base.mark_rule(color=BLUE, strokeWidth=2).encode(x=alt.X("low:Q", scale=scale), x2="high:Q"),
        base.mark_point(color=BLUE, filled=True, size=70).encode(x=x),
        base.mark_text(align="left", dx=6, color=GREY).encode(x=alt.X("high:Q", scale=scale), text="words:N"),
    ]
    return alt.LayerChart(layer=layers, title=title).properties(width=420, height=alt.Step(ROW))


def _apart(labels: Sequence[str]) -> list[str]:
    """Return labels of which no two are the same, so that each row is drawn by itself."""
    seen: Counter[str] = Counter()
    distinct = []
    for label in labels:
        seen[label] += 1
        distinct.append(f"{label} ({seen[label]})" if seen[label] > 1 else label)
    return distinct
