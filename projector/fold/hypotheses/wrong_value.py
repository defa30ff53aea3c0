"""A total or a consequence that was written down wrongly: the table had what the rules say."""

from typing import TYPE_CHECKING, ClassVar

import msgspec

from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice
from tabletape.projector.fold.misread import How
from tabletape.projector.model.rules import WentOn

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class WrongValue(Hypothesis):
    """Reads a line whose value the table has taken over as one that says nothing.

    Who takes the value over suspects the line: there it is known whether that changes the table at all.
    """

    HOW: ClassVar[tuple[How, ...]] = ("wrong",)

    @classmethod
    def choose(cls, choice: ReadingChoice) -> "Replay":
        """Return the fold that the later lines bear out, also one in which the next such line is wrong as well."""
        best, seq = super().choose(choice), choice.misread.seq
        doubted = (each for each in choice.other.open_to_doubt if each.how == "wrong" and each.seq > seq)
        again = min(doubted, default=None)
        if again is None or choice.surplus():
            return best
        both = choice.refold(choice.other.misread | {again})
        return both if msgspec.structs.replace(choice, other=both).surplus(after=again.seq) > 0 else best

    @classmethod
    def went_on(cls, choice: ReadingChoice) -> WentOn | None:
        """Return with which value the table went on: the one that leaves fewer findings."""
        surplus = choice.surplus()
        return None if not surplus else "derived" if surplus > 0 else "written"
