"""Consequences that are written down after decisions that depend on them: late writing is no late doing."""

from typing import TYPE_CHECKING, ClassVar

from tabletape.projector.fold.hypotheses.hypothesis import Choice, Hypothesis
from tabletape.projector.fold.misread import How, Misread
from tabletape.projector.model.rules import HARD

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class LateLine(Hypothesis):
    """Reads a line that is right for an earlier place as late or as what it is now.

    It is late, unless the automatic steps that come next make it (then it may be `behind`). Where something about the
    same thing is due there, it may be wrong about that: that is so (`instead`) where nobody ever writes the due line,
    and the keeper of the log writes nothing else late.
    """

    HOW: ClassVar[tuple[How, ...]] = ("behind", "instead")

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether something is wrong later, or the line that is due is never written."""
        later = any(each.kind in HARD and each.seq > misread.seq for each in now.raw_findings)
        return later or (misread.how == "instead" and _stands_for_due(now, misread.seq))

    @classmethod
    def prefers(cls, choice: Choice) -> bool:
        """Return whether fewer later lines are wrong, or nothing else in the log is late."""
        surplus = choice.surplus()
        if surplus or choice.misread.how == "behind":
            return surplus > 0
        return choice.best is choice.now and _stands_for_due(choice.now, choice.misread.seq)


def _stands_for_due(replay: "Replay", seq: int) -> bool:
    """Return whether a line, the only late one, stands where something else was due that is never written."""
    late = replay.ledger.late_lines
    due = late.get(seq)
    return due is not None and len(late) == 1 and replay.ledger.is_unwritten(due)
