"""What other processes write into a log in PostgreSQL, heard when it is written: nobody has to look for it."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from typing import Final

import sqlalchemy as sa

from tabletape.events.log.tables import GAME

CHANNEL: Final = "'tabletape_lines_' || md5(current_schema())"
"""The SQL that names the channel of a log: a database may hold several, each in a schema of its own."""

MOST: Final = 100
"""Games that are named; of more it is said that there are some."""

ANY_GAME: Final = ""
"""Stands for any games: so many were written to, or it is not known to which."""

RECONNECT_SECONDS: Final = 2.0
"""Seconds before a connection that broke off is made again."""


def send(connection: sa.Connection, games: Iterable[int]) -> None:
    """Have the games with these numbers be named to all who listen, once the transaction has come to its end."""
    numbers = [*games]
    if connection.dialect.name != "postgresql" or not numbers:
        return
    channel: sa.ColumnElement[str] = sa.literal_column(CHANNEL)
    if len(numbers) > MOST:
        connection.execute(sa.select(sa.func.pg_notify(channel, ANY_GAME)))
    else:
        connection.execute(sa.select(sa.func.pg_notify(channel, GAME.c.game_id)).where(GAME.c.number.in_(numbers)))


async def notices(url: sa.URL) -> AsyncGenerator[str, None]:
    """Yield the id of each game that is written to, as it happens, for ever; `ANY_GAME` where it may be any of them.

    That is said at the beginning, and when the connection is made again after it broke off. It ends at once where
    nothing can be heard: in SQLite, and in an event loop that the driver cannot use (on Windows).
    """
    if url.get_backend_name() != "postgresql":
        return
    import psycopg.sql  # noqa: PLC0415 - only PostgreSQL needs its driver

    _, named = sa.create_engine(url).dialect.create_connect_args(url)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**named, autocommit=True) as connection:
                named_so = await (await connection.execute(f"SELECT {CHANNEL}")).fetchone()
                await connection.execute(psycopg.sql.SQL("LISTEN {}").format(psycopg.sql.Identifier(*named_so or ())))
                yield ANY_GAME
                async for notice in connection.notifies():
                    yield notice.payload
        except psycopg.InterfaceError:
            return
        except psycopg.OperationalError:
            await asyncio.sleep(RECONNECT_SECONDS)
