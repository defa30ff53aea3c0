"""What happens in games, as it happens: server-sent events, each made once for all who may read the same."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec
from starlette.concurrency import run_in_threadpool

from tabletape.dashboard.service import reading
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.refusals import words
from tabletape.events.errors import TabletapeError
from tabletape.events.log.notices import ANY_GAME, notices
from tabletape.events.log.schema import LogError

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment is sent, so that nobody in between closes the stream."""

PAUSE: Final = 0.5
"""Seconds between two looks at what other processes have written."""

MAX_MADE: Final = 256
"""Parts of streams that are kept for others who ask for the same."""


class Heard(NamedTuple):
    """What somebody has heard of a game: the number of the last line, and the stamp of the last state."""

    seq: int
    stamp: str = ""


class StreamPart(msgspec.Struct, frozen=True):
    """A part of a stream: its text, what has been heard with it, and whether that is all there was."""

    text: bytes
    heard: Heard
    is_whole: bool


class Feeds:
    """The streams of a desk's games.

    Whoever waits takes what is done at the next change before looking at the game: so no change is missed. It is known
    as long as somebody holds it, and only the games of those are looked at.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._changed: WeakValueDictionary[str, asyncio.Future[None]] = WeakValueDictionary()
        self._made: dict[tuple[str, str, Heard], asyncio.Task[StreamPart]] = {}
        self._looking: asyncio.Task[None] | None = None
        self.readers = 0

    def notify(self, game_id: str) -> None:
        """Wake everybody who waits for a game, for whom what was made of it is made anew; called in the loop."""
        self._made = {key: part for key, part in self._made.items() if key[0] != game_id}
        changed = self._changed.pop(game_id, None)
        if changed is not None:
            changed.set_result(None)

    def _next_change(self, game_id: str) -> asyncio.Future[None]:
        """Return what is done when a game changes: one for all who wait for it."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return self._changed.setdefault(game_id, asyncio.get_running_loop().create_future())

    async def changed(self, game_id: str, known: str, patience: float) -> str:
        """Return the stamp of a game: as soon as it is not the one that is known, or after so many seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        stamp = await run_in_threadpool(self._desk.stamp, game_id)
        while stamp == known and loop.time() < end:
            change = self._next_change(game_id)
            stamp = await run_in_threadpool(self._desk.stamp, game_id)
            if stamp == known:
                await asyncio.wait([change], timeout=end - loop.time())
        return stamp

    async def stream(
        self, game_id: str, viewer: str, after: int, may_read: Callable[[], bool], delay: float = 0.0
    ) -> AsyncIterator[bytes]:
        """Yield what comes behind the line `after` of a game as a viewer may read it, at least `delay` seconds late.

        It ends where `may_read` says no any more: the token was taken back; and where the game cannot be read (its log,
        its cards, its rulings) or its package fails, with the reason as a `problem`.
        """
        self.readers += 1
        heard = Heard(after)
        try:
            yield b"retry: 2000\n\n"
            while may_read():
                change = self._next_change(game_id)
                part = await self._part(game_id, viewer, heard)
                if part.text:
                    if delay:
                        await asyncio.sleep(delay)
                        if not may_read():
                            return
                    yield part.text
                    heard = part.heard
                if part.is_whole and not (await asyncio.wait([change], timeout=HEARTBEAT))[0]:
                    yield b": still here\n\n"
        except TabletapeError as error:  # The answer has begun: what is wrong is said in it.
            yield b"event: problem\ndata: %s\n\n" % msgspec.json.encode({"error": words(error, viewer)})
        finally:
            self.readers -= 1

    async def _part(self, game_id: str, viewer: str, heard: Heard) -> StreamPart:
        """Return what comes behind what was heard: made once for all who ask for it before the game changes again."""
        key = (game_id, viewer, heard)
        making = self._made.get(key)
        if making is None:
            if len(self._made) >= MAX_MADE:
                del self._made[next(iter(self._made))]
            work = run_in_threadpool(partial(_make, self._desk, *key))
            self._made[key] = making = asyncio.ensure_future(work)
        await asyncio.wait([making])
        if making.exception() is not None:
            self._made.pop(key, None)
        return making.result()

    async def _look(self) -> None:
        """Notify of what other processes have written: in PostgreSQL as they do, else from time to time."""
        async for game_id in notices(self._desk.log.url):
            if game_id == ANY_GAME:
                self._made.clear()
            for each in [*self._changed] if game_id == ANY_GAME else [game_id]:
                self.notify(each)
        stamps: dict[str, str] = {}
        while True:
            await asyncio.sleep(PAUSE)
            before, ids = stamps, [*self._changed]
            try:
                stamps = await run_in_threadpool(self._desk.stamps, ids) if ids else {}
            except LogError:  # Others keep the log closed for long; who asks for a game then is told so.
                continue
            for game_id, stamp in stamps.items():
                if before.get(game_id) != stamp:
                    self.notify(game_id)


def _make(desk: Desk, game_id: str, viewer: str, heard: Heard) -> StreamPart:
    with desk.kept(game_id) as held:
        stamp, last = held.scribe.stored.fingerprint, held.scribe.last_seq
        lines = reading.lines(desk, held, viewer, heard.seq)
        if not lines and stamp == heard.stamp:
            return StreamPart(b"", heard, is_whole=True)
        seq = lines[-1].seq if lines else heard.seq
        texts = [b"id: %d\nevent: line\ndata: %s\n\n" % (each.seq, bytes(each.line)) for each in lines]
        if lines and seq < last:  # Where the game cannot be followed to its last line, no more of them come.
            return StreamPart(b"".join(texts), Heard(seq), is_whole=False)
        state = msgspec.json.encode({"seq": last, **reading.state(desk, held, viewer)})
        texts.append(b"event: state\ndata: %s\n\n" % state)
        return StreamPart(b"".join(texts), Heard(seq, stamp), is_whole=True)
