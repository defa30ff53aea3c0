"""The log of another program as it grows: what is whole is read, and what the rules say of it appears as it happens."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletape.dashboard.service.watching import OwnLog, Watching
from tabletape.events.errors import RefusedError
from tabletape.events.importing.growing import whole_lines
from tabletape.events.log import Log
from tests.dashboard.serving import ROOT
from tests.waiting import until

BATTLE = (ROOT / "tests" / "recordings" / "maps" / "ptcg-live" / "input.txt").read_bytes()
LINES = BATTLE.splitlines(keepends=True)
GAME = (ROOT / "tests" / "recordings" / "splicers" / "ability-colon.jsonl").read_bytes()


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Yield an empty log."""
    with Log.open(tmp_path / "t.db", create=True) as opened:
        yield opened


def _events(log: Log) -> dict[str, int]:
    return {each.game_id: each.events for each in log.games()}


def test_a_log_is_read_as_it_grows_and_a_half_line_waits(log: Log, tmp_path: Path) -> None:
    """Line by line it comes to what the whole file comes to; it may be late, vanish, and be the same file again."""
    file = tmp_path / "battle.txt"
    watching = Watching(file, OwnLog(log, file))
    assert watching.look() is None
    file.write_bytes(b"".join(LINES[:6]) + LINES[6][:9])
    found = watching.look()
    assert found is not None
    before = _events(log)
    with file.open("ab") as more:
        more.write(LINES[6][9:-1])
    assert (watching.look(), _events(log)) == (None, before)
    file.rename(tmp_path / "away.txt")
    assert watching.look() is None
    for number in range(7, len(LINES) + 1):
        file.write_bytes(b"".join(LINES[:number]))
        watching.look()
    again = Watching(file, OwnLog(log, file))
    again.look()
    assert again.file.name == "battle.txt"
    with Log.open(tmp_path / "whole.db", create=True) as whole:
        OwnLog(whole, file).take("battle.txt", BATTLE)
        assert _events(log) == _events(whole)


def test_a_log_that_begins_anew_is_another_game(log: Log, tmp_path: Path) -> None:
    """What stood there stays as it was, also for who looks for the first time; a line that was changed is refused."""
    file = tmp_path / "battle.txt"
    file.write_bytes(BATTLE)
    watching = Watching(file, OwnLog(log, file))
    watching.look()
    other = BATTLE.replace(b"wren", b"lark")
    file.write_bytes(b"".join(other.splitlines(keepends=True)[:10]))
    watching.look()
    file.write_bytes(other)
    watching.look()
    assert [*_events(log).values()] == [_events(log)["ptcg-battle"]] * 2
    later = Watching(file, OwnLog(log, file))
    later.look()
    assert (later.file.name, len(log.games())) == ("battle-2.txt", 2)
    file.write_bytes(other.replace(b"lark", b"kite"))
    with pytest.raises(RefusedError, match="lines that were read before are others now"):
        later.look()
    assert len(log.games()) == 2


@pytest.mark.parametrize(
    ("content", "whole"),
    [
        (b"a\nb", b"a\n"),
        (b"a\r\n", b"a\r\n"),
        (b"half", b""),
        (b'{"a": 1}\n{"b": 2}', b'{"a": 1}\n{"b": 2}'),
        (b'{"a": 1}\n{"b": ', b'{"a": 1}\n'),
        (b"[\n1,\n2\n]", b"[\n1,\n2\n]"),
        ("a\nb".encode("utf-16"), "a\n".encode("utf-16")),
    ],
)  # fmt: skip
def test_only_whole_lines_are_read(content: bytes, whole: bytes) -> None:
    """A last line without an end waits, unless it is whole JSON."""
    assert whole_lines(content) == whole


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_a_finding_appears_while_the_file_grows(tmp_path: Path) -> None:
    """The command says what is against the rules when its line has come, once, and ends well when it is stopped."""
    file, said = tmp_path / "g.jsonl", tmp_path / "said"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".package"), "PYTHONUNBUFFERED": "1"}
    with said.open("wb") as output:
        watching = subprocess.Popen(
            [sys.executable, "-m", "tabletape", "watch", "g.jsonl"],
            env=environment, cwd=tmp_path, stdout=output, stderr=output,
        )  # fmt: skip
        try:
            until(lambda: b"Ctrl+C" in said.read_bytes(), "the command")
            lines = GAME.splitlines(keepends=True)
            file.write_bytes(b"".join(lines[:5]))
            until(lambda: b"5 new events" in said.read_bytes(), "the first lines")
            assert b"illegal" not in said.read_bytes()
            file.write_bytes(GAME)
            until(lambda: b"illegal" in said.read_bytes(), "the finding")
        finally:
            watching.send_signal(signal.SIGINT)
            watching.wait()
    assert (watching.returncode, said.read_bytes().count(b"splicers.ability.colon")) == (0, 1), said.read_text()
