"""Two readings of a line that contradicts the rules: the table did what was written, or it was written down wrongly.

A consequence that differs from the derived one, or a total that differs from the fold's, can be a slip of the hand (the
table had it so) or of the pen (the table had what the rules say). Later lines decide: of the two folds the one with
fewer findings at the first line where they differ is what the table went on with.
"""

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal

from projector.model.rules import HARD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from projector.fold.replay import Replay

MAX_READINGS: Final = 32
"""Lines of one game of which both readings are followed; in a log with more nearly every line is out of step."""

WentOn = Literal["written", "derived"]


def choose_readings(fold: "Callable[[frozenset[int]], Replay]") -> "tuple[Replay, Mapping[int, WentOn]]":
    """Return the fold of a game in the reading that its later lines bear out, and what was decided for which line.

    `fold` folds the game with the given lines (by number) taken as written down wrongly.
    """
    replay = fold(frozenset())
    decided: dict[int, WentOn] = {}
    seen: set[int] = set()
    while len(seen) < MAX_READINGS and (seq := _next(replay, seen)):
        seen.add(seq)
        other = fold(replay.misread | {seq})
        surplus = _surplus(replay, other, after=seq)
        if surplus:
            decided[seq] = "derived" if surplus > 0 else "written"
        if surplus > 0:
            replay = other
    return replay, decided


def _next(replay: "Replay", seen: set[int]) -> int:
    return next((seq for seq in replay.adopted if seq not in seen), 0)


def _surplus(one: "Replay", other: "Replay", *, after: int) -> int:
    """Return how many more findings one fold has than the other at the first line after `after` where they differ."""
    mine, theirs = (_hard(each, after) for each in (one, other))
    first = min((seq for seq in {*mine, *theirs} if mine[seq] != theirs[seq]), default=0)
    return mine[first] - theirs[first]


def _hard(replay: "Replay", after: int) -> Counter[int]:
    found = Counter(each.seq for each in replay.raw_findings if each.kind in HARD and each.seq > after)
    if replay.stopped is not None:
        found[replay.stopped.seq] += 1
    return found
