"""The standing attack: `make attack`, or a smaller one with `python -m tests.attack --inputs 1000 --kills 40`.

Prints the table of docs/reliability.md, and the numbers of the inputs that went wrong; exits with 1 where any did.
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

import sqlalchemy as sa

from events.integrity import verify
from events.log import Log
from tests.attack.kills import ATTACKS, ROOT
from tests.attack.shares import SCRIBE, UPLOAD, flipped_bits, in_shares, share_of_kills
from tests.attack.through import outcomes
from tests.attack.writers import writers
from tests.chromium import CHROMIUM
from tests.events.tampering import TAMPERING, cut_off, log_to_tamper_with, tamper
from tests.events.test_heads import found

PARTS = ("inputs", "kills", "scribe", "writers", "tampering", "tests")

TESTS = {
    "bombs, panics, pipes": ["tests/events/test_import_safety.py", "tests/events/test_limits.py"],
    "the user's SQL": ["tests/dashboard/test_own_sql.py"],
    "hostile names in the terminal": ["tests/cli/test_hostile_output.py"],
    "hostile names and foreign hosts in a browser": ["tests/cli/test_serve.py", "tests/dashboard/test_hosts.py"],
}
"""Attacks that are tests of the usual suite."""


class Row(NamedTuple):
    """A line of the table: what was tried, how often, and what went wrong."""

    what: str
    times: int
    wrong: list[str]


def inputs(number: int, processes: int) -> Iterator[Row]:
    """Send mutated inputs all the way through."""
    through = outcomes(range(number), processes=processes)
    wrong = [f"input {each.seed}: {each.wrong}" for each in through if each.wrong]
    yield Row("mutated inputs through import, audit, datasets and replay", number, wrong)


def ends(number: int, folder: Path, processes: int) -> Iterator[Row]:
    """Kill processes, and fill the disk."""
    names = {"disk": "imports into a full disk"}
    for what in (*ATTACKS, *([UPLOAD] if CHROMIUM is not None else [])):
        wrong = in_shares(partial(share_of_kills, what, folder), number, processes)
        yield Row(names.get(what, f"kills (SIGKILL), {what}"), number, [each for share in wrong for each in share])


def kept(number: int, folder: Path, processes: int) -> Iterator[Row]:
    """Kill the scribe while games are kept."""
    wrong = in_shares(partial(share_of_kills, SCRIBE, folder), number, processes)
    yield Row(f"kills (SIGKILL), {SCRIBE}", number, [each for share in wrong for each in share])


def lines_of_writers(folder: Path) -> Iterator[Row]:
    """Run 2 and 8 writers at once."""
    for number in (2, 8):
        place = folder / f"sqlite-{number}"
        place.mkdir()
        yield Row(f"{number} writers at once, SQLite", 1, writers(str(place / "log.db"), number, 10, place))
        url = os.environ.get("TABLETAPE_TEST_POSTGRESQL")
        if url:
            yield Row(f"{number} writers at once, PostgreSQL", 1, on_postgresql(url, number, folder))


def on_postgresql(url: str, number: int, folder: Path) -> list[str]:
    """Run writers at once on an empty schema of a PostgreSQL database."""
    place = folder / f"postgresql-{number}"
    place.mkdir()
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA IF EXISTS tabletape_attack CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA tabletape_attack")
    engine.dispose()
    mine = sa.make_url(url).update_query_dict({"options": "-csearch_path=tabletape_attack"})
    return writers(mine.render_as_string(hide_password=False), number, 10, place)


def tampering(flips: int, folder: Path, processes: int) -> Iterator[Row]:
    """Tamper with a log in every way that is known, and flip bits of it."""
    made, changed = log_to_tamper_with(folder), folder / "changed.db"
    with Log.open(made) as log:
        head = log.head()
        if list(verify(log, [head])):
            raise AssertionError(made)
    unseen = []
    for name, statements in TAMPERING.items():
        shutil.copy(made, changed)
        tamper(changed, statements, triggers=name != "trigger-dropped")
        if not found(changed):
            unseen.append(name)
    yield Row("ways to tamper, without a kept head", len(TAMPERING), unseen)
    shutil.copy(made, changed)
    cut_off(changed)
    yield Row("the end cut off with its head, with a kept head", 1, [] if found(changed, head) else ["not found"])
    shares = in_shares(partial(flipped_bits, made, head), flips, processes)
    told = "flipped bits that change content, without a kept head", "the same bits, with a kept head"
    for what, unseen in zip(told, zip(*shares, strict=True), strict=True):
        yield Row(what, flips, [bit for share in unseen for bit in share])


def tests(processes: int) -> Iterator[Row]:
    """Run the attacks that are tests."""
    for what, words in TESTS.items():
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(processes), *words]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
        counts = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|error)", ended.stdout)}
        wrong = re.findall(r"^(?:FAILED|ERROR) (.*)$", ended.stdout, re.MULTILINE)
        yield Row(what, sum(counts.values()), wrong if ended.returncode else [])


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Attack, and print what came of it."""
    parser = argparse.ArgumentParser(prog="tests.attack", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at once")
    parser.add_argument("--kills", type=int, default=50, help="of each kind")
    parser.add_argument("--scribes", type=int, default=200, help="kills of the scribe")
    parser.add_argument("--flips", type=int, default=2_000)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="these parts, in this order")
    asked = parser.parse_args()
    say("| what was tried | times | went wrong | seconds |\n| --- | ---: | ---: | ---: |")
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        attacks = {
            "inputs": inputs(asked.inputs, asked.processes),
            "kills": ends(asked.kills, folder, asked.processes),
            "scribe": kept(asked.scribes, folder, asked.processes),
            "writers": lines_of_writers(folder),
            "tampering": tampering(asked.flips, folder, asked.processes),
            "tests": tests(asked.processes),
        }
        for rows in map(attacks.__getitem__, asked.only):
            begun = time.monotonic()
            for row in rows:
                seconds = time.monotonic() - begun
                say(f"| {row.what} | {row.times:,} | {len(row.wrong)} | {seconds:.0f} |")
                sys.stderr.write("".join(f"{each}\n" for each in row.wrong))
                wrong += row.wrong
                begun = time.monotonic()
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
