"""For whom the service does what, and that whatever is refused is refused before a line is written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from msgspec import UNSET

from tabletape.dashboard.service import described
from tabletape.dashboard.service.operations import OPERATIONS, Operation
from tabletape.dashboard.service.tokens import Role, Token, Whose
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary.fields import MAX_EVENTS, MAX_NAME
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.events.vocabulary.shared import FeedbackGiven, NoteAdded, PlayTakenBack
from tabletape.events.whole_files import write_whole
from tabletape.projector.archive.stored import workspace
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.scribing import scribe
from tests.dashboard.service_client import ServiceClient
from tests.dashboard.serving import ROOT

RECORDING: Final = ROOT / "tests" / "recordings" / "crystal" / "catalogue-tech-within-limit.jsonl"
RULE: Final = "crystal.tech.within-limit"

READS: Final = {"games", "game", "events", "table", "findings", "due", "legal", "stream", "board"}
KEEPS: Final = {"write", "answer", "take-back", "agree", "rulings", "screen", "forms", "judged", "changes", "open-form"}
OF_ALL: Final = {"begin", "beginnings", "questions", "question"}
MAY: Final = {
    "eve": READS,
    "ann": READS | {"write"},
    "table": READS | KEEPS,
    "keeper": READS | KEEPS | OF_ALL,
    "root": READS | KEEPS | OF_ALL | {"import", "metrics"},
    "own": READS | KEEPS,
}
"""What each token may: a viewer, a player, a keeper of one game, a keeper, a designer, and a designer of one game."""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[ServiceClient]:
    """Yield a client with a game in which a rule was broken by the last line, and tokens of each role."""
    events = [game("crystal").vocabulary.decode(each) for each in RECORDING.read_text(encoding="utf-8").splitlines()]
    wrong = next(each.seq for each in fold(game("crystal"), events).findings if each.rule == RULE)
    with Log.open(tmp_path / "t.db", create=True) as log:
        found = ServiceClient(log)
        found.game = str(getattr(events[0], "id", ""))
        log.append(found.game, events[:wrong], expected_last_seq=0)
        found.add("root", "designer")
        found.add("own", "designer", game=found.game)
        found.add("keeper", "keeper")
        found.add("table", "keeper", game=found.game)
        found.add("ann", "player", seat="A", game=found.game)
        found.add("eve", "viewer")
        yield found


@pytest.mark.parametrize("one", [each for each in OPERATIONS if each.asks_token], ids=lambda each: each.name)
def test_each_operation_is_done_for_those_whom_it_is_for(client: ServiceClient, one: Operation) -> None:
    """Everybody else is answered with 403, and with nothing of the game."""
    path = one.path.replace("{id}", client.game).replace("{name}", "overview")
    for who, may in MAY.items():
        if one.name == "stream" and one.name in may:
            continue  # It goes on for ever.
        answer = client.ask(who, path, None if one.method == "GET" else b"{")
        assert (answer.status != 403) == (one.name in may), (who, answer.status)
        if answer.status == 403:
            assert {*answer.json()} == {"error"}


def test_every_operation_has_its_place_here() -> None:
    """A new one is either for everybody, or stands above with those whom it is for."""
    assert {each.name for each in OPERATIONS if each.asks_token} == MAY["root"]


def test_a_screen_is_shown_to_nobody_who_does_not_see_all(client: ServiceClient) -> None:
    """A player who asks for it with a line is refused, and the line is not written."""
    before = client.log.head()
    answer = client.ask("ann", f"/v1/games/{client.game}/events?show=screen", {"type": "note.added", "text": "x"})
    assert (answer.status, client.log.head()) == (403, before)


@pytest.mark.parametrize("what", ["events", "undo", "rulings", "answers"])
@pytest.mark.parametrize("viewer", ["Z", "?", "%2A%2A"])
def test_who_does_not_sit_there_is_refused_before_anything_is_written(
    client: ServiceClient, what: str, viewer: str
) -> None:
    """A line is not written where its answer could not be read."""
    before, seq = client.log.head(), client.log.game(client.game).last_seq
    note = {"type": "note.added", "text": "x"}
    bodies = {"events": note, "undo": {}, "rulings": {"seq": seq, "rule": RULE}, "answers": {"line": note}}
    answer = client.ask("keeper", f"/v1/games/{client.game}/{what}?viewer={viewer}&show=screen", bodies[what])
    assert (answer.status, client.log.head()) == (404, before), answer.body


def _agree(client: ServiceClient, **headers: str) -> Any:
    seq = client.log.game(client.game).last_seq if not headers.get("seq") else int(headers.pop("seq"))
    play = {"seq": seq, "rule": RULE, "key": "tech_semantics", "option": "threshold"}
    return client.ask("keeper", f"/v1/games/{client.game}/rulings?show=screen", play, **headers)


def test_what_is_agreed_on_is_written_once_with_its_ruling(client: ServiceClient) -> None:
    """The note and the ruling are one change, which the same request does not make again; the finding is gone."""
    before = client.log.game(client.game)
    first = _agree(client, idempotency_key="k", seq=f"{before.last_seq}")
    assert first.status == 200, first.body
    assert (first.json()["seq"], first.json()["findings"]) == (before.last_seq + 1, [])
    assert first.json()["screen"]["seq"] == before.last_seq + 1
    again = _agree(client, idempotency_key="k", seq=f"{before.last_seq}")
    assert (again.json()["seq"], again.json()["repeated"]) == (first.json()["seq"], True)
    stored = client.log.game(client.game)
    assert (stored.revision, stored.rulings, stored.cards) == (2, {"tech_semantics": "threshold"}, before.cards)
    last = client.log.events(stored)[-1]
    assert isinstance(last, NoteAdded)
    assert (last.seq, last.writer, last.request, last.rule) == (before.last_seq + 1, "keeper", "k", RULE)
    assert client.ask("keeper", f"/v1/games/{client.game}/findings").json() == []
    assert list(verify(client.log, [])) == []


def test_nothing_is_agreed_on_by_halves(client: ServiceClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the revision cannot be stored there is no note either; who is late, or names no ruling, changes nothing."""
    before, seq = client.log.head(), client.log.game(client.game).last_seq
    late = _agree(client, if_match=f'"{seq - 1}"')
    play = {"seq": seq, "rule": RULE, "key": "tech_semantics", "option": "nothing"}
    unknown = client.ask("keeper", f"/v1/games/{client.game}/rulings", play)
    assert (late.status, unknown.status, client.log.head()) == (409, 422, before)

    def fail(*_: Any) -> None:
        raise LogError("the disk is full")

    monkeypatch.setattr(scribe, "store_revision", fail)
    assert (_agree(client).status, client.log.head()) == (422, before)


def test_a_token_has_a_name_that_a_line_can_have(client: ServiceClient) -> None:
    """A longer one would be written into lines that nobody could read again."""
    with pytest.raises(RefusedError, match=f"at most {MAX_NAME} letters"):
        client.tokens.add("n" * (MAX_NAME + 1), "keeper")
    client.secrets["long"] = client.tokens.add("n" * MAX_NAME, "keeper")
    assert client.note("long", client.game, "x").status == 200
    assert client.log.events(client.log.game(client.game))[-1].writer == "n" * MAX_NAME


def _stopped(client: ServiceClient) -> int:
    """Write, as another program may, what stops the game, and a note behind it; return the number of the last line."""
    seq = client.log.game(client.game).last_seq
    lines = [PlayTakenBack(to=9_999), NoteAdded(text="behind")]
    return client.log.append(client.game, lines, expected_last_seq=seq).last_seq


def test_nobody_writes_a_take_back_to_a_line_that_is_not_there(client: ServiceClient) -> None:
    """It would stop the game for good: it is refused; one to a line of the same request is written."""
    before = client.log.head()
    bad = {"type": "play.taken-back", "to": 9_999}
    answer = client.ask("ann", f"/v1/games/{client.game}/events", bad)
    assert (answer.status, client.log.head()) == (422, before)
    assert "has no such line" in answer.json()["error"]
    seq = client.log.game(client.game).last_seq
    good = [{"type": "note.added", "text": "x"}, {"type": "play.taken-back", "to": seq + 1}]
    assert client.ask("ann", f"/v1/games/{client.game}/events", good).status == 200


@pytest.mark.usefixtures("as_older_logs")
def test_no_stored_line_is_lost_or_refused_where_a_game_is_stopped(client: ServiceClient) -> None:
    """A line behind the stop is answered as written, also when it comes again; no ruling makes a shorter game of it."""
    last = _stopped(client)
    for repeated in (False, True):
        answer = client.note("keeper", client.game, "later", idempotency_key="k")
        said = answer.json()
        assert (answer.status, said["seq"], said["repeated"]) == (200, last + 1, repeated)
        assert "which this game does not have" in said["problem"]
    before = client.log.head()
    assert (_agree(client, seq=f"{last - 2}").status, client.log.head()) == (422, before)
    to_others = client.note("ann", client.game, "x").json()["problem"]
    assert to_others == f"the game cannot be followed from line {last - 1} on"
    path = f"/v1/games/{client.game}/events?after={last - 2}"
    assert [each["line"].get("text") for each in client.ask("keeper", path).json()] == [None, "behind", "later", "x"]
    assert client.ask("ann", path).json() == []


def test_a_game_that_could_not_be_folded_is_folded_when_it_can_be(
    client: ServiceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another program wrote while the package failed is there as soon as it does not."""
    path = f"/v1/games/{client.game}/events"
    known = client.ask("keeper", path).json()[-1]["seq"]
    client.log.append(client.game, [NoteAdded(text="x")], expected_last_seq=known)

    def fail(*_: Any) -> None:
        raise PluginFailedError("the game has failed")

    with monkeypatch.context() as patched:
        patched.setattr(Replay, "run", fail)
        assert client.ask("keeper", path).status == 422
    assert client.ask("keeper", path).json()[-1]["seq"] == known + 1


def test_a_key_stands_for_one_request_of_one_kind_and_one_player(client: ServiceClient) -> None:
    """Two phones that chose the same key are both heard; a key of a take-back is none of an answer."""
    form = f"/form/{client.desk.form_code(client.game)}/feedback"
    given = [{"player": "A", "fun": 1}, {"player": "B", "fun": 5}, {"fun": 3}]
    seqs = [client.ask("", form, each, idempotency_key="1").json()["seq"] for each in [*given, *given]]
    assert seqs[:3] == seqs[3:]
    stored = client.log.events(client.log.game(client.game))
    lines = {each.seq: each for each in stored if isinstance(each, FeedbackGiven)}
    assert [(lines[seq].player, lines[seq].fun) for seq in seqs[:3]] == [("A", 1), ("B", 5), (UNSET, 3)]
    assert client.ask("", form, {"player": "B", "fun": 4}, idempotency_key="1").status == 422
    path = f"/v1/games/{client.game}"
    assert client.ask("keeper", f"{path}/undo", {}, idempotency_key="z").status == 200
    assert client.ask("keeper", f"{path}/undo", {}, idempotency_key="z").json()["repeated"]
    head = client.log.head()
    for what, body in [
        ("answers", {"line": {"type": "turn.ended", "player": "A"}}),
        ("answers", {"asked": 0}),
        ("undo", {"to": 1}),
        ("undo", {"again": True}),
        ("rulings", {"seq": 1, "rule": RULE}),
    ]:
        other = client.ask("keeper", f"{path}/{what}", body, idempotency_key="z")
        assert (other.status, client.log.head()) == (422, head), what
        assert "other lines came with the key" in other.json()["error"]


def test_cards_are_drawn_for_no_line_that_draws_none(client: ServiceClient) -> None:
    """An answer with a line that asks for no cards is refused in words."""
    answer = client.ask("keeper", f"/v1/games/{client.game}/answers", {"line": {"type": "note.added", "text": "x"}})
    assert (answer.status, answer.json()["error"]) == (422, "no cards are drawn for note.added: write that line")


def test_a_damaged_file_beside_the_log_is_answered_and_named_to_nobody(client: ServiceClient) -> None:
    """A folder in the place of the forms' key closes all forms; without the tokens nobody is let in."""
    path, key = f"/v1/games/{client.game}/form", workspace(client.log) / "tabletape.forms.key"
    code = client.desk.form_code(client.game)
    key.unlink()
    key.mkdir()
    answers = [client.ask("keeper", path, {"place": "http://x/"}), client.ask("", f"/form/{code}/feedback")]
    assert [each.status for each in answers] == [503, 404]
    client.tokens.file.write_text("{")
    answers.append(client.ask("keeper", "/v1/games"))
    assert answers[-1].status == 503
    assert not any(str(key.parent) in each.body.decode() for each in answers)


def test_a_wrong_id_names_no_folder_and_no_other_game(client: ServiceClient) -> None:
    """Who mistypes an id is not told which ones there are, nor where the log lies."""
    answer = client.ask("eve", f"/v1/games/{client.game}x/events")
    assert (answer.status, answer.json()) == (404, {"error": "there is no game of this id"})


def test_who_may_not_is_told_why(client: ServiceClient) -> None:
    """A role that may not, a token of one game, and a header that is none are each named."""
    said = [client.ask(who, "/metrics").json()["error"] for who in ("keeper", "own")]
    assert said[0] == "the token of a keeper may not do this"
    assert "of one game only" in said[1]
    weak = client.note("keeper", client.game, "x", if_match='W/"19"')
    assert (weak.status, weak.json()["error"]) == (422, f'If-Match ("41") is a number from 0 to {MAX_EVENTS:,}')


@pytest.mark.parametrize("whose", get_args(Whose))
def test_the_page_says_for_whom_each_operation_is(whose: Whose) -> None:
    """What it says in words is what the tokens decide."""
    words = described._WHOSE[whose]
    named = {role for role in get_args(Role) if f"{role}s" in words}
    may = {role for role in get_args(Role) if Token(name="x", sha256="", role=role).may(whose)}
    assert may == (named if "For " in words else {*get_args(Role)} - named)
    of_one = Token(name="x", sha256="", role="designer", game="g")
    assert of_one.may(whose) == ("of all games" not in words)


def test_a_secret_file_is_never_open_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is closed before anything stands in it, also where a file of an earlier try was left open."""
    modes, sound = [], Path.write_bytes

    def write(file: Path, content: bytes) -> int:
        modes.append(file.stat().st_mode & 0o777)
        return sound(file, content)

    monkeypatch.setattr(Path, "write_bytes", write)
    (tmp_path / "key.part").touch(0o644)
    write_whole(tmp_path / "key", b"secret", 0o600)
    assert modes == [0o600]
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
