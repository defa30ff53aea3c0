"""Is the game fair: who begins, where one sits, which deck one plays, how games end."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import inf
from operator import attrgetter
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.charts.plots import draw, matrix
from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.bots_apart import agreement_in_words
from tabletape.dashboard.report.summary import most_won
from tabletape.dashboard.sections.answers import (
    Rows,
    folded,
    none_yet,
    numbers,
    rows_of,
    share_of_row,
    show_table,
    table_for_each,
    title,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.in_short import (
    BEGINNER,
    DECK,
    FEWEST,
    MIN_TENTHS,
    by_luck,
    called,
    closeness,
    draw_players,
    draw_wins,
    fairness,
    mirrored,
    sentence,
    shares_of_wins,
    winning,
)
from tabletape.dashboard.sections.shares import Shares, shares, shown
from tabletape.dashboard.sections.versions import set_beside, show_versions
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import percent, share_said
from tabletape.projector.archive.view import ending_in_words
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.phrases import deck_called, with_options_said

MIN_MATCHUP_GAMES: Final = 5
"""A matchup of fewer games stays grey."""

ENDS: Final = ("win-conditions", "seats", "places", "teams", "together", "variants")
"""The questions about how games end and where one sits."""


def balance_page(site: Site) -> None:
    """Show who wins, by everything that should not decide it."""
    if not heading(site, "Balance"):
        return
    set_beside(site)
    answer = st.container()  # It stands above the choice of what it is about.
    dimension = _dimension(site)
    wins = shares_of_wins(site, dimension)
    with answer:
        verdict(_in_short(site, wins))
    drawn = {row["measure"] for row in wins}
    if wins:
        draw_wins(site, wins, told=dimension == DECK)
        numbers(site, *([BEGINNER] if "first player" in drawn else []), *(["decks"] if DECK in drawn else []))
    if dimension:
        _ways(site, "deck", sorted({r["value"] for r in rows_of(site, "decks") if r["dimension"] == dimension}))
    if DECK not in drawn:
        draw_players(site)
        _margins(site)
    if rows_of(site, "stopping"):
        with folded("When can we stop testing, and who wins with the rest allowed for"):
            _stopping(site)
            _adjusted(site)
            _ladder(site)
    if dimension and not mirrored([row for row in rows_of(site, "decks") if row["dimension"] == dimension]):
        with folded("Who beats whom, and how strong each is"):
            _matchups(site, dimension)
            _ratings(site, dimension)
    if known := _known(site):
        with folded("How games end, and where one sits"):
            _ends(site, known)
    if rows_of(site, "scores"):
        of_margins = "By how much games are won, and how" if DECK in drawn else "How"
        with folded(f"{of_margins} many points are scored"):
            if DECK in drawn:
                _margins(site)
            _scores(site)
    with folded("What another version changed, or what came since a day", opened="changed" in st.query_params):
        show_versions(site)
        _rulesets(site)


def _known(site: Site) -> list[str]:
    """Return the questions about ends and seats of which these games know anything."""
    rows = {name: rows_of(site, name) for name in ENDS}
    # Of results alone nobody knows how they came about.
    return [name for name, mine in rows.items() if any(name != "win-conditions" or row["reason"] for row in mine)]


def _ends(site: Site, known: Iterable[str]) -> None:
    """Show how games end and where one sits, as far as it is `known`."""
    for name in known:
        if name == "win-conditions":
            shares(site, name, "reason", label=partial(_ending, site))
            _ways(site, "reason", [row["reason"] for row in rows_of(site, name)])
        elif name == "seats":
            shares(site, name, "seat", label=lambda row: f"seat {row['seat']} of {row['players']}")
        else:
            table_for_each(site, name)


def _margins(site: Site) -> None:
    """Show by how much games are won, where their points say so."""
    _points(site, "margins", _margin, axis="points between the winner and the next")


def _scores(site: Site) -> None:
    """Show how many points are scored, where games have any."""
    _points(site, "scores", _score, axis="points at the end")


def _points(site: Site, name: str, dot: Callable[[dict[str, Any]], Dot], *, axis: str) -> None:
    """Show the answer to a question about points as dots, whose words say what the dot and the line are."""
    if rows := rows_of(site, name):
        title(name)
        draw_dots([dot(row) for row in rows], share=False, axis=axis)
        numbers(site, name)


def _margin(row: dict[str, Any]) -> Dot:
    most, low, high = "nine of ten" if row["games"] >= MIN_TENTHS else "all", row["lowest"], row["p90"]
    words = f"{row['median']:g} in the middle, {most} {low:g} to {high:g} ({counted(row['games'], 'game')})"
    return Dot(f"{row['players']} players", row["median"], low, high, with_label(row, words), row["among"])


def _score(row: dict[str, Any]) -> Dot:
    some, ends = ("half", ("p25", "p75")) if row["scores"] >= MIN_TENTHS else ("all", ("lowest", "highest"))
    low, high = (row[each] for each in ends)
    words = f"{row['median']:g} in the middle, {some} {low:g} to {high:g} ({counted(row['scores'], 'score')})"
    what = f"{row['players']} players" + ("" if row["whose"] == "each player" else f", {row['whose']}")
    return Dot(what, row["median"], low, high, with_label(row, words), row["among"])


def _ending(site: Site, row: dict[str, Any]) -> str:
    how = ending_in_words(site.game.vocabulary, row["reason"]) or "how is not said"
    return f"{how}, {row['players']} players"


def _in_short(site: Site, wins: Rows) -> Iterator[str]:
    """Say whether the game is fair, and which share of wins luck explains least; of results alone how close it is."""
    answers = (wins, *(rows_of(site, name) for name in ("stopping", "margins", "players", "games")))
    for part in site.parts():
        mine, judged, close, who, games = ([row for row in rows if row["among"] == part.label] for rows in answers)
        if 0 < len(games) < FEWEST:
            said: Iterable[str] = [f"{counted(len(games), 'game')} cannot tell whether the game is fair.", *_won(games)]
        else:
            said = [sentence(fairness(mine, judged)), by_luck(mine)] if mine else _untold(close, who)
        yield with_label({"among": part.label}, " ".join(said))


def _won(games: Rows) -> list[str]:
    return [sentence(won)] if (won := most_won(games)) else []


def _untold(margins: list[dict[str, Any]], players: list[dict[str, Any]]) -> Iterator[str]:
    """Say who wins and how close games are, where no game says who began or with what, and what would tell that."""
    said = [*filter(None, (winning(players), closeness(margins)))] or ["whether the game is fair is not known"]
    yield from map(sentence, said)
    yield "Whether it helps to begin is open: a column with who began tells that."


def _dimension(site: Site) -> str:
    """Ask what decks are grouped by: deck, faction, general and so on."""
    names = list(dict.fromkeys(row["dimension"] for row in rows_of(site, "decks")))
    if not names:
        return ""
    if len(names) == 1:
        return str(names[0])
    return (
        st.segmented_control("Group decks by", names, default=names[0], required=True, key="by", bind="query-params")
        or ""
    )


def _ways(site: Site, parameter: str, values: Iterable[str]) -> None:
    """Show links to the games of each bar of a chart."""
    with st.container(horizontal=True):
        for value in dict.fromkeys(values):
            words = ending_in_words(site.game.vocabulary, value) if parameter == "reason" else deck_called(value)
            site.link("games", f"Games: {escaped(words)}", icon=":material/list:", **{parameter: value})


def _matchups(site: Site, dimension: str) -> None:
    title("matchups")
    of_dimension = [row for row in rows_of(site, "matchups") if row["dimension"] == dimension]
    if not of_dimension:
        none_yet("No two different ones have met yet, in a game that somebody won.")
    for part in site.parts():
        rows = [_cell(row) for row in of_dimension if row["among"] == part.label]
        if rows:
            if part.label:
                st.text(part.heading)
            draw(matrix, rows)
    st.caption(
        f"Grey: fewer than {MIN_MATCHUP_GAMES} games. Left out: games between two alike, and games that neither won."
    )
    numbers(site, "matchups")


def _cell(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "own": deck_called(row["own"]),
        "other": deck_called(row["other"]),
        "shrunk": row["shrunk"],
        "few": row["games"] < MIN_MATCHUP_GAMES,
        "words": f"{percent(row['win_rate'])} %\n{row['wins']} of {row['games']}",
        "interval": share_of_row("matchups", row),
    }


def _ratings(site: Site, dimension: str) -> None:
    rows = [row for row in rows_of(site, "ratings") if row["dimension"] == dimension]
    if rows and dimension != DECK:  # How strong decks are is said where all else is allowed for.
        title("ratings")
        marks = [_strength(deck_called(row["value"]), row) for row in rows]
        draw_dots(marks, share=True, axis="chance to beat the average one")
    pairs = [
        row for row in rows_of(site, "head-to-head") if row["dimension"] == dimension and row["own"] < row["other"]
    ]
    if pairs:
        title("head-to-head")
        marks = shown([_pair(row) for row in pairs], attrgetter("label"))
        draw_dots(marks, share=True, axis="chance of the first of the two")
    if rows or pairs:
        numbers(site, "ratings")


def _pair(row: dict[str, Any]) -> Dot:
    """Return the chance of one deck against another as a dot with its interval."""
    low, chance, high = (percent(row[name]) for name in ("low", "chance", "high"))
    words = f"{chance} % (likely {low} to {high} %)"
    what = f"{deck_called(row['own'])} against {deck_called(row['other'])}"
    return Dot(what, row["chance"], row["low"], row["high"], with_label(row, words), row["among"], even=0.5)


def _strength(what: str, row: dict[str, Any]) -> Dot:
    """Return a chance to beat the average one, which is one half if it does not matter, as a dot with its interval."""
    low, share, high = (percent(row[name]) for name in ("low", "strength", "high"))
    words = f"{share} % (likely {low} to {high} %), {counted(row['games'], 'game')}"
    return Dot(what, row["strength"], row["low"], row["high"], with_label(row, words), row["among"], even=0.5)


def _adjusted(site: Site) -> None:
    """Show how strong players, decks, seats and beginning are when each is allowed for in the others."""
    title("adjusted")
    rows = rows_of(site, "adjusted")
    marks = [_strength(f"{row['measure']} {deck_called(row['value'])}".strip(), row) for row in rows]
    if marks:
        draw_dots(shown(marks, attrgetter("label")), share=True, axis="chance to beat the average one")
        st.caption("The fewer games, the nearer to one half: that is what is taken for likely before any game.")
    else:
        none_yet()
    numbers(site, "adjusted")


def _stopping(site: Site) -> None:
    """Show for each share of wins whether it is fair, and about how many games are missing to say so."""
    judged = rows_of(site, "stopping")
    other = mirrored([row for row in judged if row["measure"] == "deck"])
    every = [{"against": other, **row} for row in judged if row["measure"] != "deck" or row["value"] != other]
    rows = [row for row in every if row["games"] >= FEWEST]
    title("stopping")
    won = question("stopping").shares[0]
    table = [
        {"what": with_label(row, called(every, row)), "won": won.said(row), "so far": row["verdict"]} for row in rows
    ]
    if table:
        st.table(table, hide_index=True)
        if untold := [row for row in rows if row["verdict"] == "keep testing"]:
            st.caption(_outlook(untold))
    else:
        none_yet(f"No share is of {FEWEST} games yet.")
    if len(rows) < len(every):
        st.caption(f"Left out: what fewer than {FEWEST} games say.")
    st.caption("One may look after every game: what is said here holds however often one has looked.")
    numbers(site, "stopping")


def _ladder(site: Site) -> None:
    """Show what bots of each kind say beside each other, whichever games are chosen, where several kinds played."""
    for number, (letter, _) in enumerate(site.choice.rulesets):
        of_bots: dict[str, Any] = {**site.choice.filters(beside=number == 1), "source": "bots"}
        table = site.ask("bots-ladder", None, **of_bots)
        rungs = [row | {"letter": letter} for row in table.to_pylist() if row.get("bots_say")]
        if not rungs:
            continue
        asked = title("bots-ladder")
        if letter:
            st.text(site.choice.called(letter))
        of_kinds = [row | {"among": f"{row['played_by']} bots"} for row in rungs]
        marks = Shares("bots-ladder").dots(of_kinds, _rung)
        draw_dots(marks, share=True)
        st.caption(escaped(agreement_in_words(asked, rungs)))
        show_table(site, table, asked)


def _rung(row: dict[str, Any]) -> str:
    return f"{row['measure']} {row['value']}".strip() + f", {row['players']} players ({row['bots_say']})"


def _outlook(rows: Rows) -> str:
    """Say how many more games it may take until it is known which shares are fair that nobody knows it of yet."""
    more = sorted({row["more"] for row in rows}, key=lambda games: games or inf)
    ends = [f"{games:,}" if games else "more than 4,000" for games in dict.fromkeys((more[0], more[-1]))]
    return f"It may take {' to '.join(ends)} games more to tell whether they are fair."


def _rulesets(site: Site) -> None:
    """Show what another ruling changes in the same games, where some were read twice."""
    rows = site.ask("rulesets", ruleset="").to_pylist()
    if not rows:
        return
    title("rulesets")
    for row in rows:
        games = counted(row["games"], "game")
        text = f"{row['ruleset_b']} in place of {row['ruleset_a']}, {games} read both ways:"
        st.text(with_options_said(site.game.rulebook, text))
        st.text(f"   another winner, or none: {share_said(row['other_winner'], row['games'])}")
        st.text(f"   another length: {share_said(row['other_length'], row['games'])}")
    numbers(site, "rulesets")
