"""DuckDB over the datasets: every dataset is a view, nothing else can be read, and nothing can be written."""

import atexit
import os
import re
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

import duckdb
import msgspec
import pyarrow as pa

from tabletape.dashboard.sound_files import SOUND, datasets_of, require_readable, require_sound
from tabletape.events.errors import TabletapeError
from tabletape.projector.datasets.columns import (
    DATASETS,
    LARGE,
    NUMBER,
    OWN_SCHEMAS,
    SCHEMA,
    SUMMARIES,
    TEXT,
    WHOLE,
    YES_NO,
)
from tabletape.projector.datasets.manifest import Folder, Manifest, not_whole, read_manifest
from tabletape.projector.datasets.places import PlaceError, RemoteFolder
from tabletape.projector.datasets.proofs import UnsoundError, problems_in
from tabletape.projector.datasets.summaries import summary_sql

MEMORY: Final = "2GB"
"""The memory that a question may use; nothing is moved to the disk instead."""

SQL_TYPES: Final = {TEXT: "VARCHAR", WHOLE: "INTEGER", LARGE: "BIGINT", NUMBER: "DOUBLE", YES_NO: "BOOLEAN"}
"""What DuckDB calls the types of the columns of summaries."""

Connection = duckdb.DuckDBPyConnection
T = TypeVar("T")


class QuestionError(TabletapeError):
    """A question that cannot be answered; the message says why and what to do."""


class QueryRows(msgspec.Struct, frozen=True):
    """Rows, and whether there were more than asked for."""

    table: pa.Table
    cut: bool


@atexit.register
def close() -> None:
    """Close what is open, and forget what was proven; DuckDB complains about connections that outlive Python."""
    _connected.cache_clear()
    SOUND.clear()


def over_datasets(folder: Folder, sql: str, answer: Callable[[Connection], T]) -> T:
    """Return what an answer makes of a connection in which every dataset of a folder is a view.

    `sql` is all that the answer will ask: the files that it can read have to be what was written. A build that ends
    meanwhile takes the old files away: the answer is then made again from those of the new manifest. Raises
    `QuestionError` where files are not what was written, where DuckDB complains, and where the datasets were built by
    another version.
    """
    while True:
        manifest = read_manifest(folder)
        try:
            opened = _opened(folder, manifest)
            opened.require_sound(sql)
            with opened.connection.cursor() as connection:
                return answer(connection)
        except (duckdb.Error, UnsoundError) as error:
            if read_manifest(folder) == manifest:
                raise QuestionError(_in_words_of(folder, manifest, error)) from error


def _in_words_of(folder: Folder, manifest: Manifest, error: duckdb.Error | UnsoundError) -> str:
    """Return why a question has no answer: files that were changed after they were checked may be behind it."""
    if isinstance(error, UnsoundError):
        return str(error)
    problems = problems_in(folder, manifest.proofs()) if isinstance(folder, Path) else {}
    return not_whole(folder, manifest, problems) if problems else in_words(error)


class _Opened(msgspec.Struct, frozen=True):
    """DuckDB over a state of the datasets; `proven` are the names of those whose files were what was written."""

    connection: Connection
    folder: Folder
    manifest: Manifest
    proven: set[str]

    def require_sound(self, sql: str) -> None:
        """Raise `UnsoundError` where some SQL may read a file that is not what was written."""
        summed_up = any(not pack.has_summaries for pack in self.manifest.packs)
        datasets = datasets_of(sql, summed_up=summed_up)
        if not datasets <= self.proven:
            require_sound(self.folder, self.manifest, datasets)
            self.proven.update(datasets)


@lru_cache(maxsize=4)
def _connected(folder: Folder, manifest: bytes) -> _Opened:
    """Open DuckDB for a state of the datasets; kept, because opening it takes longer than most questions."""
    wanted = msgspec.json.decode(manifest, type=Manifest)
    require_readable(folder, wanted)
    connection = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "threads": os.cpu_count() or 1})
    where = _files_of(folder, wanted, connection)
    files = {name: [where + file for file in wanted.files(name)] for name in DATASETS}
    small = {name: [where + file for file in wanted.files_without_summaries(name)] for name in OWN_SCHEMAS}
    for name, schema in DATASETS.items():
        if files[name]:
            every = connection.read_parquet(files[name])
            # A log without a move is no game yet; it has no rows but this one.
            (every.filter("detail <> 'begun'") if name == "games" else every).create_view(name)
        elif not (small["games"] and name in SUMMARIES):
            connection.from_arrow(pa.Table.from_batches([], schema)).create(name)
    if small["games"]:
        _sum_up(connection, files, small)
    for setting in (
        "GLOBAL TimeZone = 'UTC'",
        "parquet_metadata_cache = true",
        "temp_directory = ''",
        "autoload_known_extensions = false",
        "autoinstall_known_extensions = false",
        "allow_community_extensions = false",
        f"allowed_paths = {[file for each in files.values() for file in each]!r}",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    return _Opened(connection, folder, wanted, set())


def _files_of(folder: Folder, manifest: Manifest, connection: Connection) -> str:
    """Return what the names of a folder's files begin with, for a connection that can open them from now on."""
    if isinstance(folder, Path):
        return f"{folder}/"
    try:
        from tabletape.dashboard.questions.remote_files import SCHEME, RemoteFiles  # noqa: PLC0415 - an extra that few have
    except ModuleNotFoundError:
        raise QuestionError(
            f"the datasets at {folder} are read by means of the package fsspec: pip install 'tabletape[remote]'"
        ) from None
    connection.register_filesystem(RemoteFiles(folder, manifest))
    return f"{SCHEME}://"


def _sum_up(connection: Connection, files: Mapping[str, list[str]], small: Mapping[str, list[str]]) -> None:
    """Have the games of small packs, which have no summaries, summed up whenever a summary is asked for.

    Where other packs have summaries, the small ones lie in a schema of their own: a view looks there first.
    """
    others = any(files[name] for name in SUMMARIES)
    if others:
        connection.execute("CREATE SCHEMA small; SET schema = 'small'")
        for name in OWN_SCHEMAS:
            connection.execute(f"CREATE VIEW {name} AS FROM read_parquet({small[name]!r})")
    for name in SUMMARIES:
        columns = ", ".join(f"CAST({each.name} AS {SQL_TYPES[each.type]}) AS {each.name}" for each in DATASETS[name])
        connection.execute(f"CREATE VIEW {name} AS SELECT {columns} FROM ({summary_sql(name)})")  # noqa: S608 - our own files
        if others:
            both = f"FROM read_parquet({files[name]!r}) UNION ALL FROM small.{name}"
            connection.execute(f"CREATE OR REPLACE VIEW main.{name} AS {both}")
    connection.execute("SET schema = 'main'")


def _opened(folder: Folder, manifest: Manifest) -> _Opened:
    if manifest.schema != SCHEMA:
        raise QuestionError("the datasets were built by another version of Tabletape: run `tabletape build`")
    place = folder if isinstance(folder, RemoteFolder) else folder.absolute()
    return _connected(place, msgspec.json.encode(msgspec.structs.replace(manifest, reached=None)))


def run(sql: str, folder: Folder, *, seconds: float, rows: int) -> QueryRows:
    """Answer one `SELECT` (or `DESCRIBE`, `SHOW TABLES`) within a time, with so many rows at most.

    Raises `QuestionError` for anything else, for SQL that does not work and for one that takes too long.
    """

    def answer(connection: Connection) -> QueryRows:
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise QuestionError("only one SELECT can be asked here: the datasets are for reading")
        clock = threading.Timer(seconds, connection.interrupt)
        clock.start()
        try:
            return _fetch(connection.sql(sql), rows)
        except duckdb.InterruptException:
            raise QuestionError(f"this took longer than {seconds:g} seconds and was stopped") from None
        finally:
            clock.cancel()

    return over_datasets(folder, sql, answer)


def _fetch(asked: duckdb.DuckDBPyRelation, rows: int) -> QueryRows:
    reader = asked.to_arrow_reader(min(rows + 1, 10_000))
    batches, fetched = [], 0
    for batch in reader:
        batches.append(batch)
        fetched += batch.num_rows
        if fetched > rows:
            break
    table = pa.Table.from_batches(batches, schema=reader.schema).slice(0, rows)
    return QueryRows(_with_plain_sums(table), fetched > rows)


def _with_plain_sums(table: pa.Table) -> pa.Table:
    """Return sums of whole numbers as whole numbers: DuckDB gives them 38 digits, which nobody reads as a number."""
    for place, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type) and field.type.scale == 0:
            try:
                table = table.set_column(place, field.name, table.column(place).cast(pa.int64()))
            except pa.ArrowInvalid:
                continue  # Larger than any whole number of 64 bits: it stays as it is.
    return table


def in_words(error: duckdb.Error) -> str:
    """Return a complaint of DuckDB as one sentence for a person, with the datasets where a table is not known."""
    place = re.search(rf"\b{PlaceError.__name__}: (.+)", str(error))
    if place:  # A file could not be read; DuckDB says also through which lines of ours.
        return place[1]
    text = re.sub(r"^\w+ Error: ", "", str(error)).partition("\n\n")[0].strip()
    text = re.sub(r"\s*\n\s*", "; ", text)
    if isinstance(error, duckdb.CatalogException) and "Table with name" in text:
        return f"{text.partition(';')[0]} The datasets are: {', '.join(DATASETS)}"
    if isinstance(error, duckdb.PermissionException):
        return "only the datasets can be read here, and nothing can be written"
    return text
