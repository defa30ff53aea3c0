"""System calls that fail: a real command whose nth write, sync or rename in its folder ends with EIO or ENOSPC.

The command ends with one line that names a file, not with a traceback; what it has not acknowledged is there whole or
not at all, and nothing unfinished lies about.
"""

import http.client
import os
import random
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from tabletape.events.log import Log
from tests.attack.disk import Disk
from tests.attack.power_cuts import (
    LOG,
    NOTES,
    Command,
    Record,
    ours,
    prepare,
    problem_of_taps,
    recorded,
    recorded_scribe,
    surroundings,
)
from tests.attack.scribe import Client
from tests.attack.tracing import QUICK, strace
from tests.waiting import PATIENCE, free_port, until_answered

WRITES: Final = ("write", "pwrite64", "ftruncate")
FAILING: Final = (*WRITES, "fsync", "fdatasync", "rename", "mkdir", "unlink")

SECOND: Final = 2
"""The refusal of a tap that is repeated."""

UNFINISHED: Final = ("-journal", ".part", ".half")
"""How the names of files end that are there only while something is written."""


class Failure(NamedTuple):
    """Which call fails, counted among those of its name in the folder, and with which error.

    `lasting`: all writes fail from then on, as on a disk that is full.
    """

    call: str
    number: int
    error: str
    lasting: bool = False

    @property
    def option(self) -> str:
        """What strace is told."""
        calls = ",".join(WRITES) if self.lasting else self.call
        return f"inject={calls}:error={self.error}:when={self.number}{'+' * self.lasting}"


def problems_of_failures(command: Command, folder: Path, number: int) -> list[str]:
    """Run a command with so many failing calls, one after the other; return what was wrong."""
    record = recorded(command, folder)
    disk = record.disk
    counts = _counts(record)
    left = {path.relative_to(disk.root) for path in disk.root.rglob("*")}
    shutil.rmtree(disk.root)
    problems = []
    for failure in _failures(counts, number):
        prepare(command, disk.root)
        problem = _problem(command, disk, failure, left)
        problems += [f"{failure.option}: {problem}"] if problem else []
        shutil.rmtree(disk.root)
    return problems


def _counts(record: Record) -> Counter[str]:
    """Return how often each call was made that can fail and concerns the disk."""
    counts: Counter[str] = Counter()
    for call in record.calls:
        said = record.disk.said
        if record.disk.take(call) and call.name in FAILING and record.disk.said == said:
            counts[call.name] += 1
    return counts


def _failures(counts: Counter[str], number: int) -> Iterator[Failure]:
    """Yield failures by luck; first one of each kind of call."""
    dice = random.Random(2)  # noqa: S311 - no secret
    every = [(name, each) for name, count in counts.items() for each in range(1, count + 1)]
    first = [(name, dice.randint(1, count)) for name, count in counts.items()]
    for name, each in [*first, *(dice.choice(every) for _ in range(number))][:number]:
        lasting = name in WRITES and dice.random() < 0.5
        yield Failure(name, each, "ENOSPC" if lasting else dice.choice(("EIO", "ENOSPC")), lasting)


def _with_failure(disk: Disk, failure: Failure, words: Sequence[str]) -> list[str]:
    """Return the command that runs another one with a failing call."""
    # Some calls name a file as the command was told, others as it lies on the disk.
    paths = sorted({str(each) for path in disk.known for each in (path, path.relative_to(disk.root))})
    where = [option for path in paths for option in ("-P", path)]
    concerned = ["-e", f"trace={','.join(FAILING)}", *where, "-e", failure.option]
    return [strace(), *QUICK, "-qq", "-o", "/dev/null", *concerned, *words]


def _problem(command: Command, disk: Disk, failure: Failure, left: set[Path]) -> str:
    """Run a command with a failing call in a folder that is prepared; return what is wrong."""
    root = disk.root
    before = {path.relative_to(root) for path in root.rglob("*")}
    traced = _with_failure(disk, failure, ours(*command.words))
    done = subprocess.run(traced, cwd=root, env=surroundings(), capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode == 0:
        return command.problem(root, done.stdout + done.stderr)
    return (
        _wrong_words(done.stderr, disk)
        or _remains(root, left | before, failure)
        or (command.problem(root, "") if (root / LOG).exists() else "")
    )


# -- the scribe, which goes on ----------------------------------------------------------------------------------------


def problems_of_failing_scribe(folder: Path, number: int) -> list[str]:
    """Tap a game in so many scribes, in each of which a call fails; return what was wrong.

    Each tap is answered, with its line or with an error in words, and the scribe goes on: a failure that has passed
    hinders no later tap. What was answered is in the log, which is whole.
    """
    record, _ = recorded_scribe(folder)
    root, counts = record.disk.root, _counts(record)
    shutil.rmtree(root)
    problems = []
    for failure in _failures(counts, number):
        root.mkdir()
        Log.open(root / LOG, create=True).close()
        problem = _problem_of_scribe(record.disk, failure)
        problems += [f"{failure.option}: {problem}"] if problem else []
        shutil.rmtree(root)
    return problems


def _problem_of_scribe(disk: Disk, failure: Failure) -> str:
    port = free_port()
    words = ours("scribe", "--db", LOG, "--port", str(port))
    with subprocess.Popen(  # noqa: S603 - our own
        _with_failure(disk, failure, words),
        cwd=disk.root, env=surroundings(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            until_answered(port, process)
            client = Client(port, random.Random(1))  # noqa: S311 - no secret
            said, problem = _taps(client, lasting=failure.lasting)
        except AssertionError as error:
            said, problem, client = "", "" if process.poll() else str(error), None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)  # strace ignores it
            errors = process.communicate(timeout=PATIENCE)[1]
    if client is None:
        return problem or _wrong_words(errors, disk)
    if "Traceback" in errors:
        problem = problem or f"no plain error: {errors[-600:]}"
    return problem or problem_of_taps(disk.root, said, client.game_id)


def _taps(client: Client, *, lasting: bool) -> tuple[str, str]:
    """Begin a game and write notes, each once more where it is refused; return what was answered, and what is wrong."""
    said: list[str] = []
    refused = 0
    screen: Any = None
    text = ""
    while len(said) <= NOTES:
        try:
            if screen is None:
                screen = client.begin("splicers")
                said.append(client.game_id)
                continue
            text = f"note {len(said) - 1}"
            path = f"games/{client.game_id}/events?show=screen"
            screen = client.request(path, {"type": "note.added", "text": text}, screen["seq"])["screen"]
            said.append(text)
        except AssertionError as refusal:
            refused += 1
            if "'error': " not in f"{refusal}" or "Traceback" in f"{refusal}":
                return " ".join(said), f"no error in words: {refusal}"
            if refused >= SECOND:
                if ": 409 " in f"{refusal}" and refused == SECOND and not lasting:
                    # A sync that failed may come after the commit: then the line is there, and the next one follows it.
                    said.append(text)
                    screen = client.request(f"games/{client.game_id}/screen")
                    continue
                return " ".join(said), "" if lasting else f"refused a second time: {refusal}"
        except (OSError, http.client.HTTPException) as error:
            return " ".join(said), f"the scribe is gone: {error}"
    return " ".join(said), ""


def _wrong_words(text: str, disk: Disk) -> str:
    """Return what is wrong with what a command says that has failed."""
    errors = [line for line in text.splitlines() if line.startswith("Error: ")]
    names = [path.name for path in disk.known if path != disk.root]
    if "Traceback" in text or len(errors) != 1:
        return f"no plain error: {text[-600:]}"
    return "" if any(name in errors[0] for name in names) else f"names no file: {errors[0]}"


def _remains(root: Path, expected: set[Path], failure: Failure) -> str:
    """Return what lies about that should not.

    What is unfinished may lie there where it cannot be removed, and a journal beside a log that takes no more writes:
    whoever opens it next takes the unfinished writing back.
    """
    if (root / LOG).exists() and not (root / LOG).stat().st_size:
        return "an empty log is left"
    more = {path.relative_to(root) for path in root.rglob("*")} - expected
    if failure.call == "unlink" or failure.lasting:
        more = {path for path in more if not path.name.endswith(UNFINISHED)}
    # Datasets of a build that failed stay for the next one, which takes away what it does not need.
    more = {path for path in more if path.suffix not in {".parquet", ".json"}}
    return f"left behind: {', '.join(map(str, sorted(more)))}" if more else ""
