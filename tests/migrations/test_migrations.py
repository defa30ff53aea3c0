"""The migrations make the tables that the code expects, from any folder."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

import tabletape.migrations
from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.schema import SchemaError, current, upgrade
from tabletape.events.log.tables import METADATA, SCHEMA
from tests.events.conftest import game as splicers_game
from tests.migrations.first_version import lengthen, unpack


def test_the_migrated_tables_are_those_of_the_code(tmp_path: Path) -> None:
    """A fresh database has the tables, columns, keys and indexes of `log_tables`, no more and no less."""
    with Log.open(tmp_path / "log.db", create=True) as log, log.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        keys = {table.name: {key.name for key in table.foreign_key_constraints} for table in METADATA.tables.values()}
        found = {name: {key["name"] for key in sa.inspect(connection).get_foreign_keys(name)} for name in keys}
        assert found == keys


def test_a_new_log_equals_a_migrated_one(tmp_path: Path) -> None:
    """A new log has the tables, indexes and triggers of an upgraded one, with the same SQL."""
    objects = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    Log.open(tmp_path / "new.db", create=True).close()
    upgrade(tmp_path / "migrated.db")
    found = []
    for name in ("new.db", "migrated.db"):
        with sqlite3.connect(tmp_path / name) as connection:
            versions = connection.execute("SELECT version_num FROM alembic_version").fetchall()
            found.append((connection.execute(objects).fetchall(), versions))
        connection.close()
    new, migrated = found
    assert new == migrated
    assert len(new[0]) > 2 * len(METADATA.tables)


def test_the_code_expects_the_newest_migration() -> None:
    """There is one newest revision, and it is the one that the log requires."""
    scripts = ScriptDirectory(str(Path(tabletape.migrations.__file__).parent))
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
    """The tables are made all together or not at all."""
    from alembic import op  # noqa: PLC0415 - only this test

    execute = op.execute

    def fail(statement: str) -> None:
        if "quarantine" in statement:
            raise RuntimeError("the power failed")
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
    """Every table and index compiles to PostgreSQL's SQL, with integers that are large enough."""
    table = METADATA.tables[name]
    dialect: Any = postgresql
    text = str(CreateTable(table).compile(dialect=dialect.dialect()))
    assert "BLOB" not in text
    assert "SERIAL" not in text
    assert all(str(CreateIndex(index).compile(dialect=dialect.dialect())) for index in table.indexes)


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    """Return a log of the first version: four games, a revision of one, two lines in quarantine."""
    return unpack(tmp_path / "first.db")


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of the tables that the first version has, except its version number."""
    with sqlite3.connect(path) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        wanted = sorted({*names} - {"alembic_version", "head", "card_file", "game_cards", "reading"})
        found = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in wanted}  # noqa: S608 - our own
    connection.close()
    return found


def test_a_log_of_the_first_version_is_upgraded(first_version: Path) -> None:
    """It cannot be opened before; the upgrade keeps every row and adds the first head, and the log verifies."""
    with pytest.raises(SchemaError, match="tabletape db upgrade"):
        Log.open(first_version)
    before = contents(first_version)
    assert upgrade(first_version) == ("0001", SCHEMA)
    assert contents(first_version) == before
    with Log.open(first_version) as log:
        (head,) = log.heads()
        assert list(verify(log, [head.hash.hex()])) == []
        assert (head.covered()["game"].reach, len(log.quarantine())) == (len(log.games(all_revisions=True)), 2)


def test_a_large_log_of_the_first_version_is_upgraded(first_version: Path) -> None:
    """With a hundred thousand events every row is kept, the first head covers them, and the log verifies."""
    lengthen(first_version, games=50, events=2000)
    before = contents(first_version)
    assert len(before["event"]) > 100_000
    assert upgrade(first_version) == ("0001", SCHEMA)
    assert contents(first_version) == before
    with Log.open(first_version) as log:
        assert list(verify(log, [log.head()])) == []
        assert log.heads()[0].covered()["recording"].reach == len(before["recording"])


def test_an_upgraded_log_can_grow(first_version: Path, tmp_path: Path) -> None:
    """An import after the upgrade gets a head that follows the first one."""
    upgrade(first_version)
    (tmp_path / "g.jsonl").write_text("\n".join(splicers_game("new")), encoding="utf-8")
    with Log.open(first_version) as log:
        first = log.head()
        assert import_paths(log, [tmp_path / "g.jsonl"]).events
        assert list(verify(log, [first, log.head()])) == []


def test_a_failed_upgrade_leaves_the_log_as_it_was(first_version: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed upgrade every table has the same rows as before, and the upgrade can be tried again."""
    from alembic import op  # noqa: PLC0415 - only this test

    before = contents(first_version)

    def fail(_statement: str) -> None:
        raise RuntimeError("the power failed")

    with monkeypatch.context() as patched:
        patched.setattr(op, "execute", fail)
        with pytest.raises(RuntimeError):
            upgrade(first_version)
    assert current(first_version) == "0001"
    assert contents(first_version) == before
    assert upgrade(first_version) == ("0001", SCHEMA)
