"""The connections of the scribe: how many there may be, and how long each may keep the scribe waiting.

Whoever is in the network can open connections without the code. Each costs this process an open file, of which it has
few: without limits a thousand unfinished requests keep everybody else out, and each of them fills the terminal.
"""

import asyncio
import sys
from typing import Any, ClassVar, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_OF_ONE: Final = 20
"""Connections that one computer may have open; a browser has at most six."""

MAX_OF_ALL: Final = 200
BACKLOG: Final = 16
"""Connections that are accepted in one go, before the first of them can be refused."""

TABLES: Final = 128
"""As many at a service, where many tables come at once: whoever finds the queue full comes again after a second."""

MAX_HEAD: Final = 16_384
"""Bytes of a request before its body."""

HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 20.0
BODY_BYTES: Final = 200_000
"""What has to come of a body within that time where it has not ended: a long one over a slow line goes on."""

READING_SECONDS: Final = 60.0
"""How long somebody may take to read an answer that is sent."""


def most_connections(most: int = MAX_OF_ALL) -> int:
    """Return how many connections there may be: `most`, or a third of the files that this process may open."""
    if sys.platform == "win32":
        return most
    import resource  # noqa: PLC0415 - Windows has no such limit, and no such module

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if files == resource.RLIM_INFINITY else min(most, files // 3)


class LimitedProtocol(H11Protocol):
    """A connection with deadlines, one of a limited number.

    A computer that has too many gets no more. Where there are too many in all, one that nothing is answered on makes
    room, the one that has been silent longest first: nobody keeps others out by holding connections.
    """

    most_of_one: ClassVar[int] = MAX_OF_ONE
    most_of_all: ClassVar[int] = MAX_OF_ALL
    backlog: ClassVar[int] = BACKLOG

    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _awaited: Any = None
    _received = 0
    silent_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or refuse it with 503."""
        super().connection_made(transport)
        others = [cast("LimitedProtocol", each) for each in self.connections if each is not self]
        if sum(each.address == self.address for each in others) >= self.most_of_one:
            self._refuse(503, "There are too many connections from your computer; close some pages.")
        elif len(others) >= most_connections(self.most_of_all) and not _make_room(others):
            self._refuse(503, "There are too many connections; try again in a minute.")
        else:
            self._watch(self.conn.their_state)

    def data_received(self, data: bytes) -> None:
        """Count what comes."""
        self._received += len(data)
        super().data_received(data)

    def handle_events(self) -> None:
        """Go on with what has come."""
        try:
            super().handle_events()
        except h11.LocalProtocolError:  # No request, behind one that is answered already.
            self.transport.abort()
        else:
            self._watch(self.conn.their_state)

    def on_response_complete(self) -> None:
        """Wait until the answer is read, and for the next request."""
        self._watch(h11.MUST_CLOSE)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait until what was answered is read."""
        super().pause_writing()
        self._unread = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on with the answer."""
        self._stop_waiting_for_reader()
        super().resume_writing()

    def _stop_waiting_for_reader(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadlines."""
        self._stop_watching()
        self._stop_waiting_for_reader()
        super().connection_lost(exc)

    @property
    def address(self) -> str:
        """The address of the other computer."""
        return self.client[0] if self.client else ""

    @property
    def is_silent(self) -> bool:
        """Whether nothing is being answered: the request, or the next one, has yet to come or to end."""
        answered = self.cycle is None or self.cycle.response_complete
        return (answered or self.conn.their_state is h11.SEND_BODY) and not self.transport.is_closing()

    def _watch(self, state: Any) -> None:
        """Set the deadline of what is awaited: the rest of the head or of the body, or that an answer is read."""
        if state is self._awaited:
            return
        self._stop_watching()
        self._awaited, self._received, self.silent_since = state, 0, self.loop.time()
        seconds = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS, h11.MUST_CLOSE: READING_SECONDS}.get(state)
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, self._end)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self) -> None:
        """End the connection at its deadline, in words where they can be heard; a body that comes has another one."""
        if self._awaited is h11.SEND_BODY and self._received >= BODY_BYTES:
            self._awaited = None
            self._watch(h11.SEND_BODY)
            return
        if self._awaited is not h11.MUST_CLOSE and (self.cycle is None or not self.cycle.response_started):
            self._refuse(408, "The request did not come to its end.")
        else:
            self.transport.abort()

    def _refuse(self, status: int, words: str) -> None:
        """Answer without the application, and close the connection."""
        body = words.encode()
        head = f"HTTP/1.1 {status} \r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()


def for_tables(connections: int, of_one: int) -> type[LimitedProtocol]:
    """Return the connections of a service: so many at most, and so many of one address."""
    limits = {"most_of_all": connections, "most_of_one": of_one, "backlog": TABLES}
    return type("ServiceProtocol", (LimitedProtocol,), limits)


def _make_room(connections: list[LimitedProtocol]) -> bool:
    """End the connection that has been silent longest; return whether there was one."""
    silent = [each for each in connections if each.is_silent]
    if silent:
        min(silent, key=lambda each: each.silent_since).transport.abort()
    return bool(silent)
