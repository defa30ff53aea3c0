"""A total or a consequence that was written down wrongly: the table had what the rules say."""

from typing import ClassVar

from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice
from tabletape.projector.fold.misread import How
from tabletape.projector.model.rules import WentOn


class WrongValue(Hypothesis):
    """Reads a line whose value the table has taken over as one that says nothing.

    Who takes the value over suspects the line: there it is known whether that changes the table at all.
    """

    HOW: ClassVar[tuple[How, ...]] = ("wrong",)

    @classmethod
    def went_on(cls, choice: ReadingChoice) -> WentOn | None:
        """Return with which value the table went on: the one that leaves fewer findings."""
        surplus = choice.surplus()
        return None if not surplus else "derived" if surplus > 0 else "written"
