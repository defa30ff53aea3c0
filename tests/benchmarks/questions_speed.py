"""How fast every question is answered over ten million events, and how fast datasets are built.

    python tests/benchmarks/questions_speed.py [--events 10000000] [--times 7]

The events are invented, but written by the product's own writer, in the form that a build gives them. Builds are timed
on the recorded games of tests/recordings, stored again and again under new ids.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from dashboard.questions import Filters, ask, questions
from events.log import Log
from events.log_schema import LogError
from projector.datasets.build import build
from projector.datasets.catalogue import write_catalogue
from projector.datasets.manifest import Entry, Manifest, Pack, write_manifest
from projector.datasets.packs import tables_of, write_pack
from projector.datasets.plans import PACK_EVENTS
from projector.datasets.rows import GameRows
from projector.model.game import game, games

CONSOLE = Console()
ROOT = Path(__file__).parents[2]
EVENTS_A_GAME = 250
TURNS = 24
CARDS = [f"card-{number}" for number in range(60)]
RULES = [f"splicers.area.rule-{number}" for number in range(80)]
TOTALS = ("hand", "deck", "discard", "actions", "dominated", "dominance")
TYPES = [("seed.played", "decision"), ("ting.evolved", "decision"), ("turn.passed", "decision"),
         ("ability.used", "decision"), ("cards.drawn", "chance"), ("card.exhausted", "consequence")]  # fmt: skip
REASONS = ("domination", "final-round", "concession")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PATTERNS = 3
"""Packs whose rows are invented; the others are these again, with other games' ids."""


def invented(dice: random.Random, number: int) -> GameRows:
    """Invent a game."""
    winner = dice.choice("AB")
    clean = dice.random() < 0.7
    events = list(_events(dice, clean=clean))
    common = ("splicers", f"game-{number}", "0123456789ab", "0.2a", "people", clean)
    return GameRows(
        common,
        {
            "games": [_game(dice, winner, clean=clean)],
            "seats": [
                (
                    player,
                    f"P{dice.randrange(40)}",
                    seat,
                    f"deck-{seat}",
                    seat == 1,
                    True,
                    player == winner,
                    True,
                    True,
                    0.5,
                )
                for seat, player in enumerate("AB", 1)
            ],
            "dimensions": [
                (player, "splicer", f"splicer-{dice.randrange(12)}", player == winner, True) for player in "AB"
            ],
            "events": events,
            "actions": [
                (round_, player, kind, class_, dice.randrange(5, 9), 5)
                for round_ in range(9)
                for player in "AB"
                for kind, class_ in TYPES
                if dice.random() < 0.5
            ],
            "choices": _choices(events),
            **_turns(dice, winner),
            "cards": list(_cards(dice, winner)),
            "findings": list(_findings(dice, clean=clean)),
            "opportunities": [
                (rule, dice.randrange(1, 20), int(dice.random() < 0.02), 0, int(dice.random() < 0.01), 0)
                for rule in dice.sample(RULES, 40)
            ],
        },
    )


def _game(dice: random.Random, winner: str, *, clean: bool) -> tuple[Any, ...]:
    at = BEGIN + timedelta(minutes=dice.randrange(10**6))
    first_illegal = None if clean else 100
    first = dice.choice("AB")
    return ("0.2a", True, at, dice.uniform(20, 90), 2, first, True, winner, dice.choice(REASONS), None, None,
            EVENTS_A_GAME, 120, 8, TURNS, first_illegal, 1, 0, dice.randrange(5), dice.randrange(TURNS), winner,
            dice.random(), True)  # fmt: skip


def _events(dice: random.Random, *, clean: bool) -> Iterator[tuple[Any, ...]]:
    for seq in range(1, EVENTS_A_GAME + 1):
        kind, class_ = dice.choice(TYPES)
        turn = seq * TURNS // EVENTS_A_GAME
        legal = dice.randrange(1, 30) if class_ == "decision" else None
        at = BEGIN + timedelta(seconds=seq * 10)
        yield (seq, kind, class_, "AB"[turn % 2], at, turn // 3, turn, "play", dice.randrange(6), False,
               not clean and seq > 100, legal)  # fmt: skip


def _choices(events: list[tuple[Any, ...]]) -> list[tuple[int, int, int]]:
    """Count the decisions of the turns by round and number of legal ones."""
    counted = Counter((round_, legal) for *_, round_, turn, _, _, _, _, legal in events if turn and legal)
    return [(*what, decisions) for what, decisions in counted.items()]


def _turns(dice: random.Random, winner: str) -> dict[str, list[tuple[Any, ...]]]:
    turns, totals = [], []
    for turn in range(1, TURNS + 1):
        progress = {player: dice.randrange(9) / 8 for player in "AB"}
        for player, other in ("AB", "BA"):
            whose = (player, "AB"[turn % 2] == player, turn // 2 + 1)
            ahead = progress[player] - progress[other]
            turns.append((turn, turn // 3, *whose, progress[player], ahead, player == winner, True, 5, 60.0, 60.0))
            drawn = [(name, dice.randrange(12)) for name in TOTALS]
            totals += [(turn, player, turn // 2 + 1, *each) for each in drawn if whose[1]]
    return {"turns": turns, "totals": totals}


def _cards(dice: random.Random, winner: str) -> Iterator[tuple[Any, ...]]:
    for player in "AB":
        for card in dice.sample(CARDS, 15):
            seen, played = dice.random() < 0.7, dice.random() < 0.6
            usage = (1, int(seen), 0, int(seen), int(seen), int(seen and played), 0, 0, int(seen and not played))
            dead = (int(seen and not played), 0, int(seen), 0, 0, None)
            yield (player, card, card.title(), "ting", player == winner, True, True, True, *usage, *dead,
                   3 if seen else None, dice.randrange(9), int(seen))  # fmt: skip


def _findings(dice: random.Random, *, clean: bool) -> Iterator[tuple[Any, ...]]:
    if not clean:
        yield (
            100,
            9,
            "seed.played",
            "A",
            dice.choice(RULES),
            "illegal",
            "not allowed",
            None,
            "Playing",
            "L12",
            None,
            False,
        )


def write_invented(folder: Path, events: int) -> int:
    """Write datasets of so many invented events; return how many games they are."""
    dice = random.Random(1)  # noqa: S311 - invented games are no secret
    a_pack = PACK_EVENTS // EVENTS_A_GAME
    patterns = [[invented(dice, number) for number in range(a_pack)] for _ in range(PATTERNS)]
    packs = []
    for number in range(events // PACK_EVENTS):
        games_here = [
            GameRows((*each.common[:1], f"game-{number}-{place}", *each.common[2:]), each.rows)
            for place, each in enumerate(patterns[number % PATTERNS])
        ]
        rows = write_pack(folder, f"pack-{number:04}", tables_of(games_here))
        entry = Entry(game_id="", ruleset_id="", fingerprint="", last_seq=0, code="")
        packs.append(Pack(name=f"pack-{number:04}", game="splicers", entries=(entry,), rows=rows))
    catalogue = write_catalogue(folder, {"splicers": "invented"}, folder)
    write_manifest(folder, Manifest(packs=tuple(packs), catalogue=catalogue))
    return a_pack * len(packs)


def time_questions(folder: Path, times: int) -> None:
    """Ask every question several times and print how long it took."""
    table = Table("question", "rows", "first, ms", "p50, ms")
    medians = []
    for each in questions():
        filters: Filters = {"game_id": "game-0-7"} if "game_id" in each.parameters else {}
        taken = []
        for _ in range(times):
            began = time.perf_counter()
            rows = ask(each.name, folder, **filters).num_rows
            taken.append((time.perf_counter() - began) * 1000)
        medians.append(statistics.median(taken))
        table.add_row(each.name, f"{rows:,}", f"{taken[0]:.0f}", f"{medians[-1]:.0f}")
    CONSOLE.print(table)
    CONSOLE.print(
        f"p50 over all questions: {statistics.median(medians):.0f} ms (target 150), slowest {max(medians):.0f} ms"
    )


def longest(files: Iterable[Path]) -> list[Path]:
    """Return the five longest files: whole games, not the few lines that show one rule."""
    return sorted(files, key=lambda file: file.stat().st_size)[-5:]


def store_recorded(log: Log, events: int) -> None:
    """Store the recorded games again and again under new ids, until there are so many events."""
    recordings = ROOT / "tests" / "recordings"
    recorded = [(slug, file) for slug in games() for file in longest((recordings / slug).rglob("*.jsonl"))]
    logs = [list(map(game(slug).vocabulary.decode, file.read_bytes().splitlines())) for slug, file in recorded]
    stored = 0
    while logs and stored < events:
        for started, *rest in list(logs):
            game_id = f"timed-{stored}"
            try:
                log.append(game_id, [msgspec.structs.replace(started, id=game_id), *rest], expected_last_seq=0)
            except LogError:
                # Some recordings are of tables that the log itself refuses.
                logs.remove([started, *rest])
            else:
                stored += len(rest) + 1


def time_build(folder: Path, events: int) -> None:
    """Build the datasets of recorded games and print how fast."""
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
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "datasets"
        began = time.perf_counter()
        written = write_invented(folder, chosen.events)
        size = sum(file.stat().st_size for file in folder.rglob("*.parquet")) / 1e6
        CONSOLE.print(f"{written:,} invented games written in {time.perf_counter() - began:.0f} s, {size:.0f} MB")
        time_questions(folder, chosen.times)
        time_build(Path(place), chosen.build_events)


if __name__ == "__main__":
    main()
