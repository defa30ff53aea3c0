"""Measure what one new game costs when there are many games already, and how much memory a build takes.

    python -m tests.benchmarks.new_game [--games 40000]

The games are those of bots, cut off after a dozen lines: many games, few events. They are imported and built; then one
whole game at a time is imported and built, for some rounds. Everything runs as people run it, each command in a process
of its own, with its start.
"""

import argparse
import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.benchmarks.end_to_end import GAMES, played
from tests.benchmarks.scale import Usage, run

LINES: Final = 12
"""The number of lines of each of the many games."""

ROUNDS: Final = 3


def renamed(match: tuple[str, list[str]], name: str) -> list[str]:
    """Return the lines of a match under another id."""
    game_id, (started, *rest) = match
    return [started.replace(f'"{game_id}"', f'"{name}"', 1), *rest]


def measure(folder: Path, matches: list[tuple[str, list[str]]], games: int) -> Iterator[Usage]:
    """Yield the costs of importing and building many games, and then further ones one by one."""
    log, datasets = folder / "tabletape.db", folder / ".tabletape"
    with (folder / "many.jsonl").open("w", encoding="utf-8") as file:
        for number, match in enumerate(islice(cycle(matches), games)):
            file.writelines(renamed(match, f"bot-{number}")[:LINES])
    yield run(folder, log, "import", "many.jsonl")
    yield run(folder, datasets, "build")
    for number in range(ROUNDS):
        name = f"bot-new-{number}"
        (folder / f"{name}.jsonl").write_text("".join(renamed(matches[number], name)), encoding="utf-8")
        run(folder, log, "import", f"{name}.jsonl")
        yield run(folder, datasets, "build")._replace(what="build, after one new game")
    yield run(folder, datasets, "build")._replace(what="build, after nothing new")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=40_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        matches = [match for slug in GAMES for match in played(folder, slug)]
        table = Table("tabletape", "s", "processor, s", "MB", title=f"{arguments.games:,} games of {LINES} lines")
        for each in measure(folder, matches, arguments.games):
            table.add_row(each.what, f"{each.seconds:.2f}", f"{each.processor:.2f}", f"{each.memory:,.0f}")
        Console().print(table)


if __name__ == "__main__":
    main()
