"""The first page: how many games, who wins, who begins, what to look at next."""

from collections.abc import Iterator
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.by_luck import standing_out
from tabletape.dashboard.report.summary import NO_MOVES, ended_in_words, mistaken
from tabletape.dashboard.report.untried import untried
from tabletape.dashboard.sections.answers import (
    Rows,
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

MAX_RULES: Final = 4
"""How many rules that give trouble are drawn."""

PLAYERS: Final = 8
"""How many players are drawn, those with the most games; the table below the chart has all."""

BEST: Final = 3
"""So many of the players who won most are named."""

NEWEST: Final = 5
"""How many games are listed."""


def overview_page(site: Site) -> None:
    """Show what the games of the chosen game come to, and below it everything that the log holds."""
    if heading(site, "Overview"):
        games = rows_of(site, "games")
        verdict(_in_short(site, games))
        st.markdown("\n".join(f"* {escaped(line)}" for line in _more(site, games)))
        results = all(row["detail"] == "results" for row in games)
        left, right = st.columns([0.56, 0.44], gap="large")
        with left:
            (_players if results else _to_look_at)(site)
        with right:
            _newest(site)
        site.link("pace", "How long games take", icon=":material/timeline:")
        with folded("Does it help to begin" if results else "Who wins, and does it help to begin"):
            if not results:
                _players(site)
            _first_player(site)
        with folded("What to try next"):
            _to_test(site)
    _duplicates(site)
    with folded("Everything that the log holds"):
        _everything(site)


def _in_short(site: Site, games: Rows) -> Iterator[str]:
    """Say how many played, how many games came to an end, and in how many something went wrong."""
    for part in site.parts():
        mine = [row for row in games if row["among"] == part.label]
        names = {name for row in mine for name in (row["names"] or "").split(", ") if name}
        said = f"{counted(len(mine), 'game')} of {counted(len(names), 'player')}: {ended_in_words(mine)}"
        nobody = sum(bool(row["over"]) and not row["won_by"] for row in mine)
        said += f", {nobody} of them without a winner" if nobody else ""
        wrong = mistaken(mine)
        yield with_label({"among": part.label}, f"{said}{f', {wrong} had a mistake' if wrong else ''}.")


def _more(site: Site, games: Rows) -> Iterator[str]:
    """Say who wins, whether it helps to begin, and which rule to look at; of results alone that there are no moves."""
    began, trouble, players = (rows_of(site, name) for name in ("first-player", "rules-confusion", "players"))
    for part in site.parts():
        label = {"among": part.label}
        won = [row for row in players if row["among"] == part.label]
        mine = [row for row in games if row["among"] == part.label]
        if any(row["wins"] for row in won):
            shared = sum(bool(row["won_by"]) and not row["winner"] for row in mine)
            left = f" {counted(shared, 'game')} that several won together left aside." if shared else ""
            yield with_label(label, f"{_winning(won)}{left}")
        if first := [row for row in began if row["among"] == part.label]:
            yield with_label(label, _beginning(first))
        told = any(row["detail"] != "results" for row in mine)
        yield with_label(label, trouble_in_short(site, trouble, part.label) if told else NO_MOVES)


def _winning(players: Rows) -> str:
    """Say who surely wins more often than if it did not matter who plays, or that nobody does, and who won most."""
    clear = [row for row in players if row["decisive"] and row["win_rate_low"] > row["baseline"]]
    ranked = sorted(clear or players, key=lambda row: -row["wins"])
    # Whoever has won as often as one that is not named is not named either.
    least = ranked[BEST]["wins"] if len(ranked) > BEST else 0
    named = ", ".join(
        f"{row['name']} {row['wins']} of {row['decisive']}" for row in ranked[:BEST] if row["wins"] > least
    )
    if not clear:
        most = f"; most games were won by: {named}" if named else ""
        return f"Nobody surely wins more often than the others{most}."
    return " ".join(
        [f"More games than it would be by chance were won by: {named}.", *standing_out(question("players"), players)]
    )


def _beginning(rows: Rows) -> str:
    """Say whether it helps to begin, for each number of players, the one of most games first."""
    first, *others = sorted(rows, key=lambda row: -row["games"])
    share = ", ".join(
        f"{row['wins']} of {counted(row['games'], 'game')} of {row['players']}" for row in (first, *others)
    )
    said = f"{share} players were won by who began"
    if first["win_rate_low"] > first["baseline"]:
        return f"It helps to begin, with {first['players']} players: {said}."
    if first["win_rate_high"] < first["baseline"]:
        return f"It is worse to begin, with {first['players']} players: {said}."
    return f"Whether it helps to begin is not known yet: {said}."


def _players(site: Site) -> None:
    rows = rows_of(site, "players")
    names = list(dict.fromkeys(row["name"] for row in sorted(rows, key=lambda row: -row["games"])))[:PLAYERS]
    shown = sorted((row for row in rows if row["name"] in names), key=lambda row: -(row["win_rate"] or 0))
    shares(site, "players", "name", rows=shown)


def _newest(site: Site) -> None:
    st.subheader("Newest games", anchor=False)
    games = site.ask("games").sort_by([("began", "descending")])
    game_lines(site, games.slice(0, NEWEST).to_pylist())
    of_them = counted(games.num_rows, "game") if games.num_rows > NEWEST else "games"
    site.link("games", f"All {of_them}, and what was found in them", icon=":material/list:")


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
        open_to_all = site.game.rulebook.open
        st.text("No rule is stated, so nobody can say." if open_to_all else "Everything has been tried at least once.")
    site.link("rules", "All that nobody has tried", icon=":material/explore:")


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
