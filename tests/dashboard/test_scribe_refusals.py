"""What the scribe cannot do it refuses in words, with 4xx and without a traceback, and goes on."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.dashboard.service.access import PairedDevices
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.desk import Desk
from tabletape.events.log import Log
from tabletape.events.log.hashes import opening_hash
from tabletape.events.log.integrity import verify
from tabletape.events.log.rows import Chain
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.scribing import beginning
from tabletape.projector.scribing.beginning import Beginning, NewSeat, begin
from tabletape.projector.scribing.scribe import Scribe
from tests.dashboard.test_scribe_lock import Answer, request

NESTED = 30_000


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Yield an empty log."""
    with Log.open(tmp_path / "t.db", create=True) as opened:
        yield opened


class Client:
    """A client of a scribe; an exception that the scribe does not answer fails the test."""

    def __init__(self, log: Log) -> None:
        self._app = application(Desk(log), PairedDevices())

    def get(self, path: str) -> Answer:
        """Send a GET."""
        return request(self._app, path)

    def post(self, path: str, body: Any, behind: int | None = None) -> Answer:
        """Send a body, as JSON or as the bytes that it is, behind a line."""
        return request(self._app, path, body, **({} if behind is None else {"if-match": f'"{behind}"'}))


@pytest.fixture
def client(log: Log) -> Client:
    """Return a client of the scribe."""
    return Client(log)


def begun(client: Client, slug: str = "crystal") -> str:
    """Begin a game of Ann and Ben; return the path of its interface."""
    about = next(each for each in client.get("/v1/beginnings").json()["games"] if each["slug"] == slug)
    decks = [deck for deck, _ in about["decks"]][:2] or ["", ""]
    players = [{"name": name, "deck": deck} for name, deck in zip(("Ann", "Ben"), decks, strict=True)]
    answer = client.post("/v1/games", {"game": slug, "players": players})
    assert answer.status == 201, answer.body
    return f"/v1/games/{answer.json()['game_id']}"


NOTE = {"type": "note.added", "text": "x"}


def nested(levels: int) -> str:
    """Return a note whose text is so many objects within each other."""
    return json.dumps(NOTE).replace('"x"', '{"a":' * levels + "1" + "}" * levels)


REQUESTS: list[tuple[str, str, bytes | None, int, str]] = [
    ("below the first question", "answers", b'{"asked": -1}', 422, ">= 0"),
    ("behind the last question", "answers", b'{"asked": 99}', 422, "there is no question 99"),
    ("cards below none", "answers", b'{"asked": 0, "unseen": -1}', 422, ">= 0"),
    ("more cards than there are", "answers", b'{"asked": 0, "unseen": 100000000}', 422, "<= 1000"),
    ("a line below the first", "undo", b'{"to": -5}', 422, ">= 0"),
    ("nested too deeply", "events", nested(NESTED).encode(), 422, "nested"),
    ("nested deeply", "events", nested(900).encode(), 422, "text"),
    ("no UTF-8", "events", b'{"type": "\xff\xfe"}', 422, "UTF-8"),
    ("no UTF-8 in an answer", "answers", b'{"cards": ["\xff\xfe"]}', 422, "UTF-8"),
    ("half a letter", "events", rb'{"type": "\ud800"}', 400, ""),
    ("no JSON", "events", b"{", 400, "truncated"),
    ("a finding of 6,000 digits", f"rulings?seq={'9' * 6000}&rule=x", None, 422, ""),
    ("a finding that is no number", "rulings?seq=%C2%B2&rule=x", None, 422, "is a number from 0"),
    ("a finding that is not there", "rulings?seq=1&rule=x", None, 422, "not there any more"),
    ("a line that is nested too deeply", f"screen?begins={'[' * 3000}", None, 422, ""),
]


@pytest.mark.parametrize(
    ("path", "body", "status", "words"), [each[1:] for each in REQUESTS], ids=[each[0] for each in REQUESTS]
)
def test_a_wrong_request_is_refused_in_words(
    client: Client, path: str, body: bytes | None, status: int, words: str
) -> None:
    """The answer is 4xx and says what is wrong, nothing is written, and the next line can be."""
    game = begun(client)
    before = client.get(f"{game}/screen").json()["seq"]
    answer = client.get(f"{game}/{path}") if body is None else client.post(f"{game}/{path}", body)
    assert answer.status == status
    assert words in answer.json()["error"]
    assert answer.json()["error"]
    assert client.post(f"{game}/events", NOTE, before).json()["seq"] == before + 1


def test_a_question_with_lines_is_not_answered_by_its_number_alone(client: Client, log: Log) -> None:
    """Where one of several lines is asked for, the request has to name it."""
    game = begun(client, "splicers")
    screen = client.get(f"{game}/screen").json()
    while not any(len(each["lines"]) > 1 for each in screen["asked"]):
        first = screen["asked"][0]
        body = {"asked": 0, "unseen": first["question"]["most"]}
        screen = client.post(f"{game}/answers?show=screen", body, screen["seq"]).json()["screen"]
    numbers = [each["number"] for each in screen["asked"] if len(each["lines"]) > 1]
    answer = client.post(f"{game}/answers", {"asked": numbers[0]}, screen["seq"])
    assert answer.status == 422
    assert "write that line" in answer.json()["error"]
    assert log.games()[0].last_seq == screen["seq"]


@pytest.mark.parametrize("name", ["x" * 300 + ".js", "..", ".js", "nothing.js", "routes.py", "%00.js", "a" * 5000])
def test_a_part_that_is_not_there_is_refused(client: Client, name: str) -> None:
    """Whatever its name is, the answer is 404."""
    assert client.get(f"/parts/{name}").status == 404


@pytest.mark.parametrize("game_id", ["", "another"])
def test_a_second_head_is_refused_and_the_game_goes_on(client: Client, log: Log, game_id: str) -> None:
    """A program that writes lines itself cannot write a second `game.started`, behind which nothing could be read."""
    game = begun(client)
    stored = log.games()[0]
    seq = stored.last_seq
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    head = {"game": "crystal", "edition": stored.edition, "id": game_id or stored.game_id, "players": players}
    answer = client.post(f"{game}/events", {"type": "game.started", **head}, seq)
    assert answer.status == 422
    assert "a second game.started" in answer.json()["error"]
    assert client.post(f"{game}/events", NOTE, seq).json()["seq"] == seq + 1
    assert [isinstance(each, GameStarted) for each in log.events(log.games()[0])].count(True) == 1


def test_a_name_without_an_end_begins_no_game(client: Client, log: Log) -> None:
    """A name of 150,000 letters is refused with the limit."""
    body = {"game": "tabletop", "players": [{"name": "A" * 150_000}, {"name": "Ben"}]}
    answer = client.post("/v1/games", body)
    assert answer.status == 422
    assert answer.json()["error"] == "`players`: a name has at most 500 letters, not 150,000"
    assert log.games() == []


def test_simultaneous_beginnings_each_get_an_id_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twenty games that are begun at once on two servers none is refused, also where all saw the same ids free."""
    place = tmp_path / "t.db"
    Log.open(place, create=True).close()
    free, alike = beginning._free_id, iter(["tabletop-2026-11-22-a"] * 20)
    monkeypatch.setattr(beginning, "_free_id", lambda *about: next(alike, None) or free(*about))
    with ExitStack() as opened, ThreadPoolExecutor(20) as devices:
        servers = [Client(opened.enter_context(Log.open(place))) for _ in range(2)]
        body = {"game": "tabletop", "players": [{"name": "Ann"}, {"name": "Ben"}]}
        answers = [*devices.map(lambda number: servers[number % 2].post("/v1/games", body), range(20))]
    assert [answer.status for answer in answers] == [201] * 20
    with Log.open(place) as log:
        assert sorted(answer.json()["game_id"] for answer in answers) == sorted(each.game_id for each in log.games())
        assert len(log.games()) == 20
        assert list(verify(log)) == []


def test_there_is_always_a_free_id(log: Log) -> None:
    """Behind `-z` comes `-aa`, behind `-zz` `-aaa`."""
    now = datetime(2026, 11, 22, tzinfo=UTC)
    table = Beginning(game="tabletop", players=(NewSeat(name="Ann"), NewSeat(name="Ben")))
    assert begin(log, table, now) == "tabletop-2026-11-22-a"
    head = log.events(log.games()[0])[0]
    assert isinstance(head, GameStarted)
    letters = "abcdefghijklmnopqrstuvwxyz"
    with log.writing() as tape:
        for word in (*letters, *(one + other for one in letters for other in letters)):
            if word not in {"a", "c"}:
                game_id = f"tabletop-2026-11-22-{word}"
                begun = msgspec.structs.replace(head, id=game_id)
                chain = Chain(("A", "B"), 0, opening_hash(game_id))
                chain.add(begun)
                tape.append(tape.start(begun, 1), chain.rows)
    assert begin(log, table, now) == "tabletop-2026-11-22-c"
    assert begin(log, table, now) == "tabletop-2026-11-22-aaa"
    assert Scribe(log, "tabletop-2026-11-22-aaa").last_seq == 1
