"""Measure how a log grows: what a million further events cost when there are many millions, in any database.

    python -m tests.benchmarks.log_growth URL [--millions 10] [--look 1,2,5,10] [--postmaster PID]

`URL` is a new SQLite file or an empty PostgreSQL database. Games of bots are imported, a million events of all five
games at a time. After the numbers of millions in `--look` the commands on one game are measured too: the import of a
new game, of the same file again, the events of a game, its audit. Processor time is that of the command; with
`--postmaster`, the process id of a PostgreSQL server on this computer, the table has that of the server's connections
too. Wall-clock seconds are meaningful on a quiet machine only.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table
from sqlalchemy import create_engine, text

from tests.benchmarks.end_to_end import GAMES, NEW_GAME_ID, played, renamed_copies
from tests.benchmarks.scale import run

MILLION: Final = 1_000_000


class Cost(NamedTuple):
    """The cost of a command: seconds, its processor time and the server's, and its peak memory in megabytes."""

    what: str
    seconds: float
    processor: float
    server: float
    memory: float


class GrowingLog:
    """A log in a database with a workspace, and an endless supply of games of bots."""

    def __init__(self, folder: Path, url: str, postmaster: int) -> None:
        self.folder = folder
        self.url = url
        self.postmaster = postmaster
        matches = {slug: played(folder, slug) for slug in GAMES}
        self.new_game = matches[GAMES[0]][0]
        self._endless = {slug: renamed_copies(matches[slug], 10**12) for slug in GAMES}

    def command(self, what: str, *words: str) -> Cost:
        """Run a command of `tabletape` on the log; return its cost."""
        before = self._server_seconds()
        used = run(self.folder, self.folder, *words, "--db", self.url)
        return Cost(what, used.seconds, used.processor, self._server_seconds() - before, used.memory)

    def a_million_more(self) -> Cost:
        """Import a million further events; return the cost."""
        files = [self._write(slug, MILLION // len(GAMES)) for slug in GAMES]
        cost = self.command("import of a million events", "import", *files)
        for file in files:
            (self.folder / file).unlink()
        return cost

    def one_game(self, number: int) -> Iterator[Cost]:
        """Yield the costs of commands on one game, a new one each time."""
        game_id, (started, *rest) = self.new_game
        new = f"{NEW_GAME_ID}-{number}"
        (self.folder / "new.jsonl").write_text("".join([started.replace(f'"{game_id}"', f'"{new}"', 1), *rest]))
        yield self.command("import of one new game", "import", "new.jsonl")
        yield self.command("import of the same file", "import", "new.jsonl")
        yield self.command("log of a game", "log", new)
        yield self.command("audit of a game", "audit", new)
        yield self.command("list of all games", "games", "--json")

    def megabytes(self) -> float:
        """Return the megabytes of the log on the disk."""
        if not self.url.startswith("postgresql"):
            return (self.folder / self.url).stat().st_size / 1e6
        with create_engine(self.url).connect() as connection:
            return float(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()) / 1e6

    def _write(self, slug: str, minimum: int) -> str:
        written = 0
        file = self.folder / f"{slug}.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            while written < minimum:
                (match,) = islice(self._endless[slug], 1)
                lines.writelines(match)
                written += len(match)
        return file.name

    def _server_seconds(self) -> float:
        """Return the processor seconds of the server's ended connections, or 0 without `--postmaster`."""
        if not self.postmaster:
            return 0.0
        after_name = Path(f"/proc/{self.postmaster}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(after_name[13]) + int(after_name[14])) / os.sysconf("SC_CLK_TCK")


def show(number: int, costs: list[Cost], megabytes: float) -> None:
    """Print the costs of the commands after this number of millions."""
    table = Table(
        "tabletape", "s", "processor, s", "server, s", "MB", title=f"{number} million events, {megabytes:,.0f} MB"
    )
    for each in costs:
        table.add_row(
            each.what, f"{each.seconds:.2f}", f"{each.processor:.2f}", f"{each.server:.2f}", f"{each.memory:,.0f}"
        )
    Console(width=100).print(table)


def main() -> None:
    """Grow a log, and print the costs after each million events."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("url")
    parser.add_argument("--millions", type=int, default=10)
    parser.add_argument("--look", default="1,2,5,10", help="after which millions to measure commands on one game")
    parser.add_argument("--postmaster", type=int, default=0)
    arguments = parser.parse_args()
    looks = {int(each) for each in arguments.look.split(",")}
    with tempfile.TemporaryDirectory() as name:
        log = GrowingLog(Path(name), arguments.url, arguments.postmaster)
        for number in range(1, arguments.millions + 1):
            costs = [log.a_million_more()]
            if number in looks:
                costs += log.one_game(number)
            show(number, costs, log.megabytes())


if __name__ == "__main__":
    main()
