"""Measure how time, memory and disk grow with the number of events, also with Spark.

    python -m tests.benchmarks.scale [events ...] [--spark]

For each number of events (100,000 and 1,000,000) games of bots are imported, audited, built and packed, each command
in a process of its own. The table has the seconds, the processor time of all processes, the peak memory of the largest
process, and the size on the disk afterwards. With `--spark` the packs are also built by Spark with `local[2]`; the
processor time of the Java machine is not counted there, so compare the seconds, on a quiet machine.
"""

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from tests.benchmarks.end_to_end import TABLETAPE, write_corpus

EVENTS: Final = (100_000, 1_000_000)


class Usage(NamedTuple):
    """The usage of a command: seconds, processor time, peak memory in megabytes, bytes on the disk."""

    what: str
    seconds: float
    processor: float
    memory: float
    disk: int


def run(folder: Path, leaves: Path, *words: str) -> Usage:
    """Run a command in a workspace; `leaves` is what it writes. Ends the benchmark if it fails."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([*TABLETAPE, *words], cwd=folder, stdout=output, stderr=subprocess.STDOUT)  # noqa: S603 - our own command
        # Unlike `wait`, `wait4` returns the peak memory.
        _, process.returncode, used = os.wait4(process.pid, 0)
        output.seek(0)
        if process.returncode:
            raise SystemExit(f"tabletape {' '.join(words)}: {output.read().decode(errors='replace')[-2000:]}")
    took = time.perf_counter() - began
    return Usage(" ".join(words), took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, size(leaves))


def size(place: Path) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    return sum(each.stat().st_size for each in (place.rglob("*") if place.is_dir() else (place,)) if each.is_file())


def measure(folder: Path, files: list[Path], *, spark: bool) -> Iterator[Usage]:
    """Yield the usage of the commands whose cost grows with the events."""
    log, datasets = folder / "tabletape.db", folder / ".tabletape"
    yield run(folder, log, "import", *(file.name for file in files))._replace(what="import")
    yield run(folder, log, "import", *(file.name for file in files))._replace(what="import, the same files again")
    yield run(folder, log, "audit", "--processes", "1")
    yield run(folder, log, "audit")
    yield run(folder, datasets, "build")
    yield run(folder, folder / "packs", "pack", "packs")
    for engine in ("processes", *(["spark"] if spark else [])):
        place = folder / engine
        place.mkdir()
        words = ("--packs", "packs", "--db", f"{engine}/tabletape.db", "--engine", engine, "--master", "local[2]")
        yield run(folder, place / ".tabletape", "build", *words)._replace(what=f"build --packs, {engine}")


def main() -> None:
    """Measure, and print a table for each number of events."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("events", nargs="*", type=int, default=EVENTS)
    parser.add_argument("--spark", action="store_true")
    arguments = parser.parse_args()
    for events in arguments.events or EVENTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files, new, total = write_corpus(folder, events)
            new.unlink()
            table = Table("tabletape", "s", "processor, s", "events/s", "MB", "on disk, MB", title=f"{total:,} events")
            for each in measure(folder, files, spark=arguments.spark):
                took = f"{each.seconds:.1f}", f"{each.processor:.1f}", f"{total / each.seconds:,.0f}"
                table.add_row(each.what, *took, f"{each.memory:,.0f}", f"{each.disk / 1e6:,.1f}")
            Console().print(table)


if __name__ == "__main__":
    main()
