"""What is appended at the same time is one transaction; what cannot follow is refused alone."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import LogWriter, StaleAppendError
from tabletape.events.vocabulary import Event as LogEvent
from tabletape.events.vocabulary import vocabulary
from tests.events.conftest import game
from tests.waiting import PATIENCE, until

WORDS = vocabulary("splicers")


def lines(game_id: str) -> list[LogEvent]:
    """Return the events of a game."""
    return [WORDS.convert(json.loads(line)) for line in game(game_id)]


def together(log: Log, *appended: Callable[[], StoredGame]) -> list[StoredGame | BaseException]:
    """Append from several threads while one that fails is writing, and then all at once; return what became of each."""
    appender, has_begun, may_end = log._appender, Event(), Event()

    @contextmanager
    def fails() -> Iterator[LogWriter]:
        appender._writing = log.writing
        has_begun.set()
        if may_end.wait(PATIENCE):
            raise OSError
        with log.writing() as tape:
            yield tape

    appender._writing = fails
    with ThreadPoolExecutor(len(appended) + 1) as threads:
        first = threads.submit(lambda: log.append("none", lines("none"), expected_last_seq=0))
        has_begun.wait(PATIENCE)
        waiting = []
        for number, each in enumerate(appended, start=1):
            waiting.append(threads.submit(each))
            until(lambda wanted=number: len(appender._waiting) == wanted, "everybody waits")  # type: ignore[misc]
        may_end.set()
        assert isinstance(first.exception(), OSError)
        return [each.exception() or each.result() for each in waiting]


def test_what_waits_is_written_together_and_what_is_late_is_refused_alone(tmp_path: Path) -> None:
    """Two games, one line for the first of them, and a late one: three are there under one head, the fourth is not."""
    note = WORDS.convert({"type": "note.added", "text": "a"})
    late = WORDS.convert({"type": "note.added", "text": "late"})
    bad = WORDS.convert({"type": "turn.ended", "player": "Z"})
    with Log.open(tmp_path / "t.db", create=True) as log:
        first, second = lines("one"), lines("two")
        found = together(
            log,
            lambda: log.append("one", first, expected_last_seq=0),
            lambda: log.append("two", second, expected_last_seq=0),
            lambda: log.append("one", [note], expected_last_seq=len(first)),
            lambda: log.append("one", [late], expected_last_seq=len(first)),
            lambda: log.append("two", [bad], expected_last_seq=len(second)),
        )
        assert [type(each) for each in found] == [StoredGame, StoredGame, StoredGame, StaleAppendError, LogError]
        assert {each.game_id: each.events for each in log.games()} == {"one": len(first) + 1, "two": len(second)}
        assert len(log.heads()) == 1
        assert list(verify(log, [log.head()])) == []


def test_who_waits_is_told_when_the_transaction_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is there, each gets the error, and the next to write can."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        first, second = lines("one"), lines("two")
        with monkeypatch.context() as failing:
            failing.setattr("tabletape.events.log.writing.LogWriter.finish", lambda _: 1 / 0)
            found = together(
                log,
                lambda: log.append("one", first, expected_last_seq=0),
                lambda: log.append("two", second, expected_last_seq=0),
            )
        assert [type(each) for each in found] == [ZeroDivisionError] * 2
        assert log.games() == []
        assert log.append("one", lines("one"), expected_last_seq=0).events == len(first)
