"""Is the game fair: who begins, where one sits, which deck one plays, how games end."""

from collections.abc import Iterable
from typing import Any, Final

import streamlit as st

from dashboard.answers import (
    counted,
    needed,
    none_yet,
    numbers,
    rows_of,
    shares,
    title,
    with_label,
)
from dashboard.charts import Dot, dots, draw, matrix
from dashboard.heading import heading
from dashboard.intervals import percent, share_in_words
from dashboard.markdown_escape import escaped
from dashboard.ratings import Ratings, rated
from dashboard.site import Site

FEW: Final = 5
"""Below so many games a matchup stays grey."""


def balance_page(site: Site) -> None:
    """Show who wins, by everything that should not decide it."""
    if not heading(site, "Balance"):
        return
    shares(site, "first-player", label=lambda row: f"the player who begins, of {row['players']}")
    shares(site, "seats", "seat", label=lambda row: f"seat {row['seat']} of {row['players']}")
    shares(site, "win-conditions", "reason")
    _ways(site, "reason", [row["reason"] for row in rows_of(site, "win-conditions")])
    dimension = _dimension(site)
    if dimension:
        _decks(site, dimension)
        _matchups(site, dimension)
        _ratings(site, dimension)
    _rulesets(site)


def _dimension(site: Site) -> str:
    """Ask what decks are grouped by: deck, faction, general and so on."""
    names = list(dict.fromkeys(row["dimension"] for row in rows_of(site, "decks")))
    if not names:
        return ""
    st.header("Decks", anchor="decks", divider="gray")
    return (
        st.segmented_control("GameContext by", names, default=names[0], required=True, key="by", bind="query-params")
        or ""
    )


def _decks(site: Site, dimension: str) -> None:
    rows = [row for row in rows_of(site, "decks") if row["dimension"] == dimension]
    shares(site, "decks", "value", rows=rows)
    _ways(site, "deck", sorted(row["value"] for row in rows))


def _ways(site: Site, parameter: str, values: Iterable[str]) -> None:
    """Show links to the games of each bar of a chart."""
    with st.container(horizontal=True):
        for value in dict.fromkeys(values):
            site.link("games", escaped(value), icon=":material/list:", **{parameter: value})


def _matchups(site: Site, dimension: str) -> None:
    title("matchups")
    found = [row for row in rows_of(site, "matchups") if row["dimension"] == dimension]
    if not found:
        none_yet("No two different ones have met yet, in a game that somebody won.")
    for letter, ruleset in site.choice.rulesets:
        rows = [_cell(row) for row in found if row["among"] == letter]
        if rows:
            if letter:
                st.text(f"{letter}: {ruleset}")
            draw(matrix, rows)
    st.caption(
        f"Colour: pulled towards one half by ten pseudo-games. Grey: fewer than {FEW} games. "
        "The interval shows when you point at a cell. Games between two alike are left out."
    )
    numbers(site, "matchups")


def _cell(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "own": row["own"],
        "other": row["other"],
        "shrunk": row["shrunk"],
        "few": row["games"] < FEW,
        "with_label": f"{percent(row['win_rate'])} %\n{row['wins']} of {row['games']}",
        "interval": share_in_words(row["wins"], row["games"]),
    }


def _ratings(site: Site, dimension: str) -> None:
    title("ratings")
    marks: list[Dot] = []
    for number, (letter, _) in enumerate(site.choice.rulesets):
        for (_, _, told_by), ratings in rated(site.ask("ratings", beside=number == 1)):
            if told_by == dimension:
                marks += _strengths(ratings, letter)
    if marks:
        even = {each.label: 0.5 for each in marks}
        draw(dots, marks, share=True, baselines=even, axis="chance to beat the average one")
    numbers(site, "ratings")


def _strengths(ratings: Ratings, letter: str) -> list[Dot]:
    """Return strengths as dots, or say why there are none."""
    if not ratings.strengths:
        groups = "; ".join(", ".join(group) for group in ratings.groups)
        none_yet()
        st.text(with_label({"among": letter}, f"Not every one has won and lost against the others yet: {groups}"))
        st.caption(needed(0))
    return [
        Dot(
            each.name,
            each.share,
            each.low,
            each.high,
            with_label(
                {"among": letter},
                f"{percent(each.share)} % ({counted(each.games, 'game')}; {percent(each.low)}-{percent(each.high)} %)",
            ),
            letter,
        )
        for each in ratings.strengths
    ]


def _rulesets(site: Site) -> None:
    """Show what another ruling changes in the same games, where some were read twice."""
    rows = site.ask("rulesets", ruleset="").to_pylist()
    if not rows:
        return
    title("rulesets")
    for row in rows:
        games = counted(row["games"], "game")
        st.text(f"{row['ruleset_b']} in the place of {row['ruleset_a']}, {games} read both ways:")
        st.text(f"   another winner, or none: {share_in_words(row['other_winner'], row['games'])}")
        st.text(f"   another length: {share_in_words(row['other_length'], row['games'])}")
    numbers(site, "rulesets")
