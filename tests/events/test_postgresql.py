"""The log in PostgreSQL behaves as the log in SQLite.

Needs a database of its own, whose URL is in TABLETAPE_TEST_POSTGRESQL; skipped without it.
"""

import asyncio
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.notices import ANY_GAME, notices
from tabletape.events.log.rows import CardTexts
from tabletape.events.log.schema import LogError, current, upgrade
from tabletape.events.log.tables import METADATA, SCHEMA
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary.shared import NoteAdded
from tests.events.conftest import KNOWN, game, line, write_lines
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(
    "TABLETAPE_TEST_POSTGRESQL" not in os.environ, reason="TABLETAPE_TEST_POSTGRESQL names no database"
)


@pytest.fixture
def url() -> Iterator[str]:
    """Yield the address of an empty schema, and drop it afterwards."""
    base = sa.make_url(os.environ["TABLETAPE_TEST_POSTGRESQL"])
    engine = sa.create_engine(base)
    schema = f"tabletape_test_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with engine.begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
    place = base.update_query_dict({"options": f"-csearch_path={schema}"})
    yield place.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {schema} CASCADE")
    engine.dispose()


def test_an_import_gives_the_same_hashes_as_in_sqlite(url: str, tmp_path: Path) -> None:
    """Games, quarantine and integrity are those of SQLite; the same file again changes nothing."""
    path = write_lines(
        tmp_path / "g.jsonl", [*game("a", turns=400), "o\0ps", *game("b"), line("turn.ended", playr="A")]
    )
    with Log.open(url, create=True) as log, Log.open("sqlite://", create=True) as other:
        for each in (log, other):
            assert import_paths(each, [path]).quarantined == 2
            assert import_paths(each, [path]).files[0].unchanged
        assert [each.fingerprint for each in log.games()] == [each.fingerprint for each in other.games()]
        assert log.quarantine() == other.quarantine()
        assert list(verify(log)) == []


def test_the_schema_is_that_of_the_code(url: str) -> None:
    """The migration makes the tables that the code expects."""
    assert upgrade(url) == ("", SCHEMA)
    assert current(url) == SCHEMA
    with Log.open(url) as log, log.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


@pytest.mark.parametrize("table", list(METADATA.tables))
@pytest.mark.parametrize("verb", ["DELETE FROM {}", "UPDATE {} SET {} = {}", "TRUNCATE {} CASCADE"])
def test_the_database_refuses_to_change_or_delete(url: str, tmp_path: Path, table: str, verb: str) -> None:
    """UPDATE, DELETE and TRUNCATE are refused on every table."""
    column = next(iter(METADATA.tables[table].columns)).name
    statement = verb.format(table, column, column)
    with Log.open(url, create=True) as log:
        known = KNOWN._replace(card_texts=CardTexts("built in", "own"))
        files = [write_lines(tmp_path / "g.jsonl", [*game(), "oops"]), write_lines(tmp_path / "h.jsonl", game("h"))]
        import_paths(log, files, Options(known=lambda _: known))
        with pytest.raises(LogError, match="append-only"), log.reading() as connection:
            connection.exec_driver_sql(statement)


def test_of_many_writers_at_once_one_is_first(url: str, tmp_path: Path) -> None:
    """Eight writers append the same event at the same time: one succeeds, seven get `StaleAppendError`."""
    with Log.open(url, create=True) as log:
        import_paths(log, [write_lines(tmp_path / "g.jsonl", game())])
    results: list[str] = []

    def write() -> None:
        with Log.open(url) as mine:
            try:
                mine.append("g", [NoteAdded(text="me")], expected_last_seq=len(game()))
                results.append("first")
            except StaleAppendError:
                results.append("late")

    writers = [threading.Thread(target=write) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(results) == ["first"] + ["late"] * 7
    with Log.open(url) as log:
        assert list(verify(log)) == []


def test_a_change_with_disabled_triggers_is_found(url: str, tmp_path: Path) -> None:
    """With a trigger disabled a time of recording is changed: `verify` reports the heads and the trigger."""
    with Log.open(url, create=True) as log:
        import_paths(log, [write_lines(tmp_path / "g.jsonl", game("a"))])
        head = log.head()
        assert list(verify(log, [head])) == []
        with log.reading() as connection:
            connection.exec_driver_sql("ALTER TABLE game DISABLE TRIGGER game_refuses_change")
            connection.exec_driver_sql("UPDATE game SET recorded_at = '2020-01-01T00:00:00Z'")
            connection.commit()
        assert {each.what for each in verify(log, [head])} == {"head", "schema"}


def test_events_that_the_server_refuses_leave_no_game(url: str, tmp_path: Path) -> None:
    """If the server accepts the first event and not the next (as with a full disk), no game is stored."""
    with Log.open(url, create=True) as log:
        with log.reading() as connection:
            connection.exec_driver_sql("ALTER TABLE event ADD CONSTRAINT no_more CHECK (seq < 2)")
            connection.commit()
        with pytest.raises(LogError, match="no_more"):
            import_paths(log, [write_lines(tmp_path / "g.jsonl", game(turns=3000))])
        assert log.games() == []


def test_who_listens_hears_of_the_games_that_others_write_to(url: str, tmp_path: Path) -> None:
    """A game is named when its lines are there to be read; nothing is heard of what was taken back."""
    files = [write_lines(tmp_path / f"{name}.jsonl", game(name)) for name in ("a", "b")]

    async def hear(log: Log) -> list[str]:
        heard = notices(sa.make_url(url))
        found = [await anext(heard)]
        await asyncio.to_thread(import_paths, log, files[:1], Options(dry_run=True))
        for file in reversed(files):
            await asyncio.to_thread(import_paths, log, [file])
            found.append(await anext(heard))
            assert log.game(found[-1])
        await heard.aclose()
        return found

    with Log.open(url, create=True) as log:
        assert asyncio.run(asyncio.wait_for(hear(log), PATIENCE)) == [ANY_GAME, "b", "a"]
