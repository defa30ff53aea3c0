"""What differs between the games of two versions, or between those before and since a day of a change."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from statistics import mean, median
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.report.summary import often, said_about
from tabletape.dashboard.sections.answers import Rows, numbers, rows_of
from tabletape.dashboard.sections.choice import UNSAID
from tabletape.dashboard.sections.in_short import called
from tabletape.dashboard.site import Site
from tabletape.projector.model.amounts import counted, how_many, joined
from tabletape.projector.model.phrases import with_options_said

PARTED: Final = ("before", "since")
"""How the games are called that a day parts."""

LETTERED: Final = ("with A", "with B")
"""How those of two versions are called."""


def show_versions(site: Site, day: date | None = None) -> None:
    """Show what differs between the chosen ruleset and the others, or between its games before and since a day.

    `day` is the one that is asked about to begin with.
    """
    day = st.date_input("The day on which something changed", day, key="split", bind="query-params", width=260)
    asked: dict[str, Any] = {"ruleset": "", "split": day.isoformat() if day else ""}
    rows = rows_of(site, "versions", **asked)
    for (among, a, b), of_pair in groupby(rows, key=lambda row: (row["among"], row["ruleset_a"], row["ruleset_b"])):
        is_parted = a.startswith(f"{UNSAID}, ") and b.startswith(f"{UNSAID}, ")
        if among or not is_parted:
            said = (with_options_said(site.game.rulebook, each) for each in (f"A: {a}", f"B: {b}"))
            st.text("\n".join(filter(None, (among, *said))))
        _compared(list(of_pair), PARTED if is_parted else LETTERED)
    if day:
        _side_by_side(site, day.isoformat())
    elif not rows:
        st.text("All games were played by one ruleset: name a day, and those before it are compared with those since.")
    numbers(site, "versions", **asked)


def _compared(rows: Rows, versions: tuple[str, str]) -> None:
    """Show whether anything differs, what who wins does, and how much longer games are."""
    clear = [row for row in rows if row["low"] is not None and not row["low"] <= 0 <= row["high"]]
    named = joined(f"{row['measure']} {row['value']} with {row['players']} players" for row in clear)
    st.markdown(f"**{f'To watch: {named}, which may still be luck' if clear else 'Nothing is shown to differ'}.**")
    marks = [_difference(rows, row) for row in rows if row["wins_a"] is not None]
    if marks:
        even = {each.label: 0.0 for each in marks}
        draw_dots(marks, share=False, baselines=even, axis=f"games of a hundred that are won more {versions[1]}")
    if lengths := [_longer(row, *versions) for row in rows if row["wins_a"] is None]:
        st.text("\n".join(lengths))
    if versions == LETTERED and all(row["days_a"] and row["days_b"] and not row["days_in_both"] for row in rows):
        st.caption("No day has games of both: their evenings and players differ as well.")


def _side_by_side(site: Site, day: str) -> None:
    """Show for each number of players the games before and since a day, and name the numbers that have only one."""
    games = [row for row in rows_of(site, "games", ruleset="") if row["began"]]
    if not games:
        st.text("No game has a date.")
        return
    told = said_about(games, site.folder).feedback
    table: list[dict[str, str]] = []
    parted: dict[int, tuple[Rows, Rows]] = {row["players"]: ([], []) for row in games}
    for row in games:
        parted[row["players"]][str(row["began"]) >= day].append(row)
    for players in sorted(parted):
        told_of = (_came_to(mine, told) for mine in parted[players])
        table.append({"with": counted(players, "player"), **dict(zip(PARTED, told_of, strict=True))})
    st.table(table, hide_index=True)
    for name, other in (PARTED, PARTED[::-1]):
        if only := [row["with"] for row in table if row[other] == how_many(0, "game")]:
            st.text(f"With {joined(only)} there are games only {name}: nothing is compared.")


def _came_to(games: Rows, told: Sequence[Mapping[str, Any]]) -> str:
    """Say how many games there are, how long half of them take at most, and how much fun they were."""
    minutes = [row["minutes"] for row in games if row["over"] and row["minutes"] is not None]
    ids = {row["game_id"] for row in games}
    fun = [row["fun"] for row in told if row["game_id"] in ids and row["fun"] is not None]
    said = [how_many(len(games), "game"), f"{median(minutes):g} minutes" if minutes else ""]
    said += [f"fun {mean(fun):.1f} (said {often(len(fun))})"] if fun else []
    return ", ".join(filter(None, said))


def _difference(rows: Rows, row: dict[str, Any]) -> Dot:
    """Return the difference of a share between A and B as a dot with its interval, in games of a hundred."""
    low, points, high = (round(row[name], 1) for name in ("low", "difference", "high"))
    words = (
        f"{points:+.0f} (likely {low:+.0f} to {high:+.0f}): {row['wins_b']} of {row['games_b']} won, was "
        f"{row['wins_a']} of {row['games_a']}"
    )
    return Dot(called(rows, row), points, low, high, words)


def _longer(row: dict[str, Any], a: str, b: str) -> str:
    """Return how much longer finished games are in B than in A; of few games no interval is known."""
    size, unit = f"{abs(row['difference']):.3g}", row["unit"]
    by = f"{size} {unit.rstrip('s') if size == '1' else unit} {'longer' if row['difference'] > 0 else 'shorter'} {b}"
    by = by if row["difference"] else f"as many {unit}"
    likely = "too few to tell from luck" if row["low"] is None else f"likely {row['low']:+.3g} to {row['high']:+.3g}"
    games = f"{counted(row['games_a'], 'game')} {a}, {row['games_b']} {b}"
    return f"{counted(row['players'], 'player')}: {by} ({likely}; {games})"
