"""The scribe on the local network: nothing is answered without the code, and the code cannot be guessed."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tabletape.dashboard.hosts import Application, Message
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.lock import BITS, MAX_KNOWN, MAX_TRIES, MINUTE, Locked, new_code
from tabletape.dashboard.service.operations import OPERATIONS
from tabletape.dashboard.service.server import on_the_network
from tabletape.events.log import Log
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate

HOST = "192.168.1.5:8511"
CODE = new_code()
OTHERS = "bot-crystal-1-1"


class Answer:
    """The response of an application."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    def json(self) -> Any:
        """Return the body, decoded from JSON."""
        return json.loads(self.body)


async def answered(app: Application, scope: Any, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
    """Have a request answered by an application."""
    await app(scope, receive, send)


def request(
    app: Application, path: str, body: Any = None, *, client: str = "192.168.1.7", **more_headers: str
) -> Answer:
    """Send a request to an application as a client on the network would: a GET, or a POST of bytes or JSON."""
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"host": HOST, "content-length": str(len(content)), **more_headers}
    parts = urlsplit(path)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": "GET" if body is None else "POST",
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "root_path": "",
        "query_string": parts.query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": (client, 4000),
        "server": ("192.168.1.5", 8511),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(answered(app, scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0].get("headers", [])}
    return Answer(sent[0]["status"], found, b"".join(each.get("body", b"") for each in sent))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Yield a log that holds a game of other people."""
    one = game("crystal")
    with Log.open(tmp_path / "t.db", create=True) as opened:
        (match,) = simulate(one, one.cards, Plan(seed=1), 1)
        opened.append(match.game_id, match.events, expected_last_seq=0)
        yield opened


@pytest.fixture
def app(log: Log) -> Application:
    """Return the scribe as it is served on the network."""
    return on_the_network(Desk(log, []), CODE, "192.168.1.5")


PATHS = [
    "/",
    "/parts/scribe.js",
    "/v1/beginnings",
    "/v1/games",
    f"/v1/games/{OTHERS}/screen",
    f"/v1/games/{OTHERS}/changes",
]


def test_a_code_has_128_bits_and_is_different_each_time() -> None:
    """Codes are long enough, no two are equal, and a shorter one is refused."""
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert all(len(code) * 6 >= BITS for code in codes)
    with pytest.raises(ValueError, match="128 bits"):
        Locked(lambda *_: asyncio.sleep(0), "12345678")


@pytest.mark.parametrize("path", PATHS)
def test_without_the_code_nothing_is_answered(app: Application, path: str) -> None:
    """Without the code every request gets the same refusal, which reveals nothing."""
    for prefix in ("", "/wrong", f"/{CODE[:-1]}", f"/{CODE}x", f"/{CODE.swapcase()}"):
        body: dict[str, Any] | None
        for body in (None, {}):
            refused = request(app, prefix + path, body, client=f"{prefix}{body}")
            assert (refused.status, refused.body) == (404, b"There is nothing at this address.")


def test_the_code_is_accepted_only_in_the_path(app: Application) -> None:
    """In a query, a header or a cookie it has no effect."""
    assert request(app, f"/v1/games?code={CODE}").status == 404
    assert request(app, "/v1/games", cookie=f"code={CODE}", authorization=f"Bearer {CODE}").status == 404


def test_with_the_code_the_page_and_its_parts_are_served(app: Application) -> None:
    """The page and its scripts are below the code in the path, and do not contain it."""
    led = request(app, f"/{CODE}?new=crystal")
    assert (led.status, led.headers["location"]) == (307, f"/{CODE}/?new=crystal")
    page = request(app, f"/{CODE}/")
    assert page.status == 200
    assert CODE.encode() not in page.body
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "no-referrer"
    for part in ("scribe.js", "scribe.css", "drawing.js", "board.css"):
        assert request(app, f"/{CODE}/parts/{part}").status == 200
    assert request(app, f"/{CODE}/parts/..%2Flock.py").status == 404
    assert request(app, f"/{CODE}/parts/routes.py").status == 404


def test_after_wrong_codes_a_client_has_to_wait_and_the_right_code_still_works() -> None:
    """After five wrong codes within a minute a client gets 429 for a minute; the right code always works."""
    now = [0.0]
    reached: list[str] = []

    async def application(scope: Message, _receive: Any, send: Any) -> None:
        reached.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    app = Locked(application, CODE, lambda: now[0])
    for _ in range(MAX_TRIES):
        assert request(app, "/guess/").status == 404
        now[0] += 1
    assert request(app, "/guess/").status == 429
    assert request(app, "/guess/", client="192.168.1.8").status == 404
    assert request(app, f"/{CODE}/").status == 200
    assert request(app, "/guess/").status == 429, "the right code does not wipe out wrong ones"
    now[0] = MINUTE + 0.5
    assert request(app, "/guess/").status == 404
    assert reached == ["/"]


def test_many_guessers_do_not_fill_the_memory() -> None:
    """The number of clients that the lock remembers is limited."""
    app = Locked(lambda *_: asyncio.sleep(0), CODE)
    for number in range(MAX_KNOWN + 5):
        app._tries.note(str(number))
    assert len(app._tries._wrong) == MAX_KNOWN


def test_sockets_are_refused(app: Application) -> None:
    """The scribe needs no socket, so none is accepted, with the code or without."""
    for path in ("/_stcore/stream", f"/{CODE}/_stcore/stream"):
        sent: list[Message] = []

        async def send(message: Message, sent: list[Message] = sent) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        scope = {"type": "websocket", "path": path, "headers": [(b"host", HOST.encode())], "client": ("192.168.1.7", 1)}
        asyncio.run(answered(app, scope, receive, send))
        assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.5.evil.example", ""])
def test_another_host_name_is_refused_even_with_the_code(app: Application, host: str) -> None:
    """A web site whose name resolves to this computer is refused, even if it has the code."""
    assert request(app, f"/{CODE}/v1/games", host=host).status == 403


def test_another_page_cannot_write_with_the_code(app: Application) -> None:
    """A POST from another origin is refused; the scribe's own page may write."""
    body = {"game": "crystal", "players": [{"name": "Ann"}, {"name": "Ben"}]}
    assert request(app, f"/{CODE}/v1/games", body, origin="http://evil.example").status == 403
    assert request(app, f"/{CODE}/v1/games", body, origin="null").status == 403
    assert request(app, f"/{CODE}/v1/games", body, origin="http://192.168.1.5:3000").status == 403
    assert request(app, f"/{CODE}/v1/games", body, origin=f"http://{HOST}").status == 422


def test_only_the_games_begun_there_are_reachable(app: Application, log: Log) -> None:
    """Logs of other games, imports, SQL and the dashboard's pages are not served to the network."""
    mine = f"/{CODE}/v1/games"
    assert request(app, mine).json() == []
    for one in OPERATIONS:
        if "/{id}" in one.path and one.asks_token:
            path, body = one.path.replace("{id}", OTHERS), {"seq": 1, "rule": "x", "place": "", "type": "note.added"}
            answer = request(app, f"/{CODE}{path}", body if one.method == "POST" else None)
            assert (one.name, answer.status) == (one.name, 404)
    for whole in ("metrics", "v1/questions", "v1/questions/first-player"):
        assert request(app, f"/{CODE}/{whole}").status == 403
    assert request(app, f"/{CODE}/v1/imports?name=x.jsonl", b"{}").status == 403
    for page in ("import", "replay", "overview", "_stcore/health", "_stcore/upload_file/1/2", "sql", "static/x.js"):
        assert request(app, f"/{CODE}/{page}").status == 404
    assert OTHERS.encode() not in request(app, f"/{CODE}/v1/beginnings").body
    games = request(app, f"/{CODE}/v1/beginnings").json()["games"]
    known = [deck for deck, _ in next(each["decks"] for each in games if each["slug"] == "crystal")]
    players = [{"name": name, "deck": deck} for name, deck in zip(("Ann", "Ben"), known, strict=False)]
    begun = request(app, f"/{CODE}/v1/games", {"game": "crystal", "players": players})
    assert begun.status == 201, begun.body
    assert [each["game_id"] for each in request(app, mine).json()] == [begun.json()["game_id"]]
    assert request(app, f"{mine}/{begun.json()['game_id']}/screen").status == 200
    assert len(log.games()) == 2


def test_a_body_that_is_too_long_is_refused_whatever_its_content_length(log: Log) -> None:
    """The response is 413, and nothing is written, so that no client can fill the memory."""
    app = on_the_network(Desk(log, []), CODE, "192.168.1.5")
    before = len(log.games())
    answer = request(app, f"/{CODE}/v1/games", {"game": "x" * 1_100_000}, **{"content-length": "2"})
    assert answer.status == 413
    assert len(log.games()) == before
