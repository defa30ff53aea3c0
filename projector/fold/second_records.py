"""Two keepers' logs of one game put together: the lines in which one of them says what the other one has said already.

Each of them has written the whole game, so what one says comes in the order in which the other has said it, a few lines
behind; and whichever is ahead, the first records of all lines are the game. Where a line stands there more than twice,
as the end of a turn does, there are several ways to part them: then it is the one whose game keeps the rules.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tabletape.events.vocabulary import Chance, Decision, Event
from tabletape.projector.fold.consequence_match import content_of
from tabletape.projector.fold.lines import numbered
from tabletape.projector.fold.misread import Misread
from tabletape.projector.model.rules import HARD

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

Fold: TypeAlias = "Callable[[frozenset[Misread]], Replay]"
"""Folds a game with lines misread."""

APART: Final = 24
"""How many lines one keeper may be behind the other."""

WAYS: Final = 64
"""How many ways to part the lines are followed at the same time."""

TWICE: Final = 0.9
"""What share of the decision and chance lines stands twice, at least, where two whole logs were put together."""

ACCUSED: Final = 0.1
"""What share of them breaks a rule then, at least, if each is taken for something that was done."""

ACT: Final = 8
"""How many written consequences a decision or chance line weighs that stands alone."""

MAX_PARTED: Final = 24
"""How often the lines of a game are parted."""

Pairs: TypeAlias = "tuple[int, int, Pairs] | None"
"""The indices of a second record and of its first one, with those before."""


class Way(NamedTuple):
    """A way to part the lines so far; of all the indices.

    `waiting` is what only one keeper has written yet, `alone` what the lines weigh that have no second record.
    """

    waiting: tuple[int, ...]
    alone: float
    pairs: Pairs

    @property
    def firsts(self) -> Iterator[tuple[int, int]]:
        """Second records with their first ones."""
        pairs = self.pairs
        while pairs is not None:
            second, first, pairs = pairs
            yield second, first


NO_WAY: Final = Way((), inf, None)


def each_line_once(replay: "Replay", events: Sequence[Event], fold: Fold) -> "Replay":
    """Return the fold in which second records say nothing, if a game is two logs put together; else `replay`.

    In `replay` each line is taken for something that was done. One keeper's log in which nearly every decision stands
    twice, and one in ten is against the rules, is not to be expected. `fold` folds the game with lines misread.
    """
    if not replay.judge.found and replay.stopped is None:  # as nearly always
        return replay
    wrong = _wrong_lines(replay)
    acts = {at for at, event in enumerate(events) if isinstance(event, (Decision, Chance))}
    if not wrong or (replay.stopped is None and len(wrong) < ACCUSED * len(acts)):
        return replay
    logs = TwoLogs(events, wrong)
    way = logs.parted()
    if 2 * sum(second in acts for second, _ in way.firsts) < TWICE * len(acts):
        return replay
    once = logs.told_apart(way, fold)
    is_one_game = once.stopped is None and (replay.stopped is not None or len(_wrong_lines(once)) < len(wrong))
    return once if is_one_game else replay


class TwoLogs:
    """The lines of a game in which each may stand twice."""

    def __init__(self, events: Sequence[Event], wrong: Mapping[int, str]) -> None:
        """Take the lines, and the rules that those break which are `wrong` if each is taken for something done."""
        contents = [(type(each), repr(content_of(type(each))(each))) for each in events]
        numbers = {content: number for number, content in enumerate(dict.fromkeys(contents))}
        self._said = [numbers[content] for content in contents]
        self._weights = [ACT if isinstance(each, (Decision, Chance)) else 1 for each in events]
        self._seqs = numbered(events, 0)
        self._wrong = wrong

    def parted(self, seconds: frozenset[int] = frozenset()) -> Way:
        """Part the lines so that as little as possible stands alone; those at the indices `seconds` are second records.

        One of the keepers may write only what is decided: so this weighs most.
        """
        ways = [Way((), 0, None)]
        for here in range(1, len(self._said)):
            ways = self._best(step for way in ways for step in self._steps(way, here, is_second=here in seconds))
        return min(ways, key=lambda way: way.alone, default=NO_WAY)

    def _steps(self, way: Way, here: int, *, is_second: bool) -> Iterator[Way]:
        """Yield how a way goes on with a line: as the second record of what waits, or as a first one."""
        said, weights, waiting = self._said, self._weights, way.waiting
        for place, first in enumerate(waiting):
            if said[first] == said[here]:
                yield Way(waiting[place + 1 :], way.alone - weights[first], (here, first, way.pairs))
        if not is_second:
            yield Way((*waiting[len(waiting) == APART :], here), way.alone + weights[here], way.pairs)

    def _best(self, ways: Iterable[Way]) -> list[Way]:
        """Return the ways that are followed further; of those in which the same lines wait only the best."""
        by_waiting: dict[tuple[int, ...], Way] = {}
        for way in sorted(ways, key=attrgetter("alone")):
            by_waiting.setdefault(tuple(map(self._said.__getitem__, way.waiting)), way)
        return list(by_waiting.values())[:WAYS]

    def told_apart(self, way: Way, fold: Fold) -> "Replay":
        """Return the fold of the first records of a way, or of other ones with which less is wrong.

        A line that breaks a rule may be a second record as well. Or what follows from lines stands only behind
        the second records around it: one of the keepers writes only what is decided, and is ahead.
        """
        seconds, behind = frozenset[int](), frozenset[int]()
        once, left, looked_at = fold(self._misread(way, behind)), MAX_PARTED, set[int]()
        while left > 0 and (wrong := next((each for each in _wrong_places(once) if each not in looked_at), 0)):
            looked_at.add(wrong)
            here = self._seqs.index(wrong)
            other = self.parted(seconds | {here})
            tried = [(other, seconds | {here}, behind)] if other.alone <= way.alone else []
            if self._weights[here] == ACT or not any(here in pair for pair in way.firsts):  # else both say it wrong
                tried.append((way, seconds, behind ^ _around(here, way)))
            for each in tried:
                left -= 1
                again = fold(self._misread(each[0], each[2]))
                if _badness(again) < _badness(once):
                    once, (way, seconds, behind) = again, each
                    break
        return once

    def _misread(self, way: Way, behind: frozenset[int]) -> frozenset[Misread]:
        """Return one record of each pair of a way as a misread line, with a rule that is broken where it is none.

        It is the second one, but for the pairs whose first record is `behind`.
        """
        seqs, wrong = self._seqs, self._wrong
        usual = next(iter(wrong.values()))
        pairs = ((first, second) if first in behind else (second, first) for second, first in way.firsts)
        return frozenset(
            Misread(seqs[out], "second", first=seqs[kept], rule=wrong.get(seqs[out], usual)) for out, kept in pairs
        )


def _around(here: int, way: Way) -> frozenset[int]:
    """Return the first records of the pairs around a line: as long as one keeper is ahead of the other."""
    stretch: list[int] = []
    last = 0
    for first, second in sorted((first, second) for second, first in way.firsts):
        if first > last:
            if last >= here:
                break
            stretch = []
        stretch.append(first)
        last = max(last, second)
    return frozenset(stretch)


def _wrong_lines(replay: "Replay") -> dict[int, str]:
    """Return the numbers of the lines that are found wrong, each with the first rule that it breaks."""
    wrong: dict[int, str] = {}
    for finding in replay.raw_findings:
        if finding.kind in HARD:
            wrong.setdefault(finding.seq, finding.rule)
    return wrong


def _wrong_places(replay: "Replay") -> list[int]:
    """Return the numbers of the lines that are found wrong, and of that at which a replay stopped."""
    return sorted({*_wrong_lines(replay), *(() if replay.stopped is None else (replay.stopped.seq,))})


def _badness(replay: "Replay") -> tuple[bool, int]:
    """Return whether a replay stopped, and how many lines are found wrong."""
    return replay.stopped is not None, len(_wrong_lines(replay))
