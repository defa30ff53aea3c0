"""Sending rows to the database in batches: many rows a statement, few statements, written beside what goes on."""

import sqlite3
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import sqlalchemy as sa

from events.log_rows import Row
from events.log_tables import EVENT, GAME, GAME_CARDS, RECORDING

EVENTS_A_STATEMENT: Final = 4000
WIDTH: Final = len(EVENT.columns)

TURN: Final = 0.0005
"""Seconds after which the thread that writes gets Python's lock back; ten times as long are usual, and it would wait
longer for the lock than it writes."""


class Batches:
    """Games, events and recordings on their way into the database, in this order.

    They go past SQLAlchemy's own `insert()`, which takes three times as long, and are written by a thread: the database
    works without Python's lock, so that the next ones are made meanwhile. One batch is written while one is made;
    nobody else may use the connection until `settle` has returned.
    """

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self.mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
        self._parameters = WIDTH * min(EVENTS_A_STATEMENT, _limit(connection) // WIDTH)
        self._thread = ThreadPoolExecutor(1, "tabletape-log")
        self._turn = sys.getswitchinterval()
        sys.setswitchinterval(min(TURN, self._turn))
        self._written: Future[None] | None = None
        self.forget()

    def add_game(self, row: tuple[object, ...]) -> None:
        """Add a row of `game`."""
        self._games.append(row)

    def add_cards(self, row: tuple[object, ...]) -> None:
        """Add a row of `game_cards`."""
        self._cards.append(row)

    def add_events(self, game: int, position: int, rows: Sequence[Row], recording: tuple[object, ...]) -> None:
        """Add rows of `event` from a position on, and their row of `recording`; sends them when they are many."""
        add = self._events.extend
        for place, (seq, kind, player, at, body, digest) in enumerate(rows, position):
            # For `bytes` sqlite3 looks for somebody who adapts them each time, for a `bytearray` it does not.
            add((place, game, seq, kind, player, at, body, bytearray(digest)))
        self._recordings.append(recording)
        if len(self._events) >= self._parameters:
            self.send()

    def send(self) -> None:
        """Send everything that waits, as soon as what was sent before is written."""
        self._wait()
        if self._games or self._cards or self._recordings:
            batch = self._games, self._cards, self._events, self._recordings
            self._written = self._thread.submit(self._write, *batch)
        self.forget()

    def settle(self) -> sa.Connection:
        """Return the connection when everything that was added is in the database."""
        self.send()
        self._wait()
        return self._connection

    def forget(self) -> None:
        """Drop what has not been sent."""
        self._games: list[tuple[object, ...]] = []
        self._cards: list[tuple[object, ...]] = []
        self._events: list[object] = []
        self._recordings: list[tuple[object, ...]] = []

    def close(self) -> None:
        """Wait for what is being written, whatever became of it; nothing can be sent afterwards."""
        self._thread.shutdown()
        sys.setswitchinterval(self._turn)

    def _wait(self) -> None:
        written, self._written = self._written, None
        if written is not None:
            written.result()

    def _write(
        self,
        games: list[tuple[object, ...]],
        cards: list[tuple[object, ...]],
        events: list[object],
        recordings: list[tuple[object, ...]],
    ) -> None:
        if games:
            self._connection.exec_driver_sql(self._insert(GAME), games)
        if cards:
            self._connection.exec_driver_sql(self._insert(GAME_CARDS), cards)
        for start in range(0, len(events), self._parameters):
            part = tuple(events[start : start + self._parameters])
            self._connection.exec_driver_sql(self._insert(EVENT, len(part) // WIDTH), part)
        if recordings:
            self._connection.exec_driver_sql(self._insert(RECORDING), recordings)

    def _insert(self, table: sa.Table, rows: int = 1) -> str:
        marks = "(" + ", ".join([self.mark] * len(table.columns)) + ")"
        return f"INSERT INTO {table.name} VALUES {', '.join([marks] * rows)}"  # noqa: S608 - a table's name and marks


def _limit(connection: sa.Connection) -> int:
    """Return how many parameters a statement may have."""
    driver = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        return driver.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
    return 65535  # PostgreSQL counts them in two bytes.
