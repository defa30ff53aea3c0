"""A line that says that a phase begins, with the word of another one: what comes after it shows that."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, get_args, get_type_hints

import msgspec

from tabletape.events.vocabulary import Consequence
from tabletape.events.vocabulary.shared import PhaseStarted
from tabletape.projector.fold.consequence_match import first_phase
from tabletape.projector.fold.hypotheses.hypothesis import (
    Hypothesis,
    ReadingChoice,
    findings_of,
    is_wrong_from,
    mistakes,
)
from tabletape.projector.fold.misread import How, Misread
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.rules import Broken, WentOn

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class WrongPhase(Hypothesis):
    """Reads a line that says that a phase begins as that of the phase which begins next.

    Such a line is in doubt where another phase begins before it, or it begins none.
    """

    HOW: ClassVar[tuple[How, ...]] = ("phase",)

    def read_written(self, event: Consequence) -> bool:
        """Say which phase begins in truth, and begin it; return whether there is one."""
        due = self._next_phase(event) if isinstance(event, PhaseStarted) and self.reads("phase") else None
        if due is None or _is_same(due.event, event):
            return False
        judge, ledger = self.judge, self.ledger
        ruled = judge.game.consequences.explain(judge.table, event, due.event)
        broken = ruled.verdict if isinstance(ruled.verdict, Broken) else Broken(str(ruled.verdict))
        judge.find(ruled.rule, msgspec.structs.replace(broken, kind="mismatch"), event)
        ledger.dispute(due, None)
        ledger.misnamed_phases[self.lines.seq] = due
        return True

    def _next_phase(self, event: PhaseStarted) -> Derived | None:
        """Return the first phase that begins now, of itself or by the automatic steps that its line needs first."""
        due = first_phase(self.judge.table.derived)
        if due is not None or self.judge.game.before is None:
            return due
        steps: dict[int, PhaseStarted] = {}
        for other in _other_phases(event):
            with self.trial.tried() as length:
                self.judge.game.before(self.judge.table, other)
                if first_phase(self.judge.table.derived) is not None:
                    steps.setdefault(len(self.judge.table.journal) - length, other)
        if not steps:
            return None
        self.judge.game.before(self.judge.table, steps[min(steps)])
        return first_phase(self.judge.table.derived)

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether something is found, at the line or later, before the phase that it names begins anew.

        That one line of many says something again tells nothing.
        """
        here, again = _place(now, misread.seq), now.ledger.repeated
        if misread.seq in again and len(again) > 1 and not is_wrong_from(now, misread.seq):
            return False
        contradicted = misread.seq if _is_found(now, misread.seq) else min(findings_of(now, misread.seq), default=0)
        if here is None or not contradicted:
            return False
        said, lines = now.events[here], zip(now.seqs, now.events, strict=True)
        return not any(_is_same(event, said) for seq, event in lines if misread.seq < seq < contradicted)

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether fewer later lines are wrong, or the line is one too many and that of the phase never comes.

        That tells little where the keeper of the log writes other lines late, or leaves out those of other phases: then
        it takes fewer mistakes in all, and the line of that phase elsewhere. A log that never has it may have left it
        out here as well.
        """
        best, other, seq = choice.best, choice.other, choice.misread.seq
        due, surplus = other.ledger.misnamed_phases.get(seq), choice.surplus()
        if due is None or surplus < 0:
            return False
        if other.ledger.late_lines or any(isinstance(each.event, PhaseStarted) for each in other.unwritten):
            return _is_written(best, seq, due.event) and mistakes(best) > mistakes(other)
        is_usual = seq in best.ledger.repeated and len(best.ledger.repeated) > 1
        is_left_out = any(_is_same(each.event, due.event) for each in best.unwritten)
        is_one_too_many = _is_found(best, seq) and not is_usual and is_left_out
        return is_one_too_many or (surplus > 0 and _is_written(best, seq))

    @classmethod
    def went_on(cls, choice: ReadingChoice) -> WentOn | None:
        """Return the verdict that the table went on as the rules say, where the line names a wrong phase."""
        return "derived" if cls.prefers(choice) else None


def _is_found(replay: "Replay", seq: int) -> bool:
    return any(each.seq == seq and each.kind != "unverifiable" for each in replay.raw_findings)


def _other_phases(event: PhaseStarted) -> Iterator[PhaseStarted]:
    """Yield the line with each other phase that the game has."""
    hint: Any = get_type_hints(type(event))["phase"]
    for word in get_args(hint):
        if word != event.phase:
            yield msgspec.structs.replace(event, phase=word)


def _is_same(event: Any, other: Any) -> bool:
    is_phase = isinstance(event, PhaseStarted) and type(event) is type(other)
    return is_phase and bool(event.phase == other.phase)


def _place(replay: "Replay", seq: int) -> int | None:
    """Return where the line `seq` stands that begins a phase; another line may have its number, too."""
    lines = enumerate(zip(replay.seqs, replay.events, strict=True))
    return next((at for at, (number, event) in lines if number == seq and isinstance(event, PhaseStarted)), None)


def _is_written(replay: "Replay", seq: int, phase: Any = None) -> bool:
    """Return whether the log has the line of a phase, or of any, elsewhere than at the line `seq`."""
    lines = zip(replay.seqs, replay.events, strict=True)
    return any(
        isinstance(event, PhaseStarted) and number != seq and (phase is None or _is_same(event, phase))
        for number, event in lines
    )
