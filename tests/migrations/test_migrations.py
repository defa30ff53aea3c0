"""The migrations make the tables that the code expects, from any folder."""

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

import migrations
from events.log import Log
from events.log_schema import current, upgrade
from events.log_tables import METADATA, SCHEMA


def test_the_migrated_tables_are_those_of_the_code(tmp_path: Path) -> None:
    """A fresh database has the tables, columns, keys and indexes of `log_tables`, no more and no less."""
    with Log.open(tmp_path / "log.db", create=True) as log, log.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        keys = {table.name: {key.name for key in table.foreign_key_constraints} for table in METADATA.tables.values()}
        found = {name: {key["name"] for key in sa.inspect(connection).get_foreign_keys(name)} for name in keys}
        assert found == keys


def test_the_code_expects_the_newest_migration() -> None:
    """There is one newest revision, and it is the one that the log asks for."""
    scripts = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert scripts.get_heads() == [SCHEMA]


def test_an_upgrade_from_nothing_and_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first upgrade makes the log, whatever the working folder is; the second changes nothing."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    path = tmp_path / "log.db"
    assert upgrade(path) == ("", SCHEMA)
    assert upgrade(path) == (SCHEMA, SCHEMA)
    assert current(path) == SCHEMA
    Log.open(path).close()


def test_an_upgrade_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a schema is no schema: the tables come all together or not at all."""
    from alembic import op  # noqa: PLC0415 - only this test

    execute = op.execute

    def fail(statement: str) -> None:
        if "quarantine" in statement:
            raise RuntimeError("the lights went out")
        execute(statement)

    monkeypatch.setattr(op, "execute", fail)
    path = tmp_path / "log.db"
    with pytest.raises(RuntimeError):
        upgrade(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()


def test_every_table_is_append_only(tmp_path: Path) -> None:
    """Each table of the log has a trigger against UPDATE and one against DELETE."""
    path = tmp_path / "log.db"
    upgrade(path)
    with sqlite3.connect(path) as connection:
        triggers = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    connection.close()
    assert triggers == {f"{table}_refuses_{verb}" for table in METADATA.tables for verb in ("update", "delete")}


@pytest.mark.parametrize("name", list(METADATA.tables))
def test_the_tables_can_be_made_in_postgresql(name: str) -> None:
    """Every table and index can be written in PostgreSQL's SQL, with whole numbers that are large enough."""
    table = METADATA.tables[name]
    text = str(CreateTable(table).compile(dialect=postgresql.dialect()))
    assert "BLOB" not in text
    assert "SERIAL" not in text
    assert all(str(CreateIndex(index).compile(dialect=postgresql.dialect())) for index in table.indexes)
