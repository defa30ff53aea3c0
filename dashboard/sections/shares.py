"""A share of games or plays on a page: its dots with their intervals, and how far two parts of the games lie apart."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

import streamlit as st

from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.questions import question
from tabletape.dashboard.sections.answers import (
    MAX_SHOWN,
    AnyRow,
    Naming,
    Row,
    Rows,
    none_yet,
    numbers,
    rows_of,
    title,
    with_label,
)
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import Difference, difference_in_words, newcombe, percent


class Shares:
    """How the first share of a question is shown; `by` names the column that tells its rows apart."""

    def __init__(self, name: str, by: str = "") -> None:
        self.by = by
        self.share = question(name).shares[0]

    def dots(self, rows: Iterable[Row], label: Naming) -> list[Dot]:
        """Return the rows whose share is known as dots with their intervals."""
        name = self.share.name
        return [
            Dot(
                label(row),
                row[name],
                row[f"{name}_low"],
                row[f"{name}_high"],
                with_label(row, self.share.said(row)),
                row["among"],
                even=row.get("baseline") or None,
            )
            for row in rows
            if row[name] is not None
        ]

    def differences(self, rows: Sequence[Row], label: Naming) -> list[tuple[str, Difference]]:
        """Return what differs between A and B, for each row that both have, with both shares in words."""
        pairs: dict[Any, dict[str, Row]] = {}
        for row in rows:
            alike = tuple(row.get(each) for each in (self.by, "players", "played_by"))
            pairs.setdefault(alike, {})[row["letter"]] = row
        lines = []
        for pair in pairs.values():
            if {"A", "B"} <= pair.keys():
                a, b = (self.share.effective(pair[each]) for each in "AB")
                if a[1] and b[1]:
                    both = " against ".join(self._counted(pair[each]) for each in "AB")
                    lines.append((f"{label(pair['A'])}, {both}", newcombe(a, b)))
        return lines

    def _counted(self, row: Row) -> str:
        """Return a share with what it rests on: `3 of 4 (75 %)`."""
        return f"{row[self.share.hits]:g} of {row[self.share.n]:g} ({percent(row[self.share.name])} %)"


def shares(  # noqa: PLR0913 - what differs from question to question
    site: Site,
    name: str,
    by: str = "",
    *,
    label: Naming | None = None,
    rows: Rows | None = None,
    none: str = "",
    counts: str = "",
) -> None:
    """Show a question whose answer is a share a row: dots with intervals, what differs between parts, its numbers.

    `by` names the column that tells the rows apart, `label` its words; `rows` are shown in place of all, `none` is
    said where there are none, `counts` what the numbers count.
    """
    asked = title(name)
    every_row = rows_of(site, name) if rows is None else rows
    naming = label or (lambda row: str(row[by]) if by else asked.shares[0].name.replace("_", " "))
    how = Shares(name, by)
    marks = how.dots(every_row, naming)
    if not marks:
        none_yet(none)
        numbers(site, name)
        return
    if counts:
        st.caption(counts)
    drawn = shown(marks, attrgetter("label"))
    if rows is None:  # Of rows that were picked the farthest apart need not be that of all.
        differ(site, how.differences(every_row, naming))
    draw_dots(drawn, share=True)
    if len(drawn) < len(marks):
        st.caption(f"The {MAX_SHOWN} with the most; the table has all {len({each.label for each in marks})}.")
    reading_of_a_chart(drawn)
    numbers(site, name)


def shown(rows: Sequence[AnyRow], called: Callable[[AnyRow], Any]) -> list[AnyRow]:
    """Return the rows of the first things, by what they are `called`: so many as a chart shows."""
    first = set(islice(dict.fromkeys(map(called, rows)), MAX_SHOWN))
    return [row for row in rows if called(row) in first]


def reading_of_a_chart(marks: Iterable[Dot]) -> None:
    """Say what the marks of a chart of shares are."""
    baselines = [each.even for each in marks if each.even is not None]
    ends = dict.fromkeys(percent(share) for share in (min(baselines), max(baselines))) if baselines else ()
    even = f"Grey mark: what would be even, by how many play ({' to '.join(ends)} %). " if ends else ""
    st.caption(f"{even}The line: where the true share likely lies, 95 times of a hundred.")


def apart_in_words(site: Site, differences: Sequence[tuple[str, Difference]], between: str = "; ") -> str:
    """Say what differs between A and B, or that of so few games even what lies farthest apart does not."""
    if not differences:
        return ""
    lines = [
        f"{both}: {difference_in_words(each)}"
        for evidence in ("clear", "weak")
        for both, each in differences
        if each.words == evidence
    ]
    if not lines:
        farthest, of_it = max(differences, key=lambda each: abs(each[1].value))
        far = f"farthest apart, and yet no more than luck may do: {farthest}" if of_it.value else ""
        lines = [far or "nothing is shown to differ"]
    elif len(lines) < len(differences):
        lines.append("the others are not shown to differ")
    return f"{site.choice.called('A')} against {site.choice.called('B')}: {between.join(lines)}."


def differ(site: Site, differences: Sequence[tuple[str, Difference]]) -> None:
    """Show what differs between A and B, a line each."""
    if words := apart_in_words(site, differences, between="\n"):
        st.text(words)
