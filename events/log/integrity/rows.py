"""What the checks of a log share: what they find, and reading rows from tables even where something is damaged."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from tabletape.events.log.schema import LogError

What = Literal["altered", "missing", "reordered", "added", "raw-file", "head", "schema", "database", "dataset"]


class Damage(NamedTuple):
    """Something that is not as it was written; `seq` is 0 where it is not about one event."""

    what: What
    game_id: str
    revision: int
    seq: int
    message: str


def damage(what: What, message: str) -> Damage:
    """Return a damage that is not about one game."""
    return Damage(what, "", 0, 0, message)


def each_row(
    connection: sa.Connection, table: sa.Table, names: Sequence[str] = (), *, where: str = "1 = 1", order: str = ""
) -> Iterator[sa.Row[Any]]:
    """Return rows of a table in the order of its key, or of `order`, read from the table itself.

    SQLite would also answer from an index that has all columns asked for, and so not see what the table has.
    """
    columns = ", ".join(f'"{name}"' for name in names or table.columns.keys())
    key = order or ", ".join(column.name for column in table.primary_key)
    plainly = " NOT INDEXED" if connection.dialect.name == "sqlite" else ""
    query = f"SELECT {columns} FROM {table.name}{plainly} WHERE {where} ORDER BY {key}"  # noqa: S608 - names of our own
    yield from connection.execution_options(stream_results=True).exec_driver_sql(query)


def tuples(
    connection: sa.Connection, table: sa.Table, names: Sequence[str] = (), *, where: str = "1 = 1"
) -> Iterator[tuple[Any, ...]]:
    """Return rows as `each_row` does, as plain tuples."""
    return (tuple(row) for row in each_row(connection, table, names, where=where))


def checked_to_end(what: str, check: Callable[[], Iterator[Damage]]) -> Iterator[Damage]:
    """Return what a check finds; where something is so damaged that it breaks off, say that as well and go on."""
    try:
        yield from check()
    except (LogError, sa.exc.SQLAlchemyError, ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        reason = str(error).partition("\n")[0]
        yield damage("database", f"{what} cannot be checked to its end: {reason}")
