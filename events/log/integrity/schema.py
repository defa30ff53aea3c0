"""The check of the database: it has the tables, indexes and triggers that were made, and finds itself in order."""

from collections.abc import Iterator, Mapping
from functools import cache

import sqlalchemy as sa

from tabletape.events.log import Log
from tabletape.events.log.integrity.rows import Damage, damage
from tabletape.events.log.schema import schema_of
from tabletape.events.log.tables import METADATA, SCHEMA

_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
_TRIGGERS = (
    "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE NOT tgisinternal AND tgenabled = 'O' AND relnamespace = current_schema()::regnamespace"
)


def schema_damages(log: Log) -> Iterator[Damage]:
    """Compare the schema with that of a fresh log."""
    with log.reading() as connection:
        schema = schema_of(connection)
        if schema != SCHEMA:
            yield damage("schema", f"the log says that its version is {schema!r}, not {SCHEMA!r}")
        yield from _sqlite(connection) if connection.dialect.name == "sqlite" else _postgresql(connection)


def _sqlite(connection: sa.Connection) -> Iterator[Damage]:
    wanted = _objects_of_a_fresh_log()
    there = {(row[0], row[1]): row[2] for row in connection.exec_driver_sql(_OBJECTS)}
    for kind, name in wanted.keys() - there.keys():
        yield damage("schema", f"the {kind} `{name}` is gone")
    for kind, name in there.keys() - wanted.keys():
        yield damage("schema", f"the {kind} `{name}` is none of Tabletape's")
    for key in wanted.keys() & there.keys():
        if wanted[key] != there[key]:
            yield damage("schema", f"the {key[0]} `{key[1]}` is not the one that was made")


@cache
def _objects_of_a_fresh_log() -> Mapping[tuple[str, str], str]:
    """Return the SQL of each table, index and trigger by its kind and name, as the migrations make them."""
    with Log.open("sqlite://", create=True) as fresh, fresh.reading() as connection:
        return {(row[0], row[1]): row[2] for row in connection.exec_driver_sql(_OBJECTS)}


def _postgresql(connection: sa.Connection) -> Iterator[Damage]:
    tables = sa.inspect(connection).get_table_names()
    triggers = set(connection.exec_driver_sql(_TRIGGERS).scalars())
    for table in METADATA.tables:
        if table not in tables:
            yield damage("schema", f"the table `{table}` is gone")
        for trigger in (f"{table}_refuses_change", f"{table}_refuses_truncate"):
            if trigger not in triggers:
                yield damage("schema", f"the trigger `{trigger}` is gone or switched off")


def database_damages(log: Log) -> Iterator[Damage]:
    """Ask the database whether it finds itself in order: its pages, its indexes, its references."""
    with log.reading() as connection:
        if connection.dialect.name != "sqlite":
            return
        for (problem,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if problem != "ok":
                yield damage("database", str(problem))
        for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            yield damage("missing", f"row {row} of the table `{table}` names a row of `{parent}` that is not there")
