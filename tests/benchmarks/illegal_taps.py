"""Count the taps and letters for what no rule allows: every decision of a recorded game that breaks a rule.

    python tests/benchmarks/illegal_taps.py [GAME …]

The game stands as it did before the line. Its cards and places are tapped in the order of its fields, as few as will
do, then the line in the list; typed are the first letters of its words, until it is among what is offered. Words that
stand for something else are a wrong line: Enter would have written it without a look.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.log import Log
from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.games import games
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import Offer, is_same
from tabletape.projector.scribing.box import LITTLE, words_of
from tabletape.projector.scribing.choices import choices_of
from tabletape.projector.scribing.screen import Screen, ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tests.dashboard.breaking import Break, breaks

MOST_TAPS = 3
MOST_LETTERS = 8


def effort(broken: Break) -> tuple[int | None, int | None, float]:
    """Return the taps and letters that a line takes, None where it is not offered, and the slowest screen in ms."""
    with tempfile.TemporaryDirectory() as folder, Log.open(Path(folder) / "t.db", create=True) as log:
        bare = [msgspec.structs.replace(each, seq=UNSET) for each in broken.before]
        log.append(broken.game_id, bare, expected_last_seq=0)
        scribe = Scribe(log, broken.game_id)
        seen, slowest = ViewerScreen(scribe, EVERYTHING), 0.0
        (choice,) = choices_of(scribe.replay.table, [Offer(event=broken.line)])

        def offered(**look: Any) -> bool:
            nonlocal slowest
            start = time.perf_counter()
            screen = seen.screen(**look)
            slowest = max(slowest, 1000 * (time.perf_counter() - start))
            return is_offered(scribe, screen, broken.line)

        marks = choice.marks[1:]
        ways = [way for number in (1, 2, 3) for way in combinations(marks, number)] or [()]
        taps = next(((len(way) or 1) + 1 for way in ways if offered(taps=way, whatever=not way)), None)
        words = [each for each in words_of(choice.words) if each not in LITTLE]
        letters = next((sum(map(len, typed)) for typed in prefixes(words) if offered(typed=" ".join(typed))), None)
        return taps, letters, slowest


def is_offered(scribe: Scribe, screen: Screen, line: Any) -> bool:
    """Return whether a line is in the list, among what is legal or not."""
    types = scribe.replay.game.vocabulary
    found = (types.convert(dict(each.line)) for each in (*screen.options, *screen.anyway) if each.line is not None)
    return any(is_same(scribe.replay.table, each, line) for each in found)


def prefixes(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield ways to type words: up to three of them in order, by two, then three letters each."""
    for long in (2, 3, 4):
        for number in (1, 2, 3):
            for some in combinations(words[1:], number):
                yield [each[:long] for each in some]


def is_play(line: Event) -> bool:
    """Return whether a line is a decision at the table, and no list that was declared before."""
    return isinstance(line, Decision) and not isinstance(line, DeckDeclared) and not line.ANY_TIME


def main() -> None:
    """Print a line for each game, and each line of a log that takes more than it should."""
    for slug in sys.argv[1:] or games():
        some = [each for each in breaks(slug) if is_play(each.line)]
        found = [(each, *effort(each)) for each in some]
        taps = [each for _, each, _, _ in found if each is not None]
        letters = [each for _, _, each, _ in found if each is not None]
        few, short = sum(each <= MOST_TAPS for each in taps), sum(each <= MOST_LETTERS for each in letters)
        sys.stdout.write(
            f"{slug}: {few} of {len(some)} in {MOST_TAPS} taps (median {median(taps) if taps else '-'}), "
            f"{short} in {MOST_LETTERS} letters; slowest {max(each for *_, each in found):.0f} ms\n"
        )
        for each, tapped, typed, _ in found:
            if tapped is None or tapped > MOST_TAPS or typed is None or typed > MOST_LETTERS:
                sys.stdout.write(f"    {each.game_id} ({each.rule}): {tapped} taps, {typed} letters\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
