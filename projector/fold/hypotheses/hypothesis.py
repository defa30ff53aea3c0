"""A kind of misreading: what puts a line in doubt, how it is read then, and whether later lines bear that out.

A consequence that differs from the derived one, or a total that differs from the fold's, can be a slip of the hand (the
table had it so) or of the pen (the table had what the rules say). So can a line that ends a turn, or one that would be
right if the turn had ended before it, or in an earlier place. Later lines decide: of the two folds the one with fewer
findings at the first line where they differ is what the table went on with.
"""

from bisect import bisect_left
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final

import msgspec

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.judge import SEQ, Judge
from tabletape.projector.fold.ledger import Ledger
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.misread import Doubt, How, Misread
from tabletape.projector.fold.passed_over import decider
from tabletape.projector.fold.trial import Trial
from tabletape.projector.model.rules import HARD, Finding, WentOn

if TYPE_CHECKING:
    from tabletape.projector.fold.refolding import Refolding
    from tabletape.projector.fold.replay import Replay

MAX_REACH: Final = 6
"""How many decisions may stand between a line that is misread and the first one that is wrong because of it."""


class ReadingChoice(msgspec.Struct, frozen=True):
    """A line that may be misread: the fold `now`, the `best` reading of the line so far, and the `other` one.

    `refold` folds the game with given lines misread.
    """

    now: "Replay"
    best: "Replay"
    other: "Replay"
    misread: Misread
    doubt: Doubt
    refold: "Refolding"

    def surplus(self, *, after: int = 0, but: int = 0) -> int:
        """Return how many more findings the best fold has than the other at the first line where they differ.

        Only lines behind `after` count, which is the one that is misread where nothing else is said. The line `but`,
        usually that in doubt, does not: something is wrong with it in either reading. What lines only say again counts
        where nothing else differs, and no better reading is known.
        """
        but = but or self.doubt.line
        surplus = self._surplus(after or self.misread.seq, but, again=False)
        return (
            surplus
            if surplus or self.best is not self.now
            else self._surplus(after or self.misread.seq, but, again=True)
        )

    def _surplus(self, after: int, but: int, *, again: bool) -> int:
        mine, theirs = (findings_of(each, after, again=again) for each in (self.best, self.other))
        first = min((seq for seq in {*mine, *theirs} if mine[seq] != theirs[seq] and seq != but), default=0)
        return mine[first] - theirs[first]

    @property
    def accuses_nobody(self) -> bool:
        """Whether the best fold accuses somebody and the other one nobody, and finds no more than twice as much.

        A line that is late makes others late, which accuses nobody; where nearly every line is late, none is.
        """
        best, other = self.best.raw_findings, self.other.raw_findings
        is_cleared = self.other.stopped is None and not any(each.kind in HARD for each in other)
        return is_cleared and any(each.kind in HARD for each in best) and len(other) <= 2 * len(best)

    @property
    def is_likelier(self) -> bool:
        """Whether the other reading is likelier where no later line contradicts either, and the log goes on."""
        return self.doubt.is_likelier and self.best is self.now and is_gone_on_from(self.now, self.doubt.line)


class Hypothesis:
    """A kind of misreading; it is made for one fold.

    `HOW` are the words for it, the first one that which is suspected.
    """

    HOW: ClassVar[tuple[How, ...]] = ()

    def __init__(self, lines: Lines, judge: Judge, ledger: Ledger, doubts: Doubts, trial: Trial) -> None:
        self.lines = lines
        self.judge = judge
        self.ledger = ledger
        self.doubts = doubts
        self.trial = trial

    def reads(self, how: How) -> bool:
        """Return whether the line that is looked at is read in a way."""
        return self.doubts.reads(self.lines.seq, how)

    # -- while a game is folded ------------------------------------------------------------------------------------

    def prepare(self, event: Event) -> None:
        """Carry out what the log has left out before a line, where it is read so."""

    def read(self, event: Event) -> Event | None:
        """Return what was done in place of a decision or chance line that is read so: another line, or nothing."""
        return event

    def read_written(self, event: Consequence) -> bool:  # noqa: ARG002 - most kinds read none
        """Find what is wrong with a written consequence that is read so, and do it; return whether it is."""
        return False

    def suspects(self, event: Event) -> None:
        """Note whether a decision or chance line, which breaks a rule, may be misread or show that one before it is."""

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:
        """Note the same of a written consequence that the rules do not make; `finding` is the last one."""

    def looks_back(self) -> None:
        """Note what else may be misread, now that the lines are folded and something is found wrong with them."""

    # -- when it is folded -----------------------------------------------------------------------------------------

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:  # noqa: ARG003 - most kinds always are
        """Return whether the reading can be borne out at all by the lines of a game."""
        return True

    @classmethod
    def together(cls, now: "Replay", misread: Misread) -> frozenset[Misread]:  # noqa: ARG003 - mostly one alone
        """Return all that is misread if a line is."""
        return frozenset((misread,))

    @classmethod
    def fold(cls, now: "Replay", misread: Misread, refold: "Refolding") -> "Replay":
        """Return the game folded with a line read so."""
        return refold(now.misread | cls.together(now, misread))

    @classmethod
    def choose(cls, choice: ReadingChoice) -> "Replay":
        """Return the fold that the later lines bear out."""
        return choice.other if cls.prefers(choice) else choice.best

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether the later lines bear the other fold out."""
        surplus = choice.surplus()
        return surplus > 0 or (not surplus and choice.is_likelier)

    @classmethod
    def went_on(cls, choice: ReadingChoice) -> WentOn | None:  # noqa: ARG003 - only of values anything is known
        """Return with which value the table went on, where the later lines show it."""
        return None


def findings_of(replay: "Replay", after: int, *, again: bool = False) -> Counter[int]:
    """Return how many findings a fold has at each line behind one, where `again` with those that say something again.

    What the log cannot tell is none.
    """
    repeated = () if again else replay.ledger.repeated
    counts = Counter(
        each.seq
        for each in replay.raw_findings
        if each.seq > after and each.kind != "unverifiable" and not (each.kind == "info" and each.seq in repeated)
    )
    if replay.stopped is not None:
        counts[replay.stopped.seq] += 1
    return counts


def accused(replay: "Replay") -> set[int]:
    """Return the numbers of the lines of a fold that accuse somebody."""
    return {each.seq for each in replay.raw_findings if each.kind in HARD}


def mistakes(replay: "Replay") -> int:
    """Return how many findings of a fold accuse somebody."""
    return sum(each.kind in HARD for each in replay.raw_findings)


def is_gone_on_from(replay: "Replay", seq: int) -> bool:
    """Return whether decisions follow on a line; that nothing is wrong with them speaks for the end of a turn."""
    later = zip(replay.seqs, replay.events, strict=True)
    return any(number > seq and isinstance(event, Decision) for number, event in later)


def is_wrong_from(replay: "Replay", seq: int, decisions: int = MAX_REACH) -> bool:
    """Return whether a line, or one behind it, is found wrong: else nothing asks for another reading.

    Only so many decisions may stand between them: what is misread shows soon.
    """
    findings, seqs = replay.raw_findings, replay.seqs
    later = range(bisect_left(findings, seq, key=SEQ), len(findings))
    wrong = next((findings[at].seq for at in later if findings[at].kind in HARD), 0)
    if not wrong and replay.stopped is not None:
        wrong = replay.stopped.seq
    between = range(bisect_left(seqs, seq), bisect_left(seqs, wrong))
    deciding = (at for at in between if decider(replay.events[at]))
    return bool(wrong) and next(islice(deciding, decisions, None), None) is None
