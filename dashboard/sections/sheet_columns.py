"""The columns of a sheet of results on the page of imports: as what each is read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from textwrap import shorten
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.events.importing.maps.proposing.said_columns import (
    QUESTIONS,
    askable_columns,
    open_meanings,
    survey_by_columns,
    unread_columns,
    with_column,
)
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.projector.model.phrases import tag_in_words

SAID_WIDTH: Final = 150
"""How wide what a row of the table says is beside its list to choose from, in pixels: both fit on a phone."""

MOST_ASKED: Final = 6
"""About so many columns that are not read is asked at most."""

LEFT_OUT: Final = "leave it out"

NO_COLUMN: Final = "no column says it"


def columns_in_words(seen: Survey) -> tuple[tuple[str, str], ...]:
    """Return as what the columns of a sheet are read, and what of the file has to be known for that."""
    return tuple(
        ("dates are written", _days_in_words(column))
        if what == "dates"
        else (tag_in_words("version" if what == "edition" else what), _shown(column))
        for what, column in seen.read_as.items()
    )


def _days_in_words(form: str) -> str:
    """Return how dates are written as people say it: `day/month/year`."""
    for sign, word in {"%d": "day", "%m": "month", "%Y": "year", "%y": "year (two figures)"}.items():
        form = form.replace(sign, word)
    return form


def _shown(column: Any) -> str:
    if isinstance(column, Mapping) and "column" not in column:  # What players say, each in a column of its own.
        return ", ".join(f"{name}: {_shown(each)}" for name, each in column.items())
    if isinstance(column, Mapping):
        more = (f"{key} {_listed(value)}" for key, value in column.items() if key != "column")
        return f"{column['column']} ({', '.join(more)})"
    return " and ".join(map(_shown, column)) if isinstance(column, list) else str(column)


def _listed(value: Any) -> str:
    """Return a value of a column as people read it: the signs that part names stand apart."""
    return " or ".join(map(str.strip, value)) if isinstance(value, list) else str(value)


def asked_columns(content: bytes, key: str, heading_row: int) -> Survey | None:
    """Ask which column of a sheet says what, what is likely chosen, and return it as results; None for another file.

    A survey without columns is one of which nobody has said yet who won.
    """
    asked = askable_columns(content, heading_row)
    if asked is None:
        return None
    st.markdown("##### Which column says what?")
    said: dict[str, str] = {}
    for name, (question, _) in QUESTIONS.items():
        options = ["", *asked.headings]
        index, shown = options.index(asked.likely.get(name, "")), lambda heading: heading or NO_COLUMN
        with _row(question):
            said[name] = st.selectbox(
                question,
                options,
                index,
                format_func=shown,
                key=f"map column {name} {key}",
                label_visibility="collapsed",
            )
    seen = survey_by_columns(asked.rows, said, heading_row)
    if seen is None:
        st.caption("Choose a column with all who played and one with who won; each column says one thing.")
    return seen or Survey()


def asked_unread(seen: Survey, content: bytes, key: str) -> Survey:
    """Ask what the columns of results are that nothing is known of, and return the results read so."""
    rows, unread = unread_columns(seen, content)
    boxes = {heading: f"map unread {heading} {key}" for heading in unread[:MOST_ASKED]}
    said = {heading: st.session_state.get(box, LEFT_OUT) for heading, box in boxes.items()}
    meanings = {words: name for name, words in open_meanings(seen).items()}
    if boxes:
        st.caption("Columns of which nobody has said yet what they are:")
    for heading, box in boxes.items():
        first = next(text for row in rows if (text := str(row.get(heading) or "").strip()))
        words = f"*{escaped(heading)}*, as in “{escaped(shorten(first, 30, placeholder=' …'))}”"
        others = {each for other, each in said.items() if other != heading}
        free = {words: name for words, name in meanings.items() if words not in others}
        options = [LEFT_OUT, *(words for words, name in free.items() if with_column(seen, rows, heading, name) != seen)]
        with _row(words):
            st.selectbox(f"What is {words}?", options, key=box, label_visibility="collapsed")
        if said[heading] in meanings:
            seen = with_column(seen, rows, heading, meanings[said[heading]])
    return seen


@contextmanager
def _row(words: str) -> Iterator[None]:
    """Show a row of a table: what it is about, and behind that a list to choose from, on a phone as well."""
    with st.container(horizontal=True, vertical_alignment="center", width=520):
        st.markdown(words, width=SAID_WIDTH)
        with st.container():
            yield
