"""The streams of the service: whoever listens hears every change, whoever made it, and whatever happens meanwhile."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any, Final

import pytest
from msgspec.structs import replace

from tabletape.dashboard.service import stream
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.stream import Feeds
from tabletape.events.log import Log, UnknownGameIdError
from tabletape.events.log.revising import store_revision
from tabletape.events.log.schema import LockedError
from tabletape.events.vocabulary.shared import NoteAdded, PlayTakenBack
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.model.table import CannotFoldError
from tabletape.projector.scribing.beginning import Beginning, NewSeat, begin
from tests.waiting import PATIENCE

TABLE: Final = Beginning(game="tabletop", players=(NewSeat(name="Ann"), NewSeat(name="Ben")))


class Process:
    """A process with the log of a game: its streams, and what it writes itself."""

    def __init__(self, place: Path, game_id: str = "") -> None:
        self.log = Log.open(place, create=not game_id)
        self.game = game_id or begin(self.log, TABLE)
        self.feeds = Feeds(Desk(self.log))

    def write(self, text: str) -> None:
        """Write a note, as another process would: nobody is told."""
        self.log.append(self.game, [NoteAdded(text=text)], expected_last_seq=self.log.game(self.game).last_seq)

    def stamp(self) -> str:
        """Return what the game is known by now."""
        return self.log.game(self.game).fingerprint


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Process, Process]]:
    """Yield two processes that serve the same game, and look often at what the other has written."""
    monkeypatch.setattr(stream, "PAUSE", 0.01)
    here = Process(tmp_path / "t.db")
    there = Process(tmp_path / "t.db", here.game)
    yield here, there
    here.log.close()
    there.log.close()


async def _heard(listening: AsyncIterator[bytes], wanted: bytes) -> bytes:
    """Return the first part of a stream that has something in it."""
    async with asyncio.timeout(PATIENCE):
        async for part in listening:
            if wanted in part:
                return part
    raise AssertionError("the stream has ended")


def _run(act: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(4 * PATIENCE):
            await act()

    asyncio.run(bounded())


def test_what_another_process_writes_is_heard_although_somebody_has_seen_it(two: tuple[Process, Process]) -> None:
    """A device that asks what the game is now takes the change from nobody who listens."""
    here, there = two

    async def act() -> None:
        listening = here.feeds.stream(here.game, "*", 1, lambda: True)
        await _heard(listening, b"event: state")
        later = asyncio.create_task(_heard(listening, b"event: line"))
        await asyncio.sleep(0)
        for number in range(5):
            known = here.stamp()
            there.write(f"{number}")
            assert await here.feeds.changed(here.game, known, PATIENCE) == here.stamp()
            assert json.dumps(f"{number}").encode() in await later
            later = asyncio.create_task(_heard(listening, b"event: line"))
        later.cancel()

    _run(act)


def test_who_comes_while_nobody_listens_hears_what_was_written_since(two: tuple[Process, Process]) -> None:
    """What was made for those who listened before is no more than a beginning."""
    here, there = two

    async def act() -> None:
        first = here.feeds.stream(here.game, "*", 1, lambda: True)
        await _heard(first, b"event: state")
        await first.aclose()  # type: ignore[attr-defined]
        there.write("unheard")
        second = here.feeds.stream(here.game, "*", 1, lambda: True)
        assert b"unheard" in await _heard(second, b"event: line")

    _run(act)


def test_silence_is_broken_from_time_to_time(two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment keeps whoever stands in between from closing the stream, and nothing is told twice with it."""
    monkeypatch.setattr(stream, "HEARTBEAT", 0.01)
    here, _ = two

    async def act() -> None:
        listening = here.feeds.stream(here.game, "*", 1, lambda: True)
        await _heard(listening, b"event: state")
        assert [await anext(listening) for _ in range(3)] == [b": still here\n\n"] * 3

    _run(act)


@pytest.mark.parametrize("error", [LockedError("others write"), RuntimeError("a mistake")])
def test_the_looking_goes_on_after_it_has_failed(
    two: tuple[Process, Process], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that is closed for a while, or a mistake of ours, leaves nobody without what comes later."""
    here, there = two
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    sound, failed = here.feeds._desk.stamps, Event()

    def stamps(ids: Sequence[str]) -> dict[str, str]:
        if not failed.is_set():
            failed.set()
            raise error
        return sound(ids)

    monkeypatch.setattr(here.feeds._desk, "stamps", stamps)

    async def act() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # It is told at the terminal.
        listening = here.feeds.stream(here.game, "*", 1, lambda: True)
        await _heard(listening, b"event: state")
        later = asyncio.create_task(_heard(listening, b"event: line"))
        assert await asyncio.to_thread(failed.wait, PATIENCE)
        there.write("later")
        assert b"later" in await later

    _run(act)


def test_only_games_that_somebody_waits_for_are_looked_at(two: tuple[Process, Process], monkeypatch: Any) -> None:
    """Games that are not there, and those that nobody listens to any more, are forgotten."""
    here, _ = two
    asked: set[str] = set()
    sound, looked = here.feeds._desk.stamps, Event()

    def stamps(ids: Sequence[str]) -> dict[str, str]:
        asked.update(ids)
        looked.set()
        return sound(ids)

    monkeypatch.setattr(here.feeds._desk, "stamps", stamps)

    async def act() -> None:
        for number in range(20):
            with pytest.raises(UnknownGameIdError):
                await here.feeds.changed(f"unknown-{number}", "", 0)
        await here.feeds.changed(here.game, "", 0)
        listening = here.feeds.stream(here.game, "*", 1, lambda: True)
        await _heard(listening, b"event: state")
        later = asyncio.create_task(_heard(listening, b"event: line"))
        assert await asyncio.to_thread(looked.wait, PATIENCE)
        later.cancel()

    _run(act)
    assert asked == {here.game}


@pytest.mark.usefixtures("as_older_logs")
def test_the_stream_of_a_game_that_cannot_be_followed_says_so_once(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines come, then its state with the reason; whoever listens on hears the next ones and not the same again."""
    here, there = two
    there.log.append(
        here.game,
        [PlayTakenBack(to=999), NoteAdded(text="behind")],
        expected_last_seq=here.log.game(here.game).last_seq,
    )

    async def act() -> None:
        listening = here.feeds.stream(here.game, "*", 0, lambda: True)
        said = await _heard(listening, b"event: state")
        assert (b"which this game does not have" in said, said.count(b'"text":"behind"')) == (True, 1)
        looks, sound = 0, here.feeds._part

        async def counted(*about: Any) -> Any:
            nonlocal looks
            looks += 1
            return await sound(*about)

        monkeypatch.setattr(here.feeds, "_part", counted)
        later = asyncio.create_task(_heard(listening, b'"text":"later"'))
        await asyncio.sleep(0)
        there.write("later")
        assert b"behind" not in await later
        assert looks <= 4

    _run(act)


@pytest.mark.parametrize("error", [CardError("no such card"), RulesetError("no such ruling"), CannotFoldError("x")])
def test_a_stream_ends_with_what_is_wrong_with_its_game(
    two: tuple[Process, Process], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever keeps a game from being read is said in the answer that has begun."""
    here, _ = two

    def fail(_game_id: str) -> None:
        raise error

    monkeypatch.setattr(here.feeds._desk, "kept", fail)

    async def act() -> None:
        listening = here.feeds.stream(here.game, "*", 0, lambda: True)
        assert str(error).encode() in await _heard(listening, b"event: problem")
        assert [part async for part in listening] == []

    _run(act)


def test_the_state_is_told_anew_where_a_game_changes_without_a_line(two: tuple[Process, Process]) -> None:
    """Where other readings of the rules were agreed on, a revision has the same lines and other findings."""
    here, there = two

    async def act() -> None:
        listening = here.feeds.stream(here.game, "*", 1, lambda: True)
        await _heard(listening, b"event: state")
        again = asyncio.create_task(_heard(listening, b"event: state"))
        await asyncio.sleep(0)
        stored = there.log.game(there.game)
        head, *rest = there.log.events(stored)
        store_revision(there.log, stored, [replace(head, note="anew"), *rest], "agreed")
        assert b"event: line" not in await again

    _run(act)
