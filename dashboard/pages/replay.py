"""The page of one game, step by step: `?game=…&step=…&viewer=…&edition=…&ruling=key=option`."""

from collections import defaultdict
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import streamlit as st
from msgspec import UNSET

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.replay.component import Comment, board_json, replay_board
from tabletape.dashboard.report.choosing import games_as_played
from tabletape.dashboard.sections.answers import verdict
from tabletape.dashboard.sections.branch import branch_section
from tabletape.dashboard.sections.choice import UNSAID, one_of
from tabletape.dashboard.sections.lists import game_lines, newest_first
from tabletape.dashboard.sections.mending import mending_section
from tabletape.dashboard.sections.results import result_card, show_results
from tabletape.dashboard.sections.starting_points import ways_in
from tabletape.dashboard.site import Site
from tabletape.dashboard.tape.choosing import why_no_bots
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log, UnknownGameIdError
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError, NoLogError
from tabletape.events.vocabulary import UnknownGameError, tag_of
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.shared import NoteAdded, ResultRecorded
from tabletape.projector.archive.card_versions import TODAY
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.stored import RulesetOverride, replay_of, workspace
from tabletape.projector.datasets.manifest import FOLDER
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game, title_of
from tabletape.projector.model.amounts import counted, day_said
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.model.table import CannotFoldError
from tabletape.projector.rulebooks.kept import Quote, kept_file

PUBLIC: Final = "public"
"""How the address names the viewer who sees what lies open; without a viewer everything is shown."""

HEAD: Final = """<style>
.stMainBlockContainer { max-width: none; padding: 1.1rem 1.5rem 1rem; }
.stMainBlockContainer > .stVerticalBlock { gap: 0.4rem; }
@media (width <= 800px) { .stMainBlockContainer { --header: 3.75rem; padding: 4rem 0.6rem 1rem; } }
</style>"""
"""The page's own head is as low as it can be, so that the whole table is in sight."""

NO_MOVE: Final = "No move was written down, so there is no table to step through."
"""What is said of a result."""

MAX_LISTED: Final = 10
"""How many games are a line each at first where none is named, and how many more each time."""

REFUSALS: Final = (LogError, RulesetError, CardError, CannotFoldError, UnknownGameError)


def replay_page(site: Site) -> None:
    """Show the game that the address names, at the step and through the eyes that it names; without one, the list.

    Without a step it opens at the first finding, or where the last turn begins. `edition` and `ruling` (`key=option`,
    several) read the game by another text than its table did.
    """
    asked = st.query_params
    try:
        with Log.open(log_address()) as log:
            if not asked.get("game"):
                st.title("Replay", anchor=False)
                _choose(site, log)
                return
            _show(site, log, asked["game"])
    except NoLogError:
        st.title("Replay", anchor=False)
        _nothing(site)
    except REFUSALS as error:
        st.title("Replay", anchor=False)
        st.error("This cannot be shown.")
        st.text(str(error))


def _show(site: Site, log: Log, game_id: str) -> None:
    try:
        stored = log.game(game_id)
    except UnknownGameIdError as error:
        st.title("Replay", anchor=False)
        st.warning("There is no such game here.")
        st.text(str(error))
        _choose(site, log)
        return
    st.button("All games", type="tertiary", icon=":material/arrow_back:", on_click=_leave)
    if (result := _result_of(log, stored)) is not None:
        _show_result(site, stored, result)
        return
    st.html(HEAD)
    stamp = _stamp(log, stored)
    board = _board_of(str(log.url), game_id, stamp, _reading())
    comment = replay_board(board, step=_step(), viewer=_viewer(), comments=True, key=f"replay {game_id}")
    if comment is not None:
        _keep(log, stored, comment)
    # What is mended is the game as its table read it.
    if st.query_params.get("edition", "") in {"", stored.edition} and not _rulings():
        mending_section(log, stored, stamp)
    if not why_no_bots(game(stored.game)):
        branch_section(log, stored, _step(), RulesetOverride(*_reading()))


def _result_of(log: Log, stored: StoredGame) -> Replay | None:
    """Return a game of which no more was written down than how it went: it has no table and no steps."""
    if not any(each.type == tag_of(ResultRecorded) for each in log.stored(stored)):
        return None
    replay = replay_of(log, stored.game_id)
    return replay if detail_of(replay.events) == "results" else None


def _show_result(site: Site, stored: StoredGame, replay: Replay) -> None:
    """Show how a game went of which nothing else was written down."""
    day = (stored.started_at or "")[:10]
    told = day_said(date.fromisoformat(day)) if day else ""
    version = "" if stored.edition in {"", UNSAID} else f"version {stored.edition}"
    result = result_card(replay, ", ".join(filter(None, (told, version))))
    st.title(escaped(f"{title_of(stored.game)}: {', '.join(seat.name for seat in result.seats)}"), anchor=False)
    verdict([result.answer])
    show_results([result], several=False)
    st.caption(NO_MOVE)
    if day:
        site.link("evening", f"The evening of {told}", icon=":material/nightlight:", day=day)


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


def _leave() -> None:
    """Take what names a game and how it is read out of the address."""
    for name in ("game", "step", "viewer", "edition", "ruling", "cards"):
        st.query_params.pop(name, None)


def _nothing(site: Site) -> None:
    st.text("A game step by step, with the table at each step and the rule where one was broken.")
    st.info("No game is here yet.", icon=":material/play_circle:")
    ways_in(site)


def _choose(site: Site, log: Log) -> None:
    """Show the games of one kind, the newest first and those of bots last, each a way to its replay."""
    by_title: dict[str, list[StoredGame]] = defaultdict(list)
    for each in log.games():
        by_title[title_of(each.game)].append(each)
    if not by_title:
        _nothing(site)
        return
    titles = sorted(by_title, key=lambda title: (-len(by_title[title]), title))
    stored = by_title[one_of("Game", "of", titles) if len(titles) > 1 else titles[0]]
    counted_rows = _counted(site.workspace / FOLDER, site.stamp) if site.stamp else {}
    rows = newest_first(counted_rows.get(each.game_id) or _uncounted(each) for each in stored)
    rows.sort(key=lambda row: is_by_bots(row["game_id"]))
    pages = st.session_state.get("listed", 1)
    most = pages * MAX_LISTED
    verdict([_listed(rows)])
    # A replay that says no ruleset is the game as its table read it, which can be mended.
    game_lines(site, [row | {"ruleset": ""} for row in rows[:most]], most)
    if len(rows) > most:
        label = f"Show {min(MAX_LISTED, len(rows) - most)} more"
        st.button(label, icon=":material/expand_more:", on_click=st.session_state.update, args=({"listed": pages + 1},))


def _listed(rows: list[dict[str, Any]]) -> str:
    """Say how many games there are, and what is seen of them: the first mistake of those that have one."""
    every = counted(len(rows), "game")
    if all(row.get("detail") == "results" for row in rows):
        return f"{every}: only the results are known, so there are no steps to go through, but scores to look at."
    wrong = sum(bool(row["mistakes"]) for row in rows)
    opens = f"; the {wrong} with a mistake open where it was made" if wrong else ""
    return f"{every} to go through step by step, the newest first{opens}."


@st.cache_data(show_spinner=False, max_entries=4)
def _counted(datasets: Path, stamp: str) -> dict[str, dict[str, Any]]:  # noqa: ARG001 - `stamp` is there to be remembered by
    return {row["game_id"]: dict(row) for row in games_as_played(datasets, "all")}


def _uncounted(stored: StoredGame) -> dict[str, Any]:
    """Return what the log itself says of a game that is in no dataset yet."""
    return {
        "game": stored.game,
        "game_id": stored.game_id,
        "began": datetime.fromisoformat(stored.started_at) if stored.started_at else None,
        "names": ", ".join(seat.name or seat.id for seat in stored.players),
        "reason": "not counted yet",
        **dict.fromkeys(("won_by", "over", "cooperative", "turns", "minutes", "mistakes")),
    }


def _stamp(log: Log, stored: StoredGame) -> str:
    """Return what changes when the game, the designer's own file of it, its cards or the rulebook do."""
    folder = workspace(log)
    written = (folder / each / f"{stored.game}.toml" for each in ("cards", "games"))
    own = (*written, kept_file(folder, stored.game))
    changed = " ".join(str(file.stat().st_mtime_ns) if file and file.is_file() else "0" for file in own)
    return f"{stored.revision} {stored.fingerprint} {changed}"


@st.cache_data(max_entries=32, show_spinner="Replaying the game …")
def _board_of(url: str, game_id: str, stamp: str, read_by: tuple[str, dict[str, str], str]) -> str:  # noqa: ARG001 - `stamp` is there to be remembered by
    with Log.open(url) as log:
        reading = RulesetOverride(*read_by)
        stored = log.game(game_id)
        reading.require([game(stored.game)], written=[stored.edition])
        replay = replay_of(log, game_id, reading=reading, traced=True)
        quote = Quote(workspace(log), replay.game.slug)
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
