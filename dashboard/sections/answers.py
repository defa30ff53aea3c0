"""A question on a page: its title, a chart, what it comes to in words, the way to its games, and how it was counted."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, TypeVar

import pyarrow as pa
import streamlit as st

from tabletape.dashboard.charts.rows import Dot, Label, draw_dots
from tabletape.dashboard.markdown_escape import escaped, with_code
from tabletape.dashboard.questions import Question, question
from tabletape.dashboard.questions.bots_apart import PLAIN_QUESTIONS, agreement_in_words, numbers_in_words
from tabletape.dashboard.questions.by_luck import standing_out
from tabletape.dashboard.sections.lists import replay_url
from tabletape.dashboard.sections.without_names import csv_without, names_left_out
from tabletape.dashboard.site import PartOfGames, Site
from tabletape.dashboard.tape.records import rounded
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.phrases import deck_called

Row = dict[str, Any]
Rows = list[Row]

AnyRow = TypeVar("AnyRow")

Naming = Callable[[Row], str | Label]
"""How a row of a chart is named."""

SAID_ABOVE: Final = frozenset({"progress", "game-length"})
"""The questions above whose chart stands of which games it is."""

MAX_SHOWN: Final = 20
"""How many rows a chart shows; the table below it has all."""

MAX_LISTED: Final = 1000
"""How many rows a table shows; the CSV has all."""

COLUMNS: Final = {
    "n": "count",
    "p25": "a quarter is not above",
    "p75": "three quarters are not above",
    "p90": "at most one in ten is above",
    "close_rate": "won by at most a tenth",
    "win_rate": "won",
    "p10": "at most one in ten is below",
    "q1": "at most a quarter is below",
    "q3": "at most a quarter is above",
    "low": "at least (95 %)",
    "high": "at most (95 %)",
    "low_80": "at least (80 %)",
    "high_80": "at most (80 %)",
    "top_3_low": "among the top 3, at least",
    "top_3_high": "among the top 3, at most",
    "seq": "event",
    "game_id": "game",
    "baseline": "if it did not matter",
    "kept_rate": "won, with it kept",
    "mulliganed_rate": "won, with it sent back",
    "card_name": "card",
    "ruleset_a": "version A",
    "ruleset_b": "version B",
    "e_value": "evidence (e-value)",
    "family_e_value": "evidence of all rows (e-value)",
}
"""Columns of an answer whose names are no words."""

ENDS: Final = {"_low": "at least (95 %)", "_high": "at most (95 %)", "_id": "id"}
"""What the end of a column's name says."""

E_VALUE: Final = "An e-value is evidence against luck: 20 or more is taken for enough, however often one looks."
"""What the number says that stands for all rows of a table."""

PAGES_BY_COLUMN: Final = {
    "card": ("cards", "card"),
    "rule": ("rules", "rule"),
    "reason": ("games", "reason"),
    "value": ("games", "deck"),
    "own": ("games", "deck"),
    "winner": ("games", "deck"),
    "deck": ("games", "deck"),
}
"""Where a row of an answer leads by its columns: a page, and the parameter of its address."""


def rows_of(site: Site, name: str, **more: Any) -> Rows:
    """Return the answer to a question as rows, for each part of the chosen games; `among` says for which."""
    every: Rows = []
    for part in site.parts(**more):
        mine = {"among": part.label, "letter": part.letter, "played_by": part.played_by}
        every += [{**row, **mine} for row in site.ask(name, part).to_pylist()]
    return every


def with_label(row: Mapping[str, Any], text: str) -> str:
    """Return words of a row with the part of the games that it is of before them."""
    return f"{row['among']}: {text}" if row["among"] else text


def title(name: str) -> Question:
    """Show the title of a question."""
    asked = question(name)
    st.subheader(asked.title, anchor=name)
    return asked


def verdict(lines: Iterable[str], apart: str = "") -> None:
    """Show what a page comes to, before all else, for each part of the games: a sentence, and what is to be added.

    How far two parts are `apart`, where that is said, is the sentence, and what each comes to is added.
    """
    if apart:
        st.markdown(f"##### {escaped(apart)}")
    for line in lines:
        first, stop, more = ("", "", line) if apart else line.partition(". ")
        if first:
            st.markdown(f"##### {escaped(first + stop.strip())}")
        if more:
            st.markdown(escaped(more))


def folded(label: str, *, opened: bool = False) -> AbstractContextManager[Any]:
    """Return a place for what is read on demand, below the answer and its picture; `opened` where an address asks.

    Once opened so it stays open: it does not close under the hand of whoever takes a choice in it back.
    """
    opened = st.session_state[f"folded: {label}"] = opened or st.session_state.get(f"folded: {label}", False)
    return st.expander(label, icon=":material/unfold_more:", expanded=opened)


def none_yet(text: str = "") -> None:
    """Say that no chosen game has an answer to the question."""
    st.info(text or "None of the chosen games has the answer yet.", icon=":material/hourglass_empty:")


def share_of_row(name: str, row: Mapping[str, Any], share: str = "") -> str:
    """Return a share of a row of an answer (the first one where none is named), with its count and interval."""
    shares_of = {each.name: each for each in question(name).shares}
    return shares_of[share or next(iter(shares_of))].said(row)


# -- spreads -----------------------------------------------------------------------------------------------------------


def spreads(site: Site, name: str, *, n: str, unit: tuple[str, float]) -> None:
    """Show a question whose answer is a median with a range; `unit` is its word and what to multiply by.

    `n` names the column that says how many numbers it comes from.
    """
    title(name)
    rows = [row for row in rows_of(site, name) if row["median"] is not None]
    if not rows:
        none_yet()
    else:
        draw_dots([_spread(row, unit, n) for row in rows], share=False)
        line = "at least eight of ten lie on the line" if "p10" in rows[0] else "one in ten is beyond the line"
        st.caption(f"The dot: half are below it; {line}.")
    numbers(site, name)


def _spread(row: Row, unit: tuple[str, float], n: str) -> Dot:
    """Return a median with its range as a dot."""
    word, times = unit
    digits = 0 if word.startswith("%") else 1
    ends = (row[each if each in row else "median"] * times for each in ("p10", "median", "p90"))
    low, middle, high = (round(each, digits) for each in ends)
    reach = f"eight of ten {low:g} to {high:g}" if "p10" in row else f"nine of ten at most {high:g}"
    text = f"{middle:g} {word} ({reach}; {counted(row[n], n.rstrip('s'))})"
    what = f"{row['players']} players" if "players" in row else "all"
    return Dot(what, middle, low, high, with_label(row, text), row["among"])


# -- numbers behind a chart --------------------------------------------------------------------------------------------


def numbers(site: Site, *names: str, **more: Any) -> None:
    """Offer what stands behind a chart: its games, the definition of each answer, its numbers, as CSV too, its SQL."""
    for name in names:
        if name not in PLAIN_QUESTIONS and any(part.played_by for part in site.parts(**more)):
            agreement = agreement_in_words(question(name), rows_of(site, name, **more))
            st.caption(escaped(agreement or "Each kind of players by itself."))
        if name not in SAID_ABOVE:
            who_counts(site, name, site.parts(**more))
    with st.expander("How it is counted, and all numbers", icon=":material/function:"):
        for name in names:
            _how_counted(site, title(name) if len(names) > 1 else question(name), **more)


def who_counts(site: Site, name: str, parts: Iterable[PartOfGames], *, also: str = "") -> None:
    """Say which games an answer leaves out, where that has not been said above."""
    for part in parts:
        words = site.exclusions(name, part, also=also)
        said = with_label({"among": part.label}, words)
        # What it is without the games with a mistake is no other set of games.
        if words and not said.startswith(tuple(site.said_above)):
            st.caption(escaped(said))
            site.said_above.add(said.removesuffix("."))


def _how_counted(site: Site, asked: Question, **more: Any) -> None:
    """Show the definition of a question, its numbers as a table and as CSV, its games and its SQL."""
    st.markdown(with_code(asked.definition[:1].upper() + asked.definition[1:]))
    for part in site.parts(**more):
        table = site.ask(asked.name, part)
        if part.label:
            st.text(part.heading)
        for words in standing_out(asked, table.to_pylist()):
            st.caption(escaped(f"{words} {E_VALUE}" if "e-value" in words else words))
        show_table(site, table, asked)
        names = names_left_out(site, f"names {asked.name} {part.label}") if asked.personal else {}
        st.download_button(
            "CSV",
            partial(csv_without, table, names),
            file_name=f"{'-'.join([asked.name, *part.label.replace(',', '').split()])}.csv",
            mime="text/csv",
            icon=":material/download:",
            key=f"csv {asked.name} {part.label}",
            on_click="ignore",
        )
    site.link("games", "The games behind it", icon=":material/list:", **more)
    with st.expander("The query, in SQL", icon=":material/database:"):
        st.code(asked.sql, language="sql")


def in_words(column: str) -> str:
    """Return the name of a column of an answer as people say it."""
    words = COLUMNS.get(column) or column.replace("_", " ")
    for ending, meaning in ENDS.items():
        if column.endswith(ending) and column not in COLUMNS:
            words = f"{column.removesuffix(ending).replace('_', ' ')}, {meaning}"
    return words


def show_table(site: Site, table: pa.Table, asked: Question) -> None:
    """Show an answer as a table: shares in words, and a link where a row has a view of its own."""
    hidden = {"game", "ruleset"} | {column for share in asked.shares for column in share.hidden}
    hidden |= {"card"} if "card_name" in table.column_names else set()
    rows = []
    for row in table.slice(0, MAX_LISTED).to_pylist():
        shown = _way(site, row) | {key: value for key, value in row.items() if key not in hidden}
        for share in asked.shares:
            shown[share.name] = share.said(row)
        shown |= {key: rounded(value) for key, value in shown.items() if isinstance(value, float)}
        shown |= numbers_in_words(asked, row) | {key: deck_called(row[key]) for key in _decks(row)}
        shown |= {"rule": site.game.by_id[row["rule"]].text} if row.get("rule") in site.game.by_id else {}
        rows.append({in_words(key): value for key, value in shown.items()})
    if not rows:
        st.text("No rows.")
        return
    empty = [key for key in rows[0] if all(row[key] is None for row in rows)]
    if empty:
        unknown = dict.fromkeys("interval" if key.startswith("at ") else key.partition(", at ")[0] for key in empty)
        st.caption(escaped(f"Not known of these games: {', '.join(unknown)}."))
    columns: dict[str, Any] = {
        in_words(key): st.column_config.Column(help=words) for key, words in asked.columns.items()
    }
    columns |= dict.fromkeys(empty) | {"more": st.column_config.LinkColumn(display_text="open")}
    st.dataframe(rows, hide_index=True, column_config=columns, placeholder="")
    if table.num_rows > MAX_LISTED:
        st.caption(f"The first {MAX_LISTED:,} of {table.num_rows:,} rows; the CSV has all.")


def table_for_each(site: Site, name: str, **more: Any) -> None:
    """Show a question as a table for each part of the games, with how it is counted; `more` are filters."""
    asked = title(name)
    for part in site.parts(**more):
        table = site.ask(name, part)
        if part.label:
            st.text(part.heading)
        if table.num_rows:
            show_table(site, table, asked)
        else:
            none_yet()
    numbers(site, name, **more)


FEELINGS: Final = ("feelings", "felt-with")
"""The questions about how games felt."""


def feelings(site: Site, **more: Any) -> None:
    """Show how games felt and what that goes with, folded, where anybody said so; `more` are filters."""
    for name in FEELINGS:
        if rows_of(site, name, **more):
            with folded(question(name).title):
                table_for_each(site, name, **more)


def _decks(row: Row) -> list[str]:
    """Return the columns of a row that name a deck, a faction or a general."""
    named = [key for key, (_, parameter) in PAGES_BY_COLUMN.items() if parameter == "deck" and row.get(key)]
    return [key for key in named if key != "value" or row.get("measure", "deck") == "deck"]


def _way(site: Site, row: Row) -> Row:
    """Return the link to what stands behind a row: its game, its card, its rule, its games."""
    if row.get("game_id"):
        return {"more": replay_url(site, row)}
    for column, (page, parameter) in PAGES_BY_COLUMN.items():
        if row.get(column) and (parameter != "deck" or column in _decks(row)):
            return {"more": site.url(page, ruleset=row.get("ruleset"), **{parameter: row[column]})}
    return {}
