"""Measure how fast every question is answered over ten million events, and how fast datasets are built.

    python tests/benchmarks/questions_speed.py [--events 10000000] [--times 7]

The games are played by bots, and the product's own code makes their rows and files; the same games are repeated under
other ids until there are enough. Builds are timed on the recorded games of tests/recordings, repeated under new ids.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from rich.console import Console
from rich.table import Table

from tabletape.dashboard.questions import Filters, ask, questions
from tabletape.events.log import Log
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary import Event
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.datasets.build import build, write_catalogue
from tabletape.projector.datasets.manifest import Manifest, write_manifest
from tabletape.projector.datasets.packs import tables_of, write_pack
from tabletape.projector.datasets.plans import PACK_EVENTS
from tabletape.projector.datasets.rows.game_rows import GameRows, rows_of_game
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.selfplay.simulate import Plan, simulate

CONSOLE: Final = Console()
ROOT: Final = Path(__file__).parents[2]
BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
GAMES_PLAYED: Final = 40
"""How many games of each kind the bots play; all other games are copies of these under other ids."""

SHARE_WITH_MISSING_LINE: Final = 0.3
"""The share of the games in which a line is missing, so that there are findings."""


def played(slug: str, number: int, events: list[Event]) -> GameRows:
    """Return the rows of a game of bots as if people had played it: with times, and in some games a missing line."""
    dice = random.Random(f"{slug} {number}")  # noqa: S311 - played games are no secret
    if dice.random() < SHARE_WITH_MISSING_LINE:
        del events[dice.randrange(len(events) // 2, len(events))]
    began = BEGIN + timedelta(hours=dice.randrange(5000))
    timed = [
        msgspec.structs.replace(event, seq=seq, at=began + timedelta(seconds=20 * seq))
        for seq, event in enumerate(events, 1)
    ]
    timed[0] = msgspec.structs.replace(timed[0], id=f"evening-{slug}-{number}")
    one = game(slug)
    return rows_of_game(fold(one, timed), decision_load=False)


def played_rows(slug: str) -> dict[str, pa.Table]:
    """Return the rows of the played games of one kind, a table for each dataset."""
    matches = simulate(game(slug), game(slug).cards, Plan(seed=1), GAMES_PLAYED)
    return tables_of([played(slug, number, match.events) for number, match in enumerate(matches)])


def renamed(tables: Mapping[str, pa.Table], number: int) -> dict[str, pa.Table]:
    """Return the rows of games under other ids."""
    return {name: _renamed(table, number) for name, table in tables.items()}


def _renamed(table: pa.Table, number: int) -> pa.Table:
    for column in {"game_id", "content"} & set(table.column_names):
        place = table.column_names.index(column)
        new_values = pc.binary_join_element_wise(table[column], pa.scalar(str(number)), "-")
        table = table.set_column(place, table.schema.field(column), new_values.cast(table.schema.field(column).type))
    return table


def write_games(folder: Path, events: int) -> int:
    """Write datasets with this many events; return the number of games."""
    packs = []
    for slug in games():
        mine = played_rows(slug)
        copies = max(PACK_EVENTS // mine["events"].num_rows, 1)
        for number in range(max(events // len(games()) // PACK_EVENTS, 1)):
            parts = [renamed(mine, number * copies + place) for place in range(copies)]
            name = f"{slug}-{number:04}"
            packs.append(write_pack(folder, name, slug, parts))
    catalogue, proof = write_catalogue(folder, dict.fromkeys(games(), "played"), folder, {})
    write_manifest(folder, Manifest(packs=tuple(packs), catalogue=catalogue, catalogue_written=proof))
    return sum(pack.games for pack in packs)


def time_questions(folder: Path, times: int) -> None:
    """Ask every question several times, and print how long the answers took."""
    table = Table("question", "rows", "first, ms", "p50, ms", "processor, ms")
    medians, processor = [], []
    for each in questions():
        filters: Filters = {"game_id": "evening-splicers-7-0"} if "game_id" in each.parameters else {}
        taken, used = [], []
        for _ in range(times):
            began, before = time.perf_counter(), time.process_time()
            rows = ask(each.name, folder, **filters).num_rows
            taken.append((time.perf_counter() - began) * 1000)
            used.append((time.process_time() - before) * 1000)
        medians.append(statistics.median(taken))
        table.add_row(each.name, f"{rows:,}", f"{taken[0]:.0f}", f"{medians[-1]:.0f}", f"{min(used):.0f}")
        processor.append(min(used))
    CONSOLE.print(table)
    CONSOLE.print(
        f"p50 over all questions: {statistics.median(medians):.0f} ms (target 150), slowest {max(medians):.0f} ms; "
        f"of the processor {statistics.median(processor):.0f} ms"
    )


def longest(files: Iterable[Path]) -> list[Path]:
    """Return the five longest files: whole games, not the few lines that show one rule."""
    return sorted(files, key=lambda file: len(recorded_lines(file)))[-5:]


def store_recorded(log: Log, events: int) -> None:
    """Store the recorded games under new ids, repeatedly, until there are this many events."""
    recordings = ROOT / "tests" / "recordings"
    recorded = [(slug, file) for slug in games() for file in longest((recordings / slug).rglob("*.jsonl"))]
    logs = [list(map(game(slug).vocabulary.decode, recorded_lines(file))) for slug, file in recorded]
    stored = 0
    while logs and stored < events:
        for started, *rest in list(logs):
            game_id = f"timed-{stored}"
            try:
                log.append(game_id, [msgspec.structs.replace(started, id=game_id), *rest], expected_last_seq=0)
            except LogError:
                # The log itself refuses some recordings.
                logs.remove([started, *rest])
            else:
                stored += len(rest) + 1


def time_build(folder: Path, events: int) -> None:
    """Build the datasets of recorded games, and print how fast."""
    table = Table("build", "s", "games/s", "events/s")
    with Log.open(folder / "tabletape.db", create=True) as log:
        store_recorded(log, events)
        for what in ("from nothing", "again"):
            began = time.perf_counter()
            built = build(log)
            seconds = time.perf_counter() - began
            speeds = (f"{each / seconds:,.0f}" for each in (built.projected, built.events))
            table.add_row(what, f"{seconds:.2f}", *speeds)
    CONSOLE.print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--build-events", type=int, default=300_000)
    parser.add_argument("--times", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "datasets"
        began = time.perf_counter()
        written = write_games(folder, arguments.events)
        size = sum(file.stat().st_size for file in folder.rglob("*.parquet")) / 1e6
        CONSOLE.print(f"{written:,} games written in {time.perf_counter() - began:.0f} s, {size:.0f} MB")
        time_questions(folder, arguments.times)
        time_build(Path(place), arguments.build_events)


if __name__ == "__main__":
    main()
