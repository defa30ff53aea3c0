"""The question who won a game whose row does not say it: before its file is imported, and afterwards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.events.importing.lines.text import Fields
from tabletape.events.importing.maps.proposing.leftover import OpenRecord
from tabletape.events.importing.quarantine.mending import OpenLine
from tabletape.events.importing.quarantine.mends import Mend

ROWS_KEY: Final = "rows said "
"""Before the key of a file: where the session keeps what was said of its rows before they are imported."""

DRAW: Final = "draw"
"""What a row says of a game that nobody won."""

Said = tuple[Fields | None, str]
"""What a row says then, nothing where it is left out, and that in words."""


def ask_who_won(row: OpenRecord | OpenLine, key: str, take: Callable[[Fields | None, str], object]) -> None:
    """Ask who won a row, by a button for each answer; `take` is called with what the row says then, and with words."""
    told = f"{row.told[:1].upper()}{row.told[1:]}"
    st.markdown(f"**{escaped(told)}**: nobody is named as the winner.")
    place = told.partition(":")[0]
    with st.container(horizontal=True):
        if st.button("It was a draw", key=f"draw {key}"):
            take({**row.fields, row.place: DRAW}, f"{place} is now a draw.")
        for winner in row.winners:
            if st.button(escaped(f"{winner} won"), key=f"won {winner} {key}"):
                take({**row.fields, row.place: winner}, f"{place} is now won by {winner}.")
        if st.button("Leave it out", key=f"out {key}"):
            take(None, f"{place} is left out.")


def rows_said(key: str) -> dict[tuple[int, str], Said]:
    """Return what was said of the rows of a file with a key, by their lines and texts."""
    said: dict[tuple[int, str], Said] = st.session_state.setdefault(f"{ROWS_KEY}{key}", {})
    return said


def mends_said(key: str) -> Mapping[tuple[int, str], Fields | None]:
    """Return the same, as a file is read by it."""
    return {row: fields for row, (fields, _) in rows_said(key).items()}


def mends_to_keep(name: str, key: str) -> list[Mend]:
    """Return the same, to be kept with the file of a name."""
    mends: Mapping[tuple[int, str], Any] = mends_said(key)
    return [Mend(name, line, raw, dict(fields) if fields else None) for (line, raw), fields in mends.items()]


def ask_of_rows(rows: Sequence[OpenRecord], key: str, asked_anew: Callable[[], object] = st.rerun) -> None:
    """Ask of each row of a file with a key who won, and show what was said of others, which can be taken back.

    `asked_anew` is called when that has changed.
    """
    said = rows_said(key)
    for row in rows:

        def take(fields: Fields | None, words: str, row: OpenRecord = row) -> None:
            said[row.line, row.raw] = (fields, words)
            asked_anew()

        ask_who_won(row, f"{row.line} {key}", take)
    for place, (_, words) in [*said.items()]:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(escaped(f"You said it: {words[:1].lower()}{words[1:]}"))
            if st.button("Take it back", key=f"unsaid {place[0]} {key}", type="tertiary", icon=":material/undo:"):
                del said[place]
                asked_anew()
