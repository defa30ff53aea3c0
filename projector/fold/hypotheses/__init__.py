"""The ways in which a line may be misread, each with what puts a line in doubt and what bears it out."""

from typing import Final

from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.hypotheses.early_end import EarlyEnd
from tabletape.projector.fold.hypotheses.forgotten_end import ForgottenEnd
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis
from tabletape.projector.fold.hypotheses.late_line import LateLine
from tabletape.projector.fold.hypotheses.lost_line import LostLine
from tabletape.projector.fold.hypotheses.misnamed_end import MisnamedEnd
from tabletape.projector.fold.hypotheses.out_of_order import OutOfOrder
from tabletape.projector.fold.hypotheses.said_again import SaidAgain
from tabletape.projector.fold.hypotheses.split_draw import SplitDraw
from tabletape.projector.fold.hypotheses.unheld import Unheld
from tabletape.projector.fold.hypotheses.unsaid_decision import UnsaidDecision
from tabletape.projector.fold.hypotheses.wrong_phase import WrongPhase
from tabletape.projector.fold.hypotheses.wrong_value import WrongValue
from tabletape.projector.fold.hypotheses.wrong_word import WrongWord
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.ledger import Ledger
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.misread import How
from tabletape.projector.fold.trial import Trial
from tabletape.projector.model.rules import Finding

KINDS: Final[tuple[type[Hypothesis], ...]] = (
    LostLine,
    Unheld,
    UnsaidDecision,
    SplitDraw,
    MisnamedEnd,
    EarlyEnd,
    ForgottenEnd,
    OutOfOrder,
    LateLine,
    SaidAgain,
    WrongPhase,
    WrongValue,
    WrongWord,
)
"""All kinds of misreading, in the order in which a line is suspected of them."""

KINDS_BY_HOW: Final[dict[How, type[Hypothesis]]] = {how: kind for kind in KINDS for how in kind.HOW}


MAX_SUSPECTED: Final = 128
"""Decisions and chance lines of one fold that break a rule and are looked at: what is misread shows in the first."""


class Hypotheses:
    """All kinds of misreading for one fold."""

    _suspected = 0

    def __init__(self, lines: Lines, judge: Judge, ledger: Ledger, doubts: Doubts) -> None:
        """Make each kind of the parts of the fold."""
        trial = Trial(lines, judge)
        self._kinds = tuple(kind(lines, judge, ledger, doubts, trial) for kind in KINDS)
        self._lines, self._misread = lines, doubts.touched

    def prepare(self, event: Event) -> None:
        """Carry out what the log has left out before a line, where it is read so."""
        for each in self._kinds if self._lines.seq in self._misread else ():
            each.prepare(event)

    def read(self, event: Event) -> Event | None:
        """Return what was done in place of a decision or chance line by the first kind that reads it otherwise."""
        if self._lines.seq not in self._misread:  # as nearly always
            return event
        return next((read for each in self._kinds if (read := each.read(event)) is not event), event)

    def read_written(self, event: Consequence) -> bool:
        """Find what is wrong with a written consequence that is read so, and do it; return whether it is."""
        return self._lines.seq in self._misread and any(each.read_written(event) for each in self._kinds)

    def suspects(self, event: Event) -> None:
        """Note how a decision or chance line, which breaks a rule, may be misread."""
        self._suspected += 1
        for each in self._kinds if self._suspected <= MAX_SUSPECTED else ():
            each.suspects(event)

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:
        """Note the same of a written consequence that the rules do not make; `finding` is the last one."""
        for each in self._kinds:
            each.suspects_written(event, finding)

    def look_back(self) -> None:
        """Note what else may be misread, now that the lines are folded and something is found wrong with them."""
        for each in self._kinds:
            each.looks_back()
