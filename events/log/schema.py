"""Reaching the database of a log: its address, its connection, its schema.

The schema is Alembic's (`migrations/`), run from here, so that it works from any folder and from an installed wheel.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from sqlalchemy import exc

from tabletape.events.errors import TabletapeError
from tabletape.events.log.journal import is_foreign, journal_of
from tabletape.events.log.tables import METADATA, SCHEMA

if TYPE_CHECKING:
    from alembic.config import Config

DEFAULT_FILE: Final = "tabletape.db"

SAFE_WAL: Final = (3, 51, 3)
"""The first SQLite whose write-ahead log does not lose pages (older ones keep the rollback journal)."""

PAGE: Final = 16_384
"""Bytes of a page of a new SQLite log: it grows at its end, so few large pages are written sooner than many small."""

PRAGMAS: Final = (
    f"page_size={PAGE}",
    f"journal_mode={'WAL' if sqlite3.sqlite_version_info >= SAFE_WAL else 'DELETE'}",
    # FULL leaves the removal of a rollback journal, which is what commits, to whenever the folder is written.
    "synchronous=EXTRA",
    "fullfsync=ON",  # On macOS an ordinary fsync ends in the drive's own memory.
    "foreign_keys=ON",
    "recursive_triggers=ON",
    "cache_size=-32768",
)
"""How SQLite keeps a log."""

WAIT: Final = 60.0
"""Seconds that a writer waits for others before it gives up."""

FOREIGN: Final = "something else"
UNVERSIONED_SCHEMA: Final = "no version"
"""What `schema_of` says of tables that are no log, and of a log that does not say its version any more."""


class LogError(TabletapeError):
    """The log cannot do what was asked; the message is meant for the person who asked."""


class SchemaError(LogError):
    """The database is of another version than this Tabletape, or is no log at all."""


class LockedError(LogError):
    """Somebody else was writing to the log for as long as this one was willing to wait."""


class NoLogError(LogError):
    """There is no log at that address."""


def address(url: str | Path) -> sa.URL:
    """Return the database URL for a URL (`postgresql://…`, `sqlite:///…`) or the path of a SQLite file.

    Raises `LogError` where it is neither.
    """
    text = str(url)
    if "://" not in text:
        return sa.URL.create("sqlite", database=text)
    try:
        url_read = sa.make_url(text)
    except exc.ArgumentError as error:
        raise LogError(f"{text!r} is no address of a database: write a file name or postgresql://…") from error
    if url_read.drivername == "postgres":
        url_read = url_read.set(drivername="postgresql")
    if url_read.get_backend_name() not in ("sqlite", "postgresql"):
        raise LogError(f"a log lives in SQLite or PostgreSQL, not in {url_read.get_backend_name()!r}")
    return url_read


def file_of(url: sa.URL) -> Path | None:
    """Return the file that a SQLite log lives in; none for a log in memory or on a server."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def connect(url: sa.URL, wait: float = WAIT) -> sa.Engine:
    """Make the engine of a log, whose writers wait in line for so many seconds.

    A connection with the execution option `writing=True` takes the write lock at its beginning, so that nobody comes
    between what it reads and what it appends. Raises `LogError` beside the journal of another log.
    """
    if url.get_backend_name() == "postgresql":
        return _postgresql(url, wait)
    file = file_of(url)
    if file is not None and is_foreign(file):
        raise LogError(
            f"{journal_of(file)} is left of a writer to another log than {file}, or to another copy of it, and opening "
            "it would overwrite this one: move the journal to where its own log is, or away"
        )
    pool = {"poolclass": sa.StaticPool} if file is None else {}
    engine = sa.create_engine(url, connect_args={"timeout": wait, "check_same_thread": False}, **pool)

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _postgresql(url: sa.URL, wait: float) -> sa.Engine:
    """Make the engine of a log on a PostgreSQL server; `%s` as the parameter mark lets tuples through."""
    try:
        engine = sa.create_engine(url, paramstyle="format")
    except ModuleNotFoundError as error:
        raise LogError(
            f"a log in PostgreSQL needs the package {error.name!r}: pip install 'tabletape[postgresql]'"
        ) from error

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        if connection.get_execution_options().get("writing"):
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(wait * 1000)}")
            # Tabletape's own lock number ("tt"), so that positions are given in the order of the commits.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(29812)")

    return engine


@contextmanager
def plainly(url: sa.URL) -> Iterator[None]:
    """Turn what the database complains about into a `LogError` in plain words."""
    where = url.render_as_string(hide_password=True) if file_of(url) is None else str(file_of(url))
    try:
        yield
    except exc.DBAPIError as error:
        reason = str(error.orig).strip()
        if "locked" in reason or "lock timeout" in reason:
            message = (
                f"somebody else is writing to {where} and does not come to an end; try again, or wait longer (--wait)"
            )
            raise LockedError(message) from error
        if "readonly" in reason or "read-only" in reason:
            raise LogError(f"{where} may not be written to: it is read-only") from error
        if "not a database" in reason:
            raise SchemaError(f"{where} is no log: it is not a database at all") from error
        if "malformed" in reason:
            raise LogError(f"{where} is damaged: {reason}; restore it from a copy") from error
        if "unable to open" in reason:
            raise NoLogError(f"{where} cannot be opened: does its folder exist, and may you write there?") from error
        raise LogError(f"the database at {where} says: {reason}") from error
    except UnicodeDecodeError as error:
        # SQLite quotes what it cannot read in what it says.
        raise LogError(f"{where} is damaged: it holds what is no text; restore it from a copy") from error


def schema_of(connection: sa.Connection) -> str:
    """Return the schema's revision in the database, empty where there is none, `FOREIGN` or `UNVERSIONED_SCHEMA`."""
    tables = sa.inspect(connection).get_table_names()
    if "alembic_version" in tables:
        revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return str(revision) if revision else UNVERSIONED_SCHEMA
    if {"game", "event", "recording"} <= set(tables):
        return UNVERSIONED_SCHEMA
    return FOREIGN if tables else ""


def current(url: str | Path) -> str:
    """Return the revision of the schema at an address (`0001`); empty for an empty database.

    Raises `NoLogError` where there is no such file, `LogError` where the database cannot be reached.
    """
    place = address(url)
    require_file(place)
    engine = connect(place)
    try:
        with plainly(place), engine.connect() as connection:
            return schema_of(connection)
    finally:
        engine.dispose()


def upgrade(url: str | Path) -> tuple[str, str]:
    """Bring the database at an address to today's schema, making the file where there is none.

    Gives the revisions before and after. Raises `SchemaError` where the database is newer than this Tabletape or holds
    something else.
    """
    place = address(url)
    engine = connect(place)
    try:
        with plainly(place), engine.execution_options(writing=True).begin() as connection:
            return migrate(connection, place)
    finally:
        engine.dispose()


def migrate(connection: sa.Connection, url: sa.URL) -> tuple[str, str]:
    """Bring the database of an open connection to today's schema, in its transaction."""
    from alembic import command  # noqa: PLC0415 - a log that is up to date does not need Alembic: half a second a start

    before = schema_of(connection)
    if before not in ("", SCHEMA):
        refuse_schema(before, url, may_be_older=True)
    if before != SCHEMA:
        command.upgrade(alembic_config(connection), SCHEMA)
    return before, SCHEMA


def alembic_config(connection: sa.Connection) -> "Config":
    """Return Alembic's configuration for a connection; the scripts stand in the installed package `migrations`."""
    from alembic.config import Config  # noqa: PLC0415 - see `migrate`

    config = Config()
    config.set_main_option("script_location", str(files("tabletape.migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def refuse_schema(schema: str, url: sa.URL, *, may_be_older: bool = False) -> None:
    """Raise the `SchemaError` for a schema that is not today's; an older one passes where `may_be_older` is set."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - see `migrate`

    where = file_of(url) or url.render_as_string(hide_password=True)
    if schema == FOREIGN:
        raise SchemaError(f"{where} holds tables, but no log: name another file or database")
    if schema == UNVERSIONED_SCHEMA:
        raise SchemaError(
            f"{where} does not say which version of a log it is any more: somebody has emptied `alembic_version`; "
            "restore it from a copy (`tabletape verify` says what else is damaged)"
        )
    known = {script.revision for script in ScriptDirectory(str(files("tabletape.migrations"))).walk_revisions()}
    if schema not in known:
        raise SchemaError(
            f"{where} was written by a newer Tabletape (schema {schema}, this one knows {SCHEMA}): update Tabletape"
        )
    if not may_be_older:
        raise SchemaError(f"{where} has the older schema {schema}, today's is {SCHEMA}: run `tabletape db upgrade`")


def require_file(url: sa.URL) -> None:
    """Raise `NoLogError` where the file of a SQLite log does not exist."""
    path = file_of(url)
    if path is not None and not path.exists():
        raise NoLogError(f"there is no log at {path}: `tabletape import` begins one")


_VERSION: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic looks which revision a database has."""


def begin_log(connection: sa.Connection) -> None:
    """Make today's tables and triggers in an empty SQLite database, in the transaction of its connection.

    Alembic takes longer to load and to run than most imports. What both make is the same, to the letter of its SQL.
    """
    METADATA.create_all(connection, checkfirst=False)
    for table in METADATA.tables:
        for verb in ("UPDATE", "DELETE"):
            connection.exec_driver_sql(
                f"CREATE TRIGGER {table}_refuses_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the log is append-only: {verb} on {table} is refused'); END"
            )
    _VERSION.create(connection)
    connection.execute(_VERSION.insert().values(version_num=SCHEMA))
