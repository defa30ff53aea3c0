"""What happens in games, as it happens: server-sent events, each made once for all who may read the same."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool

from tabletape.dashboard.service import reading
from tabletape.dashboard.service.desk import Desk
from tabletape.events.log.notices import ANY, notices

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment is sent, so that nobody in between closes the stream."""

PAUSE: Final = 0.5
"""Seconds between two looks at what other processes have written."""

MAX_MADE: Final = 256
"""Parts of streams that are kept for others who ask for the same."""


class StreamPart(msgspec.Struct, frozen=True):
    """A part of a stream: its text, the number of its last line, what the game is known by then, what else there is."""

    text: bytes
    seq: int
    stamp: str
    is_whole: bool


class Feeds:
    """The streams of a desk's games."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._changed: dict[str, asyncio.Future[None]] = {}
        self._seen: dict[str, str] = {}
        self._times: dict[str, int] = {}
        self._made: dict[tuple[str, str, int, int], asyncio.Task[StreamPart]] = {}
        self._looking: asyncio.Task[None] | None = None
        self.readers = 0

    def notify(self, game_id: str) -> None:
        """Wake everybody who waits for a game; called in the loop."""
        self._times[game_id] = self._times.get(game_id, 0) + 1
        changed = self._changed.pop(game_id, None)
        if changed is not None:
            changed.set_result(None)

    def _awaited(self, game_id: str) -> asyncio.Future[None]:
        """Return what is done when a game changes: one for all who wait for it."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        return self._changed.setdefault(game_id, asyncio.get_running_loop().create_future())

    async def changed(self, game_id: str, known: str, patience: float) -> str:
        """Return the stamp of a game: as soon as it is not the one that is known, or after so many seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while True:
            changed = self._awaited(game_id)
            stamp = self._seen[game_id] = await run_in_threadpool(self._desk.stamp, game_id)
            if stamp != known or loop.time() >= end:
                return stamp
            await asyncio.wait([changed], timeout=end - loop.time())

    async def stream(
        self, game_id: str, viewer: str, after: int, may_read: Callable[[], bool], delay: float = 0.0
    ) -> AsyncIterator[bytes]:
        """Yield what comes behind the line `after` of a game as a viewer may read it, at least `delay` seconds late.

        It ends where `may_read` says no any more: the token was taken back.
        """
        self.readers += 1
        try:
            yield b"retry: 2000\n\n"
            while may_read():
                changed = self._awaited(game_id)
                part = await self._part(game_id, viewer, after)
                if part.seq > after:
                    if delay:
                        await asyncio.sleep(delay)
                        if not may_read():
                            return
                    yield part.text
                    after = part.seq
                if part.is_whole and not (await asyncio.wait([changed], timeout=HEARTBEAT))[0]:
                    yield b": still here\n\n"
        finally:
            self.readers -= 1

    async def _part(self, game_id: str, viewer: str, after: int) -> StreamPart:
        """Return what comes behind a line: made once for all who ask for the same before the game changes again."""
        key = (game_id, viewer, after, self._times.get(game_id, 0))
        if key not in self._made:
            if len(self._made) >= MAX_MADE:
                del self._made[next(iter(self._made))]
            work = run_in_threadpool(partial(_make, self._desk, game_id, viewer, after))
            self._made[key] = asyncio.ensure_future(work)
        making = self._made[key]
        if not making.done():
            await asyncio.wait([making])
        if making.exception() is not None:
            self._made.pop(key, None)
        else:
            self._seen[game_id] = making.result().stamp
        return making.result()

    async def _look(self) -> None:
        """Notify of what other processes have written: in PostgreSQL as they do, else from time to time."""
        async for game_id in notices(self._desk.log.url):
            for each in [*self._changed] if game_id == ANY else [game_id]:
                self.notify(each)
        while True:
            await asyncio.sleep(PAUSE)
            ids = [*self._changed]
            stamps = await run_in_threadpool(self._desk.stamps, ids) if ids else {}
            for game_id, stamp in stamps.items():
                if self._seen.get(game_id) != stamp:
                    self.notify(game_id)


def _make(desk: Desk, game_id: str, viewer: str, after: int) -> StreamPart:
    with desk.kept(game_id) as kept:
        stamp, last = kept.scribe.stored.fingerprint, kept.scribe.last_seq
        lines = reading.lines(desk, kept, viewer, after)
        if not lines:
            return StreamPart(b"", after, stamp, is_whole=True)
        found = reading.findings(desk, kept, viewer)
        seq = lines[-1].seq
        texts = [b"id: %d\nevent: line\ndata: %s\n\n" % (each.seq, bytes(each.line)) for each in lines]
        if seq == last:
            state = msgspec.json.encode({"seq": seq, "findings": found, "due": reading.due_behind(kept, viewer)})
            texts.append(b"event: state\ndata: %s\n\n" % state)
        return StreamPart(b"".join(texts), seq, stamp, is_whole=seq == last)
