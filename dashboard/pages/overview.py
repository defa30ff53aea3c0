"""The first page: is the game fair, which card stands out, how long does it take, what went wrong, and the games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.results import mistakes_said
from tabletape.dashboard.report.said import fun_said, said_about
from tabletape.dashboard.report.summary import NO_MOVES, ended_in_words, has_moves, most_won
from tabletape.dashboard.sections.answers import (
    Rows,
    rows_of,
    table_for_each,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.in_short import (
    DECK,
    FEWEST,
    SAID_MEASURES,
    best_so_far,
    closeness,
    draw_players,
    draw_wins,
    fairness,
    least_like_luck,
    length,
    most_lengths,
    sentence,
    shares_of_wins,
    standing_out,
    winning,
)
from tabletape.dashboard.sections.lists import game_lines, newest_first
from tabletape.dashboard.sections.trouble import trouble_in_short
from tabletape.dashboard.sections.versions import changed_since, set_beside, side_by_side
from tabletape.dashboard.site import PartOfGames, Site
from tabletape.projector.model.amounts import counted, joined

SIGNS: Final = {
    "balance": ":material/balance:",
    "cards": ":material/playing_cards:",
    "pace": ":material/timeline:",
    "rules": ":material/gavel:",
}
"""The sign of each page that the first one leads to."""

NEWEST: Final = 5
"""How many games are listed."""


FEW_WINNERS: Final = 4
"""Of a group in which so few people win it is said how often each did."""


def overview_page(site: Site) -> None:
    """Show what the games of the chosen game come to."""
    if heading(site, "Overview"):
        games = rows_of(site, "games")
        wins = shares_of_wins(site, DECK)
        parts = [*site.parts()]
        if site.choice.beside:
            _beside(site, parts, games, wins)
            return
        changes = [*changed_since(site)]
        news = "".join(f"{sentence(words)} " for is_clear, words in changes if is_clear)
        verdict(f"{news * (not number)}{line}" for number, line in enumerate(_in_short(site, parts, games, wins)))
        _ways_on(site, parts, games, wins)
        _leads_on(site, games, [words for is_clear, words in changes if not is_clear])
        if _ended(games) < FEWEST:  # Of so few a chart of who wins how often shows nothing.
            _newest(site, games)
            return
        left, right = st.columns([0.56, 0.44], gap="large")
        with left:
            _draw_wins(site, wins)
        with right:
            _newest(site, games)
    if rows_of(site, "duplicates"):
        table_for_each(site, "duplicates")


def _beside(site: Site, parts: Sequence[PartOfGames], games: Rows, wins: Rows) -> None:
    """Show what differs between two versions, then what the games of each came to, and who won how often."""
    set_beside(site)
    fair = _fair(site, parts, wins)
    if len({*fair.values()}) > 1:  # What both alike say, the sentence above has said of both.
        st.markdown(escaped(f"By itself, {'; '.join(f'{label}: {said}' for label, said in fair.items())}."))
    # From left to right as time goes.
    side_by_side(site, {part.label: [row for row in games if row["among"] == part.label] for part in [*parts][::-1]})
    with st.container(horizontal=True):
        for page, sign in SIGNS.items():
            if has_moves(games) or page in {"balance", "pace"}:  # The others tell nothing of results alone.
                site.link(page, page.capitalize(), icon=sign)
    _draw_wins(site, wins)


def _draw_wins(site: Site, wins: Rows) -> None:
    """Draw who wins how often: who begins and each deck, else the players."""
    if wins:
        draw_wins(site, wins)
    elif any(row["decisive"] for row in rows_of(site, "players")):
        draw_players(site)


def _fair(site: Site, parts: Sequence[PartOfGames], wins: Rows) -> dict[str, str]:
    """Return for each part of the games, by its label, whether it is fair by itself."""
    asked = [wins, *(rows_of(site, name) for name in ("stopping", "players"))]
    said = {}
    for part in parts:
        wins_of, judged, players_of = ([row for row in rows if row["among"] == part.label] for rows in asked)
        said[part.label] = fairness(wins_of, judged) or winning(players_of)
    return said


def _in_short(site: Site, parts: Sequence[PartOfGames], games: Rows, wins: Rows) -> Iterator[str]:
    """Say whether the game is fair, a card stands out, how long and how much fun it is, in how many games one erred."""
    every_fair = _fair(site, parts, wins)
    asked = [rows_of(site, name) for name in ("card-effects", "game-length")]
    for part in parts:
        cards_of, lengths_of, mine = ([row for row in rows if row["among"] == part.label] for rows in (*asked, games))
        fair = [every_fair[part.label], standing_out(cards_of)]
        if _ended(mine) < FEWEST:
            fair = [most_won(mine)]
        elif len({row["won_by"] for row in mine}) <= FEW_WINNERS and not has_moves(mine):
            fair.append(most_won(mine))
        fun = fun_said(mine, said_about(mine, site.folder).feedback)
        more = [length(lengths_of) or ended_in_words(mine), fun and f"fun is {fun}", mistakes_said(mine)]
        said = (sentence("; ".join(filter(None, clauses))) for clauses in (fair, more) if any(clauses))
        yield with_label({"among": part.label}, " ".join(said))


def _ended(games: Rows) -> int:
    return sum(bool(row["over"]) for row in games)


def _balance(wins: Rows, margins: Rows) -> str:
    """Say which share luck explains least, or where the sentence at the top has named one how many games were close."""
    least, close = least_like_luck(wins), sentence(closeness(margins)) if margins else ""
    return close or least if fairness(wins, []).startswith("to watch") else least or close


def _ways_on(site: Site, parts: Sequence[PartOfGames], games: Rows, wins: Rows) -> None:
    """Lead to the pages, each with what stands behind its clause of the sentence above it."""
    names = ("margins", "game-length", "card-effects", "cards")
    answers = [wins, *(rows_of(site, name) for name in names), games]
    trouble = rows_of(site, "rules-confusion")
    ways: dict[str, list[str]] = {page: [] for page in SIGNS}
    for part in parts:
        wins_of, close, lengths_of, effects_of, held, mine = (
            [row for row in rows if row["among"] == part.label] for rows in answers
        )
        said = {
            "balance": _balance(wins_of, close),
            "cards": sentence(best_so_far(effects_of, held)),
            "pace": most_lengths([row for row in lengths_of if row["measure"] in SAID_MEASURES]),
            "rules": _rules(site, mine, trouble_in_short(site, trouble, part.label)),
        }
        for page, words in said.items():
            if words.strip("."):
                ways[page].append(with_label({"among": part.label}, words) if len(parts) > 1 else words)
    for page, of_parts in ways.items():
        if of_parts:
            site.link(page, f"**{page.capitalize()}**: {escaped(' '.join(of_parts))}", icon=SIGNS[page])


def _leads_on(site: Site, games: Rows, changes: Sequence[str]) -> None:
    """Lead to what may have changed since an older version, and to the rules that nobody has stated yet."""
    for words in changes:
        site.link("balance", escaped(sentence(words)), icon=":material/difference:", changed="true")
    if not site.game.rulebook.stated and site.has_log and has_moves(games):
        st.page_link(site.pages["my-game"], label="**My game**: state the first rule", icon=":material/draw:")


def _rules(site: Site, games: Rows, trouble: str) -> str:
    """Say which rule gives trouble, or why no move is judged, and how many remarks there are, with the newest one."""
    told = has_moves(games)
    judged = told and site.game.rulebook.stated
    remarks = [row for row in said_about(games, site.folder).remarks if row["text"]]
    began = {row["game_id"]: row["began"] for row in games}
    newest = newest_first({**row, "began": began[row["game_id"]]} for row in remarks)[:1]
    if not newest:
        return trouble if told else NO_MOVES
    kinds = Counter(row["what"] if row["what"] in {"question", "mistake"} else "remark" for row in remarks)
    said = joined(counted(number, kind) for kind, number in sorted(kinds.items()))
    of_late = f"{said}{', of late' if len(remarks) > 1 else ':'} \u201c{newest[0]['text']}\u201d"
    lacking = "no rule is stated" if told else "no move was written down"
    noted = ", by the table itself" * ("mistake" in kinds)
    return f"{trouble} {of_late}." if judged else f"{of_late}{noted}; {lacking}."


def _newest(site: Site, every: Rows) -> None:
    """Show the newest games, and lead to the page that lists them all."""
    st.subheader("Newest games", anchor=False)
    games = newest_first(every)
    game_lines(site, games[:NEWEST])
    of_them = counted(len(games), "game") if len(games) > NEWEST else "games"
    found = ", and what was found in them" if has_moves(games) else ""
    site.link("games", f"All {of_them}{found}", icon=":material/list:")
