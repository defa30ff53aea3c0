"""A log proves itself: tampering with its database is found, and with a kept head without exception."""

import random
import shutil
from pathlib import Path

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.readings import last_readings
from tabletape.events.log.schema import LogError
from tests.events.conftest import game, write_lines
from tests.events.tampering import TAMPERING, cut_off, log_to_tamper_with, tamper


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a log as `log_to_tamper_with` makes it."""
    return log_to_tamper_with(tmp_path_factory.mktemp("made"))


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    """Return a copy of that log."""
    return Path(shutil.copy(made, tmp_path / "log.db"))


def found(path: Path, *heads: str) -> list[str]:
    """Return the messages of `verify` about a log."""
    try:
        with Log.open(path, damaged=True) as log:
            return [each.message for each in verify(log, heads)]
    except LogError as error:
        return [str(error)]


def test_nothing_is_found_in_an_unchanged_log(path: Path) -> None:
    """This holds with all its heads, and after its triggers were dropped and restored."""
    with Log.open(path) as log:
        heads = [each.hash.hex() for each in log.heads()]
        assert log.head() == heads[-1]
    assert len(heads) == 2
    assert found(path, *heads) == []
    tamper(path, ())
    assert found(path, *heads) == []


@pytest.mark.parametrize("name", TAMPERING)
def test_every_tampering_is_found(path: Path, name: str) -> None:
    """Each of these changes is found even without a kept head, because not everything was rewritten."""
    tamper(path, TAMPERING[name], triggers=name != "trigger-dropped")
    assert found(path), name


def test_an_end_that_was_cut_off_is_found_with_a_kept_head(path: Path) -> None:
    """Without its end and the head of that end the log is a consistent older one; only the kept head shows the loss."""
    with Log.open(path) as log:
        first, last = (each.hash.hex() for each in log.heads())
    cut_off(path)
    assert found(path) == []
    assert found(path, first) == []
    (message,) = found(path, last)
    assert "changed or taken away" in message


def test_a_log_that_was_written_anew_is_found_with_a_kept_head(path: Path, tmp_path: Path) -> None:
    """A log with other content and correct hashes is consistent; only the kept head shows that it is another one."""
    with Log.open(path) as log:
        head = log.head()
    with Log.open(tmp_path / "forged.db", create=True) as forged:
        import_paths(forged, [write_lines(tmp_path / "games.jsonl", [*game("a"), *game("b")])])
    assert found(tmp_path / "forged.db") == []
    assert found(tmp_path / "forged.db", head)


def test_a_change_before_a_kept_head_is_found(path: Path) -> None:
    """The head is checked against the content that it covers, not only looked up."""
    with Log.open(path) as log:
        head = log.head()
    tamper(path, TAMPERING["game-recorded-at"])
    assert any("something that it covers was changed" in each for each in found(path, head))


def test_all_damage_is_reported_not_only_the_first(path: Path) -> None:
    """A table that cannot be read at all does not hide damage in the others."""
    tamper(path, (*TAMPERING["game-player-without-name"], *TAMPERING["quarantine-dropped"], *TAMPERING["raw-part"]))
    text = "\n".join(found(path))
    for part in ("`quarantine`", "the row of the game is not", "kept copy"):
        assert part in text


def test_recordings_after_a_head_are_listed(path: Path) -> None:
    """Each recording after a head is named with its events and its file; an unknown head is refused."""
    with Log.open(path) as log:
        first, last = (each.hash.hex() for each in log.heads())
        assert [(each.game_id, each.events) for each in log.since(first)] == [("c", 1)]
        assert log.since(last) == []
        with pytest.raises(LogError, match="is not in"):
            log.since("00" * 32)


def test_a_dry_run_and_an_import_of_nothing_new_leave_the_head(path: Path, tmp_path: Path) -> None:
    """The head changes only when something is recorded."""
    with Log.open(path) as log:
        before = log.head()
        a = write_lines(tmp_path / "a.jsonl", game("new"))
        assert import_paths(log, [a], Options(dry_run=True)).head == before
        assert import_paths(log, [a]).head == log.head() != before
        before = log.head()
        assert import_paths(log, [a]).head == before
        assert import_paths(log, [write_lines(tmp_path / "b.jsonl", game("newer"))]).head == log.head() != before


def content(path: Path) -> object:
    """Return all content of a log, or the message with which reading it fails."""
    try:
        with Log.open(path) as log:
            games = log.games(all_revisions=True)
            files = [(file, b"".join(log.raw_content(file))) for file in log.raw_files()]
            stored = [log.stored(game) for game in games]
            readings = last_readings(log, (file.name for file, _ in files))
            return games, stored, log.quarantine(), files, readings, log.heads()
    except Exception as error:  # noqa: BLE001 - any failure counts as a difference
        return str(error)


@pytest.mark.parametrize("seed", range(4))
def test_no_flipped_bit_changes_content_unnoticed(path: Path, made: Path, seed: int) -> None:
    """A flipped bit anywhere in the file that changes the content of the log is found."""
    whole = made.read_bytes()
    before = content(made)
    dice = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(12):
        place = dice.randrange(len(whole) * 8)
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        if content(path) != before:
            assert found(path), f"bit {place}"
