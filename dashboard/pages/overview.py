"""The first page: is the game fair, which card stands out, how long does it take, what went wrong, and the games."""

from collections.abc import Iterator
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.summary import NO_MOVES, ended_in_words, mistaken
from tabletape.dashboard.report.untried import untried
from tabletape.dashboard.sections.answers import (
    Rows,
    folded,
    numbers,
    rows_of,
    show_table,
    title,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.in_short import (
    SAID_MEASURES,
    best_so_far,
    closeness,
    draw_players,
    draw_wins,
    fairness,
    furthest,
    length,
    most_lengths,
    sentence,
    standing_out,
    winning,
)
from tabletape.dashboard.sections.lists import game_lines
from tabletape.dashboard.sections.trouble import trouble_in_short
from tabletape.dashboard.site import Site
from tabletape.projector.games import title_of
from tabletape.projector.model.amounts import counted

SIGNS: Final = {
    "balance": ":material/balance:",
    "cards": ":material/playing_cards:",
    "pace": ":material/timeline:",
    "rules": ":material/gavel:",
}
"""The sign of each page that the first one leads to."""

DECK: Final = "deck"
"""What decks are told by in the chart of wins."""

NEWEST: Final = 5
"""How many games are listed."""


def overview_page(site: Site) -> None:
    """Show what the games of the chosen game come to, and below it everything that the log holds."""
    if heading(site, "Overview"):
        games = rows_of(site, "games")
        verdict(_in_short(site, games))
        _ways_on(site, games)
        left, right = st.columns([0.56, 0.44], gap="large")
        with left:
            if not draw_wins(site, DECK) and any(row["decisive"] for row in rows_of(site, "players")):
                draw_players(site)
        with right:
            _newest(site)
        with folded("What to try next"):
            _to_test(site)
    _duplicates(site)
    with folded("Everything that the log holds"):
        _everything(site)


def _in_short(site: Site, games: Rows) -> Iterator[str]:
    """Say whether the game is fair, whether a card stands out, how long it takes, and in how many games one erred."""
    fair, cards, lengths, players = (
        rows_of(site, name) for name in ("stopping", "card-effects", "game-length", "players")
    )
    for part in site.parts():
        fair_of, cards_of, lengths_of, players_of, mine = (
            [row for row in rows if row["among"] == part.label] for rows in (fair, cards, lengths, players, games)
        )
        clauses = [fairness(fair_of) or winning(players_of), standing_out(cards_of), length(lengths_of)]
        wrong = mistaken(mine)
        clauses += ["" if lengths_of else ended_in_words(mine), f"{wrong} games had a mistake" if wrong else ""]
        yield with_label({"among": part.label}, sentence("; ".join(filter(None, clauses))))


def _ways_on(site: Site, games: Rows) -> None:
    """Lead to the pages, each with what stands behind its clause of the sentence at the top."""
    names = ("stopping", "margins", "game-length", "card-effects", "rules-confusion")
    fair, margins, lengths, cards, trouble = (rows_of(site, name) for name in names)
    for part in site.parts():
        fair_of, close, lengths_of, cards_of, mine = (
            [row for row in rows if row["among"] == part.label] for rows in (fair, margins, lengths, cards, games)
        )
        told = any(row["detail"] != "results" for row in mine)
        said = {
            "balance": next(furthest(fair_of), sentence(closeness(close))),
            "cards": sentence(best_so_far(cards_of)),
            "pace": most_lengths([row for row in lengths_of if row["measure"] in SAID_MEASURES]),
            "rules": trouble_in_short(site, trouble, part.label) if told else NO_MOVES,
        }
        for page, words in said.items():
            if words.strip("."):
                text = f"**{page.capitalize()}**: {escaped(with_label({'among': part.label}, words))}"
                site.link(page, text, icon=SIGNS[page])
    if not site.game.rulebook.stated and site.has_log and any(row["detail"] != "results" for row in games):
        st.page_link(site.pages["my-game"], label="**My game**: state the first rule", icon=":material/draw:")


def _newest(site: Site) -> None:
    st.subheader("Newest games", anchor=False)
    games = site.ask("games").sort_by([("began", "descending")])
    game_lines(site, games.slice(0, NEWEST).to_pylist())
    of_them = counted(games.num_rows, "game") if games.num_rows > NEWEST else "games"
    site.link("games", f"All {of_them}, and what was found in them", icon=":material/list:")


def _to_test(site: Site) -> None:
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
