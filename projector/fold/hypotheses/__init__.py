"""The ways in which a line may be misread, each with what puts a line in doubt and what bears it out."""

from typing import Final

from tabletape.projector.fold.hypotheses.early_end import EarlyEnd
from tabletape.projector.fold.hypotheses.forgotten_end import ForgottenEnd
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis
from tabletape.projector.fold.hypotheses.late_line import LateLine
from tabletape.projector.fold.hypotheses.misnamed_end import MisnamedEnd
from tabletape.projector.fold.hypotheses.said_again import SaidAgain
from tabletape.projector.fold.hypotheses.split_draw import SplitDraw
from tabletape.projector.fold.hypotheses.unsaid_decision import UnsaidDecision
from tabletape.projector.fold.hypotheses.wrong_phase import WrongPhase
from tabletape.projector.fold.hypotheses.wrong_value import WrongValue
from tabletape.projector.fold.misread import How

KINDS: Final[tuple[type[Hypothesis], ...]] = (
    UnsaidDecision,
    SplitDraw,
    MisnamedEnd,
    EarlyEnd,
    ForgottenEnd,
    LateLine,
    SaidAgain,
    WrongPhase,
    WrongValue,
)
"""All kinds of misreading, in the order in which a line is suspected of them."""

BY_HOW: Final[dict[How, type[Hypothesis]]] = {how: kind for kind in KINDS for how in kind.HOW}
