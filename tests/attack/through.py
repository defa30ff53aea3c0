"""An input on its way through Tabletape: import, audit, datasets, replay; in a process that can be ended."""

import multiprocessing as mp
import re
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from dashboard.replay_board import board_json
from events.importing import FileReport, Options, import_paths
from events.importing.checks import DOUBT
from events.integrity import verify
from events.log import Log
from events.log_schema import LogError
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


def go_through(given: Attack, folder: Path) -> str:
    """Send an input all the way; return what is wrong, empty where nothing is."""
    file = folder / given.name
    file.write_bytes(given.content)
    with Log.open(folder / "tabletape.db", create=True) as log:
        report = import_paths(log, [file], Options(known=partial(known_of, folder))).files[0]
        wrong = unaccounted(given, report)
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


def unaccounted(given: Attack, report: FileReport) -> str:
    """Return how many lines of a file are neither stored nor in quarantine nor blank; empty where none is."""
    if not given.name.endswith(".jsonl") or report.problem or any(game.status != "new" for game in report.games):
        return ""
    if any(entry.code == "defect" for entry in report.entries):
        return f"a defect: {next(entry.message for entry in report.entries if entry.code == 'defect')}"
    lines = sum(bool(line.strip()) for line in given.content.split(b"\n"))
    lost = sum(int(found[1] or 1) for entry in report.entries if (found := _LOST.search(entry.message)))
    asked = sum(entry.code == DOUBT for entry in report.entries)
    known = report.events + report.quarantined - asked + lost
    return "" if lines == known else f"{lines} lines came in, {known} are stored or in quarantine"


def _work(todo: Any) -> None:
    while (seed := todo.recv()) is not None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                wrong = go_through(attack(seed), Path(folder))
        except BaseException:  # noqa: BLE001 - whatever it is, it is what is looked for
            wrong = traceback.format_exc()
        todo.send(wrong)


def outcomes(seeds: Iterable[int], seconds: float = SECONDS) -> Iterator[Outcome]:
    """Send the inputs of some numbers through, one after the other, in a process that is ended where one hangs."""
    context = mp.get_context("spawn")
    process, pipe = None, None
    for seed in seeds:
        if process is None or pipe is None:
            pipe, other = context.Pipe()
            process = context.Process(target=_work, args=(other,), daemon=True)
            process.start()
        pipe.send(seed)
        try:
            wrong = pipe.recv() if pipe.poll(seconds) else f"it was still going on after {seconds:g} seconds"
        except EOFError:
            wrong = "the process has died"
        yield Outcome(seed, wrong)
        if wrong:
            process.kill()
            process = None
    if process is not None and pipe is not None:
        pipe.send(None)
        process.join()
