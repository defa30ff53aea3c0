"""The ledger: what the rules derive, and what of that the log has written, passed over, or written otherwise."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import Final

from tabletape.events.vocabulary import Consequence
from tabletape.events.vocabulary.shared import PhaseStarted, PlayTakenBack, TurnStarted
from tabletape.projector.fold.compiled_rules import numbers_of
from tabletape.projector.fold.consequence_match import goes_the_same_way, has_same_content, nearest, says
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.passed_over import LATEST, PassedOver, PassedOverGroup, decider, player_of
from tabletape.projector.model.changes import Derived

RULE: Final = attrgetter("rule")

MAX_ALIKE: Final = 64
"""How many of what was passed over, and of what was written, are looked through for lines that say the same."""

Disputed = tuple[Derived, Consequence | None]
"""What the rules derive and the log has written otherwise, with the line that the table went on from, if it did."""


class Ledger:
    """What the rules derive beside what the log writes of it; each derived consequence is written once.

    What the log has still to write of the last line is in `table.derived`, `written` is what it has, `passed_over` what
    it has not before it went on, `disputed` what it has written otherwise since the last decision. `late_lines` are the
    numbers of lines that were written late, each with what was due there and differs from it in one word, if that is;
    `repeated` those of lines that say again what was said before, each with what was due about the same thing;
    `underived` of those that say what the rules do not make, nor anything in its place; `otherwise` of those that say
    otherwise what they do make; `misnamed_phases` those of lines that name a wrong phase, each with the right one.
    """

    def __init__(self, lines: Lines, judge: Judge) -> None:
        self._lines = lines
        self._judge = judge
        self.written: list[Derived] = []
        self.disputed: list[Disputed] = []
        self.passed_over = PassedOver()
        self.late_lines: dict[int, Derived | None] = {}
        self.repeated: dict[int, Derived | None] = {}
        self.underived: set[int] = set()
        self.otherwise: set[int] = set()
        self.misnamed_phases: dict[int, Derived] = {}
        self._counted = 0
        self._carried_out = 0

    # -- written as derived ----------------------------------------------------------------------------------------

    def is_due(self, event: Consequence) -> bool:
        """Return whether the rules make this of the last line; it is written then."""
        kind = type(event)
        derived = self._judge.table.derived
        for index, each in enumerate(derived):
            other = each.event
            if type(other) is kind and has_same_content(event, other):
                self.written.append(each)
                del derived[index]
                return True
        return False

    def settled(self, event: Consequence) -> Disputed | None:
        """Return what this line says at last, and an earlier one otherwise: that is in dispute no more."""
        for index, (derived, _) in enumerate(self.disputed):
            if says(event, derived):
                return self.disputed.pop(index)
        return None

    def is_open(self, event: Consequence) -> bool:
        """Return whether this was passed over and is written down now, before a decision depends on it."""
        for group, each in self._still_open():
            if says(event, each):
                self.write(group, each)
                return True
        return False

    def late(self, event: Consequence) -> tuple[PassedOverGroup, Derived] | None:
        """Return what this line says although decisions depend on it already: what was passed over a little earlier.

        That is within the last decisions, or else in this turn or the one before it: some write what followed when a
        turn is over. Where a line before it has said that, it was that line which said the same of something older.
        """
        alike = [each for each in self.passed_over.latest(MAX_ALIKE) if says(event, each[1])]
        if not alike:
            return None
        lines, players = self._lines, self._judge.table.players
        lately = {id(each) for _, each in self.passed_over.closed_lately(lines.events, lines.journal_ends, players)}
        near = next((each for each in alike if id(each[1]) in lately), None)
        if near is None and (of_this_turn := [each for each in alike if self._is_of_this_turn(*each)]):
            return of_this_turn[-1]
        return near or (alike[0] if self._was_written_lately(event) else None)

    def _is_of_this_turn(self, group: PassedOverGroup, derived: Derived) -> bool:
        """Return whether at most one turn has begun, and nothing was taken back, since this was passed over."""
        lines = self._lines
        if any(isinstance(each, PlayTakenBack) for each in lines.events[group.line : lines.here]):
            return False
        lately = (*islice(reversed(self.written), MAX_ALIKE), *(each for _, each in self.passed_over.latest(MAX_ALIKE)))
        begun = (each for each in (*lately, *self._judge.table.derived) if isinstance(each.event, TurnStarted))
        return sum(each.mark >= derived.mark for each in begun) <= 1

    def _was_written_lately(self, event: Consequence) -> bool:
        """Return whether what a line says has followed from one of the last lines, and was written down."""
        lines, about = self._lines, player_of(event)
        for each in islice(reversed(self.written), MAX_ALIKE):
            if says(event, each):
                since = range(lines.here - 1, lines.place_of(each.mark), -1)
                deciders = (who for at in since if (who := decider(lines.events[at])) and about in {"", who})
                return next(islice(deciders, LATEST, None), None) is None
        return False

    def said_before(self, event: Consequence, here: int) -> int | None:
        """Return the index of the line that has said the same as that at `here`, if there is one.

        Behind a decision a phase begins anew, unless the log says other lines twice. Where it writes nearly all, and
        nothing else about the same thing is due, a second keeper may say it when the turn is over.
        """
        lines = self._lines
        if isinstance(event, PhaseStarted) and not any(seq < lines.seqs[here] for seq in self.repeated):
            return lines.said_before(event, 0, here)
        said = lines.said_before(event, LATEST, here)
        if said is None and self.is_mostly_written and nearest(event, self._judge.table.derived) is None:
            said = lines.said_before(event, MAX_ALIKE, here)
            between = lines.events[said:here] if said is not None else ()
            begun = {each.player for each in between if isinstance(each, TurnStarted)}
            if len(begun) > (not isinstance(event, PhaseStarted)):
                return None
        return said

    def write(self, group: PassedOverGroup, derived: Derived) -> None:
        """Take it that what was passed over is written down now."""
        self._take(group, derived)
        self.written.append(derived)

    def write_late(self, seq: int, group: PassedOverGroup, derived: Derived, due: Derived | None) -> None:
        """Take it that the line `seq` writes late what was passed over; `due` differs from it in one word, if it is."""
        self.write(group, derived)
        self.late_lines[seq] = due

    def open_again(self, derived: Iterable[Derived], since: int) -> None:
        """Take it that what was passed over behind the line with the index `since` may be written down after all."""
        left = [(group, each) for group in self.passed_over.since(since) for each in group.derived]
        for each in derived:
            alike = (
                place for place, (_, other) in enumerate(left) if (other.rule, other.event) == (each.rule, each.event)
            )
            if (place := next(alike, None)) is not None:
                self._take(*left.pop(place))

    def _take(self, group: PassedOverGroup, derived: Derived) -> None:
        """Take out a consequence that was passed over; it no longer counts as left out."""
        if self.passed_over.take(group, derived):
            self._judge.kept[numbers_of(self._judge.game)[derived.rule]] -= 1

    # -- written otherwise -----------------------------------------------------------------------------------------

    def counterpart(self, event: Consequence) -> Derived | None:
        """Return the derived consequence that a differing one is about; one that was passed over is due again."""
        derived = self._judge.table.derived
        near = nearest(event, derived)
        if near is None:
            late = {id(each): (group, each) for group, each in self._still_open()}
            near = nearest(event, (each for _, each in late.values() if goes_the_same_way(event, each.event)))
            if near is not None:
                self._take(*late[id(near)])
                derived.insert(0, near)
        return near

    def dispute(self, derived: Derived, instead: Consequence | None) -> None:
        """Take it that a line has said something else than the rules make of the last one."""
        self._judge.table.derived.remove(derived)
        self.otherwise.add(self._lines.seq)
        self.disputed.append((derived, instead))

    # -- not written -----------------------------------------------------------------------------------------------

    def pass_over(self) -> None:
        """Take it that the log goes on without what follows from the last line: it has happened as derived."""
        derived = self._judge.table.derived
        if derived:
            self.passed_over.add(self._lines.here, derived)
        self.disputed.clear()

    def _still_open(self) -> Iterator[tuple[PassedOverGroup, Derived]]:
        lines = self._lines
        return self.passed_over.still_open(lines.events, lines.journal_ends, self._judge.table.players)

    def still_unwritten(self) -> tuple[list[Derived], list[Disputed]]:
        """Return what may still be written down of what follows, and what was written down otherwise instead."""
        late = [each for _, each in self._still_open()]
        return [*late, *self._judge.table.derived], self.disputed

    def is_unwritten(self, derived: Derived) -> bool:
        """Return whether nobody has written down a consequence, now or before."""
        return any(each is derived for each in (*self._judge.table.derived, *self.passed_over))

    @property
    def is_mostly_written(self) -> bool:
        """Whether the log writes down more of what follows than it leaves out."""
        return len(self.written) > self.passed_over.left()

    def close(self) -> None:
        """Close what can no longer be written down, as the next late line would."""
        for _ in self._still_open():
            pass

    # -- counts ----------------------------------------------------------------------------------------------------

    @property
    def last_mark(self) -> int:
        """The journal's length when that was derived which the log has written down last."""
        return self.written[-1].mark if self.written else 0

    def count(self) -> None:
        """Count what was carried out, and what the log has written down as derived or left out, since the last time."""
        judge = self._judge
        times_kept, game, table = judge.kept, judge.game, judge.table
        numbers = numbers_of(game)
        new = self.written[self._counted :]
        self._counted += len(new)
        rules = [*table.applied[self._carried_out : table.carried_out], *self.passed_over.rules(), *map(RULE, new)]
        for rule, times in Counter(rules).items():
            times_kept[numbers[rule]] += times
        self._carried_out = table.carried_out
        if game.consequences.rule is not None:
            times_kept[game.consequences.rule.number] += len(new)

    def forget(self) -> None:
        """Forget what was derived and written: a log without the actions shows neither."""
        table = self._judge.table
        for counted in (table.derived, table.applied, self.written):
            counted.clear()
        self.passed_over = PassedOver()
        self._counted = self._carried_out = table.carried_out = 0
