"""Measure what it costs a question, asked again, that the files it reads are proven to be what was written.

    python tests/benchmarks/proven_questions_speed.py [--games 60] [--times 15]

Each question is asked with the proof and without, in turn, in one process; the ratio is that of the medians. Files are
read and proven once a process, so the first answers are not counted here: they are printed apart.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from tabletape.dashboard.questions import ask, database, questions
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate

CONSOLE = Console()


def folder_of_games(place: Path, matches: int) -> Path:
    """Store games of bots of two games, build their datasets and return the folder."""
    with Log.open(place / "tabletape.db", create=True) as log:
        for slug in ("splicers", "crystal"):
            one = game(slug)
            for match in simulate(one, one.cards, Plan(seed=1), matches // 2):
                log.append(match.game_id, [*match.events], expected_last_seq=0)
        return build(log).folder


def seconds(asked: Callable[[], object]) -> float:
    """Return the seconds of the processor that something takes, in all threads."""
    began = time.process_time()
    asked()
    return time.process_time() - began


def main() -> None:
    """Print the ratio over all questions, and the greatest of a single one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--times", type=int, default=15, help="how often each question is asked in each way")
    arguments = parser.parse_args()
    names = [each.name for each in questions()]
    with tempfile.TemporaryDirectory() as place:
        folder = folder_of_games(Path(place), arguments.games)
        first = sum(seconds(partial(ask, name, folder, source="all")) for name in names)
        proven: dict[str, list[float]] = {name: [] for name in names}
        plain: dict[str, list[float]] = {name: [] for name in names}
        for round_number in range(2 * arguments.times):
            is_proven = round_number % 2 == 0
            for name in names if round_number % 4 < 2 else names[::-1]:
                with nullcontext() if is_proven else patch.object(database._Opened, "require_sound", lambda *_: None):
                    found = seconds(partial(ask, name, folder, source="all"))
                (proven if is_proven else plain)[name].append(found)
        with_proof, without = ({name: statistics.median(each) for name, each in of.items()} for of in (proven, plain))
    ratios = {name: with_proof[name] / without[name] for name in names}
    worst = max(names, key=ratios.__getitem__)
    table = Table("questions", "first answers s", "with proof ms", "without ms", "ratio", "greatest of one")
    table.add_row(
        str(len(names)),
        f"{first:.2f}",
        f"{1e3 * sum(with_proof.values()):.1f}",
        f"{1e3 * sum(without.values()):.1f}",
        f"{sum(with_proof.values()) / sum(without.values()):.3f}",
        f"{worst} {ratios[worst]:.3f}",
    )
    CONSOLE.print(table)


if __name__ == "__main__":
    main()
