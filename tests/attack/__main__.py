"""The standing attack: `make attack`, or a smaller one with `python -m tests.attack --inputs 1000 --kills 40`.

Prints the table of docs/reliability.md, and the numbers of the inputs that went wrong; exits with 1 if any did.
"""

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tests.attack import rows
from tests.attack.kills import ATTACKS
from tests.attack.power_cuts import COMMANDS
from tests.attack.rows import SCRIBE, TESTS, UPLOAD, Done, Part, Row, done
from tests.attack.tracing import strace
from tests.chromium import CHROMIUM

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""Where files need no drive: no part cuts the power of this computer, and half of the time would go into its drive."""

WAITING: Final = ("history", "writers")
"""Parts that wait more than they work, and that share a database: one after the other beside the others."""


def parts_of(settings: argparse.Namespace) -> dict[str, list[list[Part]]]:
    """Return all parts of the attack: by name, the rows, and the parts of each that may be done at once."""

    def shares(attack: Callable[..., list[Row]], number: int) -> list[Part]:
        seeds = [range(first, number, settings.processes) for first in range(min(number, settings.processes))]
        return [partial(attack, each) for each in seeds]

    traced = (*COMMANDS, SCRIBE) if strace() else ()
    killed = (*ATTACKS, *([UPLOAD] if CHROMIUM is not None else []))
    return {
        "inputs": [shares(rows.inputs, settings.inputs)],
        "kills": [shares(partial(rows.kills, what), settings.kills) for what in killed],
        "scribe": [shares(partial(rows.kills, SCRIBE), settings.scribes)],
        "power": [[partial(rows.power, what)] for what in traced],
        "disk": [[partial(rows.disk, what, settings.failures)] for what in traced],
        "writers": [[partial(rows.several_writers, number)] for number in (2, 8)],
        "history": [[partial(each, settings.rounds)] for each in (rows.scribes_history, rows.services_history)],
        "tampering": [[rows.tampering], shares(rows.flips, settings.flips)],
        "datasets": [shares(rows.dataset_flips, settings.dataset_flips)],
        "tests": [[partial(rows.of_suite, what)] for what in TESTS],
    }


def whole_rows(parts: list[Future[Done]]) -> Iterator[tuple[Row, float]]:
    """Yield the rows that some parts make together, and the seconds of each, when all are done."""
    broken = [error for each in parts if (error := each.exception())]
    if broken:
        yield Row("an attack that broke off", 0, ["".join(traceback.format_exception(each)) for each in broken]), 0
        return
    results = [each.result() for each in parts]
    for same in zip(*(each.rows for each in results), strict=True):
        problems = [problem for row in same for problem in row.problems]
        seconds = sum(each.seconds / len(each.rows) for each in results)
        yield Row(same[0].what, sum(row.times for row in same), problems), seconds


def print_line(line: str) -> None:
    """Print a line, and flush the output."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def settings_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at once")
    parser.add_argument("--kills", type=int, default=50, help="of each kind")
    parser.add_argument("--scribes", type=int, default=200, help="kills of the scribe")
    parser.add_argument("--failures", type=int, default=20, help="calls that fail, of each command")
    parser.add_argument("--rounds", type=int, default=25, help="of kills and pauses in the history")
    parser.add_argument("--flips", type=int, default=2_000)
    parser.add_argument("--dataset-flips", type=int, default=3_000)
    parts = ("inputs", "kills", "scribe", "power", "disk", "tampering", "datasets", "tests", *WAITING)
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, help="these parts, in this order")
    return parser.parse_args()


def main() -> None:
    """Run the attacks and print their table; exit with 1 if anything went wrong."""
    settings = settings_of(argparse.ArgumentParser(prog="tests.attack", description=__doc__))
    began, problems = time.monotonic(), []
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        os.environ["TMPDIR"] = folder  # of the processes that are begun from here
        spawning = get_context("spawn")
        with ProcessPoolExecutor(settings.processes, spawning) as working, ProcessPoolExecutor(1, spawning) as waiting:
            parts = parts_of(settings)
            table = [
                [(waiting if name in WAITING else working).submit(done, part) for part in row]
                for name in settings.only
                for row in parts[name]
            ]
            print_line("| what was tried | times | went wrong | seconds |\n| --- | ---: | ---: | ---: |")
            for row, seconds in (each for future in table for each in whole_rows(future)):
                print_line(f"| {row.what} | {row.times:,} | {len(row.problems)} | {seconds:.0f} |")
                sys.stderr.write("".join(f"{each}\n" for each in row.problems))
                problems += row.problems
    print_line(f"\n{(time.monotonic() - began) / 60:.0f} minutes")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
