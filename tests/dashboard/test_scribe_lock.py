"""The scribe on the local network is tested like a lock: nothing opens without the code, and it cannot be guessed."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from dashboard.hosts import Application, Message
from dashboard.scribe.desk import Desk
from dashboard.scribe.lock import BITS, MAX_KNOWN, MAX_TRIES, MINUTE, Locked, new_code
from dashboard.scribe.server import on_the_network
from events.log import Log
from projector.games import game
from projector.selfplay.simulate import Plan, simulate

HOST = "192.168.1.5:8511"
CODE = new_code()
OTHERS = "bot-crystal-1-1"


class Answer:
    """What an application said to a request."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    def json(self) -> Any:
        """Return what was said as JSON."""
        return json.loads(self.body)


def asked(app: Application, path: str, body: Any = None, *, client: str = "192.168.1.7", **said: str) -> Answer:
    """Ask an application as a client of the network would; with a body it is told something."""
    content = b"" if body is None else json.dumps(body).encode()
    headers = {"host": HOST, "content-length": str(len(content)), **said}
    parts = urlsplit(path)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": "GET" if body is None else "POST",
        "path": parts.path,
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

    asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0].get("headers", [])}
    return Answer(sent[0]["status"], found, b"".join(each.get("body", b"") for each in sent))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Return a log that holds a game of other people."""
    one = game("crystal")
    with Log.open(tmp_path / "t.db", create=True) as opened:
        (match,) = simulate(one, one.cards, Plan(seed=1), 1)
        opened.append(match.game_id, match.events, expected_last_seq=0)
        yield opened


@pytest.fixture
def app(log: Log) -> Application:
    """Return the scribe as the network sees it."""
    return on_the_network(Desk(log, []), CODE, ["192.168.1.5"])


PATHS = [
    "/",
    "/parts/scribe.js",
    "/api/begin",
    "/api/games",
    f"/api/games/{OTHERS}/screen",
    f"/api/games/{OTHERS}/changes",
]


def test_a_code_has_128_bits_and_is_another_one_each_time() -> None:
    """Codes are as long as they say, and no two are alike."""
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert all(len(code) * 6 >= BITS for code in codes)
    with pytest.raises(ValueError, match="128 bits"):
        Locked(lambda *_: asyncio.sleep(0), "12345678")


@pytest.mark.parametrize("path", PATHS)
def test_without_the_code_nothing_is_answered(app: Application, path: str) -> None:
    """Every page, part, question and upload is refused alike without the code, and says nothing of what is there."""
    for prefix in ("", "/wrong", f"/{CODE[:-1]}", f"/{CODE}x", f"/{CODE.swapcase()}"):
        for body in (None, {}):
            refused = asked(app, prefix + path, body, client=f"{prefix}{body}")
            assert (refused.status, refused.body) == (404, b"There is nothing at this address.")


def test_the_code_is_taken_nowhere_but_in_the_path(app: Application) -> None:
    """Neither a query, a header nor a cookie opens it."""
    assert asked(app, f"/api/games?code={CODE}").status == 404
    assert asked(app, "/api/games", cookie=f"code={CODE}", authorization=f"Bearer {CODE}").status == 404


def test_with_the_code_the_page_opens_and_its_parts_are_named_from_there(app: Application) -> None:
    """The page, its scripts and its questions answer behind the code, which stands in none of them."""
    led = asked(app, f"/{CODE}?new=crystal")
    assert (led.status, led.headers["location"]) == (307, f"/{CODE}/?new=crystal")
    page = asked(app, f"/{CODE}/")
    assert page.status == 200
    assert CODE.encode() not in page.body
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "no-referrer"
    for part in ("scribe.js", "scribe.css", "drawing.js", "board.css"):
        assert asked(app, f"/{CODE}/parts/{part}").status == 200
    assert asked(app, f"/{CODE}/parts/..%2Flock.py").status == 404
    assert asked(app, f"/{CODE}/parts/routes.py").status == 404


def test_who_guesses_is_told_to_wait_and_the_right_code_opens_all_the_same() -> None:
    """After five wrong codes within a minute a computer is told to wait, for a minute; the right code always opens."""
    now = [0.0]
    inside: list[str] = []

    async def behind(scope: Message, _receive: Any, send: Any) -> None:
        inside.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    app = Locked(behind, CODE, lambda: now[0])
    for _ in range(MAX_TRIES):
        assert asked(app, "/guess/").status == 404
        now[0] += 1
    assert asked(app, "/guess/").status == 429
    assert asked(app, "/guess/", client="192.168.1.8").status == 404
    assert asked(app, f"/{CODE}/").status == 200
    assert asked(app, "/guess/").status == 429, "the right code does not wipe out wrong ones"
    now[0] = MINUTE + 0.5
    assert asked(app, "/guess/").status == 404
    assert inside == ["/"]


def test_many_guessers_do_not_fill_the_memory() -> None:
    """No more computers are remembered than the lock says."""
    app = Locked(lambda *_: asyncio.sleep(0), CODE)
    for number in range(MAX_KNOWN + 5):
        app._note(str(number))
    assert len(app._wrong) == MAX_KNOWN


def test_sockets_are_refused(app: Application) -> None:
    """The scribe needs no socket, so none opens, with the code or without."""
    for path in ("/_stcore/stream", f"/{CODE}/_stcore/stream"):
        sent: list[Message] = []

        async def send(message: Message, sent: list[Message] = sent) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        scope = {"type": "websocket", "path": path, "headers": [(b"host", HOST.encode())], "client": ("192.168.1.7", 1)}
        asyncio.run(app(scope, receive, send))
        assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.5.evil.example", ""])
def test_another_name_is_refused_also_with_the_code(app: Application, host: str) -> None:
    """A web site whose name leads here is refused, though it had the code."""
    assert asked(app, f"/{CODE}/api/games", host=host).status == 403


def test_another_page_cannot_write_with_the_code(app: Application) -> None:
    """What a page of another origin sends is refused; the scribe's own page may write."""
    body = {"game": "crystal", "players": [{"name": "Ann"}, {"name": "Ben"}]}
    assert asked(app, f"/{CODE}/api/begin", body, origin="http://evil.example").status == 403
    assert asked(app, f"/{CODE}/api/begin", body, origin="null").status == 403
    assert asked(app, f"/{CODE}/api/begin", body, origin=f"http://{HOST}").status == 400


def test_nothing_but_the_games_begun_there_is_reachable(app: Application, log: Log) -> None:
    """Other games' logs, imports, questions in SQL and the dashboard's pages do not exist behind the code."""
    mine = f"/{CODE}/api/games"
    assert asked(app, mine).json() == []
    for what in ("screen", "forms", "changes", "rulings?seq=1&rule=x"):
        assert asked(app, f"{mine}/{OTHERS}/{what}").status == 404
    for what in ("lines", "undo", "rulings"):
        assert asked(app, f"{mine}/{OTHERS}/{what}", {"expected": 5, "seq": 1, "rule": "x"}).status in {400, 404}
    for page in ("import", "replay", "overview", "_stcore/health", "_stcore/upload_file/1/2", "sql", "static/x.js"):
        assert asked(app, f"/{CODE}/{page}").status == 404
    assert OTHERS.encode() not in asked(app, f"/{CODE}/api/begin").body
    games = asked(app, f"/{CODE}/api/begin").json()["games"]
    known = [deck for deck, _ in next(each["decks"] for each in games if each["slug"] == "crystal")]
    players = [{"name": name, "deck": deck} for name, deck in zip(("Ann", "Ben"), known, strict=False)]
    begun = asked(app, f"/{CODE}/api/begin", {"game": "crystal", "players": players})
    assert begun.status == 200, begun.body
    assert [each["game_id"] for each in asked(app, mine).json()] == [begun.json()["game_id"]]
    assert asked(app, f"{mine}/{begun.json()['game_id']}/screen").status == 200
    assert len(log.games()) == 2


def test_a_body_that_is_too_long_is_refused_whatever_it_says_about_its_length(log: Log) -> None:
    """Nobody fills the memory of the computer that keeps the games: 413, and nothing is written."""
    app = on_the_network(Desk(log, []), CODE, ["192.168.1.5"])
    before = len(log.games())
    answer = asked(app, f"/{CODE}/api/begin", {"game": "x" * 300_000}, **{"content-length": "2"})
    assert answer.status == 413
    assert len(log.games()) == before
