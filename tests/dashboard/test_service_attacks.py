"""The service among strangers: hostile requests are refused in words, and nobody keeps others out."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast
from urllib.parse import urlsplit

import h11
import pytest

import tabletape
from tabletape.dashboard.service import connections
from tabletape.dashboard.service.connections import LimitedProtocol
from tabletape.dashboard.service.operations import OPERATIONS
from tabletape.dashboard.service.stream import Feeds
from tabletape.events.log import Log
from tests.dashboard.service_client import ServiceClient
from tests.dashboard.test_scribe_lock import request
from tests.dashboard.test_service_clients import PLAYERS, served
from tests.waiting import PATIENCE

NAMES: Final = ("g", "..", "%00", "%2e%2e%2f", "a" * 3_000, "%ff%fe", "%F0%9F%82%A1", "'; DROP TABLE event; --", "*")
NUMBERS: Final = ("-1", "1e9", "9" * 40, "%D9%A3", "0x10", "", "1;2", "nan", "\u00b2".encode().hex())
BODIES: Final[tuple[Any, ...]] = (
    b"", b"{", b"\x00" * 9, b"\xff", b"[[[[" * 9_000, b'{"a":' * 9_000, b"1e999", b'"' + b"x" * 99_999 + b'"', b"null",
    {}, [], [[]], [None], {"type": None}, {"type": "note.added", "text": 1}, {"type": "note.added", "text": "\x00"},
    {"type": "note.added", "text": "x", "on": 10**30}, {"type": "game.started"}, {"type": ["note.added"]},
    {"game": "splicers", "players": [{"name": "A" * 10_000}]}, {"game": "../../etc", "players": [{"name": "A"}]},
    {"game": "tabletop", "players": [{"name": "A"}] * 99}, {"game": "tabletop", "players": [{"name": "\ud800"}]},
)  # fmt: skip
HEADERS: Final = (
    {"if_match": "9" * 99}, {"if_match": "\u00e9"}, {"idempotency_key": "k" * 9_999}, {"idempotency_key": "\x01"},
    {"last_event_id": "-1"}, {"content_type": "application/x-ndjson"}, {"content_type": "\u00fc"}, {"accept": "*" * 99},
)  # fmt: skip


@pytest.fixture
def client(tmp_path: Path) -> Iterator[ServiceClient]:
    """Yield a client of a service; its designer has a token and a game."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        found = ServiceClient(log)
        found.add("root", "designer")
        found.game = found.ask("root", "/v1/games", {"game": "tabletop", "players": PLAYERS}).json()["game_id"]
        yield found


@pytest.mark.parametrize("one", [each for each in OPERATIONS if each.name != "stream"], ids=lambda each: each.name)
def test_a_hostile_request_is_refused_in_words(client: ServiceClient, one: Any) -> None:
    """Whatever stands in the path, the query, the headers and the body: no answer is 500, each refusal has words."""
    before, game = client.log.head(), client.game
    good = one.path.replace("{id}", game).replace("{name}", "overview")
    paths = [one.path.replace("{id}", each).replace("{name}", each) for each in NAMES]
    paths += [
        f"{good}?{name}={each}" for name in ("after", "at", "viewer", "delay", "game", "name") for each in NUMBERS
    ]
    reads = one.method == "GET"
    asked: list[tuple[str, Any, dict[str, str]]] = [(path, None if reads else b"{", {}) for path in paths]
    asked += [(good, None if reads else b"{", each) for each in HEADERS]
    asked += [(good, body, each) for body in (() if reads else BODIES) for each in ({}, HEADERS[5])]
    for path, body, headers in asked:
        answer = client.ask("root", path, body, **headers)
        assert answer.status < 500, (path[:99], str(body)[:99], headers, answer.body)
        if answer.status >= 400 and "json" in answer.headers.get("content-type", ""):
            assert answer.json()["error"], (path, body)
    if one.name == "write":
        assert client.log.game(game).events == 3  # A note of one letter, NUL, is a line; it came twice.
    elif reads:
        assert client.log.head() == before


@pytest.mark.parametrize("how", ["query", "cookie", "basic", "hash", "cut", "case", "none"])
def test_a_token_counts_as_itself_and_in_its_place_alone(client: ServiceClient, how: str) -> None:
    """Neither in the address nor in a cookie, nor the hash that is kept, nor a part of it opens anything."""
    secret = client.secrets["root"]
    kept = json.loads(client.tokens.file.read_text())[0]["sha256"]
    headers = {
        "cookie": f"token={secret}",
        "basic": f"Basic {secret}",
        "hash": f"Bearer {kept}",
        "cut": f"Bearer {secret[:-1]}",
        "case": f"Bearer {secret.swapcase()}",
    }
    path = f"/v1/games?token={secret}&access_token={secret}" if how == "query" else "/v1/games"
    given = {"cookie" if how == "cookie" else "authorization": headers[how]} if how in headers else {}
    answer = request(client.app, path, **given)
    assert (answer.status, client.game.encode() in answer.body) == (401, False)


def test_a_stream_ends_when_its_token_is_taken_back(client: ServiceClient) -> None:
    """What comes later is not sent any more, nor what is held back at that moment."""
    feeds, may = Feeds(client.desk), [True]

    async def heard(delay: float) -> int:
        stream = feeds.stream(client.game, "*", 0, lambda: may[0], delay)
        await anext(stream)
        if delay:
            asyncio.get_running_loop().call_later(delay / 2, may.__setitem__, 0, False)
        else:
            await anext(stream)
            may[0] = False
            await asyncio.to_thread(client.note, "root", client.game, "secret")
            feeds.notify(client.game)
        return len([each async for each in stream])

    assert asyncio.run(heard(0)) == 0
    feeds, may = Feeds(client.desk), [True]
    assert asyncio.run(heard(0.1)) == 0


def test_half_requests_keep_nobody_out_and_write_nothing(tmp_path: Path) -> None:
    """While forty requests stop in their head or body, others are answered; nothing of a half body is written."""
    with Log.open(tmp_path / "t.db", create=True) as log, served(log) as (address, token, _):
        tape = tabletape.connect(address, token=token)
        game = tape.begin("tabletop", PLAYERS)
        head = f"POST /v1/games/{game}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        line = b'{"type": "note.added", "text": "half"}'
        halves = [head.encode()[:40], f"{head}Content-Length: {len(line)}\r\n\r\n".encode() + line[:-1]]
        place = urlsplit(address)
        opened = []
        for number in range(18):
            opened.append(socket.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE))
            opened[-1].sendall(halves[number % 2])
        assert tape.send(game, {"type": "note.added", "text": "whole"}, expected=1)["seq"] == 2
        for each in opened:
            each.close()
        assert tape.send(game, {"type": "note.added", "text": "later"}, expected=2)["seq"] == 3
    with Log.open(tmp_path / "t.db") as log:
        assert log.game(game).events == 3


def test_a_body_that_comes_byte_by_byte_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it goes on, who sends it is told so at the deadline; nothing is begun, and others are answered."""
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.2)
    with Log.open(tmp_path / "t.db", create=True) as log, served(log) as (address, token, _):
        head = f"POST /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Length: 999999\r\n\r\n"
        place = ("localhost", int(address.rpartition(":")[2]))
        with socket.create_connection(place) as slow, suppress(OSError):
            slow.sendall(head.encode())
            slow.settimeout(0.01)
            answer = b""
            while not answer:
                with suppress(OSError):  # It may be closed already, with the answer still to be read.
                    slow.send(b" ")
                with suppress(TimeoutError):
                    answer = slow.recv(1000)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert tabletape.connect(address, token).games() == []


def test_a_long_body_has_another_deadline_for_as_long_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a clock: at each deadline so much has to have come since the last one."""
    deadlines: list[float] = []
    refused: list[int] = []
    protocol = object.__new__(LimitedProtocol)
    protocol.loop = cast("Any", SimpleNamespace(time=float, call_later=lambda after, _: deadlines.append(after)))
    protocol.cycle = None  # type: ignore[assignment]
    monkeypatch.setattr(protocol, "_refuse", lambda status, _: refused.append(status))
    protocol._watch(h11.SEND_BODY)
    protocol._received = connections.BODY_BYTES
    protocol._end()
    assert (deadlines, refused) == ([connections.BODY_SECONDS] * 2, [])
    protocol._received += connections.BODY_BYTES - 1
    protocol._end()
    assert refused == [408]
