"""Measure in how many right games somebody is accused, however their log is kept.

    PYTHONPATH=. python tests/benchmarks/verdicts.py [--games 40] [--seed 1] [--game NAME]

Legal games of bots in full and sparse; with the consequences of one line, of one stretch, a tenth or all written late,
within the two decisions that follow; with some written twice, in a row, one keeper's behind the other's, or behind the
next decisions. Whatever is found but infos counts. In *breach and slip* a decision is made before its time and a wrong
number stands near it: those games count in which not both are found, or another line is a cause. Last, one line names
another player, place, phase or round, first a consequence, then a play or a line of luck: *elsewhere* counts the games
in which another line or several are a cause, *unaccused* those in which none is; the line is said to be a second one
then, or one that tells nothing new. A play with a wrong word may be as legal, and the first later line that contradicts
it may be the wrong one as well: *several* counts the games in which more than one line is a cause.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from types import UnionType
from typing import Final

from rich.console import Console
from rich.table import Table

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.rules import HARD
from tests.projector.test_late_lines import behind_the_next_decision, written_late
from tests.projector.test_several_mistakes import in_a_row, one_behind_decisions, one_behind_the_other
from tests.written_games import game_of_bots
from tests.wrong_values import accusations, with_play_too_early, wrong_words

CONSOLE: Final = Console(width=200)
STRETCH: Final = 30
TWICE: Final = 0.3


def one_late(events: tuple[Event, ...], rng: Random) -> tuple[Event, ...]:
    """Return a log in which one consequence stands behind the next decision."""
    places = [here for here, event in enumerate(events) if isinstance(event, Consequence)]
    return behind_the_next_decision(events, rng.choice(places))


def stretch_late(events: tuple[Event, ...], rng: Random) -> tuple[Event, ...]:
    """Return a log in which all consequences of one stretch are late."""
    here = rng.randrange(1, len(events) - STRETCH)
    return (*events[:here], *written_late(events[here : here + STRETCH], 1.0, rng), *events[here + STRETCH :])


WORDS: Final = ("elsewhere", "unaccused", "play: several", "elsewhere", "unaccused")
WAYS: Final[dict[str, Callable[[tuple[Event, ...], Random], Iterable[Event]]]] = {
    "full": lambda events, _rng: events,
    "one late": one_late,
    "stretch late": stretch_late,
    "tenth late": lambda events, rng: written_late(events, 0.1, rng),
    "all late": lambda events, rng: written_late(events, 1.0, rng),
    "in a row": lambda events, rng: in_a_row(events, TWICE, rng),
    "behind": lambda events, rng: one_behind_the_other(events, TWICE, rng),
    "behind decisions": lambda events, rng: one_behind_decisions(events, TWICE, rng),
}


def is_accused(slug: str, lines: Iterable[Event]) -> bool:
    """Return whether more than an info is found in a log."""
    replay = fold(game(slug), [*lines])
    return replay.stopped is not None or any(found.kind != "info" for found in replay.findings)


def is_confused(slug: str, seed: int, rng: Random) -> bool:
    """Return whether of a breach and a slip near it not both are found, or another line is a cause."""
    early, both = with_play_too_early(slug, seed, rng)
    found = [each for each in fold(game(slug), both.lines).findings if each.kind in HARD]
    wrong = {early.seq, both.seq}
    return not wrong <= {each.seq for each in found} or not {each.seq for each in found if not each.follows} <= wrong


def misplaced(slug: str, seed: int, rng: Random, of: type[Event] | UnionType) -> str:
    """Return whether one wrong word in a line of a kind accuses several lines, another one or none; else empty."""
    found = list(wrong_words(game_of_bots(slug, seed), of))
    kind = rng.choice(sorted({type(each.right).__name__ for each in found}))
    slip = rng.choice([each for each in found if type(each.right).__name__ == kind])
    accused, _ = accusations(slug, slip)
    said = [slip.lines[seq - 1] for seq in accused]  # a line that says the same may as well be the wrong one
    return "" if said == [slip.wrong] else "several" if len(said) > 1 else "elsewhere" if said else "unaccused"


def main() -> None:
    """Measure all games, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=games())
    arguments = parser.parse_args()
    table = Table(title=f"Games that are judged wrongly, of {arguments.games} each")
    for heading in ("game", "sparse", *WAYS, "breach and slip", *WORDS):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    for slug in [arguments.game] if arguments.game else games():
        sparse = sum(is_accused(slug, game_of_bots(slug, seed, full=False)) for seed in seeds)
        counts = [
            sum(is_accused(slug, way(game_of_bots(slug, seed), Random(f"{name} {seed}"))) for seed in seeds)  # noqa: S311 - which lines are late is no secret
            for name, way in WAYS.items()
        ]
        confused = sum(is_confused(slug, seed, Random(seed)) for seed in seeds)  # noqa: S311 - nor which are wrong
        written, done = (
            Counter(misplaced(slug, seed, Random(seed), kind) for seed in seeds)  # noqa: S311 - nor which word is
            for kind in (Consequence, Decision | Chance)
        )
        words = (written["elsewhere"] + written["several"], written["unaccused"], done["several"], done["elsewhere"])
        found = (sparse, *counts, confused, *words, done["unaccused"])
        table.add_row(game(slug).title, *map(str, found))
    CONSOLE.print(table)


if __name__ == "__main__":
    main()
