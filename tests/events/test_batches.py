"""Rows that a second thread writes: in order, in whole statements, and none after one that failed."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tabletape.events.log import Log
from tabletape.events.log import batches as log_batches
from tabletape.events.log.batches import Batches
from tabletape.events.log.hashes import opening_hash
from tabletape.events.log.integrity import verify
from tabletape.events.log.rows import Chain, EventRows
from tabletape.events.log.schema import LogError
from tabletape.events.log.tables import EVENT, GAME
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.shared import GameStarted
from tests.events.conftest import game

VOCABULARY = vocabulary("splicers")


def rows_of(game_id: str) -> tuple[GameStarted, EventRows]:
    """Return a small game and its rows."""
    events = [VOCABULARY.decode(text) for text in game(game_id, turns=7)]
    head = events[0]
    assert isinstance(head, GameStarted)
    chain = Chain((seat.id for seat in head.players), 0, opening_hash(game_id))
    for event in events:
        chain.add(event)
    return head, chain.rows


def append(log: Log, games: int) -> None:
    """Append a number of games in one transaction."""
    with log.writing() as tape:
        for number in range(games):
            head, rows = rows_of(f"g{number}")
            tape.append(tape.start(head, 1), rows)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_games_are_stored_whole_whatever_a_statement_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Statements end within games and games within statements, and each event is stored once, in its place."""
    monkeypatch.setattr(log_batches, "EVENTS_A_STATEMENT", size)
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        append(log, 9)
        assert [len(log.events(each)) for each in log.games()] == [len(game(turns=7))] * 9
        assert [*verify(log)] == []


def test_nothing_is_written_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk may end the transaction in SQLite: later rows must not be stored outside of it."""
    monkeypatch.setattr(log_batches, "EVENTS_A_STATEMENT", 10)
    write = Batches._write
    calls = []

    def fails_first(self: Batches, *batch: Any) -> None:
        calls.append(batch)
        if len(calls) > 1:
            write(self, *batch)
            return
        time.sleep(0.2)  # The others are waiting by then.
        self._connection.exec_driver_sql("ROLLBACK")
        raise sa.exc.OperationalError("INSERT", None, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr(Batches, "_write", fails_first)
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        with pytest.raises(LogError, match="full"):
            append(log, 100)
        with log.reading() as connection:
            counts = [connection.scalar(sa.select(sa.func.count()).select_from(each)) for each in (GAME, EVENT)]
        assert counts == [0, 0]
