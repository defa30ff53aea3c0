"""Measure how many times as fast the compiled fold is.

    make compiled
    python tests/benchmarks/compiled_gain.py [--compiled .compiled/venv/bin/python] [--games 20] [--rounds 5]

Games of bots, full and sparse, are folded and their findings read by both interpreters in turn; the least processor
time of each counts.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from clean_games import write_games
from fold_lines import audit, games_in
from rich.console import Console
from rich.table import Table

from projector.fold.gc_pause import collect_less_often
from projector.games import game, games

TIMES = 10
"""How often each file is folded in a round."""


def fold_files(files: list[Path]) -> None:
    """Fold files and print, as JSON, the least processor time of each in seconds and its number of events."""
    collect_less_often()
    found: dict[str, Any] = {}
    for file in files:
        one = game(file.name.partition("-")[0])
        matches = [*games_in(file, one)]
        best = float("inf")
        for _ in range(TIMES):
            start = time.process_time()
            audit(one, matches)
            best = min(best, time.process_time() - start)
        found[file.stem] = best, sum(map(len, matches))
    sys.stdout.write(json.dumps(found))


def measure(python: str, files: list[Path]) -> dict[str, tuple[float, int]]:
    """Return the least processor time and the number of events of each file, folded by an interpreter."""
    command = [python, __file__, "--fold", *map(str, files)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - the interpreter that was named
    found: dict[str, tuple[float, int]] = json.loads(done.stdout)
    return found


def compare(compiled: str, number: int, rounds: int) -> Table:
    """Return a table of the speeds of both interpreters, by game and kind of log."""
    table = Table(title="The fold, compiled")
    for heading in ("game", "log", "events", "Python, events/s", "compiled, events/s", "times"):
        table.add_column(heading, justify="left" if heading in {"game", "log"} else "right")
    with tempfile.TemporaryDirectory() as folder:
        files = [write_games(Path(folder), slug, number, full=full) for slug in games() for full in (True, False)]
        both = [[measure(python, files) for python in (sys.executable, compiled)] for _ in range(rounds)]
        for file in files:
            slow, fast = (min(pair[side][file.stem][0] for pair in both) for side in (0, 1))
            events = both[0][0][file.stem][1]
            slug, _, kind = file.stem.partition("-")
            rates = (f"{events / slow:,.0f}", f"{events / fast:,.0f}", f"{slow / fast:.2f}")
            table.add_row(game(slug).title, kind, f"{events:,}", *rates)
    return table


def main() -> None:
    """Compare both interpreters, or fold files as one of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--compiled", default=".compiled/venv/bin/python", help="the interpreter of the compiled install"
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fold", type=Path, nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.fold:
        fold_files(arguments.fold)
    elif not Path(arguments.compiled).exists():
        parser.error(f"there is no {arguments.compiled}; `make compiled` makes one")
    else:
        Console(width=100).print(compare(arguments.compiled, arguments.games, arguments.rounds))


if __name__ == "__main__":
    main()
