"""Consequences that are written down after decisions that depend on them: late writing is no late doing."""

from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import msgspec

from tabletape.events.vocabulary import Consequence, Decision
from tabletape.events.vocabulary.shared import LogGap
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, is_wrong_from
from tabletape.projector.fold.misread import How, Misread
from tabletape.projector.fold.passed_over import LATEST
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.rules import HARD, Finding

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class LateLine(Hypothesis):
    """Reads a line that is right for an earlier place as late or as what it is now.

    It is late, unless the automatic steps that come next make it: then it may be so (`behind`) where the keeper of the
    log writes other lines late, or leaves hardly any out. Where what is due differs from it in one word, it may be
    that with a slip: that is so (`instead`) where nobody ever writes the due line, and nothing else is late then.
    """

    HOW: ClassVar[tuple[How, ...]] = ("behind", "instead")

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:  # noqa: ARG002 - as other kinds
        """Note that a late line may be wrong about what is due."""
        ledger, seq = self.ledger, self.lines.seq
        if ledger.late_lines.get(seq) is not None or ledger.repeated.get(seq) is not None:
            self.doubts.add(seq, "instead", seq)

    def looks_back(self) -> None:
        """Note that a line which the automatic steps have made may only say again what was said a little earlier."""
        lines, wrong = self.lines, {each.seq for each in self.judge.found}
        for here, (before, after) in enumerate(pairwise(lines.journal_ends), 1):
            event, seq = lines.events[here], lines.seqs[here]
            if not isinstance(event, Consequence) or after == before or seq in wrong:
                continue
            if self.ledger.said_before(event, here) is not None:
                self.doubts.add(seq, "behind", seq)

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether something is wrong later that the other reading may explain, or it is likelier anyway.

        In a log that leaves most out, and has no other such line, people play on behind what is wrong.
        """
        seq = misread.seq
        if misread.how == "instead":
            return _stands_for_due(now, seq)
        return _is_wrong_behind(now, seq) and (not _is_alone_in_gaps(now, seq) or _is_played_on(now, seq))

    @classmethod
    def choose(cls, choice: ReadingChoice) -> "Replay":
        """Return the fold that the later lines bear out; of a line alone in a log that leaves most out it is open."""
        best, (seq, how, *_) = super().choose(choice), choice.misread
        if best is not choice.other:
            return best
        if how == "behind":
            late, is_open = choice.other, _is_alone_in_gaps(choice.now, seq)
        else:
            late, ledger = choice.best, choice.best.ledger
            is_open = not ledger.is_mostly_written and seq in ledger.late_lines and not _is_wrong_behind(late, seq)
        return choice.refold(late.misread | {Misread(seq, "either")}) if is_open else best

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether fewer later lines are wrong; if nothing tells, a line is wrong about what is due.

        Whether the table did what it says is another question: that it did not, speaks for it as well.
        """
        seq = choice.misread.seq
        if choice.misread.how == "behind":
            is_cleared = not (_is_alone_in_gaps(choice.now, seq) and _is_wrong_behind(choice.other, seq))
            is_likely = is_cleared and not _leaves_out(choice)
            return is_likely and (choice.surplus() > 0 or choice.accuses_nobody)
        if choice.best is not choice.now:
            return False
        undone = choice.refold(choice.other.misread | {Misread(seq, "wrong")})
        is_alone = len(_lines_alike(choice.now, seq)) == 1
        return any(
            (is_alone or not _lines_alike(other, seq)) and msgspec.structs.replace(choice, other=other).surplus() >= 0
            for other in (choice.other, undone)
        )


def _is_alone_in_gaps(replay: "Replay", seq: int) -> bool:
    """Return whether a log leaves most of what follows out, and no other line of it is late, or says what was said."""
    ledger = replay.ledger
    return not ledger.is_mostly_written and {*ledger.late_lines, *ledger.repeated} <= {seq}


def _leaves_out(choice: ReadingChoice) -> bool:
    """Return whether a log that writes nearly all would lack more lines if one only says again what was said."""
    now, other = choice.now.ledger, choice.other.ledger
    is_more = other.passed_over.left() > now.passed_over.left()
    return is_more and now.is_mostly_written and choice.misread.seq in other.repeated


def _is_played_on(replay: "Replay", seq: int) -> bool:
    """Return whether people do more than to end a turn behind the first line that is wrong behind another one."""
    wrong = min(each.seq for each in replay.raw_findings if each.kind in HARD and each.seq > seq)
    later = (each for number, each in zip(replay.seqs, replay.events, strict=True) if number > wrong)
    turn_end = replay.game.slips.turn_end
    return any(isinstance(each, Decision) and (turn_end is None or type(each) is not turn_end.by) for each in later)


def _is_wrong_behind(replay: "Replay", seq: int) -> bool:
    return is_wrong_from(replay, seq + 1, LATEST)


def _stands_for_due(replay: "Replay", seq: int) -> bool:
    """Return whether a line, the first late one, stands where something was due that no line says, nor a lost one."""
    alike = _lines_alike(replay, seq)
    due = alike.get(seq)
    if due is None or min(alike) != seq or not replay.ledger.is_unwritten(due):
        return False
    return LogGap not in map(type, replay.events[replay.seqs.index(seq) :])


def _lines_alike(replay: "Replay", seq: int) -> dict[int, Derived | None]:
    """Return the lines that are late, or those that say something again, whichever a line is; else all of them."""
    late, repeated = replay.ledger.late_lines, replay.ledger.repeated
    return late if seq in late else repeated if seq in repeated else late | repeated
