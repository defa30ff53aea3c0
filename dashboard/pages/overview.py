"""The first page: how many games, how long, who wins, who begins, what to look at next; and below it the audit."""

from collections.abc import Iterator
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.summary import NO_MOVES, NO_RULES
from tabletape.dashboard.report.untried import untried
from tabletape.dashboard.sections.answers import (
    folded,
    needed,
    numbers,
    rows_of,
    share_of_row,
    shares,
    show_table,
    title,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.lists import game_lines
from tabletape.dashboard.sections.trouble import HOW_DRAWN, draw_trouble, in_order, trouble_in_short
from tabletape.dashboard.site import Site
from tabletape.projector.games import title_of
from tabletape.projector.model.amounts import counted

KINDS: Final = {
    "illegal": "not allowed",
    "missing": "had to come but did not",
    "mismatch": "written differently from what the rules give",
    "drift": "a total that differs from what the log gives",
    "unverifiable": "the log cannot tell",
}
"""What the kinds of findings mean."""

MAX_RULES: Final = 4
"""How many rules that give trouble are drawn."""

PLAYERS: Final = 8
"""How many players are drawn, those with the most games; the table below the chart has all."""

BEST: Final = 3
"""So many players who won equally often are named."""

NEWEST: Final = 5
"""How many games are listed."""


def overview_page(site: Site) -> None:
    """Show what the games of the chosen game come to, and below it everything that the log holds."""
    if heading(site, "Overview"):
        verdict(_in_short(site))
        results = all(row["detail"] == "results" for row in rows_of(site, "games"))
        left, right = st.columns([0.56, 0.44], gap="large")
        with left:
            (_players if results else _to_look_at)(site)
        with right:
            _newest(site)
        _numbers(site)
        with folded("Does it help to begin" if results else "Who wins, and does it help to begin"):
            if not results:
                _players(site)
            _first_player(site)
        with folded("What to try next"):
            _to_test(site)
        _found(site)
    _duplicates(site)
    with folded("Everything that the log holds"):
        _everything(site)


def _in_short(site: Site) -> Iterator[str]:
    """Say who wins most, whether it helps to begin, and which rule to look at."""
    began, trouble = rows_of(site, "first-player"), rows_of(site, "rules-confusion")
    players, games = rows_of(site, "players"), rows_of(site, "games")
    for part in site.parts():
        won = [row for row in players if row["among"] == part.label]
        if most := max((row["wins"] for row in won), default=0):
            best = [f"{row['name']} {most} of {row['decisive']}" for row in won if row["wins"] == most]
            named = f"{len(best)} players, {counted(most, 'game')} each" if len(best) > BEST else ", ".join(best)
            yield with_label({"among": part.label}, f"Won most: {named}.")
        mine = [row for row in began if row["among"] == part.label]
        if mine:
            yield with_label({"among": part.label}, _beginning(max(mine, key=lambda row: row["games"])))
        if any(row["among"] == part.label and row["detail"] != "results" for row in games):
            yield with_label({"among": part.label}, trouble_in_short(site, trouble, part.label))


def _beginning(row: dict[str, Any]) -> str:
    share = f"{row['wins']} of {counted(row['games'], 'game')} of {row['players']} players were won by who began"
    if row["win_rate_low"] > row["baseline"]:
        return f"It helps to begin: {share}."
    if row["win_rate_high"] < row["baseline"]:
        return f"It is worse to begin: {share}."
    return f"Whether it helps to begin is not known yet: {share}."


def _numbers(site: Site) -> None:
    """Say how many games and players there are, a line for each ruleset; how long games take is on Pace."""
    players: dict[str, set[str]] = {}
    for row in rows_of(site, "players"):
        players.setdefault(row["among"], set()).add(row["name"])
    for row in rows_of(site, "overview"):
        told = f"{counted(row['games'], 'game')} of {counted(len(players.get(row['among'], ())), 'player')}"
        ended = f"{row['finished']:,} came to an end, {row['decisive']:,} of them with a winner."
        st.text(with_label(row, f"{told}: {ended}"))
    site.link("pace", "How long games take", icon=":material/timeline:")


def _players(site: Site) -> None:
    rows = rows_of(site, "players")
    names = list(dict.fromkeys(row["name"] for row in sorted(rows, key=lambda row: -row["games"])))[:PLAYERS]
    shares(site, "players", "name", rows=[row for row in rows if row["name"] in names])


def _newest(site: Site) -> None:
    st.subheader("Newest games", anchor=False)
    games = site.ask("games").sort_by([("began", "descending")])
    game_lines(site, games.slice(0, NEWEST).to_pylist())
    site.link("games", f"All {counted(games.num_rows, 'game')}", icon=":material/list:")


def _to_look_at(site: Site) -> None:
    """Show the rules that surely give the most trouble, each with the way to its page."""
    st.subheader("What to look at next", anchor=False)
    rows = rows_of(site, "rules-confusion")
    for part in site.parts():
        most = in_order((row for row in rows if row["among"] == part.label), "most trouble")[:MAX_RULES]
        if most:
            if part.label:
                st.text(part.label)
            draw_trouble(site, most)
    if not rows and not site.game.rulebook.stated and site.has_log:
        st.page_link(site.pages["my-game"], label="**My game**: state the first rule", icon=":material/draw:")
    if any(row["trouble"] for row in rows):
        st.caption(f"Rules that were broken, asked about or taken back. {HOW_DRAWN}")
    site.link("rules", "All rules", icon=":material/gavel:")
    numbers(site, "rules-confusion")


def _first_player(site: Site) -> None:
    st.subheader("Does the player who begins win more often?", anchor=False)
    rows = rows_of(site, "first-player")
    if not rows:
        st.text(f"No game has the answer yet. {needed(0)}")
    for row in rows:
        st.text(with_label(row, f"{row['players']} players: {share_of_row('first-player', row)}"))
        st.caption(needed(row["games"]) or "Known within ten points.")
    site.link("balance", "Balance", icon=":material/balance:")


def _to_test(site: Site) -> None:
    st.subheader("What to try next", anchor=False)
    lines = [*untried(site.choice.slug, site.ask("never-seen").to_pylist())]
    for what, which in lines:
        st.markdown(f"**{what}**: {escaped(which)}")
    if not lines:
        st.text("Everything has been tried at least once.")
    site.link("rules", "All that nobody has tried", icon=":material/explore:")


def _found(site: Site) -> None:
    """Show how many findings of each kind the audit has, on demand."""
    rows = rows_of(site, "overview")
    findings = sum(row[kind] for row in rows for kind in KINDS)
    with st.expander(f"What the audit found: {counted(findings, 'finding')}", icon=":material/fact_check:"):
        for row in rows:
            st.text(with_label(row, _clean(site, row)))
            with st.container(horizontal=True):
                for kind, meaning in KINDS.items():
                    st.metric(kind.capitalize(), f"{row[kind]:,}", border=True, help=f"Findings: {meaning}.")
        site.link("rules", "What does the audit find most often?", icon=":material/gavel:")


def _clean(site: Site, row: dict[str, Any]) -> str:
    """Return how many games had nothing illegal, of those that tell every line and are held against rules."""
    if not site.game.rulebook.stated:
        return NO_RULES
    whole = row["games"] - row["by_result"] - row["partial"]
    if not whole:
        return "Of no game every line could be read." if row["partial"] else NO_MOVES
    return f"{row['clean_games']:,} of {counted(whole, 'game')} without anything illegal"


def _duplicates(site: Site) -> None:
    """Name the games that stand in the log under several ids, where there are any."""
    table = site.ask("duplicates")
    if table.num_rows:
        asked = title("duplicates")
        show_table(site, table, asked)
        numbers(site, "duplicates")


def _everything(site: Site) -> None:
    title("overview")
    rows: list[dict[str, Any]] = []
    for source in ("people", "bots"):
        for row in site.ask("overview", game="", ruleset="", source=source, clean=False, decks=()).to_pylist():
            named = {"game": title_of(row.pop("game")), "ruleset": row.pop("ruleset"), "played by": source}
            del row["ruleset_id"]
            rows.append({**named, **{key.replace("_", " "): value for key, value in row.items()}})
    st.dataframe(sorted(rows, key=lambda row: (row["game"], row["ruleset"], row["played by"])), hide_index=True)
