"""The log stores every event once and in order, and a game completely or not at all."""

import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.log import Log, UnknownGameIdError
from tabletape.events.log import schema as log_schema
from tabletape.events.log.integrity import verify
from tabletape.events.log.revising import store_revision
from tabletape.events.log.rows import CardTexts
from tabletape.events.log.schema import LogError, NoLogError, SchemaError, address, current, file_of, upgrade
from tabletape.events.log.tables import SCHEMA
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.shared import NoteAdded
from tests.events.conftest import game, head, line


def decode(lines: list[str]) -> list[Event]:
    """Read lines as events."""
    return [vocabulary("splicers").decode(each) for each in lines]


@pytest.fixture
def events() -> list[Event]:
    """Return the events of a game, without a `seq`."""
    return decode(game())


def test_a_game_comes_back_as_it_was_appended(log: Log, events: list[Event]) -> None:
    """The events that are read are those that were written, in order, and each has a `seq`."""
    stored = log.append("g", events, expected_last_seq=0)
    assert log.events(stored) == events
    assert [event.seq for event in log.events(stored)] == list(range(1, len(events) + 1))


def test_a_stored_game_names_its_players(log: Log, events: list[Event]) -> None:
    """The list of games has the head's players, game and edition, and counts the events."""
    log.append("g", events, expected_last_seq=0)
    (found,) = log.games()
    assert (found.game_id, found.game, found.edition, found.revision) == ("g", "splicers", "0.2a", 1)
    assert [(seat.id, seat.name, seat.deck) for seat in found.players] == [("A", "Ann", None), ("B", "Ben", None)]
    assert (found.events, found.last_seq) == (len(events), len(events))


def test_games_are_found_by_game_and_by_id(log: Log) -> None:
    """A filter selects the games that it names and no other."""
    for game_id in ("a", "b", "c"):
        log.append(game_id, decode(game(game_id)), expected_last_seq=0)
    assert [each.game_id for each in log.games(ids=["c", "a"])] == ["a", "c"]
    assert len(log.games(game="splicers")) == 3
    assert log.games(game="evolve") == []


def test_an_unknown_game_id_is_answered_with_the_nearest(log: Log) -> None:
    """For a misspelt id the error names the game that was probably meant."""
    log.append("evening-one", decode(game("evening-one")), expected_last_seq=0)
    with pytest.raises(UnknownGameIdError, match="did you mean 'evening-one'"):
        log.game("evening-on")


def test_events_are_appended_after_the_last_one(log: Log, events: list[Event]) -> None:
    """A game grows at its end, and its fingerprint changes with it."""
    before = log.append("g", events[:3], expected_last_seq=0)
    after = log.append("g", events[3:], expected_last_seq=3)
    assert log.events(after) == events
    assert before.fingerprint != after.fingerprint


def test_a_stale_append_is_refused(log: Log, events: list[Event]) -> None:
    """An append that expects another end writes nothing and says where the log ends."""
    log.append("g", events[:4], expected_last_seq=0)
    with pytest.raises(StaleAppendError, match="somebody else was first") as error:
        log.append("g", events[3:], expected_last_seq=3)
    assert (error.value.expected, error.value.found) == (3, 4)
    assert log.game("g").events == 4


def test_of_many_writers_at_once_one_is_first(tmp_path: Path) -> None:
    """Ten writers append the same event at the same time: one succeeds, nine get `StaleAppendError`."""
    path = tmp_path / "log.db"
    with Log.open(path, create=True) as log:
        log.append("g", decode(game()[:2]), expected_last_seq=0)
    results: list[str] = []

    def write() -> None:
        with Log.open(path) as mine:
            try:
                mine.append("g", [NoteAdded(text="me")], expected_last_seq=2)
                results.append("first")
            except StaleAppendError:
                results.append("late")

    writers = [threading.Thread(target=write) for _ in range(10)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(results) == ["first"] + ["late"] * 9
    with Log.open(path) as log:
        assert log.game("g").events == 3


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (game()[1:], "has to be its game.started"),
        ([head("another")], "has to be its game.started"),
        ([head(), line("turn.ended", player="C")], "no player `C` sits at this table"),
        ([head(), line("turn.ended", player="A", seq=7), line("turn.ended", player="B", seq=7)], "it has to grow"),
        ([], "has to be its game.started"),
        ([head(), head()], "a second game.started"),
        ([head(), head("another")], "a second game.started"),
        ([head(players=[{"id": "A", "name": "A" * 501}])], "`players`: a name has at most 500 letters, not 501"),
        ([head(players=[{"id": "A", "name": "Ann", "deck": "d" * 501}])], "`players`: a name has at most 500 letters"),
        ([head(edition="0" * 501)], "`edition`: a name has at most 500 letters, not 501"),
        ([head(rulings={"r" * 501: "x"})], "`rulings`: a name has at most 500 letters, not 501"),
    ],
)
def test_an_impossible_game_is_not_stored(log: Log, lines: list[str], message: str) -> None:
    """No event is written of a list that does not begin with its head, names a stranger or does not grow."""
    with pytest.raises(LogError, match=message):
        log.append("g", decode(lines), expected_last_seq=0)
    assert log.games() == []


@pytest.mark.parametrize("game_id", ["g", "another"])
def test_a_second_head_is_refused_in_the_middle_of_a_game(log: Log, events: list[Event], game_id: str) -> None:
    """No writer can append a second `game.started`, alone or among other lines; the game goes on without it."""
    log.append("g", events[:3], expected_last_seq=0)
    for lines in ([head(game_id)], [line("note.added", text="x"), head(game_id)]):
        with pytest.raises(LogError, match=r"a second game\.started"):
            log.append("g", decode(lines), expected_last_seq=3)
    with pytest.raises(LogError, match=r"a second game\.started"):
        store_revision(log, log.game("g"), decode([*game()[:2], head(game_id)]), "kept")
    assert log.append("g", events[3:], expected_last_seq=3).events == len(events)
    assert [each.revision for each in log.games(all_revisions=True)] == [1]


def test_a_revision_is_of_the_cards_that_the_game_was_recorded_under(log: Log, events: list[Event]) -> None:
    """However it comes about: what the cards say today is no reading of an old game."""
    before = log.append("g", events, expected_last_seq=0, cards=CardTexts("the cards of then", "and the own"))
    revised = store_revision(log, before, log.events(before), "mended")
    assert (revised.revision, revised.cards) == (2, before.cards)
    assert before.cards != (0, 0)
    assert list(verify(log, [])) == []


def test_an_exception_leaves_nothing_behind(log: Log, events: list[Event]) -> None:
    """Events that were appended before an error within one transaction are not stored."""

    def fail() -> None:
        with log.writing() as tape:
            tape.start(events[0], 1)  # type: ignore[arg-type]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert log.games() == []


def test_the_latest_revision_counts(log: Log, events: list[Event]) -> None:
    """A revised game is listed once, and its older revision can still be read."""
    log.append("g", events, expected_last_seq=0)
    log.append("g", decode(game(turns=5)), expected_last_seq=0, revision=2)
    assert [each.revision for each in log.games()] == [2]
    assert [each.revision for each in log.games(all_revisions=True)] == [1, 2]
    assert log.events(log.game("g", revision=1)) == events
    with pytest.raises(UnknownGameIdError, match="no revision 3"):
        log.game("g", revision=3)


def test_many_games_are_read_one_after_the_other(log: Log) -> None:
    """Each game is read with its own events, without those that were appended after it was listed."""
    for game_id in ("a", "b"):
        log.append(game_id, decode(game(game_id)), expected_last_seq=0)
    listed = log.games()
    log.append("a", [NoteAdded(text="later")], expected_last_seq=listed[0].last_seq)
    read = {each.game_id: events for each, events in log.each(listed)}
    assert list(read) == ["a", "b"]
    assert all(len(events) == len(game()) for events in read.values())
    assert read["a"][0].id == "a"  # type: ignore[attr-defined]


def test_the_body_is_canonical(log: Log) -> None:
    """Keys are sorted, fields that were left out are not written, and `seq` always is."""
    log.append(
        "g", decode([head(), '{ "type":"note.added",  "text":"tea","at":"2026-05-01T19:02:11Z"}']), expected_last_seq=0
    )
    stored = log.stored(log.game("g"))[1]
    assert stored.body == '{"at":"2026-05-01T19:02:11Z","seq":2,"text":"tea","type":"note.added"}'
    assert (stored.seq, stored.type, stored.player, stored.at) == (2, "note.added", None, "2026-05-01T19:02:11Z")


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(), min_size=1, max_size=8), st.integers(0, 8))
def test_the_fingerprint_depends_on_the_events_alone(texts: list[str], cut: int) -> None:
    """A game appended in parts has the same hashes as one appended at once; another text has another fingerprint."""
    notes = [NoteAdded(text=text) for text in texts]
    fingerprints = []
    for events, parts in ((notes, [cut]), (notes, []), ([*notes[:-1], NoteAdded(text=texts[-1] + "!")], [])):
        with Log.open("sqlite://", create=True) as log:
            last = log.append("g", decode([head()]), expected_last_seq=0)
            for part in (events[: parts[0]], events[parts[0] :]) if parts else (events,):
                last = log.append("g", [NoteAdded(text=note.text) for note in part], expected_last_seq=last.last_seq)
            fingerprints.append(last.fingerprint)
    assert fingerprints[0] == fingerprints[1] != fingerprints[2]


TABLES = ("game", "event", "recording", "raw_file", "raw_part", "intake", "quarantine")


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Return the file of a log with a row in every table."""
    from tabletape.events.importing import import_paths  # noqa: PLC0415 - only these tests need an import

    path = tmp_path / "log.db"
    source = tmp_path / "g.jsonl"
    source.write_text("\n".join([*game(), "no event"]))
    with Log.open(path, create=True) as log:
        import_paths(log, [source])
    return path


@pytest.mark.parametrize("table", TABLES)
def test_the_database_refuses_to_change_or_delete(filled: Path, table: str) -> None:
    """A row cannot be changed or deleted with another tool either."""
    with sqlite3.connect(filled) as connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0  # noqa: S608 - a test's own name
        for statement in (f"DELETE FROM {table}", f'UPDATE {table} SET "{columns[-1]}" = NULL'):  # noqa: S608 - as above
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    connection.close()


def test_a_row_cannot_be_replaced(filled: Path) -> None:
    """`INSERT OR REPLACE` is a deletion too, and is refused on the log's own connections."""
    with Log.open(filled) as log, pytest.raises(LogError, match="append-only"), log.reading() as connection:
        connection.exec_driver_sql("INSERT OR REPLACE INTO event SELECT * FROM event")


def test_a_missing_log_is_an_error(tmp_path: Path) -> None:
    """No file is made, and the message says how a log begins."""
    with pytest.raises(NoLogError, match="tabletape import"):
        Log.open(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(NoLogError):
        Log.open(tmp_path / "no" / "folder.db", create=True)


def test_another_file_is_no_log(tmp_path: Path) -> None:
    """A text file and a foreign database are refused."""
    text = tmp_path / "notes.txt"
    text.write_text("this is no database, but long enough to look like one to SQLite" * 20)
    with pytest.raises(SchemaError, match="not a database"):
        Log.open(text, create=True)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(SchemaError, match="holds tables, but no log"):
        Log.open(foreign, create=True)


def test_an_older_log_names_the_command_that_upgrades_it(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older schema is refused, with the command that upgrades it."""
    tomorrow = f"{int(SCHEMA) + 1:04}"
    monkeypatch.setattr("tabletape.events.log.SCHEMA", tomorrow)
    monkeypatch.setattr(log_schema, "SCHEMA", tomorrow)
    with pytest.raises(SchemaError, match="tabletape db upgrade"):
        Log.open(filled)


def test_a_newer_log_is_refused(filled: Path) -> None:
    """A schema that this version does not know is neither opened nor upgraded."""
    with sqlite3.connect(filled) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert current(filled) == "9999"
    for use in (Log.open, upgrade):
        with pytest.raises(SchemaError, match="newer Tabletape"):
            use(filled)


def test_a_log_that_is_being_written_is_locked(filled: Path) -> None:
    """A second writer that waits in vain gets an error that says why."""
    with (
        Log.open(filled) as first,
        Log.open(filled, wait=0.01) as second,
        first.writing(),
        pytest.raises(LogError, match="somebody else is writing"),
        second.writing(),
    ):
        pass


@pytest.mark.parametrize(
    ("text", "backend", "file"),
    [
        ("tabletape.db", "sqlite", Path("tabletape.db")),
        ("sqlite:///a/b.db", "sqlite", Path("a/b.db")),
        ("sqlite://", "sqlite", None),
        ("postgres://anna@server/tape", "postgresql", None),
        ("postgresql://anna@server/tape", "postgresql", None),
    ],
)
def test_an_address_is_a_file_or_a_url(text: str, backend: str, file: Path | None) -> None:
    """A file name means SQLite; a URL names its database system."""
    assert address(text).get_backend_name() == backend
    assert file_of(address(text)) == file


@pytest.mark.parametrize("text", ["mysql://server/tape", "://", "http://example.org/log"])
def test_other_databases_are_refused_by_name(text: str) -> None:
    """An address that cannot be that of a log is an error."""
    with pytest.raises(LogError):
        address(text)
