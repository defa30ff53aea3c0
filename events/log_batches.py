"""Sending rows to the database in batches: many rows a statement, few statements."""

import sqlite3
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from events.log_rows import Row
from events.log_tables import EVENT, GAME, GAME_CARDS, RECORDING

EVENTS_A_STATEMENT: Final = 1000
WIDTH: Final = len(EVENT.columns)


class Batches:
    """Games, events and recordings on their way into the database, in this order.

    They go past SQLAlchemy's own `insert()`, which takes three times as long.
    """

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self.mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
        self._parameters = WIDTH * min(EVENTS_A_STATEMENT, _limit(connection) // WIDTH)
        self._games: list[tuple[object, ...]] = []
        self._cards: list[tuple[object, ...]] = []
        self._events: list[object] = []
        self._recordings: list[tuple[object, ...]] = []

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
        """Send everything that waits."""
        if self._games:
            self._connection.exec_driver_sql(self._insert(GAME), self._games)
        if self._cards:
            self._connection.exec_driver_sql(self._insert(GAME_CARDS), self._cards)
        for start in range(0, len(self._events), self._parameters):
            part = tuple(self._events[start : start + self._parameters])
            self._connection.exec_driver_sql(self._insert(EVENT, len(part) // WIDTH), part)
        if self._recordings:
            self._connection.exec_driver_sql(self._insert(RECORDING), self._recordings)
        self.forget()

    def forget(self) -> None:
        """Drop what has not been sent."""
        self._games, self._cards, self._events, self._recordings = [], [], [], []

    def _insert(self, table: sa.Table, rows: int = 1) -> str:
        marks = "(" + ", ".join([self.mark] * len(table.columns)) + ")"
        return f"INSERT INTO {table.name} VALUES {', '.join([marks] * rows)}"  # noqa: S608 - a table's name and marks


def _limit(connection: sa.Connection) -> int:
    """Return how many parameters a statement may have."""
    driver = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        return driver.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
    return 65535  # PostgreSQL counts them in two bytes.
