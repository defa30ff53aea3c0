"""Two keepers' logs of one game put together: the lines in which one of them says what the other one has said already.

Each of them has written the whole game, or one of them only what was decided, so what one says comes in the order in
which the other has said it, a few lines behind. Where a line stands there more than twice, as the end of a turn does,
there are several ways to part them: then it is the one whose game keeps the rules.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from heapq import heappop, heappush, nsmallest
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from tabletape.events.vocabulary import Chance, Decision, Event
from tabletape.events.vocabulary.shared import LogGap
from tabletape.projector.fold.consequence_match import content_of
from tabletape.projector.fold.marks import Mark, go_back, mark
from tabletape.projector.fold.misread import Misread
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.rules import HARD

Fold: TypeAlias = Callable[[frozenset[Misread]], Replay]
"""Folds a game with lines misread."""

APART: Final = 24
"""How many lines one keeper may be behind the other."""

TWICE: Final = 0.9
"""What share of the decision and chance lines stands twice, at least, where two whole logs were put together.

At the end one of the keepers may be ahead.
"""

LEAST_TWICE: Final = 8
"""So many different acts stand twice, at least: a few that are done again and again are no second record."""

ACCUSED: Final = 0.1
"""What share of them breaks a rule then, at least, if each is taken for something that was done."""

WRONG: Final = 8
"""How many remarks, as that a line is late, count as much as a line that breaks a rule or an act that stands alone."""

STRIDE: Final = 8
"""Lines between two marks of the game, to which the search can go back."""

MAX_TRIED: Final = 1500
"""Ways to go on that are tried without coming further; then those go on which have come furthest."""

BEST: Final = 8
"""How many do."""

MOST_FOLDED: Final = 20_000
"""Lines that are folded to try ways: of one log whose lines stand in no order, no more. Two logs take half of them."""

MOST_WRONG: Final = (4, 0.02)
"""So many lines may be wrong with the best way so far, and such a share of all lines more: else it is one log."""

MAX_READ: Final = 3000
"""Ways to part what the lines say, before any is folded: with more, it may be two logs."""


class Way(NamedTuple):
    """A way to part the lines before the index `here`; of all the indices.

    `waiting` is what only the keeper who is ahead has written yet, `kept` are the lines of the game, `seconds` those
    left out, each with the one that says the same. It `keeps_behind` where the game is as the keeper who is behind has
    written it; `alone` counts the decision and chance lines that only one of them has.
    """

    here: int = 1
    waiting: tuple[int, ...] = ()
    keeps_behind: bool = False
    kept: tuple[int, ...] = (0,)
    seconds: tuple[tuple[int, int], ...] = ()
    alone: int = 0


def each_line_once(replay: Replay, events: Sequence[Event], fold: Fold) -> Replay:
    """Return the fold in which second records say nothing, if a game is two logs put together; else `replay`.

    In `replay` each line is taken for something that was done. One keeper's log in which nearly every decision stands
    twice, and one in ten is against the rules, is not to be expected. `fold` folds the game with lines misread.
    """
    if not replay.judge.found and replay.stopped is None:  # as nearly always
        return replay
    wrong = _wrong_lines(replay)
    acts = {at for at, event in enumerate(events) if at and isinstance(event, (Decision, Chance))}
    if not wrong or (replay.stopped is None and len(wrong) < ACCUSED * len(acts)):
        return replay
    logs = TwoLogs(replay, events, acts)
    way = logs.parted() if logs.may_be_two else Way()
    twice, ahead = (sum(each in acts for each in said) for said in ((out for out, _ in way.seconds), way.waiting))
    if not _is_twice(len(acts), twice, ahead):
        return fold(logs.unparted) if logs.unparted and logs.may_be_two else replay
    ahead_of_the_game = [(each, 0) for each in way.waiting if way.keeps_behind]
    once = fold(_misread([*way.seconds, *ahead_of_the_game], replay.seqs, wrong))
    is_one_game = once.stopped is None and (replay.stopped is not None or len(_wrong_lines(once)) < len(wrong))
    return once if is_one_game else replay


class TwoLogs:
    """The lines of a game in which each may stand twice."""

    def __init__(self, replay: Replay, events: Sequence[Event], acts: AbstractSet[int]) -> None:
        """Take the lines of a game, and the indices of those that are `acts`: decisions, and what luck has written.

        `replay` has folded them, each for something that was done.
        """
        self._acts, self._events, self._seqs = acts, events, replay.seqs
        self._lost = sum(each.lines for each in events if isinstance(each, LogGap))  # so many may stand alone
        contents = [(type(each), repr(content_of(type(each))(each))) for each in events]
        numbers = {content: number for number, content in enumerate(dict.fromkeys(contents))}
        self._said = [numbers[content] for content in contents]
        self._times = Counter(self._said[at] for at in acts)
        self._cursor = Replay(replay.game, replay.ruleset, replay.library, settled=True)
        self._cursor.run(events[:1])
        self._folded: tuple[int, ...] = (0,)
        self._left = MOST_FOLDED
        self._marks: dict[int, Mark] = {1: mark(self._cursor)}

    @property
    def unparted(self) -> frozenset[Misread]:
        """The first line that could not be read, in doubt for which no line before it is accused; nothing without."""
        # A fold that stopped has no numbers for the lines behind.
        lost = (seq for seq, each in zip(self._seqs, self._events, strict=False) if isinstance(each, LogGap))
        return frozenset(Misread(seq, "unparted") for seq in islice(lost, 1))

    @cached_property
    def may_be_two(self) -> bool:
        """Whether nearly every act may stand there twice, in one order: what the acts say shows it without a fold."""
        if sum(number > 1 for number in self._times.values()) < LEAST_TWICE:
            return False
        said = [self._said[at] for at in sorted(self._acts)]
        ways: list[tuple[int, int, tuple[int, ...]]] = [(0, len(said), ())]
        seen: set[tuple[int, tuple[int, ...]]] = set()
        while ways and len(seen) < MAX_READ:
            alone, left, waiting = heappop(ways)
            if not left and _is_twice(len(said), (len(said) - alone - len(waiting)) // 2, len(waiting)):
                return True
            if left and (left, waiting) not in seen:
                seen.add((left, waiting))
                for more, then_waiting in _said_on(said[-left], waiting):
                    if alone + more <= self._most_wrong:
                        heappush(ways, (alone + more, left - 1, then_waiting))
        return bool(ways)

    @property
    def _most_wrong(self) -> float:
        few, share = MOST_WRONG
        return few + share * len(self._events)

    def parted(self) -> Way:
        """Return the way to part the lines whose game keeps the rules best, as far as it was looked for."""
        end, order, furthest, last = len(self._events), 0, 1, 0
        ways: list[tuple[int, int, int, Way]] = [(0, -1, 0, Way())]
        seen: set[tuple[object, ...]] = set()
        while (best := heappop(ways))[-1].here < end and not self._is_one_log(best[0]):
            way = best[-1]
            for step in self._steps(way) if way.here < end - 1 else map(self._ended, self._steps(way)):
                key = step.here, step.waiting, step.keeps_behind, step.kept
                if key not in seen:
                    seen.add(key)
                    order += 1
                    heappush(ways, (self._wrong_with(step), -step.here, order, step))
            if way.here > furthest:
                furthest, last = way.here, order
            elif order - last > MAX_TRIED:
                ways, last = nsmallest(BEST, ways, key=itemgetter(1, 0)), order
        way = best[-1]
        return way._replace(seconds=tuple(self._by_first_records(way))) if way.here == end else Way()

    def _is_one_log(self, wrong: int) -> bool:
        """Return whether so much was folded, or is wrong with the best way, that it is one log."""
        return self._left < 0 or wrong > WRONG * self._most_wrong

    def _by_first_records(self, way: Way) -> Iterator[tuple[int, int]]:
        """Yield the pairs of a way with the second record left out wherever nothing else comes between the two."""
        follows, last = {each for each in way.kept if each not in self._acts}, 0
        for out, said in way.seconds:
            if last < out < said and follows.isdisjoint(range(out, said)):
                yield said, out
            else:
                yield out, said
                last = said

    def _ended(self, way: Way) -> Way:
        """Return a way at the end of the log: of what both have written nothing can be ahead of the game there."""
        left = {self._said[each] for each in way.waiting if way.keeps_behind and each in self._acts}
        both = sum(1 - self._times[said] % 2 for said in left)
        return way._replace(alone=way.alone + both)

    def _steps(self, way: Way) -> Iterator[Way]:
        """Yield how a way goes on with a line: as the second record of what waits, or as a first one."""
        here, acts = way.here, self._acts
        for place, first in enumerate(way.waiting):
            if self._said[first] == self._said[here]:
                passed_over = [each for each in way.waiting[:place] if each in acts]
                yield self._said_again(way, first, passed_over)._replace(waiting=way.waiting[place + 1 :])
                break
        if acts.isdisjoint(way.waiting):
            yield self._said_first(way._replace(keeps_behind=False))
            yield self._said_first(way._replace(keeps_behind=True, waiting=()))
        else:
            yield self._said_first(way)

    def _said_again(self, way: Way, first: int, alone: Sequence[int]) -> Way:
        """Return a way that goes on with the second record of a line; the other keeper has not written some before."""
        here, behind = way.here, way.keeps_behind
        kept = (*sorted((*way.kept, *alone)), here) if behind else way.kept
        pair = (first, here) if behind else (here, first)
        return way._replace(here=here + 1, kept=kept, seconds=(*way.seconds, pair), alone=way.alone + len(alone))

    def _said_first(self, way: Way) -> Way:
        """Return a way that goes on with the first record of a line; one that has waited too long is the only one."""
        here, waiting, is_act = way.here, way.waiting, way.here in self._acts
        if way.keeps_behind and not is_act:
            return way._replace(here=here + 1, kept=(*way.kept, here))
        alone = [each for each in waiting[:1] if len(waiting) == APART and each in self._acts]
        kept = tuple(sorted((*way.kept, *alone))) if way.keeps_behind else (*way.kept, here)
        waiting = (*waiting[len(waiting) == APART :], here)
        return way._replace(here=here + 1, waiting=waiting, kept=kept, alone=way.alone + len(alone))

    def _wrong_with(self, way: Way) -> int:
        """Return how much is wrong with a way: what breaks rules in its game, and the acts that stand alone."""
        kept = way.kept
        if kept[: len(self._folded)] != self._folded:
            self._go_back_to(kept)
        while (done := len(self._folded)) < len(kept):
            self._folded = kept[: done + STRIDE - done % STRIDE]
            self._left -= len(self._folded) - done
            self._cursor.run([self._events[at] for at in kept[done : len(self._folded)]])
            if len(self._folded) % STRIDE == 0:
                self._marks[len(self._folded)] = mark(self._cursor)
        found = sum(1 if each.kind == "info" else WRONG for each in self._cursor.judge.found)
        return WRONG * (max(0, way.alone - self._lost) + len(kept) * (self._cursor.stopped is not None)) + found

    def _go_back_to(self, kept: tuple[int, ...]) -> None:
        """Go back to where another game was the same, as far as it was marked."""
        self._marks = {length: at for length, at in self._marks.items() if kept[:length] == self._folded[:length]}
        length = max(self._marks)
        go_back(self._cursor, self._marks[length])
        self._folded = kept[:length]


def _is_twice(acts: int, twice: int, ahead: int) -> bool:
    """Return whether nearly all acts stand twice, but for those with which one keeper is `ahead` at the end."""
    return twice > ahead and 2 * twice >= TWICE * (acts - ahead)


def _said_on(said: int, waiting: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield how many acts more stand alone, and what waits, behind one that is said again or for the first time."""
    if said in waiting:
        place = waiting.index(said)
        yield place, waiting[place + 1 :]
    is_full = len(waiting) == APART
    yield is_full, (*waiting[is_full:], said)


def _misread(pairs: Iterable[tuple[int, int]], seqs: Sequence[int], wrong: Mapping[int, str]) -> frozenset[Misread]:
    """Return the lines that are left out, each with a rule that is broken where it is no second record.

    The others of the `pairs` are those that say the same; 0 where none does, as the log stops before.
    """
    usual = next(iter(wrong.values()))
    return frozenset(
        Misread(seqs[out], "second", first=seqs[said] if said else 0, rule=wrong.get(seqs[out], usual))
        for out, said in pairs
    )


def _wrong_lines(replay: Replay) -> dict[int, str]:
    """Return the numbers of the lines that are found wrong, each with the first rule that it breaks.

    Behind lines that could not be read they are those of which the log cannot tell.
    """
    wrong: dict[int, str] = {}
    for finding in replay.raw_findings:
        if finding.kind in HARD or (replay.judge.has_gap and finding.kind == "unverifiable"):
            wrong.setdefault(finding.seq, finding.rule)
    return wrong
