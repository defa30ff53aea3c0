"""Work shared by several processes: the same results in the same order, and a clean end whatever happens."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing import parent_process
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.projector import parallel
from tabletape.projector.archive.audit import reports
from tabletape.projector.games import game
from tabletape.projector.parallel import LostProcessError, packs_of, work_in_order
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.waiting import PATIENCE


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store some games of bots, in every other one of which a deck list is missing; a pack is about one game."""
    monkeypatch.setattr(parallel, "PACK_EVENTS", 100)
    place = tmp_path / "tabletape.db"
    one = game("crystal")
    with Log.open(place, create=True) as log:
        for number, match in enumerate(simulate(one, one.cards, Plan(full=True), 6)):
            events = [msgspec.structs.replace(each, seq=UNSET, cause=UNSET) for each in match.events]
            if number % 2:
                del events[1]
            log.append(match.game_id, events, expected_last_seq=0)
    return place


def fails(log: Log, _pack: list[StoredGame]) -> str:
    """Fail at the work."""
    raise ValueError(f"there is something wrong with {log}")


def dies_elsewhere(_log: Log, _pack: list[StoredGame]) -> str:
    """End every other process at once."""
    if parent_process() is not None:
        os._exit(1)
    time.sleep(0.2)
    return "done here"


def takes_its_time(_log: Log, pack: list[StoredGame]) -> str:
    """Work for a while."""
    print("works", flush=True)  # noqa: T201 - the test waits for it
    time.sleep(1)
    return str(pack)


@given(st.lists(st.integers(1, 30_000)), st.integers(1, 40_000))
def test_packs_hold_all_games_in_order_and_are_of_one_size(sizes: list[int], size: int) -> None:
    """No game is lost or split, and only the last pack is smaller than a full one."""
    games = [_game(number, events) for number, events in enumerate(sizes)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parallel, "PACK_EVENTS", size)
        packs = packs_of(games)
    assert [each for pack in packs for each in pack] == games
    assert all(sum(each.events for each in pack) >= size for pack in packs[:-1])
    assert all(sum(each.events for each in pack[:-1]) < size for pack in packs)


def _game(number: int, events: int) -> StoredGame:
    return StoredGame(number, f"g{number}", 1, "crystal", "", (), {}, None, "", events, events, "", None)


def test_reports_are_the_same_from_any_number_of_processes(stored: Path) -> None:
    """Two processes report what one does: the same games in the same order with the same findings."""
    with Log.open(stored) as log:
        alone = list(reports(log, log.games(), processes=1))
        shared = list(reports(log, log.games(), processes=3))
    assert alone == shared
    assert [each.stored.game_id for each in alone] == [f"bot-crystal-1-{number}" for number in range(1, 7)]
    assert any(each.findings for each in alone)
    assert not all(each.findings for each in alone)


def test_what_the_work_raises_is_raised(stored: Path) -> None:
    """An exception of the work comes back from the other process."""
    with Log.open(stored) as log, pytest.raises(ValueError, match="something wrong"):
        list(work_in_order(log, packs_of(log.games()), fails, 2))


def test_a_lost_process_is_reported(stored: Path) -> None:
    """Nobody waits for a process that is not there any more."""
    with Log.open(stored) as log, pytest.raises(LostProcessError, match="--processes 1"):
        list(work_in_order(log, packs_of(log.games()), dies_elsewhere, 2))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent to groups of processes")
def test_ctrl_c_ends_all_processes_quietly(stored: Path) -> None:
    """Ctrl-C reaches all processes of a terminal; only the first one reports it, and none is left over."""
    program = (
        "from tests.projector.test_parallel import *\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job of a shell ignores\n"
        f"    with Log.open({str(stored)!r}) as log:\n"
        "        list(work_in_order(log, [[each] for each in log.games()] * 20, takes_its_time, 3))\n"
    )
    script = stored.with_name("program.py")
    script.write_text(program, encoding="utf-8")
    root = Path(__file__).parents[2]
    running = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "works\n"
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=PATIENCE)  # to its end, so until nobody is left who might write
    assert running.returncode == -signal.SIGINT
    assert errors.count("Traceback") == 1
    assert errors.rstrip().endswith("KeyboardInterrupt")
