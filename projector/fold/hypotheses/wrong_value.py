"""A total or a consequence that was written down wrongly: the table had what the rules say."""

from typing import TYPE_CHECKING, ClassVar, Final

import msgspec

from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, accused
from tabletape.projector.fold.misread import How
from tabletape.projector.model.rules import WentOn

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

MANY: Final = 3
"""So many later lines speak against a value more than one that speaks for it."""


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
        if again is None or _surplus(choice):
            return best
        both = choice.refold(choice.other.misread | {again})
        return both if msgspec.structs.replace(choice, other=both).surplus(after=again.seq) > 0 else best

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether the later lines bear the other fold out."""
        surplus = _surplus(choice)
        return surplus > 0 or (not surplus and choice.is_likelier)

    @classmethod
    def went_on(cls, choice: ReadingChoice) -> WentOn | None:
        """Return with which value the table went on: the one that leaves fewer findings."""
        surplus = _surplus(choice)
        return None if not surplus else "derived" if surplus > 0 else "written"


def _surplus(choice: ReadingChoice) -> int:
    """Return how many more findings the best fold has than the other at the first line where they differ.

    A value may make one breach right and so stand for a while: where a single line speaks for it and many later ones
    against it, these decide.
    """
    surplus, after = choice.surplus(), choice.misread.seq
    mine, theirs = ({seq for seq in accused(each) if seq > after} for each in (choice.best, choice.other))
    against, for_it = len(mine - theirs), len(theirs - mine)
    if surplus < 0 and for_it == 1 and against >= MANY:
        return against
    return -for_it if surplus > 0 and against == 1 and for_it >= MANY else surplus
