"""The standing attack: `make attack`, or a smaller one with `python -m tests.attack --inputs 1000 --kills 40`.

Prints the table of docs/reliability.md, and the numbers of the inputs that went wrong; exits with 1 if any did.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tests.attack.datasets import built_datasets
from tests.attack.failing_calls import problems_of_failing_scribe, problems_of_failures
from tests.attack.history import Outcome, history
from tests.attack.history_check import ACKNOWLEDGED, REFUSED, UNKNOWN
from tests.attack.kills import ATTACKS, ROOT
from tests.attack.power_cuts import COMMANDS, attacked_with_cuts
from tests.attack.schema import empty_schema
from tests.attack.service_history import service_history
from tests.attack.shares import (
    SCRIBE,
    UPLOAD,
    in_shares,
    share_of_kills,
    share_of_wrong_flips,
    undetected_flips,
)
from tests.attack.through import outcomes
from tests.attack.tracing import strace
from tests.attack.writers import writers
from tests.chromium import CHROMIUM
from tests.events.tampering import TAMPERING, cut_off, log_to_tamper_with, tamper
from tests.events.test_heads import found

PARTS = ("inputs", "kills", "scribe", "writers", "history", "power", "disk", "tampering", "datasets", "tests")

TESTS = {
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
    """A line of the table: what was tried, how often, and what went wrong."""

    what: str
    times: int
    problems: list[str]


def input_rows(number: int, processes: int) -> Iterator[Row]:
    """Yield the row of the mutated inputs that are imported, audited, built into datasets and replayed."""
    results = outcomes(range(number), processes=processes)
    problems = [f"input {each.seed}: {each.problem}" for each in results if each.problem]
    yield Row("mutated inputs through import, audit, datasets and replay", number, problems)


def kill_rows(number: int, folder: Path, processes: int) -> Iterator[Row]:
    """Yield the rows of the processes that are killed, and of the imports into a full disk."""
    labels = {"disk": "imports into a full disk"}
    for what in (*ATTACKS, *([UPLOAD] if CHROMIUM is not None else [])):
        shares = in_shares(partial(share_of_kills, what, folder), number, processes)
        yield Row(labels.get(what, f"kills (SIGKILL), {what}"), number, [each for share in shares for each in share])


def scribe_rows(number: int, folder: Path, processes: int) -> Iterator[Row]:
    """Yield the row of the scribes that are killed while they record a game."""
    shares = in_shares(partial(share_of_kills, SCRIBE, folder), number, processes)
    yield Row(f"kills (SIGKILL), {SCRIBE}", number, [each for share in shares for each in share])


def writer_rows(folder: Path) -> Iterator[Row]:
    """Yield the rows of 2 and of 8 writers at once."""
    for number in (2, 8):
        place = folder / f"sqlite-{number}"
        place.mkdir()
        yield Row(f"{number} writers at once, SQLite", 1, writers(str(place / "log.db"), number, 10, place))
        url = os.environ.get("TABLETAPE_TEST_POSTGRESQL")
        if url:
            yield Row(f"{number} writers at once, PostgreSQL", 1, on_postgresql(url, number, folder))


def on_postgresql(url: str, number: int, folder: Path) -> list[str]:
    """Run writers at once on an empty schema of a PostgreSQL database; return what is wrong."""
    place = folder / f"postgresql-{number}"
    place.mkdir()
    with empty_schema(url, "tabletape_attack") as in_schema:
        return writers(in_schema, number, 10, place)


def history_rows(rounds: int, folder: Path) -> Iterator[Row]:
    """Yield the rows of histories of eight devices on two scribes and on two services, on SQLite and on PostgreSQL."""
    place, served = folder / "history", folder / "service"
    place.mkdir()
    served.mkdir()
    yield _history_row("SQLite", history(str(place / "log.db"), place, rounds, seed=1))
    yield _service_row("SQLite", service_history(str(served / "log.db"), served, rounds, seed=3))
    url = os.environ.get("TABLETAPE_TEST_POSTGRESQL")
    if url:
        with empty_schema(url, "tabletape_attack") as in_schema:
            yield _history_row("PostgreSQL", history(in_schema, place, rounds, seed=2))
        (served / "tabletape.tokens.json").unlink()
        with empty_schema(url, "tabletape_attack") as in_schema:
            yield _service_row("PostgreSQL", service_history(in_schema, served, rounds, seed=4))


def _service_row(where: str, outcome: Outcome) -> Row:
    lines = f"{outcome.counts[ACKNOWLEDGED]:,} {ACKNOWLEDGED}"
    return Row(f"requests to two services, {where} ({lines})", outcome.counts["requests"], outcome.problems)


def _history_row(where: str, outcome: Outcome) -> Row:
    counts = ", ".join(f"{outcome.counts[each]:,} {each}" for each in (ACKNOWLEDGED, REFUSED, UNKNOWN))
    return Row(f"requests of a history, {where} (lines: {counts})", outcome.counts["requests"], outcome.problems)


def power_rows(folder: Path) -> Iterator[Row]:
    """Yield a row of power cuts for each command that writes, where there is strace; it counts the disks opened."""
    for what in (*COMMANDS, SCRIBE) if strace() else ():
        yield Row(f"power cuts, {what}", *attacked_with_cuts(what, folder / f"power-{what}"))


def disk_rows(number: int, folder: Path) -> Iterator[Row]:
    """Yield a row of system calls that fail for each command that writes, where there is strace."""
    for what, command in COMMANDS.items() if strace() else ():
        place = folder / f"disk-{what}"
        place.mkdir()
        yield Row(f"calls that fail (EIO, ENOSPC), {what}", number, problems_of_failures(command, place, number))
    if strace():
        place = folder / "disk-scribe"
        place.mkdir()
        yield Row("calls that fail (EIO, ENOSPC), the scribe", number, problems_of_failing_scribe(place, number))


def tampering_rows(flips: int, folder: Path, processes: int) -> Iterator[Row]:
    """Yield the rows of every known way to tamper with a log, and of flipped bits."""
    original, changed = log_to_tamper_with(folder), folder / "changed.db"
    with Log.open(original) as log:
        head = log.head()
        if list(verify(log, [head])):
            raise AssertionError(original)
    undetected = []
    for name, statements in TAMPERING.items():
        shutil.copy(original, changed)
        tamper(changed, statements, triggers=name != "trigger-dropped")
        if not found(changed):
            undetected.append(name)
    yield Row("ways to tamper, without a kept head", len(TAMPERING), undetected)
    shutil.copy(original, changed)
    cut_off(changed)
    yield Row("the end cut off with its head, with a kept head", 1, [] if found(changed, head) else ["not found"])
    shares = in_shares(partial(undetected_flips, original, head), flips, processes)
    labels = "flipped bits that change content, without a kept head", "the same bits, with a kept head"
    for label, of_shares in zip(labels, zip(*shares, strict=True), strict=True):
        yield Row(label, flips, [bit for share in of_shares for bit in share])


def dataset_rows(flips: int, folder: Path, processes: int) -> Iterator[Row]:
    """Yield the row of flipped bits in the files of datasets."""
    place = folder / "datasets"
    place.mkdir()
    shares = in_shares(partial(share_of_wrong_flips, built_datasets(place), folder), flips, processes)
    yield Row("flipped bits in the files of datasets", flips, [each for share in shares for each in share])


def suite_rows(processes: int) -> Iterator[Row]:
    """Yield the rows of the attacks that are tests of the usual suite."""
    for what, files in TESTS.items():
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(processes), *files]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
        counts = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|error)", result.stdout)}
        failed = re.findall(r"^(?:FAILED|ERROR) (.*)$", result.stdout, re.MULTILINE)
        yield Row(what, sum(counts.values()), failed if result.returncode else [])


def print_line(line: str) -> None:
    """Print a line, and flush the output."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Run the attacks and print their table; exit with 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="tests.attack", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at once")
    parser.add_argument("--kills", type=int, default=50, help="of each kind")
    parser.add_argument("--scribes", type=int, default=200, help="kills of the scribe")
    parser.add_argument("--failures", type=int, default=20, help="calls that fail, of each command")
    parser.add_argument("--rounds", type=int, default=25, help="of kills and pauses in the history")
    parser.add_argument("--flips", type=int, default=2_000)
    parser.add_argument("--dataset-flips", type=int, default=3_000)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="these parts, in this order")
    arguments = parser.parse_args()
    print_line("| what was tried | times | went wrong | seconds |\n| --- | ---: | ---: | ---: |")
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        attacks = {
            "inputs": input_rows(arguments.inputs, arguments.processes),
            "kills": kill_rows(arguments.kills, folder, arguments.processes),
            "scribe": scribe_rows(arguments.scribes, folder, arguments.processes),
            "writers": writer_rows(folder),
            "power": power_rows(folder),
            "disk": disk_rows(arguments.failures, folder),
            "history": history_rows(arguments.rounds, folder),
            "tampering": tampering_rows(arguments.flips, folder, arguments.processes),
            "datasets": dataset_rows(arguments.dataset_flips, folder, arguments.processes),
            "tests": suite_rows(arguments.processes),
        }
        for rows in map(attacks.__getitem__, arguments.only):
            started = time.monotonic()
            for row in rows:
                seconds = time.monotonic() - started
                print_line(f"| {row.what} | {row.times:,} | {len(row.problems)} | {seconds:.0f} |")
                sys.stderr.write("".join(f"{each}\n" for each in row.problems))
                problems += row.problems
                started = time.monotonic()
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
