"""The lines of a chat that begins an own game: how they are read, and what somebody says of an open one."""

from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.chat import ChatReading, said_again, store, with_rests
from tabletape.dashboard.report.document import Bullets
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.tape.tape import open_tape
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import RefusedError
from tabletape.events.importing.maps.finding import stem_of
from tabletape.events.importing.maps.map import SUFFIX
from tabletape.events.whole_files import made_folder, write_whole
from tabletape.projector.model.amounts import counted


def store_chat(file: Path, chat: str, reading: ChatReading, *, again: bool = False) -> None:
    """Keep the map of a chat in the workspace, and import it by that. Raises `RefusedError` where nothing comes out."""
    name = PurePath(chat).name
    target = file.parent.parent / "maps" / f"{stem_of(Path(name))}{SUFFIX}"
    if target.exists() and not again:
        raise RefusedError(f"{target} is there already: give the chat another name")
    with TemporaryDirectory() as place, open_tape(log_address()) as tape, made_folder(target.parent):
        write_whole(target, reading.written)
        copy = Path(place) / name
        copy.write_bytes(reading.content)
        store(target, file.stem, copy, tape, revise=again)


def open_lines(file: Path, chat: str, reading: ChatReading) -> None:
    """Show how the lines of the chat that was just taken are read, and take what somebody says of one that is open."""
    read = reading.lines(file.parent.parent)
    st.subheader("The lines of the chat", anchor=False)
    st.text(f"Read: {read.in_words}.")
    if told := st.session_state.pop("said", ""):
        st.success(escaped(told), icon=":material/check:")
    if not read.open:
        return
    _with_rests(file, chat, reading)
    with st.form("open line", border=True):
        line = st.selectbox(
            "Lines that may be moves, and are left open",
            list(read.open),
            format_func=lambda each: f"{each}: {read.open[each].strip()}",
        )
        words = st.text_input(
            "The same in plain words, or `talk`", key=f"words of {len(read.open)}", placeholder="e.g. play 2 reeds"
        )
        saying = st.form_submit_button("Read it so", icon=":material/check:")
    st.html(as_fragment(Bullets(tuple(f"{number}: {text.strip()}" for number, text in read.open.items()))))
    if not (saying and line and words.strip()):
        return
    said = said_again(reading, line, words.strip(), file.parent.parent)
    if said is None:
        st.error("That is none of the moves, with the cards and players that belong to it.", icon=":material/error:")
        return
    _read_anew(file, chat, said.reading, f"Line {line} is {said.in_words}")


def _with_rests(file: Path, chat: str, reading: ChatReading) -> None:
    """Show the open lines that are moves with something behind them, and ask whether they are read without that."""
    read = with_rests(reading, file.parent.parent)
    if not read.rests:
        return
    st.text("These lines are moves with something beside them:")
    lines = (f"{kind.first}: {kind.example.removesuffix(rest)}{f' |{rest}' * bool(rest)}" for kind, rest in read.rests)
    st.html(as_fragment(Bullets(tuple(lines))))
    if st.button("Read the moves, and keep what stands behind | as a note", icon=":material/check:"):
        _read_anew(file, chat, read.reading, f"{counted(len(read.rests), 'kind')} of line read as moves")


def _read_anew(file: Path, chat: str, reading: ChatReading, said: str) -> None:
    try:
        store_chat(file, chat, reading, again=True)
    except RefusedError as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    st.session_state.update(chat=(file.stem, chat, reading), said=said)
    st.rerun()
