"""Send an input through import, audit, datasets and replay, in a process that can be killed."""

import multiprocessing as mp
import re
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from tabletape.dashboard.replay.component import board_json
from tabletape.events.importing import FileReport, Options, import_paths
from tabletape.events.importing.games.gaps import TEXT_KEPT
from tabletape.events.importing.quarantine.bad_lines import DOUBTS
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary.shared import LogGap
from tabletape.projector.archive.audit import audit
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.stored import known_of, replay_of
from tabletape.projector.datasets.build import build
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.table import CannotFoldError
from tests.attack.inputs import Attack, attack
from tests.waiting import PATIENCE

TIME_LIMIT: Final = 60
"""Seconds of the processor that an input may take from import to replay; one that waits for ever is given up later."""

_SKIPPED: Final = re.compile(r"the (?:(\d+) lines|line) after it, up to the next game.started, cannot be taken either$")


class Outcome(NamedTuple):
    """What is wrong with the result of an input; an empty text if nothing is."""

    seed: int
    problem: str


@cache
def empty_log() -> bytes:
    """Return the file of an empty log, made once for all inputs."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tabletape.db"
        Log.open(file, create=True).close()
        return file.read_bytes()


def process_input(source: Attack, folder: Path) -> str:
    """Import, audit, build and replay an input; return what is wrong, or an empty text."""
    file = folder / source.name
    file.write_bytes(source.content)
    (folder / "tabletape.db").write_bytes(empty_log())
    with Log.open(folder / "tabletape.db") as log:
        report = import_paths(log, [file], Options(known=partial(known_of, folder))).files[0]
        problem = unaccounted(source, report, gaps_left_by(log))
        if list(verify(log)):
            problem = problem or "the log is damaged after the import"
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
    return problem


def gaps_left_by(log: Log) -> int:
    """Count the stored events that stand for lines in quarantine; a file may have gaps of its own besides."""
    unread = {entry.raw[:TEXT_KEPT] for entry in log.quarantine()}
    events = (event for _, events in log.each(log.games()) for event in events)
    return sum(isinstance(event, LogGap) and event.text in unread for event in events)


def unaccounted(source: Attack, report: FileReport, gaps: int) -> str:
    """Return a message if lines of a file are neither stored nor in quarantine nor blank, else an empty text.

    `gaps` are the stored events that stand for lines in quarantine.
    """
    if not source.name.endswith(".jsonl") or report.problem or any(game.status != "new" for game in report.games):
        return ""
    if any(entry.code == "defect" for entry in report.entries):
        return f"a defect: {next(entry.message for entry in report.entries if entry.code == 'defect')}"
    lines = sum(bool(line.strip()) for line in source.content.split(b"\n"))
    skipped = sum(int(found[1] or 1) for entry in report.entries if (found := _SKIPPED.search(entry.message)))
    doubtful = sum(entry.code in DOUBTS for entry in report.entries)
    accounted = report.events - gaps + report.quarantined - doubtful + skipped
    return "" if lines == accounted else f"{lines} lines came in, {accounted} are stored or in quarantine"


def _serve(pipe: Any) -> None:
    while True:
        seed = pipe.recv()
        begun = time.process_time()
        try:
            with tempfile.TemporaryDirectory() as folder:
                problem = process_input(attack(seed), Path(folder))
        except BaseException:  # noqa: BLE001 - any failure is a result here
            problem = traceback.format_exc()
        worked = time.process_time() - begun
        late = f"it took {worked:.0f} seconds of the processor" if worked > TIME_LIMIT else ""
        pipe.send(problem or late)


class _Worker:
    """A process that works on one input after the other, and can be killed if one hangs."""

    def __init__(self, seconds: float) -> None:
        context = mp.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()
        self._seconds = seconds

    def outcome(self, seed: int) -> Outcome:
        """Return the outcome of an input, however it ends."""
        self._pipe.send(seed)
        if not self._pipe.poll(self._seconds):
            return Outcome(seed, f"it was still going on after {self._seconds:g} seconds")
        try:
            return Outcome(seed, self._pipe.recv())
        except EOFError:
            return Outcome(seed, "the process died")

    def kill(self) -> None:
        """Kill the process, whatever it does."""
        self._process.kill()
        self._process.join()


def outcomes(seeds: Iterable[int], seconds: float = PATIENCE) -> Iterator[Outcome]:
    """Yield the outcome of the input of each seed; the process is replaced when an input hangs or fails in it."""
    worker = _Worker(seconds)
    try:
        for seed in seeds:
            outcome = worker.outcome(seed)
            yield outcome
            if outcome.problem:  # The state of the process is unknown then.
                worker.kill()
                worker = _Worker(seconds)
    finally:
        worker.kill()
