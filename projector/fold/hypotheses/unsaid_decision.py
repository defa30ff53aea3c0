"""Decisions that nobody has written down, and without which a later line of the same player breaks a rule.

Such a line is played against the rules, or the decision that makes it right has been made unsaid. Where later lines
would break rules, too, that are right with it, it is missing once.
"""

from typing import ClassVar

from tabletape.events.vocabulary import Event, tag_of
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis
from tabletape.projector.fold.misread import How
from tabletape.projector.model.rules import Broken
from tabletape.projector.model.sentences import clause


class UnsaidDecision(Hypothesis):
    """Reads a line that breaks a rule as the first one after a decision that the log has left out."""

    HOW: ClassVar[tuple[How, ...]] = ("unsaid",)

    def prepare(self, event: Event) -> None:
        """Carry out the decision, and say that its line is missing."""
        if not self.reads("unsaid"):
            return
        game, table = self.judge.game, self.judge.table
        if game.before is not None:
            game.before(table, event)
        forgotten = game.slips.forgotten(table, event)
        if forgotten is None:
            return
        rule, line = forgotten
        words = clause(table, line)
        message = f"no line says that {words}, and the log goes on as if it were so, or breaks a rule again and again"
        self.judge.find(rule, Broken(message, f"{tag_of(type(line))}: {words}", "missing"), event)
        self.ledger.pass_over()
        self.trial.carry_out(line)

    def suspects(self, event: Event) -> None:
        """Note that a line may come after a decision with which nothing would be wrong with it."""
        last = self.judge.last
        if last is None or last.kind != "illegal" or self.judge.has_gap:
            return
        forgotten = self.judge.game.slips.forgotten(self.judge.table, event)
        if forgotten is None:
            return
        with self.trial.tried():
            self.trial.carry_out(forgotten[1])
            is_right = self.trial.is_right(event)
        if is_right:
            self.doubts.add(self.lines.seq, "unsaid", self.lines.seq)
