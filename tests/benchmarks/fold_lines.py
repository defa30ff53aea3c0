"""Fold games for `clean_games.py`, with the code that PYTHONPATH names: any state of it since 20 November 2026.

    python tests/benchmarks/fold_lines.py FILE...

The name of a file begins with the slug of its game; it has games of bots as JSON Lines. For each file the process
prints the numbers, from 0, of the games without findings, reads which of these to fold and folds them three times. Then
it prints `ready`, folds them once more after it has read a line, prints `done` and waits for another line.
"""

import gc
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from tabletape.projector.fold.folding import fold

    try:
        from tabletape.events.startup import collect_less_often
    except ImportError:
        from tabletape.projector.fold.gc_pause import collect_less_often  # type: ignore[import-not-found,no-redef]
    try:
        from tabletape.projector.games import game
    except ImportError:
        from tabletape.projector.model.game import game  # type: ignore[attr-defined,no-redef]  # where it was before

    CLEARS_TABLES = True
except ImportError:
    CLEARS_TABLES = False  # an older audit left its tables to the garbage collector
    from tabletape.projector.fold import fold  # type: ignore[attr-defined,no-redef]  # where it was before
    from tabletape.projector.game import game  # type: ignore[import-not-found,no-redef]
    from tabletape.projector.memory import collect_less_often  # type: ignore[import-not-found,no-redef]

try:
    from tabletape.events.vocabulary.shared import GameStarted
except ImportError:
    from tabletape.events.shared import GameStarted  # type: ignore[import-not-found,no-redef]  # where it was before

from tabletape.events.vocabulary import Event


def games_in(file: Path, one: Any) -> Iterator[list[Event]]:
    """Yield the games of a file."""
    lines: list[Event] = []
    for line in file.read_bytes().splitlines():
        event = one.vocabulary.decode(line)
        if isinstance(event, GameStarted) and lines:
            yield lines
            lines = []
        lines.append(event)
    yield lines


def audit(one: Any, matches: list[list[Event]]) -> list[int]:
    """Fold games and read their findings, as an audit does; return the numbers of the games without any."""
    clean = []
    for number, match in enumerate(matches):
        replay = fold(one, match)
        if not replay.findings and replay.stopped is None:
            clean.append(number)
        if CLEARS_TABLES:
            replay.table.clear_away()
    return clean


def print_line(line: str) -> None:
    """Print a line for the process that started this one."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Fold the games of each file when asked to."""
    collect_less_often()
    for name in sys.argv[1:]:
        file = Path(name)
        one = game(file.name.partition("-")[0])
        matches = list(games_in(file, one))
        print_line(json.dumps(audit(one, matches)))
        matches = [matches[number] for number in json.loads(input())]
        for _ in range(3):
            audit(one, matches)
        gc.collect()
        gc.freeze()  # Only the garbage that the counted audit makes may be collected while instructions are counted.
        print_line("ready")
        input()
        audit(one, matches)
        gc.collect()
        print_line("done")
        gc.unfreeze()
        input()


if __name__ == "__main__":
    main()
