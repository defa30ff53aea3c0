"""The search for the single edit that explains a finding: each candidate is tried on one replay that goes back."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import Final, get_args

import msgspec

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event, Remark
from tabletape.projector.fold.marks import Mark, go_back, mark
from tabletape.projector.fold.misread import Misread
from tabletape.projector.fold.replay import Replay
from tabletape.projector.mending.candidates import (
    beside,
    insertions,
    is_play,
    legal,
    listing_as_much,
    misread_draws,
    places,
    pointed_to,
    possible_lines,
    removals,
    rewritings,
)
from tabletape.projector.mending.clues import Clues, cards_in, clues_of, differ_in_lists, met_by, named_by, values_in
from tabletape.projector.mending.edits import RANKS, Change, Edit, in_envelope_of, key_of
from tabletape.projector.mending.kinds import coming_up_again, in_kinds, in_turns
from tabletape.projector.mending.ranking import Found, ranked, slips_of
from tabletape.projector.mending.ways import OnceAStretch, apart
from tabletape.projector.model.rules import HARD, Finding

CANDIDATES: Final = 800
"""Edits that are tried near a finding, and once more as many further away."""

LINES: Final = 300_000
"""Lines that may be folded anew for one finding, and half as many more to follow what explains it to the end."""

STRETCHES: Final = (1, 2, 8, 30)
"""Lines after an edit before the finding after which a candidate with too many findings is given up."""

STRIDE: Final = 16
"""Lines between two marks of the log, to which the search can go back."""

KINDS_A_ROUND: Final = 288
"""Kinds of edits that are tried at all places, as many at each, before more of them are."""

LATER: Final = 8
"""Later lines found wrong that point to a slip as well."""

COMING_UP: Final = 40
"""Later lines found wrong of which it counts how many name a card: what was forgotten comes up again and again."""

MAX_VARIED: Final = 3
"""Decisions, written in or anew, that explain most of which each card and spot is tried."""

MAX_SPREAD: Final = 8
"""Lines whose insertion explains all that are tried at earlier places as well."""

MAX_PLAYS_THERE: Final = 60
"""Legal decisions that are tried at one earlier place, whatever they name; of more at the finding none are."""

REACH: Final = 60
"""Lines before the finding at which they are tried."""

TURN_ENDS: Final = 8
"""How many lines from a finding on the end of a turn is read anew with each edit."""

FAR_TOO_MANY: Final = 10**6
"""More findings than any candidate may have: those of a log that cannot be folded to its end."""

SURVIVORS: Final = 400
"""Candidates without a finding near by that are followed to the end of the log."""


class Search:
    """Tries edits of a log for one finding; `events` carry their numbers, `replay` is the fold that has the finding.

    It is `complete` as long as neither lines nor number of candidates ran out.
    """

    def __init__(self, replay: Replay, finding: Finding, lines: int = LINES) -> None:
        self._events: Sequence[Event] = list(replay.events)
        self._finding = finding
        self._index = replay.seqs.index(finding.seq)
        self._cursor = Replay(
            replay.game, replay.ruleset, replay.library, self._misread_elsewhere(replay), settled=True
        ).within(replay.events)
        self._lines_left, self._follows_until = lines, -lines // 2
        self._before, self._open_before = _wrong_and_open(replay)
        self._places, self._naming_places = places(self._events, self._index)
        self._seen: set[object] = set()
        self._tried, self.complete = 0, True
        self._marks: dict[int, Mark] = {}
        self._begin()
        self._as_it_is = list(self._stretches(Edit("delete", self._index, 0, ())))
        self._limits: dict[Change, int] = dict.fromkeys(get_args(Change), self._as_it_is[-1])
        self._clues = self._clues_of(replay)
        self._explains = False

    def _misread_elsewhere(self, replay: Replay) -> frozenset[Misread]:
        """Return the lines that are read otherwise, without the ends of turns that are, here and a little behind it.

        Those are what is to be mended: how one is read hangs on what the line found wrong has done to the turn.
        """
        is_total = isinstance(self._events[self._index], Consequence | Remark)
        here, near = self._finding.seq, {*replay.seqs[self._index : self._index + TURN_ENDS]}

        def stays(misread: Misread) -> bool:
            is_this_line = misread.how in {"wrong", "misnamed", "word"}
            return (misread.seq != here or is_total) if is_this_line else misread.seq not in near

        return frozenset(filter(stays, replay.misread))

    def _begin(self) -> None:
        """Fold the log to its last place, with a mark at every place and at every few lines on the way."""
        done, last = 0, max(self._places)
        for place in sorted({1, *self._naming_places, *self._places, *range(STRIDE, last, STRIDE)}):
            self._run(self._events[done:place])
            self._marks[place] = mark(self._cursor)
            done = place

    def _clues_of(self, replay: Replay) -> tuple[Clues, ...]:
        """Return what the line found wrong names, that with what lies around, and what the next ones found wrong name.

        So what it names counts twice.
        """
        self._stand_before(self._index)
        seqs = {each.seq for each in replay.raw_findings if each.kind in HARD and each.seq > self._finding.seq}
        later = [event for event, seq in zip(self._events, replay.seqs, strict=True) if seq in seqs]
        self._named_wrong = Counter(card for each in later[:COMING_UP] for card in {*cards_in((each,))})
        here, table = self._events[self._index : self._index + 1], self._cursor.table
        return met_by(table, here), clues_of(table, here), named_by(later[:LATER])

    def run(self) -> list[Found]:
        """Return the edits that leave the fewest findings, best first; only such that explain the finding."""
        edits = self._leaving_least(self._candidates(self._places))
        edits += self._leaving_least(misread_draws(self._events, self._index))
        if not slips_of(edits):
            edits += self._leaving_least(self._coming_up_again())
        edits += self._leaving_least(self._candidates(self._naming_places))  # Each of these takes longer to try.
        slips = slips_of(edits)
        is_in_order = all(each.rank > RANKS["swap"] for each in slips)
        if is_in_order:  # Two lines in the wrong order are believed before others.
            edits += self._leaving_least(self._older_candidates(REACH if slips else len(self._events)))
        edits += self._varied_until_best(edits)
        spread = self._leaving_least(self._elsewhere(edits))
        edits += [*spread, *self._leaving_least(self._varied(spread))]
        edits += self._leaving_least(self._listed_otherwise(edits))
        self._stand_before(self._index)
        if is_in_order and len(self._plays()) <= MAX_PLAYS_THERE:
            edits += self._leaving_least(self._with_other_words())
            edits += self._leaving_least(self._plays_before())
        if not slips_of(edits):
            edits += self._leaving_least(self._with_any_clue())
            edits += self._varied_until_best(edits)
        return ranked(edits, self._events, self._index)

    def _leaving_least(self, edits: Iterable[Edit]) -> list[Found]:
        return self._followed(self._near_by(edits))

    def _varied_until_best(self, edits: Sequence[Found]) -> list[Found]:
        """Return variations of the best edits of a change, and of these again as long as they leave fewer findings."""
        all_varied: list[Found] = []
        for change in ("insert", "replace"):
            varied, least = [each for each in edits if each.edit.change == change], FAR_TOO_MANY
            while varied and (now := min(each.left for each in varied)) < least:
                least = now
                varied = self._leaving_least(self._varied(varied))
                all_varied += varied
        return all_varied

    def left_by(self, edit: Edit) -> int:
        """Return how many findings an edit leaves to the end of the log."""
        self._stand_before(edit.start)
        self._run([*edit.events, *self._events[edit.start + edit.length :]])
        self._cursor.finish()
        return self._left()

    def _stand_before(self, place: int) -> None:
        """Bring the cursor to where the log stands before the line with an index."""
        known = max(each for each in self._marks if each <= place)
        go_back(self._cursor, self._marks[known])  # What lies behind is cut off.
        self._marks = {each: at for each, at in self._marks.items() if each <= known}
        if known < place:
            self._run(self._events[known:place])
            self._marks[place] = mark(self._cursor)

    def _run(self, events: Sequence[Event]) -> None:
        self._cursor.run(events)
        self._lines_left -= len(events)

    # -- candidates ------------------------------------------------------------------------------------------------

    def _candidates(self, places: Sequence[int]) -> Iterator[Edit]:
        """Yield what can have gone wrong at some places."""
        for place in places:
            yield from removals(self._events, place)
        yield from self._kind_by_kind(places, self._written_otherwise)

    def _kind_by_kind(self, places: Iterable[int], edits_at: Callable[[int], Iterable[Edit]]) -> Iterator[Edit]:
        """Yield edits at some places: the first of each kind that names a card of the finding, then of a few others.

        Each time the others of those kinds that explain the finding come next, then those of the kinds that name a card
        of it; at the end the rest.
        """
        naming: list[list[Edit]] = []
        rest: list[list[Edit]] = []
        others: list[Iterator[list[Edit]]] = []
        once = OnceAStretch(self._events)
        at_places = (in_kinds(filter(once.is_first, edits_at(each)), self._clues[0]) for each in places)
        yield from self._firsts((self._naming(kinds, others) for kinds in at_places), naming)
        while others:
            few = [[*islice(kinds, max(1, KINDS_A_ROUND // len(others)))] for kinds in others]
            others = [kinds for kinds, taken in zip(others, few, strict=True) if taken]
            yield from self._firsts(few, rest)
            yield from in_turns(naming)
            naming.clear()
        yield from in_turns(rest)
        yield from once.again

    def _naming(self, kinds: list[list[Edit]], others: list[Iterator[list[Edit]]]) -> list[list[Edit]]:
        """Return of the kinds of a place those that name a card of the finding and few others; add to the `others`."""
        naming = [each for each in kinds if not self._clues[0].cards.isdisjoint(cards_in(each[0].events))]
        least = min((len([*cards_in(each[0].events)]) for each in naming), default=0)
        short = [each for each in naming if len([*cards_in(each[0].events)]) == least]
        taken = {*map(id, short)}
        others.append(iter([each for each in kinds if id(each) not in taken]))
        return short

    def _firsts(self, at_places: Iterable[list[list[Edit]]], rest: list[list[Edit]]) -> Iterator[Edit]:
        """Yield the first edit of each kind, then all of those kinds that explain the finding; add to the `rest`."""
        explaining: list[list[Edit]] = []
        for kinds in at_places:
            for first, *others in kinds:
                self._explains = False
                yield first
                (explaining if self._explains else rest).append(others)
        yield from in_turns(explaining)

    def _written_otherwise(self, place: int) -> Iterator[Edit]:
        if not place:
            return
        self._stand_before(place)
        here = place == self._index
        clues = [*self._clues, named_by(self._events[place : place + 2])] if here else self._clues
        offers = possible_lines(self._cursor, self._events[place:], clues, here=here)
        rewritten = rewritings(self._cursor, self._events, place, offers)
        for pair in zip_longest(insertions(self._events, place, offers), rewritten):
            yield from filter(None, pair)

    def _older_candidates(self, reach: int) -> Iterator[Edit]:
        """Yield the same for older lines, of what could be written there only what concerns the finding."""
        older = range(min(self._places) - 1, max(1, self._index - reach), -1)
        places = [place for place in older if is_play(self._events[place])]
        for place in places:
            yield from removals(self._events, place)
        yield from self._kind_by_kind(places, self._concerning)

    def _coming_up_again(self) -> list[Edit]:
        """Return what concerns the finding and names cards that come up in later lines found wrong, of most first."""
        near = (edit for place in self._plays_in_reach() for edit in self._concerning(place))
        again = coming_up_again(filter(OnceAStretch(self._events).is_first, near), self._named_wrong)
        return again[: CANDIDATES // 2]

    def _plays_in_reach(self) -> list[int]:
        before = range(self._index, max(1, self._index - REACH), -1)
        return [place for place in before if is_play(self._events[place])]

    def _concerning(self, place: int) -> Iterator[Edit]:
        return (each for each in self._written_otherwise(place) if self._clues[1].share(values_in(each.events)))

    def _elsewhere(self, edits: Sequence[Found]) -> Iterator[Edit]:
        """Yield decisions whose insertion explains all, at other places: they may show only much later."""
        found = (each.edit for each in ranked(edits, self._events, self._index))
        inserted = [each for each in found if each.change == "insert"]
        lines = apart(each for each in inserted if not isinstance(each.events[0], Chance))[:MAX_SPREAD]
        first_found = max((each.start for each in inserted), default=self._index)
        for place in range(self._index, max(1, first_found - REACH), -1):
            for edit in lines:
                yield msgspec.structs.replace(edit, start=place)

    def _varied(self, edits: Sequence[Found]) -> Iterator[Edit]:
        """Yield the best edits that write a decision, with another card or spot in it."""
        best = [each.edit for each in ranked(edits, self._events, self._index)[:MAX_VARIED]]
        for edit in best:
            if isinstance(edit.events[0], Decision):
                (line,) = edit.events
                self._stand_before(edit.start)
                for other in beside(self._cursor, line):
                    yield msgspec.structs.replace(edit, events=(in_envelope_of(line, other),))

    def _listed_otherwise(self, edits: Sequence[Found]) -> Iterator[Edit]:
        """Yield what may stand in place of a line whose list is wrong, where that explains most: it tells no more."""
        for edit in (each.edit for each in ranked(edits, self._events, self._index)[:1]):
            if edit.change == "replace" and differ_in_lists(self._events[edit.start], *edit.events):
                self._stand_before(edit.start)
                for other in listing_as_much(self._cursor, *edit.events):
                    yield msgspec.structs.replace(edit, events=(in_envelope_of(edit.events[0], other),))

    def _with_any_clue(self) -> Iterator[Edit]:
        """Yield all that could be written at the finding and concerns any line found wrong, where nothing explains."""
        self._stand_before(self._index)
        line, place = self._events[self._index], self._index
        for other in pointed_to(self._cursor, self._clues):
            yield from insertions(self._events, place, (other,))
            if type(other) is type(line):
                yield Edit("replace", place, 1, (in_envelope_of(line, other),))

    def _plays(self) -> list[Event]:
        """Return what may be decided where the cursor stands; of many, one more than are tried."""
        return [*islice(legal(self._cursor), MAX_PLAYS_THERE + 1)]

    def _with_other_words(self) -> Iterator[Edit]:
        """Yield earlier plays with the same cards and another word: a lane or a player tells only much later."""
        for place in range(self._index - 1, max(1, self._index - REACH), -1):
            line = self._events[place]
            if isinstance(line, Decision):
                self._stand_before(place)
                cards = [*cards_in((line,))]
                words = rewritings(self._cursor, self._events, place, ())
                yield from [each for each in words if [*cards_in(each.events)] == cards]

    def _plays_before(self) -> Iterator[Edit]:
        """Yield what may have been done at earlier places and nobody has written, whatever cards it names."""
        yield from self._kind_by_kind(self._plays_in_reach(), self._plays_at)

    def _plays_at(self, place: int) -> Iterator[Edit]:
        self._stand_before(place)
        yield from insertions(self._events, place, self._plays())

    # -- trying them -----------------------------------------------------------------------------------------------

    def _near_by(self, edits: Iterable[Edit]) -> list[Found]:
        """Return of each change the edits that leave the fewest findings as far as a little behind the finding."""
        near: list[Found] = []
        most = self._tried + CANDIDATES
        for edit in edits:
            key = key_of(edit, self._events)
            if key in self._seen:
                continue
            if self._tried == most or self._lines_left < 0:
                self.complete = False
                break
            self._seen.add(key)
            self._tried += 1
            left, limit = self._left_near(edit), self._limits[edit.change]
            if left < limit or (left == limit < self._as_it_is[-1]):
                self._limits[edit.change] = left
                near.append(Found(edit, left, self._tried))
        return [each for each in near if each.left == self._limits[each.edit.change]]

    def _left_near(self, edit: Edit) -> int:
        """Return how many findings an edit leaves near by; far too many where it does not explain the finding."""
        self._explains = False
        for left, as_it_is in zip(self._stretches(edit), self._as_it_is, strict=True):
            if as_it_is and not self._explains:
                self._explains = left < as_it_is
                if not self._explains:
                    return FAR_TOO_MANY
            if left > self._limits[edit.change]:
                return FAR_TOO_MANY
        return left

    def _stretches(self, edit: Edit) -> Iterator[int]:
        """Yield how many findings there are after an edit, and after each stretch of the log behind it."""
        done = edit.start + edit.length
        self._stand_before(edit.start)
        self._run(edit.events)
        yield self._left()
        for stretch in STRETCHES:
            end = min(max(done, self._index + stretch), len(self._events))
            self._run(self._events[done:end])
            done = end
            yield self._left()

    def _left(self) -> int:
        """Return how many findings there are: what an edit leaves open that was wrong before it does not explain."""
        wrong, is_open = _wrong_and_open(self._cursor)
        return wrong + max(0, is_open - self._open_before)

    def _followed(self, near: Sequence[Found]) -> list[Found]:
        """Return those edits that leave the fewest findings at the end of the log as well."""
        best = near if len(near) <= SURVIVORS else ranked(near, self._events, self._index)[:SURVIVORS]
        followed: list[Found] = []
        for each in sorted(best, key=lambda each: -each.edit.start):  # So each goes back behind the one before.
            if self._lines_left < self._follows_until:
                self.complete = False
                break
            left = self.left_by(each.edit)
            if left < self._before:
                followed.append(msgspec.structs.replace(each, left=left))
        return followed


def _wrong_and_open(replay: Replay) -> tuple[int, int]:
    """Return how many lines of a log are found wrong, far too many where it stops, and of how many that is open."""
    kinds = [each.kind for each in replay.raw_findings]
    wrong = sum(each in HARD for each in kinds) + FAR_TOO_MANY * (replay.stopped is not None)
    return wrong, kinds.count("unverifiable")
