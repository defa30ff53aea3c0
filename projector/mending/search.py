"""The search for the single edit that explains a finding: each candidate is tried on one replay that goes back."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Final

import msgspec

from events.vocabulary import Consequence, Event, Remark
from projector.fold.marks import Mark, go_back, mark
from projector.fold.misread import Misread
from projector.fold.replay import Replay
from projector.mending.candidates import insertions, misread_draws, places, possible_lines, removals, rewritings
from projector.mending.edits import Edit, bare
from projector.mending.supposed_dice import cards_in
from projector.model.rules import HARD, Finding

CANDIDATES: Final = 600
"""Edits that are tried for one finding."""

SECONDS: Final = 0.8
"""Time that one finding may take."""

STRETCHES: Final = (1, 2, 8, 30)
"""Lines after an edit before the finding after which a candidate with too many findings is given up."""

FAR_TOO_MANY: Final = 10**6
"""More findings than any candidate may have; a log that cannot be folded to its end counts as so many."""

SURVIVORS: Final = 40
"""Candidates without a finding near by that are followed to the end of the log."""


class Found(msgspec.Struct, frozen=True):
    """An edit that explains a finding: what is left, how far away it is, how many others do as well.

    `left`: the findings that stay to the end of the log.
    """

    edit: Edit
    left: int
    distance: int
    order: int

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The order of proposals: fewer findings left, the readier belief, the shorter distance."""
        return self.left, self.edit.rank, self.distance, self.order


class Result(msgspec.Struct, frozen=True):
    """What a search found, best first; `complete` says that neither time nor number of candidates ran out."""

    found: list[Found]
    complete: bool


class Search:
    """Tries edits of a log for one finding; `events` carry their numbers, `replay` is the fold that has the finding."""

    def __init__(self, replay: Replay, finding: Finding, seconds: float = SECONDS) -> None:
        self._events: Sequence[Event] = list(replay.events)
        self._seqs = list(replay.seqs)
        self._finding = finding
        self._index = self._seqs.index(finding.seq)
        self._cursor = Replay(replay.game, replay.ruleset, replay.library, self._misread_elsewhere(replay))
        self._ends = perf_counter() + seconds
        self._before = _hard(replay)
        self._places = places(self._events, self._index)
        self._marks: dict[int, Mark] = {}
        self._begin()

    def _misread_elsewhere(self, replay: Replay) -> frozenset[Misread]:
        """Return the lines that are read otherwise, without an end of a turn that is: that is what is to be mended."""
        is_total = isinstance(self._events[self._index], Consequence | Remark)
        mended = [how for how in ("wrong", "late", "early") if how != "wrong" or not is_total]
        return frozenset(each for each in replay.misread if each.seq != self._finding.seq or each.how not in mended)

    def _begin(self) -> None:
        """Fold the log to its last place, with a mark at every place on the way."""
        done = 0
        for place in sorted({1, *self._places}):
            self._cursor.run(self._events[done:place])
            self._marks[place] = mark(self._cursor)
            done = place

    def run(self) -> Result:
        """Return the edits that leave the fewest findings, best first; only such that explain the finding."""
        nothing = Edit("delete", len(self._events), 0, ())
        near: list[tuple[int, int, Edit]] = []
        tried, limit, seen = 0, self._near(nothing, FAR_TOO_MANY), set[object]()
        for order, edit in enumerate(self._candidates()):
            if tried == CANDIDATES or perf_counter() > self._ends:
                return self._followed(near, complete=False)
            key = self._key(edit)
            if key in seen:
                continue
            seen.add(key)
            tried += 1
            wrong = self._near(edit, limit)
            if wrong < limit or (wrong == limit and near):
                limit = wrong
                near.append((wrong, order, edit))
        return self._followed(near, complete=True)

    def _stand_before(self, place: int) -> None:
        """Bring the cursor to where the log stands before the line with an index."""
        known = max(each for each in self._marks if each <= place)
        go_back(self._cursor, self._marks[known])
        # What lies behind is cut off by going back.
        self._marks = {each: found for each, found in self._marks.items() if each <= known}
        if known < place:
            self._cursor.run(self._events[known:place])
            self._marks[place] = mark(self._cursor)

    def _candidates(self) -> Iterator[Edit]:
        events = self._events
        for place in self._places:
            yield from removals(events, place)
        cards = tuple(dict.fromkeys(cards_in(events[self._index : self._index + 1])))
        yield from misread_draws(events, self._index, cards)
        for place in self._places:
            self._stand_before(place)
            offers = possible_lines(self._cursor, events, place)
            rewritten = list(rewritings(self._cursor, events, place, offers))
            yield from rewritten
            yield from insertions(events, place, offers)

    def _key(self, edit: Edit) -> tuple[int, int, bytes]:
        """Return the same for two edits that make the same log: a run of equal lines is edited at its first one."""
        start, length = edit.start, edit.length
        single = edit.events if edit.change == "insert" else self._events[start : start + length]
        if edit.change in {"insert", "delete"} and len(single) == 1:
            line = self._encoded(single[0])
            while start and self._encoded(self._events[start - 1]) == line:
                start -= 1
        return start, length, b"".join(map(self._encoded, edit.events))

    def _encoded(self, event: Event) -> bytes:
        return self._cursor.game.vocabulary.encode(bare(event))

    def _near(self, edit: Edit, limit: int) -> int:
        """Return how many findings there are as far as a little behind the finding, given up beyond `limit`."""
        cursor, done = self._cursor, edit.start + edit.length
        self._stand_before(edit.start)
        cursor.run(edit.events)
        wrong = 0
        for stretch in STRETCHES:
            end = min(max(done, self._index + stretch), len(self._events))
            cursor.run(self._events[done:end])
            done = end
            wrong = _hard(cursor)
            if wrong > limit:
                break
        return wrong

    def _followed(self, near: list[tuple[int, int, Edit]], *, complete: bool) -> Result:
        """Follow the best candidates to the end of the log."""
        limit = min((wrong for wrong, *_ in near), default=0)
        best = [(order, edit) for wrong, order, edit in near if wrong == limit]
        best.sort(key=lambda each: (each[1].rank, abs(each[1].start - self._index), each[0]))
        best = sorted(best[:SURVIVORS], key=lambda each: -each[1].start)  # So each goes back behind the one before.
        found = []
        for order, edit in best:
            self._stand_before(edit.start)
            self._cursor.run([*edit.events, *self._events[edit.start + edit.length :]]).finish()
            left = _hard(self._cursor)
            if left < self._before:
                found.append(Found(edit, left, abs(edit.start - self._index), order))
        return Result(sorted(found, key=lambda each: each.rank), complete)


def _hard(replay: Replay) -> int:
    return sum(each.kind in HARD for each in replay.raw_findings) + FAR_TOO_MANY * (replay.stopped is not None)
