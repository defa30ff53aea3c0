"""Compare the speed of the import with the `eventsourcing` library and with bare `sqlite3`.

    python tests/benchmarks/import_speed.py [events]

All write the same games into a new SQLite file, with `synchronous=FULL`, in a temporary folder: full logs of all five
games, played by bots and repeated under other ids until there are enough events:

* Tabletape reads the JSON Lines file: decoding, checks against the cards, canonical form, hash chain, raw file,
  everything; and then the same file again.
* `eventsourcing` has one aggregate a game and one event a line, decoded by `json`; each aggregate is saved when it is
  complete, and in a second run a hundred at once. It keeps the write-ahead journal that it chooses itself, which is in
  its favour, as it waits less for the disk.
* `sqlite3` gets the finished rows of the same table in one `executemany`, which is the least possible work.

They run in turn, so that other work on the computer slows all of them; the fastest round of each counts.
"""

import json
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from rich.console import Console
from rich.table import Table

from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary import games
from tabletape.projector.archive.stored import known_of
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate

EVENTS = 150_000
ROUNDS = 5
GAMES_PLAYED = 6
"""How many games of each kind the bots play; all other games are copies of these under other ids."""

WORKSPACE = Path(__file__).parent


def games_of_bots() -> list[tuple[str, bytes]]:
    """Return ids and full logs of games of bots."""
    found = []
    for slug in games():
        one = game(slug)
        for match in simulate(one, one.cards, Plan(full=True), GAMES_PLAYED):
            lines = b"\n".join(map(one.vocabulary.encode, match.events)) + b"\n"
            found.append((match.game_id, lines))
    return found


def write_games(path: Path, minimum: int) -> int:
    """Write a file of at least this many events; return their number."""
    corpus = games_of_bots()
    events = 0
    with path.open("wb") as file:
        for again in count():
            for game_id, lines in corpus:
                file.write(lines.replace(f'"{game_id}"'.encode(), f'"{game_id}-{again}"'.encode(), 1))
                events += lines.count(b"\n")
            if events >= minimum:
                return events
    return events


class Game(Aggregate):
    """A game as `eventsourcing` stores it: an aggregate with the events of the game."""

    @event("Started")
    def __init__(self, head: dict[str, Any]) -> None:
        self.last = head

    @event("Happened")
    def happen(self, what: dict[str, Any]) -> None:
        """Add an event."""
        self.last = what


def with_tabletape(source: Path, folder: Path, *, again: bool = False) -> float:
    """Import a file; return the seconds, with `again` those of a second import of the same file."""
    options = Options(known=partial(known_of, WORKSPACE))
    with Log.open(folder / "tabletape.db", create=True) as log:
        for _ in range(1 + again):
            begin = time.perf_counter()
            report = import_paths(log, [source], options)
            took = time.perf_counter() - begin
    if not report.clean or bool(report.events) == again:
        raise SystemExit(f"the import went wrong: {report}")
    return took


def with_eventsourcing(source: Path, folder: Path, at_once: int) -> float:
    """Save the same file as aggregates, `at_once` in each transaction; return the seconds."""
    database = f"file:{folder / 'eventsourcing.db'}"
    app: Application[Any] = Application({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": database})
    begin = time.perf_counter()
    with source.open("rb") as file:
        unsaved = aggregates(file)
        while batch := list(islice(unsaved, at_once)):
            app.save(*batch)
    took = time.perf_counter() - begin
    app.close()
    return took


def aggregates(lines: Iterator[bytes]) -> Iterator[Game]:
    """Yield the aggregates of a file, one for each game."""
    game: Game | None = None
    for line in lines:
        what = json.loads(line)
        if what["type"] == "game.started":
            if game is not None:
                yield game
            game = Game(what)
        elif game is not None:
            game.happen(what)
    if game is not None:
        yield game


def with_sqlite3(rows: list[tuple[Any, ...]], folder: Path) -> float:
    """Insert finished rows into a log of the same schema; return the seconds."""
    path = folder / "rows.db"
    Log.open(path, create=True).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    begin = time.perf_counter()
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.execute("COMMIT")
    took = time.perf_counter() - begin
    connection.close()
    return took


def finished_rows(source: Path, folder: Path) -> list[tuple[Any, ...]]:
    """Return the rows that an import makes of a file."""
    path = folder / "finished.db"
    with Log.open(path, create=True) as log:
        import_paths(log, [source], Options(known=partial(known_of, WORKSPACE)))
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT * FROM event ORDER BY position").fetchall()


def best(runs: dict[str, Callable[[Path], float]]) -> dict[str, float]:
    """Run all in turn, each time in a new folder; return the least seconds of each."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            with tempfile.TemporaryDirectory() as folder:
                seconds[name].append(run(Path(folder)))
    return {name: min(times) for name, times in seconds.items()}


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "games.jsonl"
        events = write_games(source, int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
        rows = finished_rows(source, folder)
        seconds = best(
            {
                "tabletape import": lambda place: with_tabletape(source, place),
                "the same file again": lambda place: with_tabletape(source, place, again=True),
                "eventsourcing": lambda place: with_eventsourcing(source, place, 1),
                "eventsourcing, 100 games at once": lambda place: with_eventsourcing(source, place, 100),
                "sqlite3 executemany": lambda place: with_sqlite3(rows, place),
            }
        )
    table = Table("", "events/s", "seconds", "tabletape is", title=f"{events:,} events")
    for each, took in seconds.items():
        ratio = took / seconds["tabletape import"]
        table.add_row(each, f"{events / took:,.0f}", f"{took:.2f}", f"{ratio:.2f} x as fast")
    Console().print(table)


if __name__ == "__main__":
    main()
