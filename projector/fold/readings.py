"""Two readings of a line that contradicts the rules: the table did what was written, or it was written down wrongly.

A consequence that differs from the derived one, or a total that differs from the fold's, can be a slip of the hand (the
table had it so) or of the pen (the table had what the rules say). So can a line that ends a turn, or one that would be
right if the turn had ended before it, or in an earlier place. Later lines decide: of the two folds the one with fewer
findings at the first line where they differ is what the table went on with.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from events.vocabulary import Decision
from projector.fold.misread import Misread
from projector.fold.replay import Replay
from projector.model.rules import WentOn

MAX_READINGS: Final = 32
"""Lines of one game of which both readings are followed; in a log with more nearly every line is out of step."""


def choose_readings(fold: Callable[[frozenset[Misread]], Replay]) -> tuple[Replay, Mapping[int, WentOn]]:
    """Return the fold of a game in the reading that its later lines bear out, and what was decided for which line.

    `fold` folds the game with the given lines taken as written down wrongly.
    """
    replay = fold(frozenset())
    decided: dict[int, WentOn] = {}
    seen: set[Misread] = set()
    while replay.open_to_doubt and len(seen) < MAX_READINGS and (doubted := _next(replay, seen)):
        seen.update(doubted)
        best, early = replay, None
        for misread in doubted:
            other, doubt = fold(replay.misread | _alike(replay, misread)), replay.open_to_doubt[misread]
            if misread.how == "early" and _found(other, misread.seq)[doubt.line]:
                continue  # what has put that end of a turn in doubt is wrong without it as well
            has_begun = misread.how == "part" and misread.seq < doubt.line  # so all may be right, the line in doubt too
            after, but = (misread.seq - 1, 0) if has_begun else (misread.seq, doubt.line)
            surplus = _surplus(best, other, after=after, but=but)
            if surplus and misread.how == "wrong":
                decided[misread.seq] = "derived" if surplus > 0 else "written"
            is_gone_on_from = best is replay and _is_gone_on_from(replay, doubt.line)
            is_likelier = doubt.is_likelier and (is_gone_on_from or misread.how == "behind")
            if early is not None and misread.how == "late" and not surplus:
                best = _of_two(fold, best, other, (early.seq, doubt.line))
            elif surplus > 0 or (not surplus and is_likelier):
                best, early = other, misread if misread.how == "early" else None
        replay = best
    return replay, decided


def _next(replay: Replay, seen: set[Misread]) -> list[Misread]:
    """Return the readings that have not been looked at yet of the first line for which there are any."""
    left = {misread: doubt.line for misread, doubt in replay.open_to_doubt.items() if misread not in seen}
    return [misread for misread, line in left.items() if line == next(iter(left.values()))]


def _alike(replay: Replay, misread: Misread) -> frozenset[Misread]:
    """Return what is misread together: who writes one draw in several lines writes others so as well.

    A draw goes on behind the line that is found wrong, or it has begun before it.
    """
    if misread.how != "part":
        return frozenset((misread,))
    doubts = replay.open_to_doubt
    begins = doubts[misread].line == misread.seq
    return frozenset(each for each in doubts if each.how == "part" and begins == (doubts[each].line == each.seq))


def _of_two(
    fold: Callable[[frozenset[Misread]], Replay], early: Replay, late: Replay, lines: tuple[int, int]
) -> Replay:
    """Return the better one of two folds that later lines bear out alike: a turn had not ended, or two have.

    What is wrong is found at the two `lines`; where both have one finding there, nobody can tell which of them it is.
    """
    one, two = ([each for each in replay.raw_findings if each.seq in lines] for replay in (early, late))
    if len(one) != len(two):
        return early if len(one) < len(two) else late
    return fold(early.misread | {Misread(lines[0], "open")}) if len(one) == 1 else early


def _is_gone_on_from(replay: Replay, seq: int) -> bool:
    """Return whether decisions follow on a line; that nothing is wrong with them speaks for the end of a turn."""
    later = zip(replay.seqs, replay.events, strict=True)
    return any(number > seq and isinstance(event, Decision) for number, event in later)


def _surplus(one: Replay, other: Replay, *, after: int, but: int) -> int:
    """Return how many more findings one fold has than the other at the first line after `after` where they differ.

    The line `but` is the one in doubt, where something is wrong with it in either reading.
    """
    mine, theirs = (_found(each, after) for each in (one, other))
    first = min((seq for seq in {*mine, *theirs} if mine[seq] != theirs[seq] and seq != but), default=0)
    return mine[first] - theirs[first]


def _found(replay: Replay, after: int) -> Counter[int]:
    found = Counter(each.seq for each in replay.raw_findings if each.kind != "unverifiable" and each.seq > after)
    if replay.stopped is not None:
        found[replay.stopped.seq] += 1
    return found
