"""An input on its way through Tabletape: import, audit, datasets, replay; in a process that can be ended."""

import multiprocessing as mp
import re
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import islice
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Final, NamedTuple

from dashboard.replay_board import board_json
from events.importing import FileReport, Options, import_paths
from events.importing.bad_lines import DOUBTS
from events.importing.gaps import SHOWN
from events.integrity import verify
from events.log import Log
from events.log_schema import LogError
from events.shared import LogGap
from projector.datasets.build import build
from projector.fold.traced import Traced
from projector.model.table import CannotFoldError
from projector.reading.archive import known_of, replay_of
from projector.reading.audit import audit
from projector.reading.frames import frames
from tests.attack.inputs import Attack, attack

SECONDS: Final = 60
"""So long an input may take on its whole way, on a machine that does other things too."""

_LOST: Final = re.compile(r"the (?:(\d+) lines|line) after it, up to the next game.started, cannot be taken either$")


class Outcome(NamedTuple):
    """What became of an input: nothing where all is as it should be, else what is wrong."""

    seed: int
    wrong: str


@cache
def empty_log() -> bytes:
    """Return the file of a log in which nothing is recorded, made once for all inputs."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tabletape.db"
        Log.open(file, create=True).close()
        return file.read_bytes()


def go_through(given: Attack, folder: Path) -> str:
    """Send an input all the way; return what is wrong, empty where nothing is."""
    file = folder / given.name
    file.write_bytes(given.content)
    (folder / "tabletape.db").write_bytes(empty_log())
    with Log.open(folder / "tabletape.db") as log:
        report = import_paths(log, [file], Options(known=partial(known_of, folder))).files[0]
        wrong = unaccounted(given, report, gaps_left_by(log))
        if list(verify(log)):
            wrong = wrong or "the log is damaged after the import"
        stored = log.games()
        for _ in audit(log, stored):
            pass
        build(log)
        for each in stored:
            try:
                replay = replay_of(log, each.game_id, traced=True)
            except (LogError, CannotFoldError):
                continue
            if isinstance(replay, Traced):
                board_json(frames(replay))
    return wrong


def gaps_left_by(log: Log) -> int:
    """Count the stored events that stand for lines in quarantine; a file may have gaps of its own besides."""
    unread = {entry.raw[:SHOWN] for entry in log.quarantine()}
    events = (event for _, events in log.each(log.games()) for event in events)
    return sum(isinstance(event, LogGap) and event.text in unread for event in events)


def unaccounted(given: Attack, report: FileReport, gaps: int) -> str:
    """Return how many lines of a file are neither stored nor in quarantine nor blank; empty where none is.

    `gaps` are the stored events that stand for lines in quarantine.
    """
    if not given.name.endswith(".jsonl") or report.problem or any(game.status != "new" for game in report.games):
        return ""
    if any(entry.code == "defect" for entry in report.entries):
        return f"a defect: {next(entry.message for entry in report.entries if entry.code == 'defect')}"
    lines = sum(bool(line.strip()) for line in given.content.split(b"\n"))
    lost = sum(int(found[1] or 1) for entry in report.entries if (found := _LOST.search(entry.message)))
    asked = sum(entry.code in DOUBTS for entry in report.entries)
    known = report.events - gaps + report.quarantined - asked + lost
    return "" if lines == known else f"{lines} lines came in, {known} are stored or in quarantine"


def _work(todo: Any) -> None:
    while True:
        seed = todo.recv()
        try:
            with tempfile.TemporaryDirectory() as folder:
                wrong = go_through(attack(seed), Path(folder))
        except BaseException:  # noqa: BLE001 - whatever it is, it is what is looked for
            wrong = traceback.format_exc()
        todo.send(wrong)


class _Worker:
    """A process that sends one input after the other through, and can be ended where one hangs."""

    def __init__(self, seed: int, seconds: float) -> None:
        context = mp.get_context("spawn")
        self.pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other,), daemon=True)
        self._process.start()
        other.close()
        self._seconds = seconds
        self.take(seed)

    def take(self, seed: int) -> None:
        """Begin with an input."""
        self.pipe.send(seed)
        self._seed, self._until = seed, time.monotonic() + self._seconds

    def outcome(self) -> Outcome | None:
        """Return what became of the input; None as long as it is on its way."""
        if self.pipe.poll():
            try:
                return Outcome(self._seed, self.pipe.recv())
            except EOFError:
                return Outcome(self._seed, "the process has died")
        late = time.monotonic() > self._until
        return Outcome(self._seed, f"it was still going on after {self._seconds:g} seconds") if late else None

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()


def outcomes(seeds: Iterable[int], seconds: float = SECONDS, processes: int = 1) -> Iterator[Outcome]:
    """Send the inputs of some numbers through, so many at once, in processes that are ended where one hangs."""
    coming = iter(seeds)
    working = [_Worker(seed, seconds) for seed in islice(coming, processes)]
    while working:
        wait([each.pipe for each in working], timeout=1)
        for worker in tuple(working):
            outcome = worker.outcome()
            if outcome is None:
                continue
            yield outcome
            seed = next(coming, None)
            if seed is not None and not outcome.wrong:
                worker.take(seed)
                continue
            # After a traceback or a hang nobody knows what is left in the process.
            worker.end()
            working.remove(worker)
            working += [] if seed is None else [_Worker(seed, seconds)]
