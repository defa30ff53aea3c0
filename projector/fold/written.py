"""What a log writes down of what follows, set beside what the rules derive; what differs is found, and done."""

from typing import TYPE_CHECKING, Final

import msgspec

from tabletape.events.vocabulary import Consequence, Remark
from tabletape.events.vocabulary.shared import GameEnded, PhaseStarted
from tabletape.projector.fold.consequence_match import differs_in_a_word, first_phase, nearest, says
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.judge import Judge, other_than
from tabletape.projector.fold.ledger import Ledger
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.passed_over import PassedOverGroup, player_of
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import Broken, FindingKind, Kept, NotApplicable, Undecidable, is_broken

if TYPE_CHECKING:
    from tabletape.projector.fold.taken_back import TakenBack

LEFT_OVER: Final = "lines before this were taken back: the log does not tell whether this was still to be written down"


Place = tuple[list[Derived], int, int, int]
"""What was derived at a place, and the lengths of the table's journal and of what was applied and of its rests."""


class Contradiction(msgspec.Struct, frozen=True):
    """A written consequence that the rules do not make: how it is ruled, and the derived one in its place, if any."""

    ruled: RuleVerdict
    expected: Consequence | None


class WrittenLines:
    """Compares written consequences with the ledger.

    `wrong_end` says between which lengths of the journal the table was ended that only the log knew of, `back` is the
    last take-back.
    """

    def __init__(self, lines: Lines, judge: Judge, ledger: Ledger, doubts: Doubts) -> None:
        self._lines = lines
        self._judge = judge
        self._ledger = ledger
        self._doubts = doubts
        self._take_steps = judge.game.before
        self.wrong_end: tuple[int, int] | None = None
        self.back: TakenBack | None = None

    # -- as derived ------------------------------------------------------------------------------------------------

    def fits(self, event: Consequence) -> bool:
        """Return whether the rules make this of the lines so far, or of the automatic steps that come next."""
        ledger, table = self._ledger, self._judge.table
        if table.derived and ledger.is_due(event):
            return True
        is_late = False
        if (left := ledger.passed_over.left()) or ledger.disputed or self.wrong_end is not None:
            if self._is_settled(event) or (left and ledger.is_open(event)) or self._goes_on_with(event):
                return True
            is_late = left > 0 and self._late(event) is not None
        take_steps = self._take_steps
        # Whoever writes late does so again.
        if take_steps is None or (is_late and ledger.late_lines):
            return False
        if self._doubts.misread and self._doubts.reads(self._lines.seq, "behind"):
            return False
        place = [*table.derived], len(table.journal), len(table.applied), len(table.rests)
        made = take_steps(table, event)
        if made is not None and not is_late and (derived := table.derived)[0] is made:  # as nearly always
            ledger.written.append(derived.pop(0))
            return True
        return self._is_made_by_steps(event, made, place, is_late=is_late)

    def _is_settled(self, event: Consequence) -> bool:
        """Return whether this is what an earlier line should have said; it then takes the place of that line."""
        settled = self._ledger.settled(event)
        if settled is not None and settled[1] is not None:
            self._judge.game.consequences.adopt(self._judge.table, event, settled[1])
        return settled is not None

    def _is_made_by_steps(self, event: Consequence, made: Derived | None, place: Place, *, is_late: bool) -> bool:
        """Return whether the automatic steps that were taken behind a place make this; `made` is what they did of it.

        They are taken back where it is another form of what was derived before them, or right for an earlier place, as
        where it is late: then the log is not that far yet.
        """
        ledger, table = self._ledger, self._judge.table
        derived = table.derived
        is_again = bool(derived) and derived[0] is not made and self._skips(made, event)
        is_skipping = is_again and bool(ledger.repeated)
        if not is_skipping and (made is not None or ledger.is_due(event)):
            if made is not None:
                ledger.written.append(made)
                derived.remove(made)
            if is_late or is_again:
                self._doubts.add(self._lines.seq, "behind", self._lines.seq)
            return True
        before, length, applied, rests = place
        is_form = nearest(event, before) is not None
        if len(table.journal) > length and (is_form or is_late or is_skipping or self._was_said(event) is not None):
            table.undo(length)
            table.derived = before
            del table.applied[applied:], table.rests[rests:]
        return False

    def _skips(self, made: Derived | None, event: Consequence) -> bool:
        """Return whether a line which was said before goes past what is due: who writes nearly all may say it again.

        `made` is what the automatic steps have made of it.
        """
        derived = self._judge.table.derived
        if not self._ledger.is_mostly_written:
            return False
        is_made = made is not None or any(says(event, each) for each in derived[1:])
        return is_made and not says(event, derived[0]) and self._lines.said_before(event) is not None

    # -- an end that only the log knew of --------------------------------------------------------------------------

    def _goes_on_with(self, event: Consequence) -> bool:
        return not isinstance(event, GameEnded) and self.goes_on() and self._ledger.is_due(event)

    def goes_on(self) -> bool:
        """Take back an end that only the log knew of, where the table has gone on all the same; return whether it did.

        It has been found to be wrong already; what comes after it is no mistake because of it.
        """
        end, self.wrong_end = self.wrong_end, None
        if end is None or len(self._judge.table.journal) != end[1]:
            return False
        self._judge.table.revert(end[0])
        return True

    # -- late ------------------------------------------------------------------------------------------------------

    def _late(self, event: Consequence) -> tuple[PassedOverGroup, Derived] | None:
        """Return what this line says late; None where it is nothing of the kind.

        One that says again what the last line did is late only where others are.
        """
        late = self._ledger.late(event)
        if late is None or self._doubts.reads(self._lines.seq, "instead"):
            return None
        is_likely = self._ledger.late_lines or nearest(event, self._judge.table.derived) is not None
        return late if is_likely or self._was_said(event) is None else None

    def is_late(self, event: Consequence) -> bool:
        """Return whether a line is right for an earlier place, whatever is due now, and say where it belongs.

        It has happened there as the rules say: who writes late accuses nobody.
        """
        late = self._late(event)
        if late is None:
            return False
        group, earlier = late
        lines, judge = self._lines, self._judge
        self._ledger.write_late(lines.seq, group, earlier, self._due_but_for_a_word(event))
        player = judge.table.players.get(player_of(event))
        decision = f"the next decision of {player.name}" if player else "the next decision"
        before = lines.seqs[group.line]
        message = f"this is written late, after {decision}: it belongs before event {before}"
        if self._doubts.reads(lines.seq, "either"):
            self._leave_open(event, message, earlier)
        else:
            rule = judge.game.by_id[earlier.rule]
            judge.find(rule, Broken(message, f"this line before event {before}", "info"), event)
        return True

    def _leave_open(self, event: Consequence, late: str, earlier: Derived) -> None:
        """Say that a line is late or wrong about what is due; or it makes what comes after it wrong."""
        judge, due = self._judge, self._due_but_for_a_word(event)
        if due is None:
            message = f"{late}; or what comes after it is against the rules"
            judge.find(judge.game.by_id[earlier.rule], Broken(message, "", "unverifiable"), event)
            return
        ruled = judge.game.consequences.explain(judge.table, event, due.event)
        message = f"{ruled.verdict.message if isinstance(ruled.verdict, Broken) else ruled.verdict}; or {late}"
        because = other_than(ruled.rule, ruled.because or due.rule)
        judge.find(ruled.rule, Broken(message, "", "unverifiable"), event, because=because)

    # -- again -----------------------------------------------------------------------------------------------------

    def is_again(self, event: Consequence) -> bool:
        """Return whether a line only says again what one of the last lines says, and say which.

        Where something else about the same thing is due, that may still come: of two keepers each writes it down.
        """
        judge, lines, seq = self._judge, self._lines, self._lines.seq
        here = None if self._doubts.reads(seq, "instead") else self._was_said(event) or lines.said_before(event)
        if here is None:
            return False
        derived = judge.table.derived
        about = first_phase(derived) if isinstance(event, PhaseStarted) else nearest(event, derived)
        due = about or self._due_but_for_a_word(event)
        ruled = judge.game.consequences.explain(judge.table, event, about.event if about else None)
        if not is_broken(ruled.verdict):
            return False
        is_missing = isinstance(ruled.verdict, Broken) and ruled.verdict.kind == "missing"
        if not (self._doubts.reads(seq, "again") or self._doubts.reads(seq, "behind")) and (
            (not self._ledger.repeated and (is_missing or judge.doubt(ruled.rule, event) is not None))
            or self._was_said(event) is None
        ):
            return False
        is_next = all(isinstance(each, Remark) for each in lines.events[here + 1 : lines.here])
        where = "the line before it" if is_next else f"event {lines.seqs[here]}"
        judge.find(ruled.rule, Broken(f"this says again what {where} says", "no second line", "info"), event)
        self._ledger.repeated[seq] = due
        return True

    def _was_said(self, event: Consequence) -> int | None:
        """Return the index of the line that has said the same, if there is one."""
        return self._ledger.said_before(event, self._lines.here)

    # -- otherwise than derived ------------------------------------------------------------------------------------

    def contradicted(self, event: Consequence) -> Contradiction:
        """Say which rule a written consequence breaks that the rules do not make."""
        ledger, seq = self._ledger, self._lines.seq
        counterpart = ledger.counterpart(event)
        expected = counterpart.event if counterpart else None
        ruled = self._ruled(event, expected)
        if counterpart is None:
            ruled = self._instead(event, ruled)
            ledger.underived.add(seq)
        if counterpart is not None:
            ledger.dispute(counterpart, None if self._doubts.reads(seq, "wrong") else event)
        verdict = ruled.verdict
        if verdict is None or isinstance(verdict, Kept | NotApplicable | Undecidable):
            self._judge.note(ruled.rule, verdict, event)
        else:
            broken = verdict if isinstance(verdict, Broken) else Broken(verdict)
            kind: FindingKind = "mismatch" if broken.kind == "illegal" else broken.kind
            because = other_than(ruled.rule, ruled.because or (counterpart.rule if counterpart else ""))
            self._judge.find(ruled.rule, msgspec.structs.replace(broken, kind=kind), event, because=because)
        return Contradiction(ruled, expected)

    def _due_but_for_a_word(self, event: Consequence) -> Derived | None:
        """Return what is due and differs from a line only in whom or what it is about."""
        return next((each for each in self._judge.table.derived if differs_in_a_word(event, each.event)), None)

    def _instead(self, event: Consequence, ruled: RuleVerdict) -> RuleVerdict:
        """Return the ruling on a line that says what is so already: it may stand for what is due, with a wrong word."""
        is_so = isinstance(ruled.verdict, Broken) and ruled.verdict.kind == "info"
        due = self._due_but_for_a_word(event) if is_so and not isinstance(event, PhaseStarted) else None
        if due is None:
            return ruled
        if self._doubts.reads(self._lines.seq, "instead"):
            instead = self._judge.game.consequences.explain(self._judge.table, event, due.event)
            return msgspec.structs.replace(instead, played=False)
        self._ledger.repeated[self._lines.seq] = due
        return ruled

    def _ruled(self, event: Consequence, expected: Consequence | None) -> RuleVerdict:
        """Return which rule a written consequence breaks, if the log can tell."""
        game, table = self._judge.game, self._judge.table
        ruled = game.consequences.explain(table, event, expected)
        if not is_broken(ruled.verdict):
            return ruled
        doubt = self._judge.doubt(ruled.rule, event)
        if doubt is not None:
            ruled = msgspec.structs.replace(doubt, played=ruled.played)
        if expected is None and is_broken(ruled.verdict) and self._may_be_left_over(event):
            return RuleVerdict(ruled.rule, Undecidable(LEFT_OVER), played=False)
        return ruled

    def _may_be_left_over(self, event: Consequence) -> bool:
        """Return whether a take-back hides that this was still to be written down."""
        lines, back = self._lines, self.back
        return back is not None and back.may_be_late(event, lines.events, lines.here, self._judge.table.players)

    def adopt(self, event: Consequence, contradiction: Contradiction) -> None:
        """Do what a line says that the rules do not make: the table did it, unless the line was written wrongly."""
        game, table, seq = self._judge.game, self._judge.table, self._lines.seq
        ruled, expected = contradiction.ruled, contradiction.expected
        if not ruled.played or self._doubts.reads(seq, "wrong"):
            return
        was_over, before = table.over, len(table.journal)
        game.consequences.adopt(table, event, expected)
        if not is_broken(ruled.verdict):
            return
        if len(table.journal) > before:
            self._doubts.add(seq, "wrong", seq)
        if table.over and not was_over and expected is None:
            self.wrong_end = before, len(table.journal)
