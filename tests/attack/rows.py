"""The rows of the table that `make attack` prints: each attack, in parts that a process does by itself.

The parts of a row that is divided take every n-th number each, so that the row counts the same however many there are.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Final, NamedTuple

from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.projector.datasets.manifest import FOLDER
from tests.attack.datasets import built_datasets, wrong_flips
from tests.attack.failing_calls import problems_of_failing_scribe, problems_of_failures
from tests.attack.history import Outcome, history
from tests.attack.history_check import ACKNOWLEDGED, REFUSED, UNKNOWN
from tests.attack.kills import ATTACKS, ROOT, problems_after
from tests.attack.power_cuts import COMMANDS, attacked_with_cuts
from tests.attack.schema import empty_schema
from tests.attack.scribe import kill_scribe
from tests.attack.service_history import service_history
from tests.attack.through import outcomes
from tests.attack.uploads import uploads
from tests.attack.writers import writers
from tests.events.tampering import TAMPERING, cut_off, log_to_tamper_with, tamper
from tests.events.test_heads import content, found

UPLOAD: Final = "the page's upload"
SCRIBE: Final = "the scribe"

TESTS: Final = {
    "bombs, panics, pipes": ["tests/events/test_import_safety.py", "tests/events/test_limits.py"],
    "files of a workspace: pipes, devices, nesting, broken cards": [
        "tests/cli/test_workspace_files.py",
        "tests/projector/test_rulebook_text.py",
    ],
    "packages that exit, logs of nothing but bad lines": ["tests/cli/test_plugins.py", "tests/events/test_too_many.py"],
    "output under two hash seeds": ["tests/cli/test_hash_seeds.py"],
    "the user's SQL": ["tests/dashboard/test_own_sql.py"],
    "tokens of the service, and what each may see": [
        "tests/dashboard/test_service.py",
        "tests/dashboard/test_service_secrets.py",
        "tests/dashboard/test_service_attacks.py",
    ],
    "hostile names in the terminal": ["tests/cli/test_hostile_output.py"],
    "hostile names and foreign hosts in a browser": ["tests/cli/test_serve.py", "tests/dashboard/test_hosts.py"],
}
"""Attacks that are tests of the usual suite."""


class Row(NamedTuple):
    """A line of the table, or a part of one: what was tried, how often, and what went wrong."""

    what: str
    times: int
    problems: list[str]


Part = Callable[[Path], list[Row]]
"""A part of the attack: is given an empty folder of its own."""


class Done(NamedTuple):
    """A part that was done, and the seconds that it took."""

    rows: list[Row]
    seconds: float


def done(part: Part) -> Done:
    """Do a part in a folder of its own."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        return Done(part(Path(folder)), time.monotonic() - began)


def inputs(seeds: range, _folder: Path) -> list[Row]:
    """Import, audit, build into datasets and replay the mutated inputs of some seeds."""
    problems = [f"input {each.seed}: {each.problem}" for each in outcomes(seeds) if each.problem]
    return [Row("mutated inputs through import, audit, datasets and replay", len(seeds), problems)]


def kills(what: str, seeds: range, folder: Path) -> list[Row]:
    """Kill one kind of process once for each seed, or fill its disk."""
    label = "imports into a full disk" if what == "disk" else f"kills (SIGKILL), {what}"
    with uploads() if what == UPLOAD else nullcontext({**ATTACKS, SCRIBE: kill_scribe}[what]) as attack:
        return [Row(label, len(seeds), problems_after(attack, seeds, folder))]


def power(what: str, folder: Path) -> list[Row]:
    """Cut the power of a command; the row counts the disks that were opened."""
    return [Row(f"power cuts, {what}", *attacked_with_cuts(what, folder / "power"))]


def disk(what: str, number: int, folder: Path) -> list[Row]:
    """Have system calls of a command fail."""
    problems = (
        problems_of_failing_scribe(folder, number)
        if what == SCRIBE
        else problems_of_failures(COMMANDS[what], folder, number)
    )
    return [Row(f"calls that fail (EIO, ENOSPC), {what}", number, problems)]


def tampering(folder: Path) -> list[Row]:
    """Tamper with a log in every known way, and cut its end off."""
    original, changed = log_to_tamper_with(folder), folder / "changed.db"
    head = _head_of(original)
    undetected = []
    for name, statements in TAMPERING.items():
        shutil.copy(original, changed)
        tamper(changed, statements, triggers=name != "trigger-dropped")
        if not found(changed):
            undetected.append(name)
    shutil.copy(original, changed)
    cut_off(changed)
    return [
        Row("ways to tamper, without a kept head", len(TAMPERING), undetected),
        Row("the end cut off with its head, with a kept head", 1, [] if found(changed, head) else ["not found"]),
    ]


def flips(seeds: range, folder: Path) -> list[Row]:
    """Flip bits anywhere in the file of a log; those are wrong that change its content and are not found."""
    original, changed = log_to_tamper_with(folder), folder / "changed.db"
    before, whole, head = content(original), original.read_bytes(), _head_of(original)
    undetected: tuple[list[str], list[str]] = [], []
    for seed in seeds:
        place = random.Random(seed).randrange(len(whole) * 8)  # noqa: S311 - no secret
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        changed.write_bytes(flipped)
        if content(changed) != before:
            for heads, missed in zip(((), (head,)), undetected, strict=True):
                if not found(changed, *heads):
                    missed.append(f"bit {place}, {len(heads)} kept heads")
    return [
        Row("flipped bits that change content, without a kept head", len(seeds), undetected[0]),
        Row("the same bits, with a kept head", len(seeds), undetected[1]),
    ]


def _head_of(file: Path) -> str:
    """Return the head of a log in which `verify` finds nothing. Raises `AssertionError` if it does."""
    with Log.open(file) as log:
        head = log.head()
        if list(verify(log, [head])):
            raise AssertionError(file)
    return head


def dataset_flips(seeds: range, folder: Path) -> list[Row]:
    """Flip bits in the files of datasets."""
    wrong = wrong_flips(built_datasets(folder), folder / "copy" / FOLDER, seeds)
    return [Row("flipped bits in the files of datasets", len(seeds), wrong)]


def of_suite(what: str, _folder: Path) -> list[Row]:
    """Run attacks that are tests of the usual suite."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS[what]]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    counts = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|error)", result.stdout)}
    failed = re.findall(r"^(?:FAILED|ERROR) (.*)$", result.stdout, re.MULTILINE) or [result.stdout + result.stderr]
    return [Row(what, sum(counts.values()), failed if result.returncode else [])]


# -- on both databases -------------------------------------------------------------------------------------------------


def several_writers(number: int, folder: Path) -> list[Row]:
    """Have some writers import at once."""
    return [
        Row(f"{number} writers at once, {name}", 1, writers(database, number, 10, place))
        for name, database, place in _databases(folder)
    ]


def scribes_history(rounds: int, folder: Path) -> list[Row]:
    """Make the history of eight devices on two scribes."""
    return [
        _history_row("requests of a history", name, history(database, place, rounds, seed=1))
        for name, database, place in _databases(folder)
    ]


def services_history(rounds: int, folder: Path) -> list[Row]:
    """Make the history of eight clients on two services."""
    return [
        _history_row("requests to two services", name, service_history(database, place, rounds, seed=3))
        for name, database, place in _databases(folder)
    ]


def _databases(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield the databases: their names, the address of an empty log, and a folder to work in."""
    place = folder / "sqlite"
    place.mkdir()
    yield "SQLite", str(place / "log.db"), place
    url = os.environ.get("TABLETAPE_TEST_POSTGRESQL")
    if url:
        place = folder / "postgresql"
        place.mkdir()
        with empty_schema(url, "tabletape_attack") as in_schema:
            yield "PostgreSQL", in_schema, place


def _history_row(what: str, where: str, outcome: Outcome) -> Row:
    known = [each for each in (ACKNOWLEDGED, REFUSED, UNKNOWN) if each in outcome.counts]
    counts = ", ".join(f"{outcome.counts[each]:,} {each}" for each in known)
    return Row(f"{what}, {where} (lines: {counts})", outcome.counts["requests"], outcome.problems)
