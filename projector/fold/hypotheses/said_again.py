"""A consequence that only says once more what one of the last lines says, as the second of two keepers writes it."""

from typing import ClassVar

from tabletape.events.vocabulary import Consequence
from tabletape.events.vocabulary.shared import PhaseStarted
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice
from tabletape.projector.fold.misread import How
from tabletape.projector.model.rules import Finding


class SaidAgain(Hypothesis):
    """Reads a line that is wrong where it stands, and was right a little earlier, as the second one of a thing.

    Where it stands for a line that is missing, it is that line which has a wrong word or comes too early.
    """

    HOW: ClassVar[tuple[How, ...]] = ("again",)

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:
        """Note that a wrong line may have been said before."""
        seq = self.lines.seq
        if finding is None or finding.seq != seq or finding.kind not in {"mismatch", "missing"}:
            return
        if self.lines.said_before(event) is not None:
            self.doubts.add(seq, "again", seq)

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether no later line is wrong because of it, and no other phase is left out where it begins one.

        That others say something again as well, accuses nobody.
        """
        misread, other = choice.misread, choice.other
        if misread.seq not in other.ledger.repeated or (choice.surplus() < 0 and not choice.accuses_nobody):
            return False
        said = other.events[other.seqs.index(misread.seq)]
        return not isinstance(said, PhaseStarted) or not any(
            isinstance(each.event, PhaseStarted) for each in other.unwritten
        )
