"""Compare what it costs to fold games without findings, in this state of the code and in another.

    git worktree add FOLDER COMMIT
    python tests/benchmarks/clean_games.py --against FOLDER [--games 12] [--game NAME]

Games of bots, full and sparse, are folded and their findings read, by this code and by the code of the folder; a game
in which either finds something is left out. Counted are the processor instructions of this work alone (valgrind's
callgrind), which other programs do not change.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.table import Table

from tabletape.projector.games import game, games
from tabletape.projector.selfplay.simulate import Plan, simulate

HERE = Path(__file__).parent
CONSOLE = Console(width=80)
TOTAL = re.compile(rb"^totals: (\d+)", re.MULTILINE)


class Worker:
    """A process that folds files with the code of a folder, under callgrind."""

    def __init__(self, code: Path, files: Sequence[Path], counts: Path) -> None:
        """Start the process; callgrind writes each count to a file whose name is that of `counts` with a number."""
        self._counts = counts
        tool = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={counts}"]
        self._process = subprocess.Popen(  # noqa: S603 - our own words
            [*tool, sys.executable, str(HERE / "fold_lines.py"), *map(str, files)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{code / '.package'}:{code}", "PYTHONHASHSEED": "0"},
        )

    def __enter__(self) -> Self:
        """Return the process."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process, and wait for it."""
        self._process.communicate()

    def read(self) -> str:
        """Return the next line that the process prints."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def write(self, line: str) -> None:
        """Send a line to the process."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def count(self) -> int:
        """Return how many instructions the process takes to fold the games of the next file."""
        assert self.read() == "ready"
        self._control("--instr=on")
        self.write("")
        assert self.read() == "done"
        self._control("--dump")
        self._control("--instr=off")
        self.write("")
        newest = max(self._counts.parent.glob(f"{self._counts.name}.*"), key=lambda file: int(file.suffix[1:]))
        found = TOTAL.search(newest.read_bytes())
        assert found is not None
        return int(found[1])

    def _control(self, what: str) -> None:
        command = ["callgrind_control", what, str(self._process.pid)]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own words


def write_games(folder: Path, slug: str, number: int, *, full: bool) -> Path:
    """Write games of bots to a file, with or without their consequences; return the file."""
    one = game(slug)
    matches = [match for match in simulate(one, one.cards, Plan(seed=1, full=full), number) if not match.abandoned]
    file = folder / f"{slug}-{'full' if full else 'sparse'}.jsonl"
    file.write_bytes(b"".join(one.vocabulary.encode(event) + b"\n" for match in matches for event in match.events))
    return file


def compare(files: Sequence[Path], against: Path, folder: Path) -> None:
    """Fold files with both states of the code, and print the instructions of each."""
    table = Table(title="Clean games, millions of instructions")
    for heading in ("game", "log", "games", "before", "now", "ratio"):
        table.add_column(heading, justify="left" if heading in {"game", "log"} else "right")
    here = HERE.parent.parent
    with Worker(against, files, folder / "before") as before, Worker(here, files, folder / "now") as now:
        for file in files:
            clean = sorted(set(json.loads(before.read())).intersection(json.loads(now.read())))
            for each in (before, now):
                each.write(json.dumps(clean))
            count_before, count_now = before.count(), now.count()
            slug, _, detail = file.stem.partition("-")
            numbers = (f"{count_before / 1e6:.1f}", f"{count_now / 1e6:.1f}", f"{count_now / count_before:.3f}")
            table.add_row(game(slug).title, detail, str(len(clean)), *numbers)
    CONSOLE.print(table)


def main() -> None:
    """Write the games and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, required=True, help="a work tree of the other state of the code")
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--game", choices=games())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        slugs = [arguments.game] if arguments.game else games()
        files = [write_games(folder, slug, arguments.games, full=full) for slug in slugs for full in (True, False)]
        compare(files, arguments.against.resolve(), folder)


if __name__ == "__main__":
    main()
