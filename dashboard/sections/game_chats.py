"""The chats of an own game on its page: the one that begins it, and those that lie in the workspace unread."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.card_list import CardList, read_card_list
from tabletape.dashboard.own_game.chat import read_chat, surveyed
from tabletape.dashboard.own_game.cited import CiteSentence, sentences_of
from tabletape.dashboard.own_game.file import begin_file, file_of_new, is_begun
from tabletape.dashboard.own_game.lines_of_nobody import with_lines_of_nobody
from tabletape.dashboard.own_game.look import FirstLook, first_look, with_cards, with_moves, with_silent
from tabletape.dashboard.own_game.offered import told_of, with_sure
from tabletape.dashboard.own_game.taught import read_plainly
from tabletape.dashboard.sections.answers import folded
from tabletape.dashboard.sections.chat_lines import store_chat
from tabletape.dashboard.sections.freshness import build_all
from tabletape.dashboard.sections.map_steps import BROUGHT, zone_here
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import RefusedError
from tabletape.events.importing.files.sources import MAX_FOREIGN
from tabletape.events.importing.maps.finding import map_of_file, own_map_files, stem_of
from tabletape.events.importing.maps.map import SUFFIX, MapError
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.remembering import maps_before
from tabletape.events.log import Log
from tabletape.events.log.schema import NoLogError
from tabletape.events.rules_file.lines import is_luck
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.whole_files import put_back
from tabletape.events.workspace_files import GameFileError, text_of
from tabletape.projector.model.amounts import joined
from tabletape.projector.rulebooks.kept import FOLDER as RULEBOOKS
from tabletape.projector.rulebooks.kept import keep
from tabletape.projector.rulebooks.text import MOST_BYTES, RulebookFileError, read_rulebook_text

BOOK: Final = "rulebook of the example"
"""Where the session keeps the rulebook that nobody has to choose."""

CHATS: Final = (".txt", ".log", ".md")
"""How files end that may be chats."""

_MOVE: Final = re.compile(r'"move\.([\w-]+)"')
_EXAMPLE: Final = files("tabletape.dashboard.own_game") / "example"

Named = tuple[str, bytes]
"""A file: its name and its content."""


def offer_example() -> None:
    """Offer the chat and the rulebook of a game that nobody has to have, to begin with."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Begin with an example, Millpond", icon=":material/water:", on_click=_take_example)
        shows = "Twelve lines of chat and six sentences of a rulebook: you see which two lines break them."
        st.caption(shows, width="content")


def _take_example() -> None:
    chat, book = ((name, (_EXAMPLE / name).read_bytes()) for name in ("millpond-evening.txt", "rulebook.txt"))
    st.session_state.update({"begin title": "Millpond", BROUGHT: chat, BOOK: book})


def begin(folder: Path) -> None:
    """Take a chat, a rulebook and a list of cards, say what they tell, and begin the file of the game without rules."""
    name = st.text_input("1. What is the game called?", key="begin title", placeholder="e.g. Millpond")
    chat, book, cards = _chat_of_new(folder), _book_of_new(), _cards_of_new()
    if BROUGHT in st.session_state or BOOK in st.session_state:
        st.button("Take other files", type="tertiary", icon=":material/undo:", on_click=_put_away)
    if not (name and chat):
        return
    try:
        file = file_of_new(folder, slug_of(name), fresh=True)
        seen, look, listed = _told(chat, book, cards)
    except (RefusedError, RulebookFileError) as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    zone = zone_here() if "{at:time}" in str(seen.head.get("prefix")) else ""
    times = f" Its times are read as those of {zone}; Import takes another zone." if zone else ""
    st.text(f"{seen.lines_in_words} of {', '.join(look.players)}.{times}")
    if listed:
        st.text(f"Of the list: {listed.in_words}.")
    named = named_by(look, listed=listed is not None)
    if named is not None and st.button("Read the chat", type="primary", icon=":material/add:"):
        _read(file, chat, (seen, named), book)


def _chat_of_new(folder: Path) -> Named | None:
    """Ask for the chat of a new game; one that the example or the page Import brought is named instead."""
    words = "2. The chat of an evening"
    if brought := st.session_state.get(BROUGHT):
        st.text(f"{words}: {brought[0]}")
        return (brought[0], brought[1])
    if dropped := st.file_uploader(f"{words}, as a text file", key="begin chat", max_upload_size=MAX_FOREIGN >> 20):
        return dropped.name, dropped.getvalue()
    st.caption("WhatsApp: Export chat, without media. Discord: select the lines, copy, and paste into a text file.")
    left = unread_chats(folder)
    label = "Or one that lies in the workspace unread"
    chosen = st.selectbox(label, list(left), None, key="unread at first") if left else None
    return (chosen, left[chosen].read_bytes()) if chosen else None


def _book_of_new() -> Named | None:
    """Ask for the rulebook of a new game; that of the example is named instead."""
    if brought := st.session_state.get(BOOK):
        st.text(f"3. Its rulebook: {brought[0]}")
        return (brought[0], brought[1])
    words = "3. Its rulebook, as text, Markdown or PDF, if there is one"
    given = st.file_uploader(words, key="begin rulebook", max_upload_size=MOST_BYTES >> 20)
    return (given.name, given.getvalue()) if given else None


def _cards_of_new() -> Named | None:
    """Ask for a list of the cards of a new game, where each has a name of its own; the example needs none."""
    if BOOK in st.session_state:
        return None
    words = "4. A list of its cards, as CSV or a workbook, if each has a name of its own"
    given = st.file_uploader(words, key="begin cards", max_upload_size=MAX_FOREIGN >> 20)
    return (given.name, given.getvalue()) if given else None


def _put_away() -> None:
    for key in (BROUGHT, BOOK):
        st.session_state.pop(key, None)


def named_by(look: FirstLook, *, kept: bool = False, listed: bool = False) -> FirstLook | None:
    """Ask what the moves and the kinds of cards are called; None where an answer is none.

    Of what was `kept` in the scribe that is asked which the file lacks; cards that are `listed` have their names.
    """
    also = f" Said often as well: {', '.join(look.perhaps)}." if look.perhaps else ""
    same = "Two words for one move are written play = put."
    of = " that you kept" if kept else ""
    moves = st.text_input(f"The moves{of}.{also}", ", ".join(look.moves), help=same) if look.moves or not kept else None
    is_asked = not listed and (look.cards or not kept)
    cards = st.text_input(f"The kinds of cards{of}", ", ".join(look.cards)) if is_asked else None
    named = with_moves(look, moves) if moves is not None else look
    if named is None:
        st.error("A word for each move, as the chat says it, with commas between them.", icon=":material/error:")
        return None
    named = with_cards(named, cards) if cards is not None else named
    if named is None:
        st.error("A word for each kind of cards, such as tea 1-7, silk 1-7, lantern.", icon=":material/error:")
        return None
    if named.silent and (said := st.text_input(f"{escaped(named.silent_asked)}?", placeholder="e.g. play").strip()):
        named = with_silent(named, said)
        if named is None:
            st.error("A word for the move, such as play.", icon=":material/error:")
    return named


def _read(file: Path, chat: Named, told: tuple[Survey, FirstLook], book: Named | None = None) -> None:
    """Read a chat by the file of its game, which is begun where there is none, and keep it."""
    (name, content), (seen, look), folder = chat, told, file.parent.parent
    try:
        with put_back(file):
            if not is_begun(file):
                begin_file(file, look, seen)
            earlier = maps_before(folder / PurePath(name).name, folder, file.stem)
            read = read_chat(content, seen, look, file, earlier)
            plain = read_plainly(read, folder, look.may, look.drawn)
            reading, sure = with_sure(with_lines_of_nobody(plain, folder, look.may), folder)
            reading = reading.in_order(reading.turn_order(folder) or reading.seen.players)
            store_chat(file, name, reading)
        if book:
            keep(folder, file.stem, *book)
    except (RefusedError, GameFileError, RulebookFileError) as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    st.session_state["begun"] = file.stem
    st.session_state["chat"] = (file.stem, name, reading)
    st.session_state["said"] = " ".join((told_of(sure), *(each.shown for each in sure[:1])))
    _put_away()
    build_all()
    st.rerun()


@st.cache_data(show_spinner="Reading the chat …", max_entries=4)
def _told(chat: Named, book: Named | None, cards: Named | None) -> tuple[Survey, FirstLook, CardList | None]:
    """Return what a chat, a rulebook and a list of the cards tell of a game, and what the list says."""
    listed = read_card_list(cards[1], cards[0]) if cards else None
    seen = surveyed(chat[1], chat[0])
    return seen, first_look(seen, sentences_of(read_rulebook_text(*book) if book else None), card_list=listed), listed


# -- a game that is there ----------------------------------------------------------------------------------------------


def next_chat(file: Path, sentences: Sequence[CiteSentence], *, first: bool = False) -> None:
    """Ask about chats of the workspace that no map reads yet, and take one, or another one, as a chat of the game.

    The `first` one of a game is asked for at once.
    """
    left = unread_chats(file.parent.parent)
    usual = "The chat of an evening" if first else "The chat of another evening"
    with folded(f"Unread in the workspace: {joined(left)}" if left else usual, opened=bool(left) or first):
        chosen = st.selectbox("Is it a chat of this game?", list(left), None, key="unread") if left else None
        label = "Or another file" if left else "Its text file"
        dropped = st.file_uploader(label, key="next chat", max_upload_size=MAX_FOREIGN >> 20)
        chat = (dropped.name, dropped.getvalue()) if dropped else None
        if chosen and chat is None:
            chat = (chosen, left[chosen].read_bytes())
        if chat is None:
            return
        try:
            seen = surveyed(chat[1], chat[0])
        except RefusedError as error:
            st.error(escaped(str(error)), icon=":material/error:")
            return
        look = first_look(seen, sentences, maps_before(file.parent.parent / chat[0], file.parent.parent, file.stem))
        st.text(f"{seen.lines_in_words} of {', '.join(look.players)}.")
        named = look if is_begun(file) else named_by(look)
        if named is not None and st.button("Read it as a chat of this game", icon=":material/add:"):
            _read(file, chat, (seen, named))


def unread_chats(folder: Path) -> dict[str, Path]:
    """Return the chats beside the log that were never imported, and that no map is called like, by their names."""
    known = {path.name.removesuffix(SUFFIX) for path in own_map_files(folder / "chat", folder)}
    with suppress(NoLogError), Log.open(log_address()) as log:
        known |= {stem_of(Path(each.name)) for each in log.arrivals()}
    beside = sorted(folder.iterdir()) if folder.is_dir() else []
    new = [each for each in beside if each.suffix in CHATS and each.is_file() and stem_of(each) not in known]
    books = {each.read_bytes() for each in (folder / RULEBOOKS).glob("*") if each.is_file()}
    new = [each for each in new if each.read_bytes() not in books]
    return {each.name: each for each in new if _is_chat(str(each), each.stat().st_mtime_ns)}


@st.cache_data(show_spinner=False, max_entries=64)
def _is_chat(name: str, changed: int) -> bool:  # noqa: ARG001 - `changed` is there to be remembered by
    """Return whether a file is a chat of which it is plain who plays: not looked at again on every rerun."""
    path = Path(name)
    if path.stat().st_size > MAX_FOREIGN:
        return False
    try:
        surveyed(path.read_bytes(), path.name)
    except RefusedError:
        return False
    return True


def differences(folder: Path, slug: str) -> Iterator[str]:
    """Say how the maps of the chats and the file of a game differ: moves that only one of them has."""
    rules, said = open_games()[slug].rules, set[str]()
    texts = {path: text_of(path) for path in own_map_files(folder / "chat", folder)}
    maps = {path: text for path, text in texts.items() if f'game = "{slug}"' in text and "[[line]]" in text}
    for path, text in maps.items():
        try:
            map_of_file(path)
            said |= {*_MOVE.findall(text)}
        except MapError as error:
            why = str(error).replace(f"{path.parent}/", "").partition("; there are ")[0]
            yield f"{path.name} reads nothing any more: {why}. Write the move back into the file, or change the map."
    moves = [*rules.moves.values()] if rules is not None and maps else []
    drawn = {each.name for each in moves if rules and each.fields and all(is_luck(rules, one) for one in each.fields)}
    unsaid = [each.name for each in moves if each.name not in said | drawn]
    if unsaid:
        yield f"The file has {joined(unsaid)}, and no map of a chat says so: rules about it accuse nobody."
