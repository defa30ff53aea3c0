"""A line of the set-up that could not be read, where its words leave open which of a few things it said."""

from typing import TYPE_CHECKING, ClassVar

from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice
from tabletape.projector.fold.misread import How, Misread

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class LostLine(Hypothesis):
    """Takes such a line for that with which the least is wrong up to the end of the log."""

    HOW: ClassVar[tuple[How, ...]] = ("lost",)

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:  # noqa: ARG003 - whichever it is
        """Return whether anything is found that hangs on what it said."""
        return _wrong(now) > 0

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether less is found with it than with any before, and no more than where it is left open."""
        least = _wrong(choice.best) - (choice.best is not choice.now)
        return _wrong(choice.other) <= least


def _wrong(replay: "Replay") -> int:
    """Return how much is found that is wrong, or that the log cannot tell."""
    return sum(each.kind != "info" for each in replay.raw_findings) + (replay.stopped is not None)
