"""The lines in quarantine on the page of imports: each with its suggestion as a click, and a box to write it right."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from textwrap import shorten
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.document import Rows
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.sections.answers import folded
from tabletape.dashboard.sections.freshness import build_all
from tabletape.dashboard.sections.who_won import ask_who_won
from tabletape.dashboard.workspace import log_address
from tabletape.events.importing.lines.text import Fields, LineTextError, changed, written
from tabletape.events.importing.maps.notation import WAY_OUT
from tabletape.events.importing.quarantine.mending import OpenLine, mend, open_lines
from tabletape.events.log import Log
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.log.schema import NoLogError
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.phrases import tag_in_words

MAX_LINES: Final = 10
"""How many lines are shown to be mended; the next ones follow when these are done."""

MAX_LETTERS: Final = 200
"""So much of a line is shown where many stand below each other."""

UNREAD: Final = "Lines that could not be read"
"""The heading under which they stand."""

FATES: Final = {
    "log.gap": "kept as it was said",
    "skipped": "passed over",
    "not read": "not read",
    "result.recorded": "who won",
    "game.ended": "the end, and who won",
    "first-player.chosen": "who began",
}
"""What becomes of lines, in words, where the type of an event has none of its own."""

MENDED_KEY: Final = "what was mended"
"""The key in the session under which the result of the last mend is kept."""


def open_lines_section(names: Collection[str]) -> None:
    """Show what is still in quarantine, and take what is written right; nothing where nothing is open.

    What is open of other files than those with these `names`, which are before the user, is folded, a file a fold.
    """
    mended = st.session_state.pop(MENDED_KEY, "")
    if mended:
        st.success(mended, icon=":material/build:")
    lines, others = _open(log_address(), _head())
    mine = _open_of(names, lines, others)
    if mine[0] or mine[1]:
        st.subheader(UNREAD, anchor=False)
        _show_open(*mine)
    for name in dict.fromkeys((*(each.name for each in lines), *(each.file.partition(" [")[0] for each in others))):
        if name not in names:
            mine = _open_of({name}, lines, others)
            with folded(f"{counted(len(mine[0]) + len(mine[1]), 'line')} of {escaped(name)} that could not be read"):
                _show_open(*mine)


def _open_of(
    names: Collection[str], lines: Sequence[OpenLine], others: Sequence[QuarantinedLine]
) -> tuple[list[OpenLine], list[QuarantinedLine]]:
    """Return what is open of some files; of a workbook each entry names its sheet behind it."""
    return (
        [each for each in lines if each.name in names],
        [each for each in others if {each.file, each.file.partition(" [")[0]} & {*names}],
    )


def _show_open(lines: Sequence[OpenLine], others: Sequence[QuarantinedLine]) -> None:
    """Show lines that can be written right one by one, and below them the others."""
    if lines:
        st.caption(f"{counted(len(lines), 'line')}, kept aside. What is corrected joins its game where it belongs.")
    for number, line in enumerate(lines[:MAX_LINES]):
        _line(line, number)
    if len(lines) > MAX_LINES:
        st.caption(f"and {counted(len(lines) - MAX_LINES, 'more line')}, when these are done")
    if others:
        st.caption("These are not corrected line by line, but in the map that their file is read by.")
        show_lines(others)


def show_lines(entries: Sequence[QuarantinedLine]) -> None:
    """Show lines that could not be read: where, why, and what may help."""
    rows = [
        (
            entry.place,
            ". ".join(filter(None, (entry.message, _helps(entry)))),
            shorten(entry.raw, MAX_LETTERS, placeholder=" …"),
        )
        for entry in entries
    ]
    st.html(as_fragment(Rows(("Where", "What is wrong", "The line"), tuple(rows))))


def _helps(entry: QuarantinedLine) -> str:
    """Return what may help with a line; the command that leads on in a terminal has its place on the page itself."""
    return "" if entry.suggestion == WAY_OUT else entry.suggestion


def show_fates(kinds: Sequence[tuple[int, str, str, int, str]]) -> None:
    """Show, on demand, what becomes of each sheet, column and kind of line of another program's file."""
    if not kinds:
        return
    rows = [
        (
            fate_in_words({"event": fate}),
            str(lines),
            example if "{" in sentence or sentence == example else ": ".join(filter(None, (sentence, example))),
        )
        for lines, sentence, fate, _, example in kinds
    ]
    with folded("What each column and line is read as"):
        st.html(as_fragment(Rows(("Read as", "Lines", "For example"), tuple(rows))))


def fate_in_words(entry: Mapping[str, Any]) -> str:
    """Return what becomes of a line by the entry of a map that fits it."""
    fate = entry.get("event") or "skipped"
    return FATES.get(fate) or tag_in_words(fate)


def _head() -> str:
    try:
        with Log.open(log_address()) as log:
            return log.head()
    except NoLogError:
        return ""


@st.cache_data(show_spinner=False, max_entries=4)
def _open(address: str, head: str) -> tuple[list[OpenLine], list[QuarantinedLine]]:
    """Return what is in quarantine at a head of the log."""
    if not head:
        return [], []
    with Log.open(address) as log:
        return open_lines(log, import_options(workspace(log)))


def _line(line: OpenLine, number: int) -> None:
    """Show a line with what can be done about it."""
    # A key of its own for each line of each file, so that a box never keeps what was written for another.
    key = f"{line.entry.file} {line.entry.line} {line.entry.message}"
    if line.winners:
        with st.container(border=True):
            ask_who_won(line, key, partial(_mend, line))
        return
    with st.container(border=True):
        st.markdown(f"**{escaped(line.entry.place)}** {escaped(line.entry.message)}")
        if line.suggestion is None and _helps(line.entry):
            st.caption(escaped(_helps(line.entry)))
        text = st.text_input(
            "Line", written(line.fields) or line.entry.raw, key=f"box {key}", label_visibility="collapsed"
        )
        with st.container(horizontal=True):
            _buttons(line, text or "", key, primary=number == 0)


def _buttons(line: OpenLine, text: str, key: str, *, primary: bool) -> None:
    if line.suggestion is not None:
        meant = written(_changes(line.fields, line.suggestion))
        kind: Any = "primary" if primary else "secondary"
        if st.button(f"Take {escaped(meant)}", key=f"take {key}", type=kind, icon=":material/check:"):
            _mend(line, line.suggestion)
    if st.button("Save the line", key=f"write {key}", icon=":material/edit:"):
        try:
            fields = changed(line.fields, text, line.place)
        except LineTextError as error:
            st.error(str(error))
        else:
            _mend(line, fields)
    if line.is_taken and st.button("As it stands", key=f"stands {key}", icon=":material/done_all:"):
        _mend(line, line.fields)
    alike = f"Leave all {len(line.alike)} out" if len(line.alike) > 1 else "Leave it out"
    if st.button(alike, key=f"pass {key}", icon=":material/block:", help="It does not belong to the game."):
        _mend(line, None)


def _changes(fields: Fields, meant: Fields) -> Mapping[str, Any]:
    return {name: value for name, value in meant.items() if name not in fields or fields[name] != value}


def _mend(line: OpenLine, fields: Fields | None, said: str = "The line is settled.") -> None:
    """Store what a line means, read its file again, and begin the page anew, which says what was `said` by it."""
    with Log.open(log_address()) as log:
        report = mend(log, [(line.name, each) for each in line.mends(fields)], import_options(workspace(log)))
    wrong = [entry.message for entry in report.problems] + [taken.contradiction for taken in report.refused]
    changed = [taken.game_id for taken in report.games if taken.events]
    if changed and not line.winners:
        said = f"Saved: it changes {changed[0] if len(changed) == 1 else counted(len(changed), 'game')}."
    st.session_state[MENDED_KEY] = escaped("; ".join(wrong) or said)
    build_all()
    st.rerun()
