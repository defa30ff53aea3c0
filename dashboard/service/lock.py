"""A lock for the local network: without the code in the address nothing is answered, and it cannot be guessed.

The code is the first part of every path, 128 random bits: at a million guesses a second it takes more than 10^24 years.
So the right one always opens, also for a device that has asked with wrong ones before, such as a phone on which the
page of yesterday's evening is still open; whoever tries more than five wrong ones within a minute has to wait.
"""

import hmac
import secrets
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

from tabletape.dashboard.hosts import Application, Message, Receive, Send

BITS: Final = 128
MAX_TRIES: Final = 5
MINUTE: Final = 60.0
LOCKED_KEY: Final = "tabletape.locked"
"""What says in the scope of a request that it came through the lock."""

MAX_KNOWN: Final = 10_000
"""How many other computers are remembered at most; the ones that tried longest ago are forgotten first."""


def new_code() -> str:
    """Return a code of 128 random bits, as it stands in an address."""
    return secrets.token_urlsafe(BITS // 8)


class WrongTries:
    """Who has tried with what is wrong, and how often within the last minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Count by a clock that gives seconds."""
        self._clock = clock
        self._wrong: dict[str, deque[float]] = {}

    def must_wait(self, client: str) -> bool:
        """Return whether somebody has guessed too often."""
        tries = self._wrong.get(client)
        while tries and self._clock() - tries[0] >= MINUTE:
            tries.popleft()
        return bool(tries) and len(tries or ()) >= MAX_TRIES

    def note(self, client: str) -> None:
        """Count a wrong try."""
        tries = self._wrong.pop(client, deque())
        self._wrong[client] = tries
        tries.append(self._clock())
        if len(self._wrong) > MAX_KNOWN:
            del self._wrong[next(iter(self._wrong))]


class Locked:
    """An ASGI application in front of another one, which sees only what was asked with the code, and not the code."""

    def __init__(
        self,
        app: Application,
        code: str,
        clock: Callable[[], float] = monotonic,
        *,
        is_form: Callable[[str], bool] = lambda _code: False,
    ) -> None:
        """Lock `app` with a code; `clock` gives seconds. A code that `is_form` opens `/form/CODE/` and nothing else."""
        if len(code) * 6 < BITS:
            raise ValueError(f"a code needs {BITS} bits")
        self._app = app
        self._code = code.encode()
        self._tries = WrongTries(clock)
        self._is_form = is_form

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on what names the code; answer 404 to everything else, and 429 to who guesses."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        given, slash, rest = str(scope["path"]).removeprefix("/").partition("/")
        own = hmac.compare_digest(given.encode(), self._code)
        if not own and not self._is_form(given):
            await self._turn_away(scope, send)
        elif scope["type"] == "websocket":
            await _refuse(scope, send, 404, b"")
        elif not slash:
            await _lead_on(scope, send)
        else:
            path = f"/{rest}" if own else f"/form/{given}/{rest}"
            await self._app({**scope, "path": path, "raw_path": path.encode(), LOCKED_KEY: True}, receive, send)

    async def _turn_away(self, scope: Message, send: Send) -> None:
        client = (scope.get("client") or ("", 0))[0]
        if self._tries.must_wait(client):
            await _refuse(scope, send, 429, b"Too many wrong addresses; wait a minute.")
        else:
            self._tries.note(client)
            await _refuse(scope, send, 404, b"There is nothing at this address.")


async def _refuse(scope: Message, send: Send, status: int, words: bytes) -> None:
    if scope["type"] == "websocket":
        # Before a socket is accepted this is the answer 403.
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})


async def _lead_on(scope: Message, send: Send) -> None:
    """Lead an address that ends with the code to the page, whose parts are named from there."""
    query = scope.get("query_string", b"")
    place = str(scope["path"]).encode("latin-1") + b"/" + (b"?" + query if query else b"")
    await send({"type": "http.response.start", "status": 307, "headers": [(b"location", place)]})
    await send({"type": "http.response.body", "body": b""})
