"""The dashboard answers only requests with its own host names."""

import asyncio
from typing import Any

import pytest

from tabletape.dashboard.hosts import AllowedHosts, Message


def reaches_application(kind: str, method: str = "GET", *, hosts: tuple[str, ...] = (), **headers: str) -> bool:
    """Return whether a request reaches the application; assert that others are refused with 403 or 1008."""
    reached: list[str] = []
    sent: list[Message] = []

    async def application(scope: Message, _receive: Any, _send: Any) -> None:
        reached.append(scope["type"])

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": kind, "method": method, "headers": [(k.encode(), v.encode()) for k, v in headers.items()]}
    asyncio.run(AllowedHosts(application, hosts)(scope, receive, send))
    if not reached:
        refusals = {"http.response.start": 403, "websocket.close": 1008}
        assert sent[0].get("status", sent[0].get("code")) == refusals[sent[0]["type"]]
    return bool(reached)


async def receive() -> Message:
    """Return the message of a client that has disconnected."""
    return {"type": "http.disconnect"}


@pytest.mark.parametrize("host", ["localhost:8501", "LOCALHOST", "127.0.0.1:8501", "[::1]:8501", "localhost."])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_this_computer_is_answered(kind: str, host: str) -> None:
    """Every local name of this computer is accepted, with any port."""
    assert reaches_application(kind, host=host)


@pytest.mark.parametrize(
    "host",
    ["evil.example:8501", "localhost.evil.example", "evil.localhost", "", "127.0.0.1.nip.io", "a@localhost", "["],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_another_name_is_refused(kind: str, host: str) -> None:
    """A name that only resolves to this computer is refused, even if it looks like one of ours."""
    assert not reaches_application(kind, host=host)


def test_a_request_without_a_name_is_refused() -> None:
    """A request without a `Host`, which no browser sends, is refused."""
    assert not reaches_application("http")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:3000", "null", "http://evil.example:8501", "http://["]
)
@pytest.mark.parametrize(("kind", "method"), [("websocket", ""), ("http", "PUT"), ("http", "POST"), ("http", "DELETE")])
def test_another_origin_opens_no_socket_and_uploads_nothing(kind: str, method: str, origin: str) -> None:
    """Requests that change something, and sockets, are accepted from the dashboard's own pages only."""
    assert not reaches_application(kind, method, host="localhost:8501", origin=origin)
    assert reaches_application(kind, method, host="localhost:8501", origin="http://localhost:8501")
    assert reaches_application(kind, method, host="localhost:8501")


def test_an_allowed_host_is_answered() -> None:
    """The name of a proxy can be allowed; the proxy may pass on its own name or `localhost`."""
    mine = ("Playtests.Example",)
    assert reaches_application("http", hosts=mine, host="playtests.example")
    assert reaches_application("websocket", hosts=mine, host="playtests.example", origin="https://playtests.example")
    assert reaches_application("websocket", hosts=mine, host="localhost:8501", origin="https://playtests.example")
    assert not reaches_application("http", hosts=mine, host="evil.example")
