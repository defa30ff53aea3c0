"""The service: lines over HTTP are on the disk when they are acknowledged, once, in order, and with who wrote them."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabletape.dashboard.service.access import Holders
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.described import openapi
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.limits import Rate
from tabletape.dashboard.service.lock import MAX_TRIES
from tabletape.dashboard.service.operations import OPERATIONS
from tabletape.dashboard.service.tokens import AccessTokens
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.archive.stored import workspace
from tests.dashboard.service_client import ServiceClient

BEGUN = 3
"""Lines with which a game begins: its head and two deck lists."""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[ServiceClient]:
    """Yield a client of a service with an empty log; its keeper and its designer have tokens."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        found = ServiceClient(log)
        found.add("keeper", "keeper")
        found.add("designer", "designer")
        yield found


def test_a_line_is_stored_with_who_wrote_it(client: ServiceClient) -> None:
    """The answer has the number of the line; the log has the line, the name of the token, and the key."""
    game_id = client.begin("keeper")
    answer = client.note("designer", game_id, "hello", idempotency_key="k1")
    assert (answer.status, answer.json()["seq"], answer.headers["etag"]) == (200, BEGUN + 1, '"4"')
    started, *_, note = client.log.events(client.log.game(game_id))
    assert isinstance(note, NoteAdded)
    assert (started.writer, note.writer, note.request, note.text) == ("keeper", "designer", "k1", "hello")
    read = client.ask("keeper", f"/v1/games/{game_id}/events?after={BEGUN}").json()
    assert [(each["seq"], each["line"]["text"], each["line"]["writer"]) for each in read] == [
        (BEGUN + 1, "hello", "designer")
    ]
    assert list(verify(client.log, [])) == []


def test_lists_and_one_a_line_are_taken_whole_or_not_at_all(client: ServiceClient) -> None:
    """A wrong line in the middle is named with its number, field and suggestion, and nothing of the rest is stored."""
    game_id = client.begin("keeper")
    path = f"/v1/games/{game_id}/events"
    note = {"type": "note.added", "text": "a"}
    wrong = client.ask("keeper", path, [note, {"type": "note.added", "txet": "b"}])
    assert wrong.status == 422
    assert {name: wrong.json()[name] for name in ("line", "field", "suggestion")} == {
        "line": 2, "field": "txet", "suggestion": "did you mean `text`?"
    }  # fmt: skip
    assert client.log.game(game_id).events == BEGUN
    body = b"\n".join(json.dumps(note).encode() for _ in range(3))
    assert client.ask("keeper", path, body, content_type="application/x-ndjson").json()["seq"] == BEGUN + 3
    assert client.ask("keeper", path, [note, note]).json()["seq"] == BEGUN + 5


def test_who_is_late_reads_what_others_wrote(client: ServiceClient) -> None:
    """With If-Match nothing is written behind lines that the writer does not know; 409 has these."""
    game_id = client.begin("keeper")
    assert client.note("keeper", game_id, "first", if_match='"3"').status == 200
    late = client.note("designer", game_id, "second", if_match='"3"')
    assert (late.status, late.json()["seq"]) == (409, BEGUN + 1)
    assert [each["line"]["text"] for each in late.json()["events"]] == ["first"]
    assert client.note("designer", game_id, "second", if_match='"4"').status == 200


def test_a_game_is_open_until_its_end_whatever_is_remarked_then(client: ServiceClient) -> None:
    """A list says which games go on: not one that is over, but again one whose end was taken back."""
    game_id = client.begin("keeper")

    def is_open(event: dict[str, Any]) -> bool:
        assert client.ask("keeper", f"/v1/games/{game_id}/events", event).status == 200
        (listed,) = client.ask("keeper", "/v1/games").json()
        assert listed == client.ask("keeper", f"/v1/games/{game_id}").json()
        return bool(listed["open"])

    assert is_open({"type": "note.added", "text": "so far"})
    assert not is_open({"type": "game.abandoned"})
    assert not is_open({"type": "note.added", "text": "next week"})
    assert is_open({"type": "play.taken-back", "to": BEGUN})


def test_a_request_with_a_key_is_done_once(client: ServiceClient, tmp_path: Path) -> None:
    """Sent again it is answered as before, also by another server; other lines with its key are refused."""
    game_id = client.begin("keeper", idempotency_key="evening")
    assert client.begin("keeper", idempotency_key="evening") == game_id
    assert client.begin("designer", idempotency_key="evening") != game_id
    other_table = {"game": "tabletop", "players": [{"name": "Ann"}, {"name": "Ben"}]}
    refused = client.ask("keeper", "/v1/games", other_table, idempotency_key="evening")
    assert (refused.status, "take a new key" in refused.json()["error"]) == (422, True)
    first = client.note("keeper", game_id, "once", idempotency_key="n1").json()
    with Log.open(tmp_path / "t.db") as again:
        other = ServiceClient(again)
        other.secrets = client.secrets
        with ThreadPoolExecutor(8) as asking:
            begins = [asking.submit(each.begin, "keeper", idempotency_key="late") for each in (client, other) * 4]
        assert len({each.result() for each in begins}) == 1
        repeated = other.note("keeper", game_id, "once", idempotency_key="n1", if_match='"3"').json()
        assert (repeated["seq"], repeated["repeated"]) == (first["seq"], True)
        assert other.note("keeper", game_id, "twice", idempotency_key="n1").status == 422
        assert other.note("designer", game_id, "once", idempotency_key="n1").json()["seq"] == BEGUN + 2
    assert client.log.game(game_id).events == BEGUN + 2


def test_what_the_rules_say_comes_with_the_answer(client: ServiceClient) -> None:
    """A play that breaks a rule is stored, and its finding has the rule and its place in the rulebook."""
    game_id = client.begin("keeper")
    path = f"/v1/games/{game_id}"
    due = client.ask("keeper", f"{path}/due").json()
    assert "bioms.placed" in {each["type"] for each in due}
    played = client.ask("keeper", f"{path}/events", {"type": "turn.ended", "player": "B"}).json()
    assert played["seq"] == BEGUN + 1
    found = client.ask("keeper", f"{path}/findings").json()
    assert played["findings"] == [each for each in found if each in played["findings"]] != []
    assert all(each["rule"] and each["section"] for each in found)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"{", 400, "truncated"),
        (b"\xff\xfe", 400, ""),
        (b"[" * 30_000, 422, "nested too deeply"),
        ([], 422, "from 1 to 1,000 lines"),
        ([1], 422, "an event is an object"),
        ({"type": "seed.plaid"}, 422, "has no event type"),
        ({"type": "note.added", "text": "x", "seq": 7}, 422, "is given by the service"),
        ({"type": "note.added", "text": "x", "writer": "root"}, 422, "is given by the service"),
        ({"type": "turn.ended", "player": "Z"}, 422, "no player `Z` sits at this table"),
        ({"type": "note.added", "text": "x" * 1_000_000}, 413, "longer than 1,000,000 bytes"),
    ],
)
def test_bad_bodies_are_refused_in_words(client: ServiceClient, body: Any, status: int, words: str) -> None:
    """What cannot be taken says why, and nothing is stored."""
    game_id = client.begin("keeper")
    answer = client.ask("keeper", f"/v1/games/{game_id}/events", body)
    assert (answer.status, words in answer.json()["error"]) == (status, True), answer.body
    assert client.log.game(game_id).events == BEGUN


def test_without_a_right_token_nothing_is_answered(client: ServiceClient) -> None:
    """No token, a wrong one, one that is over or taken back: 401 everywhere; who guesses waits, others do not."""
    client.begin("keeper")
    client.add("gone", "designer")
    client.add("short", "designer", days=1)
    assert client.ask("gone", "/v1/games").status == 200
    client.tokens.revoke("gone")
    later = datetime.now(UTC) + timedelta(days=2)
    assert client.tokens.find(client.secrets["short"]) is not None
    assert client.tokens.find(client.secrets["short"], later) is None
    closed = [one for one in OPERATIONS if one.asks_token]
    for one in closed[:MAX_TRIES]:
        path = one.path.replace("{id}", "g").replace("{name}", "overview")
        assert client.ask("gone", path, None if one.method == "GET" else {}).status == 401
    assert client.ask("tt_guess", "/v1/games").status == 429
    assert client.ask("keeper", "/v1/games").status == 200


def test_a_token_does_what_its_role_says(client: ServiceClient) -> None:
    """A viewer writes nothing, a player nothing in another game, and only a designer imports files."""
    mine, other = client.begin("keeper"), client.begin("keeper")
    client.add("eve", "viewer")
    client.add("ann", "player", seat="A", game=mine)
    assert client.note("eve", mine, "x").status == 403
    assert client.note("ann", mine, "x").status == 200
    assert client.note("ann", other, "x").status == 404
    assert [each["game_id"] for each in client.ask("ann", "/v1/games").json()] == [mine]
    assert client.ask("ann", "/v1/games", {"game": "splicers", "players": [{"name": "A"}]}).status == 403
    assert client.ask("ann", f"/v1/games/{mine}/table?viewer=B").status == 403
    assert client.ask("ann", f"/v1/games/{mine}/table?viewer=*").status == 403
    assert client.ask("eve", f"/v1/games/{mine}/board?viewer=A").status == 403
    assert [client.ask(who, "/v1/imports?name=a.jsonl", b"{}").status for who in ("keeper", "ann", "eve")] == [403] * 3
    assert [client.ask(who, "/metrics").status for who in ("designer", "keeper", "eve")] == [200, 403, 403]
    assert client.ask("eve", "/v1/questions").status == 403


def test_what_was_asked_is_counted_for_prometheus(client: ServiceClient) -> None:
    """Requests by operation and answer, lines that were written, each once, and who listens; all of it in its form."""
    game_id = client.begin("keeper")
    for _ in range(2):
        assert client.note("keeper", game_id, "x", idempotency_key="k").status == 200
    assert client.note("keeper", game_id, "x", if_match='"1"').status == 409
    answer = client.ask("designer", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.body.decode().splitlines()
    assert all(
        re.fullmatch(r"# TYPE \w+ (counter|gauge)|\w+({\w+=\"[^\"]*\"(,\w+=\"[^\"]*\")*})? \d+", each) for each in lines
    )
    assert {
        'tabletape_requests_total{operation="begin",status="201"} 1',
        'tabletape_requests_total{operation="write",status="200"} 2',
        'tabletape_requests_total{operation="write",status="409"} 1',
        "tabletape_lines_total 1",
        "tabletape_stream_readers 0",
    } <= {*lines}


def test_a_table_is_read_as_it_was(client: ServiceClient) -> None:
    """With `at` after the line of that number, and through the eyes that are asked for."""
    game_id = client.begin("keeper")
    before = client.ask("keeper", f"/v1/games/{game_id}/table").json()
    drawn = {"type": "cards.drawn", "player": "A", "count": 2, "reason": "ability"}
    assert client.ask("keeper", f"/v1/games/{game_id}/events", drawn).status == 200
    assert client.ask("keeper", f"/v1/games/{game_id}/table?at={BEGUN}").json() == before
    assert client.ask("keeper", f"/v1/games/{game_id}/table").json() != before
    entry = client.ask("keeper", f"/v1/games/{game_id}").json()
    assert (entry["players"], entry["seq"]) == ({"A": "Ann", "B": "Ben"}, BEGUN + 1)


def test_a_token_is_kept_as_a_hash(client: ServiceClient) -> None:
    """The file has no token in it, and only its owner may read it."""
    text = client.tokens.file.read_text()
    assert all(secret not in text for secret in client.secrets.values())
    assert client.tokens.file.stat().st_mode & 0o077 == 0
    with pytest.raises(RefusedError, match="names its seat and its game"):
        client.tokens.add("ann", "player")
    with pytest.raises(RefusedError, match="there is a token 'keeper' already"):
        client.tokens.add("keeper", "keeper")


def test_tokens_that_are_added_at_once_are_all_kept(tmp_path: Path) -> None:
    """Whoever changes the file waits for the others."""
    with ThreadPoolExecutor(8) as adding:
        secrets = [*adding.map(lambda each: AccessTokens(tmp_path).add(f"t{each}", "keeper"), range(24))]
    known = AccessTokens(tmp_path)
    assert [getattr(known.find(each), "name", "") for each in secrets] == [f"t{each}" for each in range(24)]


def test_files_come_in_and_answers_go_out(client: ServiceClient) -> None:
    """An imported file is reported on as by the command, and a question is answered as JSON, CSV and Arrow."""
    client.begin("keeper", idempotency_key="one")
    lines = [{"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "g",
              "players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]},
             {"type": "note.added", "text": "late"}, {"type": "nothing"}]  # fmt: skip
    content = "\n".join(map(json.dumps, lines)).encode()
    report = client.ask("designer", "/v1/imports?name=evening.jsonl", content).json()
    assert (report["file"], report["quarantined"], report["games"][0]["game_id"]) == ("evening.jsonl", 1, "g")
    assert client.ask("designer", "/v1/imports?name=../..", b"x").status == 422
    names = [each["name"] for each in client.ask("designer", "/v1/questions").json()]
    assert "first-player" in names
    answer = client.ask("keeper", "/v1/questions/overview")
    assert answer.json()[0]["games"] == 1  # of the other one nobody has made a move yet
    assert client.ask("keeper", "/v1/questions/overview", accept="text/csv").body.startswith(b'"')
    arrow = client.ask("keeper", "/v1/questions/overview", accept="application/vnd.apache.arrow.stream").body
    with pa.ipc.open_stream(arrow) as stream:
        assert stream.read_all()["games"].to_pylist() == [1]
    assert client.ask("keeper", "/v1/questions/owerview").status == 422


def test_openapi_describes_each_operation_and_every_reference_leads_somewhere() -> None:
    """The description is made from the operations and types; each path has its parameters."""
    found = openapi()
    text = json.dumps(found)
    assert {(path, method) for path, each in found["paths"].items() for method in each} == {
        (one.path, one.method.lower()) for one in OPERATIONS
    }
    for name in {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in found["components"]["schemas"]
    assert [each["name"] for each in found["paths"]["/v1/games/{id}/events"]["post"]["parameters"]] == [
        "id", "viewer", "show", "If-Match", "Idempotency-Key"
    ]  # fmt: skip


def test_pages_describe_it_and_show_no_secret(client: ServiceClient) -> None:
    """Without a token there are the descriptions, the health, and the page to watch, which has nothing of a game."""
    game_id = client.begin("keeper")
    assert client.ask("", "/healthz").json() == {"status": "ok"}
    assert b"POST /v1/games/{id}/events" in client.ask("", "/v1/").body
    page = client.ask("", f"/watch/{game_id}%22%3E%3Cscript%3E")
    assert (page.status, b"<script>" in page.body, b"Ann" in page.body) == (200, False, False)
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_only_so_many_requests_a_second(tmp_path: Path) -> None:
    """Who asks too often is told when to come back; another token is not held up."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        now = [0.0]
        client = ServiceClient(log, application(Desk(log), Holders(workspace(log), Rate(2, 3, lambda: now[0]))))
        client.add("a", "keeper")
        client.add("b", "keeper")
        assert [client.ask("a", "/v1/games").status for _ in range(4)] == [200, 200, 200, 429]
        assert client.ask("a", "/v1/games").headers["retry-after"] == "1"
        assert client.ask("b", "/v1/games").status == 200
        now[0] = 0.5
        assert [client.ask("a", "/v1/games").status for _ in range(2)] == [200, 429]


def test_pages_of_named_origins_may_ask(tmp_path: Path) -> None:
    """A browser is let by CORS only where an origin was named."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        client = ServiceClient(log, application(Desk(log), Holders(workspace(log)), ["https://table.example"]))
        client.add("a", "keeper")
        there = client.ask("a", "/v1/games", origin="https://table.example")
        elsewhere = client.ask("a", "/v1/games", origin="https://other.example")
        assert there.headers["access-control-allow-origin"] == "https://table.example"
        assert "access-control-allow-origin" not in elsewhere.headers


def test_lines_of_many_tables_at_once_are_all_stored_once(client: ServiceClient) -> None:
    """Twenty tables write at the same time; each line is there once, in the order of its table."""
    games = [client.begin("keeper") for _ in range(20)]

    def play(game_id: str) -> list[int]:
        return [client.note("keeper", game_id, f"{game_id} {each}").json()["seq"] for each in range(5)]

    with ThreadPoolExecutor(20) as tables:
        assert [*tables.map(play, games)] == [[*range(BEGUN + 1, BEGUN + 6)]] * 20
    for game_id in games:
        texts = [each.text for each in client.log.events(client.log.game(game_id)) if isinstance(each, NoteAdded)]
        assert texts == [f"{game_id} {each}" for each in range(5)]
    assert list(verify(client.log, [])) == []
