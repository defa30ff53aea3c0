"""The page of one game, step by step: `?game=…&step=…&viewer=…&edition=…&ruling=key=option`."""

from typing import Final

import streamlit as st
from msgspec import UNSET

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.replay.component import Comment, board_json, replay_board
from tabletape.dashboard.sections.branch import branch_section
from tabletape.dashboard.sections.mending import mending_section
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log, UnknownGameIdError
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError, NoLogError
from tabletape.events.vocabulary import UnknownGameError
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.archive.card_versions import TODAY
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.stored import RulesetOverride, replay_of, workspace
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game, title_of
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.model.table import CannotFoldError
from tabletape.projector.rulebooks.kept import kept_file, quote_from

PUBLIC: Final = "public"
"""How the address names the viewer who sees what lies open; without a viewer everything is shown."""

HEAD: Final = """<style>
.stMainBlockContainer { max-width: none; padding: 1.1rem 1.5rem 1rem; }
.stMainBlockContainer > .stVerticalBlock { gap: 0.4rem; }
@media (width < 640px) { .stMainBlockContainer { padding: 2.6rem 0.6rem 1rem; } }
</style>"""
"""The page's own head is as low as it can be, so that the whole table is in sight."""

NOTHING: Final = "There are no games yet: bring one in on the page Import, or keep one on the page Keep a log."

LISTED: Final = 25
"""How many games are a line each where none is named."""

REFUSALS: Final = (LogError, RulesetError, CardError, CannotFoldError, UnknownGameError)


def replay_page(games: st.Page | None = None) -> None:
    """Show the game that the address names, at the step and through the eyes that it names.

    Without a step it opens at the first finding. `edition` and `ruling` (`key=option`, several) read the game by
    another text than its table did. `games` is the page that lists all games, to go back to.
    """
    asked = st.query_params
    if games is not None:
        st.page_link(games, label="All games", icon=":material/arrow_back:")
    try:
        with Log.open(log_address()) as log:
            if not asked.get("game"):
                st.title("Replay", anchor=False)
                _choose(log, "Which game?")
                return
            _show(log, asked["game"])
    except NoLogError:
        st.title("Replay", anchor=False)
        st.info(NOTHING)
    except REFUSALS as error:
        st.title("Replay", anchor=False)
        st.error("This cannot be shown.")
        st.text(str(error))


def _show(log: Log, game_id: str) -> None:
    try:
        stored = log.game(game_id)
    except UnknownGameIdError as error:
        st.title("Replay", anchor=False)
        st.warning("There is no such game here.")
        st.text(str(error))
        _choose(log, "Another game")
        return
    st.html(HEAD)
    stamp = _stamp(log, stored)
    board = _board_of(str(log.url), game_id, stamp, _reading())
    comment = replay_board(board, step=_step(), viewer=_viewer(), comments=True, key=f"replay {game_id}")
    if comment is not None:
        _keep(log, stored, comment)
    if not (st.query_params.get("edition") or _rulings()):  # What is mended is the game as its table read it.
        mending_section(log, stored, stamp)
    if not game(stored.game).rulebook.open:
        branch_section(log, stored, _step(), RulesetOverride(*_reading()))


def _keep(log: Log, stored: StoredGame, comment: Comment) -> None:
    """Write a comment into the log, behind what the game has; another device may have been quicker."""
    note = NoteAdded(text=comment.text, on=comment.on, settled=comment.settled or UNSET)
    try:
        log.append(stored.game_id, [note], expected_last_seq=stored.last_seq, revision=stored.revision)
    except LogError as error:
        st.warning("The comment was not saved: write it again.")
        st.text(str(error))
    else:
        st.rerun()


def _choose(log: Log, words: str) -> None:
    """Ask for a game of the log; the choice goes into the address."""
    stored = {each.game_id: each for each in log.games()}
    ids = sorted(stored, key=lambda id_: (stored[id_].started_at or "", stored[id_].number), reverse=True)
    ids.sort(key=is_by_bots)
    if not ids:
        st.info(NOTHING)
        return
    st.text("A game step by step, with the table at each step and the rule where one was broken.")
    chosen = st.selectbox(
        words, ids, index=None, format_func=lambda id_: _in_words(stored[id_]), placeholder="Type a name or a day"
    )
    if chosen:
        _go(chosen)
        st.rerun()
    for id_ in ids[:LISTED]:
        st.button(
            escaped(_in_words(stored[id_]).rpartition(" (")[0]),
            key=f"open {id_}",
            type="tertiary",
            icon=":material/play_circle:",
            on_click=_go,
            args=(id_,),
        )
    if len(ids) > LISTED:
        first = f"The newest {LISTED} of {len(ids):,} games, those of people first"
        st.caption(f"{first}; the others are found by a name or a day.")


def _go(game_id: str) -> None:
    """Name a game in the address. The rest of it belongs to the filters of other pages; the step is another game's."""
    st.query_params["game"] = game_id
    st.query_params.pop("step", None)


def _in_words(stored: StoredGame) -> str:
    """Return a game as people know it: its day, its players, what they played, and its id."""
    day = f"{stored.started_at[:10]}, " if stored.started_at else ""
    names = ", ".join(seat.name or seat.id for seat in stored.players)
    return f"{day}{names}: {title_of(stored.game)} ({stored.game_id})"


def _stamp(log: Log, stored: StoredGame) -> str:
    """Return what changes when the game, the designer's own cards or the rulebook do."""
    folder = workspace(log)
    own = (folder / "cards" / f"{stored.game}.toml", kept_file(folder, stored.game))
    changed = " ".join(str(file.stat().st_mtime_ns) if file and file.is_file() else "0" for file in own)
    return f"{stored.revision} {stored.fingerprint} {changed}"


@st.cache_data(max_entries=32, show_spinner="Replaying the game …")
def _board_of(url: str, game_id: str, stamp: str, read_by: tuple[str, dict[str, str], str]) -> str:  # noqa: ARG001 - `stamp` is there to be remembered by
    with Log.open(url) as log:
        reading = RulesetOverride(*read_by)
        reading.require([game(log.game(game_id).game)])
        replay = replay_of(log, game_id, reading=reading, traced=True)
        quote = quote_from(workspace(log), replay.game.slug)
    if not isinstance(replay, Traced):
        raise TypeError("a traced replay was asked for")
    return board_json(frames(replay), quote)


def _reading() -> tuple[str, dict[str, str], str]:
    """Return the edition, the rulings and the day of the cards that the address names."""
    cards = TODAY if st.query_params.get("cards") == TODAY else ""
    return st.query_params.get("edition", ""), _rulings(), cards


def _rulings() -> dict[str, str]:
    """Return the rulings that the address names. Raises `RulesetError` for one that is not written `key=option`."""
    pairs = {}
    for each in st.query_params.get_all("ruling"):
        key, equals, option = (part.strip() for part in each.partition("="))
        if not (key and equals and option):
            raise RulesetError(f"a ruling is written key=option, not {each!r}")
        pairs[key] = option
    return pairs


def _step() -> int | None:
    """Return the number of the event that the address names; none where it names none, or no number."""
    step = st.query_params.get("step", "")
    return int(step) if step.isdecimal() and len(step) < 10 else None


def _viewer() -> str:
    viewer = st.query_params.get("viewer", EVERYTHING)
    return "" if viewer == PUBLIC else viewer
