"""A log proves itself: tampering with its database is found, and with a kept head without exception."""

import random
import shutil
from pathlib import Path

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.log.integrity import games as integrity_games
from tabletape.events.log.integrity import verify, verify_new
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


def new_found(path: Path, *heads: str) -> list[str]:
    """Return the messages of a check of what came after kept heads."""
    try:
        with Log.open(path, damaged=True) as log:
            return [each.message for each in verify_new(log, heads)]
    except LogError as error:
        return [str(error)]


def test_a_log_goes_on_from_each_of_its_heads(path: Path) -> None:
    """From every head of an unchanged log, and from all of them together, nothing is found."""
    with Log.open(path) as log:
        heads = [each.hash.hex() for each in log.heads()]
    for kept in ([heads[0]], [heads[1].upper()], heads):
        assert new_found(path, *kept) == []


def test_a_log_that_was_cut_or_exchanged_does_not_go_on(path: Path, tmp_path: Path) -> None:
    """The end that was cut off, and another log, are noticed by the head alone."""
    with Log.open(path) as log:
        first, last = (each.hash.hex() for each in log.heads())
    with Log.open(tmp_path / "forged.db", create=True) as forged:
        import_paths(forged, [write_lines(tmp_path / "games.jsonl", [*game("a"), *game("b")])])
    cut_off(path)
    assert new_found(path, first) == []
    for changed in (path, tmp_path / "forged.db"):
        (message,) = new_found(changed, last)
        assert "changed or taken away" in message


NEW = {
    "body": "UPDATE event SET body = body || ' ' WHERE position = (SELECT max(position) FROM event)",
    "hash": "UPDATE event SET hash = zeroblob(32) WHERE position = (SELECT max(position) FROM event)",
    "event": "DELETE FROM event WHERE position = (SELECT max(position) FROM event)",
    "recording": "UPDATE recording SET recorded_at = 'now' WHERE number = (SELECT max(number) FROM recording)",
    "game": "UPDATE game SET edition = 'x' WHERE number = (SELECT max(number) FROM game)",
    "head": "UPDATE head SET recorded_at = 'now' WHERE number = 2",
    "slipped in": "INSERT INTO event SELECT position + 1, game, seq + 1, type, player, at, body, hash FROM event "
    "ORDER BY position DESC LIMIT 1",
}
"""Changes to what came after the first head."""


@pytest.mark.parametrize("name", NEW)
def test_every_change_to_what_is_new_is_found(path: Path, name: str) -> None:
    """What came after the kept head is checked as a whole check does."""
    with Log.open(path) as log:
        first, _ = (each.hash.hex() for each in log.heads())
    tamper(path, (NEW[name],))
    assert new_found(path, first), name


def test_what_lies_before_a_kept_head_is_not_read(path: Path) -> None:
    """A change of an older row with its hashes left as they were is found by a whole check only, as is documented."""
    with Log.open(path) as log:
        first, last = (each.hash.hex() for each in log.heads())
    tamper(path, ("UPDATE game SET edition = 'x' WHERE number = 1",))
    assert new_found(path, last) == []
    assert found(path, last)
    tamper(path, ("UPDATE head SET recorded_at = 'now' WHERE number = 1",))
    assert new_found(path, last)
    assert new_found(path, first)


def test_only_what_is_new_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the newest head no event and no raw file is read."""

    def refused(*_: object, **__: object) -> object:
        raise AssertionError

    with Log.open(path) as log:
        newest = log.head()
        monkeypatch.setattr(integrity_games._Check, "damages", refused)
        monkeypatch.setattr(Log, "raw_content", refused)
        assert [*verify_new(log, [newest])] == []
        with pytest.raises(AssertionError):
            [*verify_new(log, [log.heads()[0].hash.hex()])]
