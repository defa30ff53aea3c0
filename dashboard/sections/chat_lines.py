"""The lines of a chat that begins an own game: how they are read, and what somebody says of an open one."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import NamedTuple

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.chat import ChatReading, ReadLines, read_again, store
from tabletape.dashboard.own_game.file import write_checked
from tabletape.dashboard.own_game.offered import LineOffer, offers, with_offers
from tabletape.dashboard.own_game.said_again import NO_MOVE, said_again
from tabletape.dashboard.own_game.taught import answered, questions
from tabletape.dashboard.report.document import Bullets
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.sections.answers import folded
from tabletape.dashboard.sections.freshness import build_all
from tabletape.dashboard.sections.map_steps import zone_here
from tabletape.dashboard.tape.tape import open_tape
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import RefusedError
from tabletape.events.importing.maps.finding import map_of_file, stem_of
from tabletape.events.importing.maps.map import SUFFIX, MapError
from tabletape.events.time_zone import remember_zone
from tabletape.events.whole_files import put_back, write_whole
from tabletape.events.workspace_files import stamp_of, text_of
from tabletape.projector.model.amounts import counted


def store_chat(file: Path, chat: str, reading: ChatReading, before: ChatReading | None = None) -> None:
    """Keep the map of a chat in the workspace, and import it by that, in place of how it was read `before`.

    Raises `RefusedError` where another map is there, or somebody has changed that one since, and where nothing comes
    out.
    """
    name, folder = PurePath(chat).name, file.parent.parent
    target = map_of_chat(folder, name)
    if target.exists() and before is None:
        raise RefusedError(f"{target} is there already: give the chat another name")
    if zone := zone_here():
        remember_zone(folder, zone)  # a chat says days and times, and not of which zone they are
    if before is not None and text_of(target) != before.written:
        raise RefusedError(f"{target} has been changed by hand, and stays as it is: load this page again")
    if target.parent == folder and not (folder / name).exists():
        raise RefusedError(f"{name} no longer lies beside its map: put it there again")
    with TemporaryDirectory() as place, open_tape(log_address()) as tape, put_back(target):
        write_whole(target, reading.written)
        copy = folder / name if target.parent == folder else Path(place) / name
        if target.parent != folder:
            copy.write_bytes(reading.content)
        store(target, file.stem, copy, tape, revise=before is not None)


class _Before(NamedTuple):
    """What the file of a game said before and after something was written, what that was, and how its chat was read."""

    file: Path
    written: str
    before: str
    after: str
    chat: tuple[str, ChatReading, ChatReading] | None = None


def remember(file: Path, written: str, before: str, chat: tuple[str, ChatReading, ChatReading] | None = None) -> None:
    """Remember what was written last, to be taken back: a rule, or how a `chat` is read now and was read before."""
    st.session_state.setdefault("written", []).append(_Before(file, written, before, text_of(file), chat))


def offer_back(file: Path) -> None:
    """Offer to take back what was written last into the file of a game, unless somebody has changed that since."""
    last = next((each for each in reversed(st.session_state.get("written", ())) if each.file == file), None)
    if last is None or text_of(file) != last.after:
        return
    if st.button(escaped(f"Take back: {last.written}"), icon=":material/undo:"):
        st.session_state["written"].remove(last)
        write_checked(file, last.before)
        if last.chat:
            chat, reading, before = last.chat
            _read_anew(file, chat, (reading, before), f"Taken back: {last.written}", others=last.before != last.after)
        else:
            build_all()
            st.rerun()


def map_of_chat(folder: Path, chat: str) -> Path:
    """Return where the map of a chat lies: beside it, as the terminal writes it, else in the workspace's maps."""
    name = f"{stem_of(Path(PurePath(chat).name))}{SUFFIX}"
    return folder / name if (folder / name).exists() else folder / "maps" / name


def chat_read(folder: Path, slug: str) -> tuple[str, ChatReading] | None:
    """Return the newest chat of a game that was taken here or by `rules new`, with its name, as its map reads it.

    None where there is none, or its map has been changed by hand since.
    """
    with open_tape(log_address()) as tape:
        for arrival in reversed(tape.log.arrivals()):
            target = map_of_chat(folder, arrival.name)
            if not _reads(target, slug):
                continue
            content = b"".join(tape.log.raw_content(arrival.file))
            reading = read_again(content, arrival.name, text_of(target))
            if reading is not None:
                return arrival.name, reading
    return None


def _reads(target: Path, slug: str) -> bool:
    """Return whether a map reads a chat of a game; one that cannot be used reads nothing, and the page says so."""
    try:
        written = map_of_file(target).written if target.exists() else None
        return written is not None and written.shape == "lines" and bool(written.players) and written.game == slug
    except MapError:
        return False


def open_lines(file: Path, chat: str, reading: ChatReading, hang: Mapping[int, Collection[int]]) -> None:
    """Show how the lines of a chat are read, and take what somebody says of one that is open or read wrongly.

    Those on which it hangs whether another line is accused come first, with these lines.
    """
    folder = file.parent.parent
    read, found, shapes, so = _as_read(reading, folder, stamp_of(file))
    st.subheader("The lines of the chat", anchor=False)
    st.text(f"Read: {read.in_words}.")
    if told := st.session_state.pop("said", ""):
        st.success(escaped(told), icon=":material/check:")
    _order(file, chat, reading)
    texts = dict(reading.seen.lines)
    near = [
        each
        for each in st.session_state.get("near", ())
        if reading.sentence(texts.get(each.number, "")) == each.entry[0]
    ]
    beside = "These lines are moves with something beside them, or with a slip of typing:"
    for title, asked in (("Are these the same?", near), (beside, () if near else found)):
        _offered(file, chat, reading, (title, asked))
    if read.open:
        first = sorted(shapes, key=lambda lines: hang.keys().isdisjoint(lines))
        still = {lines: f"{read.open[lines[0]].strip()}{_hanging(lines, hang)}" for lines in first}
        title = "Lines that may be moves, and are left open; an answer holds for all like it"
        _say_again(file, chat, reading, (title, "Read it so", still))
        st.html(as_fragment(Bullets(tuple(_shown(lines, said) for lines, said in still.items()))))
    with folded("A line is read wrongly"):
        title = "What the lines are read as; an answer holds for all like it"
        _say_again(file, chat, reading, (title, "Correct it", so))


def _order(file: Path, chat: str, reading: ChatReading) -> None:
    """Ask in which order the players take turns, where their moves do not say it and nobody has yet."""
    asked = reading.order_asked(file.parent.parent)
    if not asked or st.session_state.get("ordered") == (file.stem, chat):
        return
    with st.form("order", border=True):
        answer = st.text_input(asked, placeholder=", ".join(reading.seen.players[1:]))
        saying = st.form_submit_button("This is the order", icon=":material/check:")
    if saying and not (order := reading.order_said(answer)):
        st.error("Their names, in the order of their turns.", icon=":material/error:")
    elif saying:
        st.session_state["ordered"] = (file.stem, chat)
        _read_anew(file, chat, (reading, reading.in_order(order)), f"The order is {', '.join(order)}")


def _hanging(lines: Sequence[int], hang: Mapping[int, Collection[int]]) -> str:
    """Return which lines break a rule or not by what one of some unread lines says; empty where none does."""
    decided = ", ".join(map(str, sorted({line for each in lines for line in hang.get(each, ())})))
    return f" \u2013 whether a rule is broken in line {decided} hangs on it" if decided else ""


def _shown(lines: Sequence[int], said: str) -> str:
    first, *others = map(str, lines)
    return f"{first}: {said}" + (f" (so are {', '.join(others)})" if others else "")


def _say_again(
    file: Path, chat: str, reading: ChatReading, asked: tuple[str, str, Mapping[tuple[int, ...], str]]
) -> None:
    """Ask what a line says in plain words, one of some that stand together where they are alike."""
    title, button, lines = asked
    with st.form(title, border=True):
        chosen = st.selectbox(title, list(lines), format_func=lambda each: _shown(each, lines[each]))
        words = st.text_input(
            "The same in plain words, `comes out`, or `talk`",
            key=f"{button} {len(reading.accepted)}",
            placeholder="e.g. play 2 reeds",
        )
        saying = st.form_submit_button(button, icon=":material/check:")
    if not (saying and chosen and words.strip()):
        return
    folder, line, written = file.parent.parent, chosen[0], text_of(file)
    said = said_again(reading, line, words.strip(), folder)
    if said is None:
        st.error(f"{NO_MOVE[0].upper()}{NO_MOVE[1:]}.", icon=":material/error:")
        return
    st.session_state["near"] = said.near
    told = f"Line {line} is {said.in_words}"
    remember(file, told, written, (chat, said.reading, reading))
    _read_anew(file, chat, (reading, said.reading), told, others=text_of(file) != written)


@st.cache_data(show_spinner=False, max_entries=4)
def _as_read(
    reading: ChatReading,
    folder: Path,
    stamp: int,  # noqa: ARG001 - of the game's file, to be remembered by
) -> tuple[ReadLines, tuple[LineOffer, ...], list[tuple[int, ...]], dict[tuple[int, ...], str]]:
    """Return how the lines are read, which are moves with something beside them, the open ones and the others."""
    return reading.lines(folder), offers(reading, folder), questions(reading, folder), answered(reading, folder)


def _offered(file: Path, chat: str, reading: ChatReading, asked: tuple[str, Sequence[LineOffer]]) -> None:
    """Show lines that are read so if somebody says it; which of them, is chosen."""
    title, found = asked
    if not found:
        return
    with st.form(title, border=True):
        st.text(title)
        st.html(as_fragment(Bullets(tuple(f"{each.number}: {each.shown}" for each in found))))
        numbers = [each.number for each in found]
        taken = st.multiselect("Which of these?", numbers, numbers)
        saying = st.form_submit_button("Read these, and keep what stands beside | as a note", icon=":material/check:")
    if saying and taken:
        anew = with_offers(reading, found, " ".join(map(str, taken)))
        st.session_state["near"] = ()
        told = f"{counted(len(taken), 'line')} read as moves"
        remember(file, told, text_of(file), (chat, anew, reading))
        _read_anew(file, chat, (reading, anew), told)


def _read_anew(
    file: Path, chat: str, readings: tuple[ChatReading, ChatReading], said: str, *, others: bool = False
) -> None:
    """Keep a chat as it is read now, in place of the reading before, and `others` that may say a new move as well."""
    before, reading = readings
    reading = reading.in_order(reading.turn_order(file.parent.parent) or reading.seen.players)
    try:
        store_chat(file, chat, reading, before)
        if others:
            with open_tape(log_address()) as tape:
                tape.import_again()
    except RefusedError as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    st.session_state.update(chat=(file.stem, chat, reading), said=said)
    st.rerun()
