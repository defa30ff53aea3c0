"""Consequences that are written down after decisions that depend on them: late writing is no late doing."""

from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import msgspec

from tabletape.events.vocabulary import Consequence
from tabletape.events.vocabulary.shared import LogGap
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, is_wrong_from
from tabletape.projector.fold.misread import How, Misread
from tabletape.projector.fold.passed_over import LATEST
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.rules import Finding

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
        """Return whether something is wrong later that the other reading may explain, or it is likelier anyway."""
        if misread.how == "instead":
            return _stands_for_due(now, misread.seq)
        ledger = now.ledger
        return (bool(ledger.late_lines or ledger.repeated) or ledger.is_mostly_written) and is_wrong_from(
            now, misread.seq + 1, LATEST
        )

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether fewer later lines are wrong; if nothing tells, a line is wrong about what is due.

        Whether the table did what it says is another question: that it did not, speaks for it as well.
        """
        if choice.misread.how == "behind":
            return choice.surplus() > 0 or choice.accuses_nobody
        if choice.best is not choice.now:
            return False
        seq = choice.misread.seq
        undone = choice.refold(choice.other.misread | {Misread(seq, "wrong")})
        is_alone = len(_lines_alike(choice.now, seq)) == 1
        return any(
            (is_alone or not _lines_alike(other, seq)) and msgspec.structs.replace(choice, other=other).surplus() >= 0
            for other in (choice.other, undone)
        )


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
