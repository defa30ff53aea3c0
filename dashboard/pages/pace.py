"""How games go: how long they take, what players do in them, and when they are decided."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from statistics import mean, median
from typing import Any, Final

import pyarrow.compute as pc
import streamlit as st

from tabletape.dashboard.charts.plots import band, draw, leads, running
from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.report.said import fun_by_game, fun_said, lengths_felt, said_about
from tabletape.dashboard.report.summary import has_moves
from tabletape.dashboard.sections.answers import (
    Rows,
    feelings,
    folded,
    none_yet,
    numbers,
    rows_of,
    spreads,
    table_for_each,
    title,
    verdict,
    who_counts,
    with_label,
)
from tabletape.dashboard.sections.decision_count import decision_count
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.in_short import MIN_TENTHS, SAID_MEASURES, half_time, length, sentence
from tabletape.dashboard.sections.shares import shares
from tabletape.dashboard.sections.versions import set_beside
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import NO_BREAK
from tabletape.projector.model.amounts import counted, joined, middle

MEASURES: Final = (*SAID_MEASURES, "rounds", "decisions")
"""The measures of length: the first that is known is shown, the others on demand."""

LINES: Final = 100
"""How many games are drawn; more would only be a cloud."""

PARTS: Final = 20
"""The course of a game is shown in so many parts of its turns, so that long games are no others than short ones."""

FEW_GAMES: Final = 4

EACH: Final = 50
"""Up to so many games are shown one by one, each as a dot."""

UNTIMED: Final = "how long a game takes is not known: no log of a finished one says a time, a round or a turn"


def pace_page(site: Site) -> None:
    """Show the course of games."""
    if not heading(site, "Pace"):
        return
    set_beside(site, in_length=True)
    verdict(_in_short(site))
    lengths = rows_of(site, "game-length")
    known = {row["measure"] for row in lengths}
    first, *others = [each for each in MEASURES if each in known] or [""]
    if any(row["games"] > 1 for row in lengths):  # The sentence above says how long a single one was.
        title("game-length")
        _lengths(site, [first])
        numbers(site, "game-length", "game-length-histogram")
    _fun(site)
    feelings(site)
    if not has_moves(rows_of(site, "games")):
        st.text("Who led, what players did and how long they waited is not known: no move was written down.")
        site.link("keep", "Keep a log at the next game", icon=":material/edit_note:")
        return
    _leads(site)
    if others:
        with folded(f"The same in {joined(others)}"):
            _lengths(site, others)
    with folded("Who leads, for how long, and how often that changes"):
        _lead_changes(site)
        spreads(site, "lock-in", n="games", unit=("% of the turns", 100))
        shares(site, "snowball", label=lambda row: f"the leader at half time, {row['players']} players")
        shares(site, "comeback", label=lambda row: f"winners once behind by a quarter, {row['players']} players")
        table_for_each(site, "tension")
    with folded("What players have and do"):
        _resources(site)
        table_for_each(site, "action-mix")
        _load(site)
        _forced(site)
        table_for_each(site, "variety")
    with folded("Time, games that did not finish, and second plays"):
        spreads(site, "time-per-turn", n="turns", unit=("seconds", 1))
        spreads(site, "downtime", n="waits", unit=("seconds", 1))
        for name in ("length-unfinished", "learning"):
            if rows_of(site, name):
                table_for_each(site, name)


def _in_short(site: Site) -> Iterator[str]:
    """Say how long games are, for each number of players, whether people found that too long, and who leads when."""
    finished, half, games = (rows_of(site, name) for name in ("game-length", "snowball", "games"))
    for part in site.parts():
        lengths_of, half_of, mine = (
            [row for row in rows if row["among"] == part.label] for rows in (finished, half, games)
        )
        told = said_about(mine, site.folder).feedback if lengths_of else []
        without = UNTIMED if lengths_of else "no game has finished yet"
        said = [sentence(length(lengths_of) or without), *lengths_felt(told), half_time(half_of)]
        yield with_label({"among": part.label}, " ".join(said))


def _by_players(rows: Rows) -> Iterator[tuple[int, Rows]]:
    """Yield the numbers of players, the smallest first, each with its rows of an answer."""
    for players in sorted({row["players"] for row in rows}):
        yield players, [row for row in rows if row["players"] == players]


def _lengths(site: Site, measures: Sequence[str]) -> None:
    """Show for each measure of length how long the games of each number of players are, and their middle."""
    finished = [row for row in rows_of(site, "games") if row["over"]]
    medians = sorted(rows_of(site, "game-length"), key=lambda row: row["players"])
    shown: list[Dot] = []
    for measure in measures:
        marks = []
        for row in (each for each in medians if each["measure"] == measure):
            alike = (
                other for other in finished if (other["among"], other["players"]) == (row["among"], row["players"])
            )
            marks.append(games_as_dot(row, [other[measure] for other in alike if other[measure] is not None]))
        draw_dots(marks, share=False, axis=measure)
        shown += marks
    of_one = "A dot is a game; dashed: half of them are shorter. " if any(dot.each for dot in shown) else ""
    of_many = "A line is where eight of ten games lie; its dot: half of them are shorter." * (
        not all(d.each for d in shown)
    )
    st.caption(of_one + of_many)
    who_counts(site, "game-length", site.parts(), also="minutes" if "minutes" in measures else "")


def games_as_dot(row: dict[str, Any], lengths: Sequence[float]) -> Dot:
    """Return games of one number of players, each by itself where they are few, with their middle and their reach."""
    low, high = (f"{row[each]:.0f}" for each in ("p10", "p90"))
    some = "eight of ten" if row["games"] >= MIN_TENTHS else "all of them"
    reach = f"{low} to {high}".replace(" ", NO_BREAK)
    most = f", {some} {reach}" if low != high else ""
    words = f"{middle(row['median'], row['games'])} ({counted(row['games'], 'game')}{most})"
    each = tuple(float(round(length)) for length in lengths) if len(lengths) <= EACH else ()
    what = counted(row["players"], "player")
    value = each[0] if row["games"] == 1 and each else row["median"]
    return Dot(what, value, row["p10"], row["p90"], with_label(row, words), row["among"], each=each)


def _fun(site: Site) -> None:
    """Show how much fun the games of each number of players were, where anybody said so."""
    marks, scales = [], set[int]()
    for part in site.parts():
        games = [row for row in rows_of(site, "games") if row["among"] == part.label]
        told = said_about(games, site.folder).feedback
        for players, mine in _by_players(games):
            for scale, fun in [*fun_by_game(mine, told).items()][:1]:
                scales.add(scale)
                each = tuple(fun) if len(fun) <= EACH else ()
                words = with_label({"among": part.label}, fun_said(mine, told))
                marks.append(
                    Dot(counted(players, "player"), mean(fun), min(fun), max(fun), words, part.label, each=each)
                )
    if marks:
        st.subheader("How much fun are they?", anchor=False)
        axis = f"fun, 1 to {max(scales)}; a dot is a game, dashed: the average"
        draw_dots(marks, share=False, axis=axis, whole=(1, max(scales)))


def _leads(site: Site) -> None:
    st.subheader("How far ahead was the later winner?", anchor="progress")
    rows: list[dict[str, Any]] = []
    for part in site.parts():
        games = site.ask("games", part)
        won = games.filter(pc.is_valid(games["winner"]))["game_id"].slice(0, LINES).to_pylist()
        course = site.ask("progress", part, games=won).to_pylist() if won else []
        drawn = [
            row | {"among": part.label}
            for row in by_parts(row for row in course if row["won"] and row["ahead"] is not None)
        ]
        if not drawn:
            continue
        rows += drawn
        n = counted(len({row["game_id"] for row in drawn}), "game")
        first = f"the first {LINES} " if len(won) == LINES else ""
        text = f"The line is the middle of {first}{n} with one winner (of {games.num_rows:,})"
        st.caption(with_label({"among": part.label}, f"{text}, and half of them lie within the band."))
    if rows:
        st.caption("How far ahead, of the whole way to a win, which is 100 %; below zero somebody else led.")
        draw(leads, rows)
    else:
        st.text("Not known: no log of a game with one winner counts how near each player was to winning.")
    numbers(site, "progress")


def by_parts(course: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield how far ahead the winner of each game was at the end of each of `PARTS` parts of its turns."""
    ahead_of: dict[str, list[float]] = {}
    for row in course:
        ahead_of.setdefault(row["game_id"], []).append(row["ahead"])
    for game_id, ahead in ahead_of.items():
        for part in range(1, PARTS + 1):
            turn = -(-len(ahead) * part // PARTS)
            yield {"game_id": game_id, "part": part / PARTS, "ahead": ahead[turn - 1]}


def _lead_changes(site: Site) -> None:
    title("lead-changes")
    changes: dict[tuple[int, str], list[int]] = {}
    for row in rows_of(site, "lead-changes"):
        changes.setdefault((row["players"], row["among"]), []).extend([row["lead_changes"]] * row["games"])
    marks = []
    for (players, among), of_each in changes.items():
        low, high = (of_each[ceil(part * len(of_each)) - 1] for part in (0.1, 0.9))  # they are in order
        row = {"players": players, "among": among, "games": len(of_each), "median": median(of_each)}
        marks.append(games_as_dot({**row, "p10": low, "p90": high}, of_each))
    if marks:
        draw_dots(marks, share=False, axis="changes of the lead")
    else:
        none_yet()
    numbers(site, "lead-changes")


def _resources(site: Site) -> None:
    title("resource-curve")
    held = [row for row in rows_of(site, "resource-curve") if row["sides"] >= FEW_GAMES]
    had = [row for row in held if row["q3"] or row["q1"]]
    for players, mine in _by_players(had):
        st.text(f"Games of {counted(players, 'player')}")
        have = {row["name"] for row in mine}
        known = [name for name in site.game.scoreboard.total_names if name in have]
        names = known + sorted(have - set(known))
        drawn = {name: [row for row in held if (row["players"], row["name"]) == (players, name)] for name in names}
        for first in range(0, len(names), 3):
            for place, name in zip(st.columns(3), names[first : first + 3], strict=False):
                with place:
                    _curve(drawn[name], name.replace("_", " "))
        draw(running, [_point(row, "own_turn", "sides") for row in drawn[names[0]]], axis="own turn", value="players")
    if had:
        st.caption(
            f"Median and quartiles at the end of a player's own turns; the last chart says how many players still were "
            f"in the game. Turns that fewer than {FEW_GAMES} players reached are left to the table."
        )
    else:
        none_yet()
    numbers(site, "resource-curve")


def _curve(rows: Rows, name: str) -> None:
    points = [_point(row, "own_turn", "sides") | {"low": row["q1"], "high": row["q3"]} for row in rows]
    draw(band, points, axis="own turn", value=name)


def _point(row: dict[str, Any], at: str, n: str) -> dict[str, Any]:
    return {"at": row[at], "n": row[n], "median": row.get("median"), "among": row["among"]}


def _load(site: Site) -> None:
    title("decision-load")
    rows = rows_of(site, "decision-load")
    if not rows and site.game.rulebook.open:
        none_yet("Nobody has stated the rules, so nobody can say what was legal.")
        numbers(site, "decision-load")
        return
    if not rows:
        decision_count(
            site, "How many decisions were legal each time has not been counted yet.", "Count legal decisions"
        )
        numbers(site, "decision-load")
        return
    for players, mine in _by_players(rows):
        st.text(f"Games of {counted(players, 'player')}")
        points = [_point(row, "round", "decisions") | {"low": row["p10"], "high": row["p90"]} for row in mine]
        draw(band, points, axis="round", value="legal decisions")
        draw(running, points, axis="round", value="n")
    st.caption(
        "How many decisions were legal each time: the line is the middle, the band eight of ten; below, how often. "
        "The table has the effective number of choices, and how many decisions were forced."
    )
    numbers(site, "decision-load")


def _forced(site: Site) -> None:
    """Show how often people and bots had no alternative, beside each other whichever of them are chosen."""
    rows = rows_of(site, "forced", source="all")
    if rows:
        shares(site, "forced", "source", rows=rows)
