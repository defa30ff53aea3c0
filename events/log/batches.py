"""Sending rows to the database in batches: many rows a statement, few statements, written beside what goes on."""

import gc
import sqlite3
import sys
from functools import cache
from itertools import repeat
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from tabletape.events.log.background import BackgroundCalls
from tabletape.events.log.rows import EventRows
from tabletape.events.log.tables import EVENT, GAME, GAME_CARDS, RECORDING, mark_of

EVENTS_A_STATEMENT: Final = 2000
WIDTH: Final = len(EVENT.columns)
NULLABLE: Final = tuple(place for place, column in enumerate(EVENT.columns) if column.nullable)
"""The places of the columns of `event` in which nothing may stand."""

_NOTHING: Final = 0
"""What is sent in their place, where something stands in that column in other rows."""

HASH: Final = EVENT.columns.keys().index("hash")

_Row: TypeAlias = tuple[object, ...]

COPY: Final = f"COPY {EVENT.name} FROM STDIN (FORMAT BINARY)"
TURN: Final = 0.0005
"""Seconds after which the thread that writes gets Python's lock back; ten times as long are usual, and it would wait
longer for the lock than it writes."""


ALLOCATIONS: Final = 50_000
"""New objects after which Python looks for garbage while rows are on their way: they are none, and they are many."""


class Batches:
    """Games, events and recordings on their way into the database, in this order.

    They go past SQLAlchemy's own `insert()`, which takes three times as long, and are written by a thread: the database
    works without Python's lock, so that the next ones are made meanwhile. Nobody else may use the connection until
    `settle` has returned. `games` and `cards` are rows of `game` and `game_cards` that are still to be sent.
    """

    games: list[_Row]
    cards: list[_Row]
    _events: list[list[Any]]  # column by column
    _recordings: list[_Row]

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._is_sqlite = connection.dialect.name == "sqlite"
        self.mark = mark_of(connection.dialect)
        self._size = min(EVENTS_A_STATEMENT, _limit(connection) // WIDTH)
        self._beside = BackgroundCalls("tabletape-log")
        self._turn, self._collect = sys.getswitchinterval(), gc.get_threshold()
        sys.setswitchinterval(min(TURN, self._turn))
        gc.set_threshold(max(ALLOCATIONS, self._collect[0]), *self._collect[1:])
        self._has_failed = False
        self.forget()

    def add_events(self, game: int, position: int, rows: EventRows, recording: tuple[object, ...]) -> None:
        """Add rows of `event` from a position on, and their row of `recording`; sends them when they are many."""
        count = len(rows.seqs)
        new: tuple[Any, ...] = (range(position, position + count), repeat(game, count), *rows)
        for column, values in zip(self._events, new, strict=True):
            column.extend(values)
        self._recordings.append(recording)
        if len(self._events[0]) >= self._size:
            self._send(len(self._events[0]) // self._size * self._size)

    def _send(self, events: int) -> None:
        """Send what waits, of the events the first ones, as soon as few enough others wait to be written."""
        if self.games or self.cards or events or self._recordings:
            columns = [column[:events] for column in self._events]
            later = [column[events:] for column in self._events]
            batch = self.games, self.cards, columns, self._recordings
            self._beside.make(self._write_next, *batch)
            self.forget()
            self._events = later

    def settle(self) -> sa.Connection:
        """Return the connection when everything that was added is in the database.

        Nothing is made meanwhile, so the rest is written here: a line that is kept at the table needs no thread.
        """
        self._beside.wait()
        if self.games or self.cards or self._events[0] or self._recordings:
            batch = self.games, self.cards, self._events, self._recordings
            self.forget()
            self._write_next(*batch)
        return self._connection

    def forget(self) -> None:
        """Drop what has not been sent."""
        self.games, self.cards, self._recordings = [], [], []
        self._events = [[] for _ in range(WIDTH)]

    def close(self) -> None:
        """Wait for what is being written, whatever became of it; nothing can be sent afterwards."""
        self._beside.close()
        sys.setswitchinterval(self._turn)
        gc.set_threshold(*self._collect)

    def _write_next(self, *batch: Any) -> None:
        """Write a batch, unless one before it failed: the database may have ended the transaction then."""
        if not self._has_failed:
            self._has_failed = True
            self._write(*batch)
            self._has_failed = False

    def _write(self, games: list[_Row], cards: list[_Row], events: list[list[Any]], recordings: list[_Row]) -> None:
        if games:
            self._connection.exec_driver_sql(_insert(GAME, self.mark), games)
        if cards:
            self._connection.exec_driver_sql(_insert(GAME_CARDS, self.mark), cards)
        if self._is_sqlite:
            for start in range(0, len(events[0]), self._size):
                self._insert_events([column[start : start + self._size] for column in events])
        else:
            self._copy_events(events)
        if recordings:
            self._connection.exec_driver_sql(_insert(RECORDING, self.mark), recordings)

    def _copy_events(self, columns: list[list[Any]]) -> None:
        """Write rows of `event` by PostgreSQL's COPY, which takes a third of the time of statements with values."""
        dialect = self._connection.dialect
        # A binary COPY has to know the types, and goes past SQLAlchemy, also where it fails.
        types = [column.type.compile(dialect).lower() for column in EVENT.columns]
        driver: Any = self._connection.connection.driver_connection
        try:
            with driver.cursor() as cursor, cursor.copy(COPY) as copy:
                copy.set_types(types)
                for row in zip(*columns, strict=True):
                    copy.write_row(row)
        except dialect.loaded_dbapi.Error as error:
            raise sa.exc.DBAPIError(COPY, None, error) from error

    def _insert_events(self, columns: list[list[Any]]) -> None:
        """Write rows of `event`, as one statement where they are enough for it."""
        columns[HASH] = [*map(bytearray, columns[HASH])]
        empty = frozenset(place for place in NULLABLE if columns[place].count(None) == len(columns[place]))
        for place in NULLABLE:
            columns[place] = [_NOTHING if value is None else value for value in columns[place]]
        columns = [column for place, column in enumerate(columns) if place not in empty]
        if len(columns[0]) < self._size:
            self._connection.exec_driver_sql(_insert(EVENT, self.mark, 1, empty), [*zip(*columns, strict=True)])
            return
        flat: list[Any] = [None] * (len(columns) * self._size)
        for place, column in enumerate(columns):
            flat[place :: len(columns)] = column
        self._connection.exec_driver_sql(_insert(EVENT, self.mark, self._size, empty), tuple(flat))


@cache
def _insert(table: sa.Table, mark: str, rows: int = 1, empty: frozenset[int] = frozenset()) -> str:
    """Return the statement that adds rows to a table; in the columns at the places in `empty` nothing stands."""
    # For `None` and `bytes` sqlite3 looks each time for somebody who adapts them, for numbers, texts and a `bytearray`
    # it does not; nearly every row has a hash, many have no player, and most no time.
    marks = [
        f"NULLIF({mark}, {_NOTHING})" if table is EVENT and place in NULLABLE else mark
        for place in range(len(table.columns))
    ]
    for place in empty:
        marks[place] = "NULL"
    row = f"({', '.join(marks)})"
    return f"INSERT INTO {table.name} VALUES {', '.join([row] * rows)}"  # noqa: S608 - a table's name and marks


def _limit(connection: sa.Connection) -> int:
    """Return how many parameters a statement may have."""
    driver = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        return driver.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
    return 65535  # PostgreSQL counts them in two bytes.
