"""A journal beside a log: what a killed writer left is taken back, what belongs to another log is refused."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tabletape.events.importing.import_files import import_paths
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.journal import journal_of
from tabletape.events.log.schema import SAFE_WAL, LogError
from tests.events.conftest import game, write_lines

pytestmark = pytest.mark.skipif(sqlite3.sqlite_version_info >= SAFE_WAL, reason="this SQLite keeps no rollback journal")

Imported = Callable[..., Path]


@pytest.fixture
def imported(tmp_path: Path) -> Imported:
    """Return what imports games into a log one by one."""

    def run(name: str, *games: str) -> Path:
        for each in games:
            file = tmp_path / f"{each}.jsonl"
            write_lines(file, game(each, turns=8))
            with Log.open(tmp_path / name, create=True) as log:
                import_paths(log, [file])
        return tmp_path / name

    return run


@pytest.fixture
def left_behind(imported: Imported, tmp_path: Path) -> tuple[Path, str]:
    """Return a log that a killed writer left half written, with its journal, and its head of before."""
    log = imported("written.db", "one", "two")
    with Log.open(log) as before:
        head = before.head()
    killed = tmp_path / "killed.db"
    with closing(sqlite3.connect(log, isolation_level=None)) as writer:
        for words in ("PRAGMA cache_size=1", "BEGIN IMMEDIATE", "CREATE TABLE more (text)"):
            writer.execute(words)
        writer.executemany("INSERT INTO more VALUES (?)", [("x" * 10_000,)] * 50)
        shutil.copy(log, killed)
        shutil.copy(journal_of(log), journal_of(killed))
        writer.execute("ROLLBACK")
    _as_if_synced(journal_of(killed))
    assert killed.read_bytes() != log.read_bytes()
    return killed, head


def _as_if_synced(journal: Path) -> None:
    """Have a journal say how many pages it holds, as it does when it was synced."""
    content = bytearray(journal.read_bytes())
    sector, size = (int.from_bytes(content[place : place + 4], "big") for place in (20, 24))
    content[8:12] = ((len(content) - sector) // (size + 8)).to_bytes(4, "big")
    journal.write_bytes(content)


def test_what_a_killed_writer_left_is_taken_back(left_behind: tuple[Path, str]) -> None:
    """Whoever opens the log next finds it as it was before, and no journal beside it."""
    place, head = left_behind
    with Log.open(place) as log:
        assert (log.head(), [each.game_id for each in log.games()]) == (head, ["one", "two"])
        assert list(verify(log, [head])) == []
    assert not journal_of(place).exists()


@pytest.mark.parametrize("games", [("three",), ("three", "four", "five", "six")], ids=["a shorter log", "a longer log"])
def test_the_journal_of_another_log_is_refused(
    games: tuple[str, ...], imported: Imported, left_behind: tuple[Path, str]
) -> None:
    """No byte of a log beside which the journal of another one lies is changed; without the journal it opens."""
    other = imported("other.db", *games)
    before = other.read_bytes()
    shutil.copy(journal_of(left_behind[0]), journal_of(other))
    with pytest.raises(LogError, match=r"other\.db-journal is left of a writer to another log than .*other\.db"):
        Log.open(other)
    assert other.read_bytes() == before
    journal_of(other).unlink()
    with Log.open(other) as log:
        assert [each.game_id for each in log.games()] == [*games]


def test_the_journal_of_an_older_copy_is_refused(imported: Imported, left_behind: tuple[Path, str]) -> None:
    """A log that went on for two imports is not taken back to where a killed writer began."""
    place = imported("written.db", "three", "four")
    shutil.copy(journal_of(left_behind[0]), journal_of(place))
    with pytest.raises(LogError, match="another copy of it"):
        Log.open(place)


@pytest.mark.parametrize("content", [b"", b"no journal", bytes(600), bytes.fromhex("d9d505f920a163d7") + b"\xff" * 600])
def test_what_is_no_journal_hinders_nobody(content: bytes, imported: Imported) -> None:
    """A file of that name that holds no page is left to SQLite, which passes it over."""
    place = imported("log.db", "one")
    journal_of(place).write_bytes(content)
    with Log.open(place) as log:
        assert [each.game_id for each in log.games()] == ["one"]
        assert list(verify(log, [])) == []
