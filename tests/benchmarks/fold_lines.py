"""Fold games for `clean_games.py`, with the code that PYTHONPATH names: any state of it since 20 November 2026.

    python tests/benchmarks/fold_lines.py FILE...

Each file holds games of one game, whose slug its name begins with, as JSON Lines. For each it says in which games
nothing is found (their numbers from 0), reads which of these to fold, folds them three times and says that it is ready,
folds them once more when a line was read, says that it is done and waits for another line.
"""

import gc
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from projector.fold.folding import fold
    from projector.fold.gc_pause import collect_less_often

    try:
        from projector.games import game
    except ImportError:
        from projector.model.game import game  # type: ignore[attr-defined,no-redef]  # where it was before

    TAKES_APART = True
except ImportError:
    TAKES_APART = False  # the audit left its tables to the search for garbage then
    from projector.game import game  # type: ignore[import-not-found,no-redef]
    from projector.memory import collect_less_often  # type: ignore[import-not-found,no-redef]

    from projector.fold import fold  # type: ignore[attr-defined,no-redef]  # where it was before

from events.shared import GameStarted
from events.vocabulary import Event


def games_in(file: Path, one: Any) -> Iterator[list[Event]]:
    """Read the games of a file."""
    lines: list[Event] = []
    for line in file.read_bytes().splitlines():
        event = one.vocabulary.decode(line)
        if isinstance(event, GameStarted) and lines:
            yield lines
            lines = []
        lines.append(event)
    yield lines


def audit(one: Any, matches: list[list[Event]]) -> list[int]:
    """Fold games and read what is found in them, as an audit does; return the numbers of those with nothing."""
    clean = []
    for number, match in enumerate(matches):
        replay = fold(one, match)
        if not replay.findings and replay.stopped is None:
            clean.append(number)
        if TAKES_APART:
            replay.table.clear_away()
    return clean


def say(line: str) -> None:
    """Write a line for whoever started this."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Fold the games of each file when asked to."""
    collect_less_often()
    for name in sys.argv[1:]:
        file = Path(name)
        one = game(file.name.partition("-")[0])
        matches = list(games_in(file, one))
        say(json.dumps(audit(one, matches)))
        matches = [matches[number] for number in json.loads(input())]
        for _ in range(3):
            audit(one, matches)
        gc.collect()
        gc.freeze()  # What an audit leaves to be searched for and thrown away is a part of it, all else is not.
        say("ready")
        input()
        audit(one, matches)
        gc.collect()
        say("done")
        gc.unfreeze()
        input()


if __name__ == "__main__":
    main()
