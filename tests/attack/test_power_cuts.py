"""Power cuts: whatever a command has said is on the disk, at whatever moment the power fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.disk import Disk
from tests.attack.failing_calls import problems_of_failures
from tests.attack.power_cuts import COMMANDS, Command, Record, problems_of, recorded, recorded_scribe
from tests.attack.tracing import calls_in, needs_strace, traced

SHARE = 0.02
"""The share of the writes between two syncs after which the power is cut: `python -m tests.attack` takes all."""

FAILURES = 2
"""Calls of each command that fail: `python -m tests.attack` takes more."""

COMMIT = """
import sqlite3
import sys
log = sqlite3.connect("log.db", isolation_level=None)
log.execute("PRAGMA journal_mode=DELETE")
log.execute(f"PRAGMA synchronous={sys.argv[1]}")
log.execute("INSERT INTO line VALUES ('a tap')")
print("stored", flush=True)
"""


def _a_table(folder: Path) -> None:
    program = "import sqlite3; sqlite3.connect('log.db').execute('CREATE TABLE line (text)')"
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True)  # noqa: S603 - our own


def _lost(folder: Path, said: str) -> str:
    program = "import sqlite3; print(sqlite3.connect('log.db').execute('SELECT count(*) FROM line').fetchone()[0])"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return "lost" if "stored" in said and done.stdout.strip() != "1" else ""


def _problems(program: str, folder: Path, *arguments: str) -> list[str]:
    """Run a program under strace in a folder; return what `_lost` finds after a cut."""
    disk = Disk(folder / "disk")
    command = traced(folder / "trace", [sys.executable, "-c", program, *arguments])
    subprocess.run(command, cwd=disk.root, capture_output=True, check=True)  # noqa: S603 - our own
    return problems_of(Record(disk, [*calls_in(folder / "trace")]), Command(_a_table, (), _lost), folder)[1]


@needs_strace
@pytest.mark.parametrize(("synchronous", "is_lost"), [("FULL", True), ("EXTRA", False)])
def test_the_attack_finds_a_commit_that_a_power_cut_takes_back(
    synchronous: str,
    is_lost: bool,
    tmp_path: Path,
) -> None:
    """With a rollback journal FULL does not sync the folder after the journal's removal; EXTRA does."""
    (tmp_path / "disk").mkdir()
    _a_table(tmp_path / "disk")
    assert bool(_problems(COMMIT, tmp_path, synchronous)) is is_lost


@needs_strace
@pytest.mark.parametrize("what", COMMANDS)
def test_what_was_said_survives_a_power_cut(what: str, tmp_path: Path) -> None:
    """After a cut at any moment all that was acknowledged is stored, nothing in part, and `verify` is clean."""
    opened, problems = problems_of(recorded(COMMANDS[what], tmp_path), COMMANDS[what], tmp_path, SHARE)
    assert problems == []
    assert opened > 1


@needs_strace
def test_what_the_scribe_showed_survives_a_power_cut(tmp_path: Path) -> None:
    """A line that was answered for is in the log after a cut at any later moment."""
    record, command = recorded_scribe(tmp_path)
    opened, problems = problems_of(record, command, tmp_path, SHARE)
    assert problems == []
    assert opened > 1


@needs_strace
@pytest.mark.parametrize("what", COMMANDS)
def test_a_failing_disk_ends_a_command_in_words(what: str, tmp_path: Path) -> None:
    """After EIO or ENOSPC one line names a file, and what was not acknowledged is whole or not there."""
    assert problems_of_failures(COMMANDS[what], tmp_path, FAILURES) == []
