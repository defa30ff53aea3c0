"""The dashboard answers under its own names only, whatever is asked for."""

import asyncio
from typing import Any

import pytest

from dashboard.hosts import AllowedHosts, Message


def answered(kind: str, method: str = "GET", *, hosts: tuple[str, ...] = (), **headers: str) -> bool:
    """Return whether a request gets to the application behind; a refused one has to be told 403."""
    seen: list[str] = []
    sent: list[Message] = []

    async def behind(scope: Message, _receive: Any, _send: Any) -> None:
        seen.append(scope["type"])

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": kind, "method": method, "headers": [(k.encode(), v.encode()) for k, v in headers.items()]}
    asyncio.run(AllowedHosts(behind, hosts)(scope, receive, send))
    if not seen:
        refusals = {"http.response.start": 403, "websocket.close": 1008}
        assert sent[0].get("status", sent[0].get("code")) == refusals[sent[0]["type"]]
    return bool(seen)


async def receive() -> Message:
    """Stand for a client that has nothing more to say."""
    return {"type": "http.disconnect"}


@pytest.mark.parametrize("host", ["localhost:8501", "LOCALHOST", "127.0.0.1:8501", "[::1]:8501", "localhost."])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_this_computer_may_ask(kind: str, host: str) -> None:
    """Every name of this computer to itself is answered, with any port."""
    assert answered(kind, host=host)


@pytest.mark.parametrize(
    "host",
    ["evil.example:8501", "localhost.evil.example", "evil.localhost", "", "127.0.0.1.nip.io", "a@localhost", "["],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_another_name_is_refused(kind: str, host: str) -> None:
    """A name that only leads here is refused, also where it looks like one of ours."""
    assert not answered(kind, host=host)


def test_a_request_without_a_name_is_refused() -> None:
    """No `Host` at all, as no browser asks, is refused."""
    assert not answered("http")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:3000", "null", "http://evil.example:8501", "http://["]
)
@pytest.mark.parametrize(("kind", "method"), [("websocket", ""), ("http", "PUT"), ("http", "POST"), ("http", "DELETE")])
def test_a_page_of_somebody_else_opens_no_socket_and_uploads_nothing(kind: str, method: str, origin: str) -> None:
    """What changes something, or answers in a socket, is asked by the dashboard's own pages only."""
    assert not answered(kind, method, host="localhost:8501", origin=origin)
    assert answered(kind, method, host="localhost:8501", origin="http://localhost:8501")
    assert answered(kind, method, host="localhost:8501")


def test_a_named_host_may_ask() -> None:
    """Who puts a proxy in front names it; the proxy may keep the name or not."""
    mine = ("Playtests.Example",)
    assert answered("http", hosts=mine, host="playtests.example")
    assert answered("websocket", hosts=mine, host="playtests.example", origin="https://playtests.example")
    assert answered("websocket", hosts=mine, host="localhost:8501", origin="https://playtests.example")
    assert not answered("http", hosts=mine, host="evil.example")
