"""Is the game fair: who begins, where one sits, which deck one plays, how games end."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.charts.plots import draw, matrix
from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.bots_apart import agreement_in_words
from tabletape.dashboard.sections.answers import (
    MAX_SHOWN,
    Shares,
    folded,
    none_yet,
    numbers,
    rows_of,
    share_of_row,
    shares,
    show_table,
    table_for_each,
    title,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.choice import deck_called
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import percent, share_in_words
from tabletape.dashboard.statistics.stopping import REJECT
from tabletape.projector.archive.view import ending_in_words
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.phrases import with_options_said

MIN_MATCHUP_GAMES: Final = 5
"""A matchup of fewer games stays grey."""

MOST: Final = 4
"""How many shares the sentence at the top names."""

SPLIT_HELP: Final = "Games of each ruleset that began before this day are compared with those since."


def balance_page(site: Site) -> None:
    """Show who wins, by everything that should not decide it."""
    if not heading(site, "Balance"):
        return
    verdict(_in_short(site))
    shares(site, "first-player", label=lambda row: f"the player who begins, {row['players']} players")
    dimension = _dimension(site)
    if dimension:
        _decks(site, dimension)
        with folded("Who beats whom, and how strong each is"):
            _matchups(site, dimension)
            _ratings(site, dimension)
    with folded("Is it fair, and when can we stop testing"):
        _stopping(site)
        _adjusted(site)
        _ladder(site)
    with folded("How games end, and where one sits"):
        shares(site, "win-conditions", "reason", label=partial(_ending, site))
        _ways(site, "reason", [row["reason"] for row in rows_of(site, "win-conditions")])
        shares(site, "seats", "seat", label=lambda row: f"seat {row['seat']} of {row['players']}")
        for name in ("margins", "scores", "places", "teams", "together", "variants"):
            if rows_of(site, name):  # of few games there is such a thing
                table_for_each(site, name)
    with folded("What another version changed, or what came since a day"):
        _versions(site)
        _rulesets(site)


def _ending(site: Site, row: dict[str, Any]) -> str:
    how = ending_in_words(site.game.vocabulary, row["reason"]) or "how is not said"
    return f"{how}, {row['players']} players"


def _in_short(site: Site) -> Iterator[str]:
    """Say what is not fair, or how many shares of wins still tell too little."""
    rows = rows_of(site, "stopping")
    for part in site.parts():
        mine = [row for row in rows if row["among"] == part.label]
        unfair = [row for row in mine if row["verdict"] == "not fair"]
        fair = sum(row["verdict"] == "fair" for row in mine)
        watched = [
            row
            for row in mine
            if row["verdict"] == "keep testing" and not row["win_rate_low"] <= row["baseline"] <= row["win_rate_high"]
        ]
        text = f"Not fair: {_listed(unfair)}" if unfair else f"Nothing has been shown to be unfair{_furthest(mine)}"
        text += f"; to watch: {_listed(watched)}." if watched else "."
        untold = len(mine) - fair - len(unfair)
        yield with_label({"among": part.label}, text + _counts(len(mine), fair, untold))


def _furthest(rows: list[dict[str, Any]]) -> str:
    """Say which share of wins speaks most against a fair game; nothing where there is none."""
    if not rows:
        return ""
    most = max(rows, key=lambda row: row["e_value"])
    share = question("stopping").shares[0].in_words(most)
    even = f"even would be {percent(most['baseline'])} %"
    return f"; furthest from even: {_called(most)}, {most['players']} players, won {share}, {even}"


def _called(row: dict[str, Any]) -> str:
    """Return what a share of wins is of, in words: `deck Vat Parish`, `first player`."""
    return f"{row['measure']} {deck_called(row['value'])}".strip()


def _counts(compared: int, fair: int, untold: int) -> str:
    """Say how many of the shares of wins that are compared are known."""
    if not compared:
        return ""
    if compared == untold:
        return " It takes more games to call anything fair."
    more = f", {untold} need{'s' if untold == 1 else ''} more games" if untold else ""
    return (
        f" Of {counted(compared, 'share')} of wins that were compared {fair} {'is' if fair == 1 else 'are'} fair{more}."
    )


def _listed(rows: list[dict[str, Any]]) -> str:
    named = ", ".join(map(_called, rows[:MOST]))
    return named + (f" and {len(rows) - MOST} more" if len(rows) > MOST else "")


def _dimension(site: Site) -> str:
    """Ask what decks are grouped by: deck, faction, general and so on."""
    names = list(dict.fromkeys(row["dimension"] for row in rows_of(site, "decks")))
    if not names:
        return ""
    if len(names) == 1:
        return str(names[0])
    return st.segmented_control("Group by", names, default=names[0], required=True, key="by", bind="query-params") or ""


def _decks(site: Site, dimension: str) -> None:
    rows = [row for row in rows_of(site, "decks") if row["dimension"] == dimension]
    shares(site, "decks", "value", rows=rows, label=lambda row: deck_called(row["value"]))
    _ways(site, "deck", sorted(row["value"] for row in rows))


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
                st.text(f"{part.label}: {part.ruleset}")
            draw(matrix, rows)
    st.caption(
        f"Colour: pulled towards one half by ten pseudo-games. Grey: fewer than {MIN_MATCHUP_GAMES} games. "
        "The interval shows when you point at a cell. Games between two alike are left out."
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
    title("ratings")
    rows = [row for row in rows_of(site, "ratings") if row["dimension"] == dimension]
    if rows:
        marks = [_strength(row) for row in rows]
        even = {each.label: 0.5 for each in marks}
        draw_dots(marks, share=True, baselines=even, axis="chance to beat the average one")
    else:
        none_yet()
    numbers(site, "ratings")
    table_for_each(site, "head-to-head")


def _strength(row: dict[str, Any]) -> Dot:
    """Return a strength as a dot with its interval."""
    still = "" if row["clear"] else ", still open"
    words = f"{_chance(row)}, the strongest with probability {row['strongest']:.2f}{still}"
    return Dot(
        deck_called(row["value"]), row["strength"], row["low"], row["high"], with_label(row, words), row["among"]
    )


def _chance(row: dict[str, Any]) -> str:
    low, share, high = (percent(row[name]) for name in ("low", "strength", "high"))
    return f"{share} % ({counted(row['games'], 'game')}; {low}-{high} %)"


def _adjusted(site: Site) -> None:
    """Show how strong players, decks, seats and beginning are when each is allowed for in the others."""
    title("adjusted")
    marks = []
    for row in rows_of(site, "adjusted"):
        words = f"{_chance(row)}, narrowed by {row['narrowed']:.2f} of its width"
        what = _called(row)
        marks.append(Dot(what, row["strength"], row["low"], row["high"], with_label(row, words), row["among"]))
    if marks:
        shown = set(list(dict.fromkeys(each.label for each in marks))[:MAX_SHOWN])
        marked = [each for each in marks if each.label in shown]
        draw_dots(
            marked, share=True, baselines={each.label: 0.5 for each in marked}, axis="chance to beat the average one"
        )
        st.caption("Few games are pulled to one half: an interval that was hardly narrowed is what was thought before.")
    else:
        none_yet()
    numbers(site, "adjusted")


def _stopping(site: Site) -> None:
    """Show for each share of wins whether it is fair, and about how many games are missing to say so."""
    title("stopping")
    rows = rows_of(site, "stopping")
    if not rows:
        none_yet()
    for row in rows:
        what = _called(row) + f", {row['players']} players"
        st.text(with_label(row, f"{what}: {_outlook(row)}"))
    for family in {with_label(row, f"all of them together: e = {row['family_e_value']:.2g}"): None for row in rows}:
        st.text(family)
    st.caption(
        f"One may look after every game: an e-value of {REJECT:g} or more rejects the baseline at 0.05, however often "
        "one has looked. All together: that none of them differs from its baseline."
    )
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
            st.text(f"{letter}: {with_options_said(site.game.rulebook, site.choice.rulesets[number][1])}")
        of_kinds = [row | {"among": f"{row['played_by']} bots"} for row in rungs]
        marks = Shares("bots-ladder").dots(of_kinds, _rung)
        draw_dots(marks, share=True, baselines={_rung(row): row["baseline"] for row in rungs})
        st.caption(escaped(agreement_in_words(asked, rungs)))
        show_table(site, table, asked)


def _rung(row: dict[str, Any]) -> str:
    return f"{row['measure']} {row['value']}".strip() + f", {row['players']} players ({row['bots_say']})"


def _outlook(row: dict[str, Any]) -> str:
    """Return what is said of a share and its outlook."""
    open_ended = row["verdict"] == "keep testing"
    more = f" (half of such tests are decided within {counted(row['more'], 'more game')})" if row["more"] else ""
    more = more or (" (half of such tests need more than 4,000 games more)" if open_ended else "")
    share = question("stopping").shares[0].in_words(row)
    return f"{row['verdict']}{more}. Won {share}; fair with probability {row['fair']:.2f}; e = {row['e_value']:.2g}"


def _versions(site: Site) -> None:
    """Show what differs between the chosen ruleset and the others, or between its games before and since a day."""
    title("versions")
    day = st.date_input("Part the games at a day", None, key="split", bind="query-params", width=220, help=SPLIT_HELP)
    asked: dict[str, Any] = {"ruleset": "", "split": day.isoformat() if day else ""}
    rows = rows_of(site, "versions", **asked)
    if not rows:
        none_yet("All games were played by one ruleset: name a day, and those before it are compared with those since.")
    for (among, a, b), of_pair in groupby(rows, key=lambda row: (row["among"], row["ruleset_a"], row["ruleset_b"])):
        st.text("\n".join(filter(None, (among, f"A: {a}", f"B: {b}"))))
        compared = list(of_pair)
        marks = [_difference(row) for row in compared if row["wins_a"] is not None]
        even = {each.label: 0.0 for each in marks}
        draw_dots(marks, share=False, baselines=even, axis="points that B has more than A")
        for row in compared:
            if row["wins_a"] is None:
                st.text(f"{row['measure']}, {row['players']} players: {_longer(row)}")
        if all(row["days_a"] and row["days_b"] and not row["days_in_both"] for row in compared):
            st.caption("No day has games of both: their evenings and players differ as well.")
    numbers(site, "versions", **asked)


def _difference(row: dict[str, Any]) -> Dot:
    """Return the difference of a share between A and B as a dot with its interval, in points."""
    low, points, high = (round(row[name], 1) for name in ("low", "difference", "high"))
    words = (
        f"{points:+.0f} points ({low:+.0f} to {high:+.0f}; {row['wins_b']} of {row['games_b']}, was {row['wins_a']} of "
        f"{row['games_a']}); P(B > A) = {row['larger_in_b']:.2f}"
    )
    what = f"{row['measure']} {row['value']}".strip()
    return Dot(f"{what}, {row['players']} players", points, low, high, words)


def _longer(row: dict[str, Any]) -> str:
    """Return how much longer finished games are in B than in A; of few games no interval is known."""
    interval = "" if row["low"] is None else f"{row['low']:+.3g} to {row['high']:+.3g}; "
    games = f"{row['games_b']} and {counted(row['games_a'], 'game')}"
    return f"median {row['difference']:+.3g} ({interval}{games})"


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
        st.text(f"   another winner, or none: {share_in_words(row['other_winner'], row['games'])}")
        st.text(f"   another length: {share_in_words(row['other_length'], row['games'])}")
    numbers(site, "rulesets")
