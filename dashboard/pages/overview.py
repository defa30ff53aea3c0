"""The first page: what there is, what is new, what nobody has tried, and how much is known."""

from typing import Any, Final

import streamlit as st

from dashboard.answers import counted, needed, numbers, rows_of, share_told, show_table, title, with_label
from dashboard.heading import heading
from dashboard.lists import LINES, game_lines
from dashboard.markdown_escape import escaped
from dashboard.site import Site
from projector.model.game import game

KINDS: Final = {
    "illegal": "not allowed",
    "missing": "had to come and did not",
    "mismatch": "written otherwise than the rules make it",
    "drift": "a total read otherwise than the log makes it",
    "unverifiable": "the log cannot tell",
}
"""What the kinds of findings mean."""

TRIED: Final = {
    "rule": "Rules never at stake",
    "card": "Cards never seen",
    "keyword": "Keywords never used",
    "ending": "Ways to end never taken",
    "event": "Events never written down",
}
"""What nobody has tried yet, in the order in which it is worth testing."""

FEW: Final = 4


def overview_page(site: Site) -> None:
    """Show what the log holds of the chosen game, and below it everything else that it holds."""
    if heading(site, "Overview"):
        _numbers(site)
        left, right = st.columns([0.56, 0.44], gap="large")
        with left:
            _newest(site)
        with right:
            _first_player(site)
            _to_test(site)
        _players(site)
    _duplicates(site)
    _everything(site)


def _numbers(site: Site) -> None:
    players = {row["name"] for row in rows_of(site, "players")}
    for row in rows_of(site, "overview"):
        if row["among"]:
            st.text(f"{row['among']}: {row['ruleset']}")
        with st.container(horizontal=True):
            st.metric("Games", f"{row['games']:,}", border=True, help=f"{row['finished']} came to an end.")
            st.metric("Events", f"{row['events']:,}", border=True)
            st.metric("Players", f"{len(players):,}", border=True)
            for kind, meaning in KINDS.items():
                st.metric(kind.capitalize(), f"{row[kind]:,}", border=True, help=f"Findings: {meaning}.")


def _newest(site: Site) -> None:
    st.subheader("Newest games", anchor=False)
    games = site.ask("games").sort_by([("started_at", "descending")])
    game_lines(site, games.slice(0, LINES).to_pylist())
    site.link("games", f"All {counted(games.num_rows, 'game')}", icon=":material/list:")


def _first_player(site: Site) -> None:
    st.subheader("Does the player who begins win more often?", anchor=False)
    rows = rows_of(site, "first-player")
    if not rows:
        st.text(f"No game tells yet. {needed(0)}")
    for row in rows:
        st.text(with_label(row, f"{row['players']} players: {share_told('first-player', row)}"))
        st.caption(needed(row["games"]) or "Known within ten points.")
    site.link("balance", "Balance", icon=":material/balance:")


def _to_test(site: Site) -> None:
    st.subheader("What to test next", anchor=False)
    missing: dict[str, list[str]] = {}
    for row in site.ask("never-seen").to_pylist():
        missing.setdefault(row["what"], []).append(row["title"] if row["what"] == "card" else row["name"])
    for what, words in TRIED.items():
        names = missing.get(what, [])
        if names:
            more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
            st.markdown(f"**{words} ({len(names)})**: {escaped(', '.join(names[:FEW]) + more)}")
    if not missing:
        st.text("Everything has been tried at least once.")
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
            named = {"game": game(row.pop("game")).title, "ruleset": row.pop("ruleset"), "played by": source}
            del row["ruleset_id"]
            rows.append({**named, **{key.replace("_", " "): value for key, value in row.items()}})
    st.dataframe(sorted(rows, key=lambda row: (row["game"], row["ruleset"], row["played by"])), hide_index=True)


def _players(site: Site) -> None:
    asked = title("players")
    show_table(site, site.ask("players"), asked)
    numbers(site, "players")
