"""Decisions that nobody has written down, and without which a later line of the same player breaks a rule.

Such a line is played against the rules, or the decision that makes it right has been made unsaid. Both readings of it
are followed (see `folding`): where later lines would break rules, too, that are right with it, it is missing once.
"""

from typing import Any

from tabletape.events.vocabulary import Event, tag_of
from tabletape.projector.fold.misread import Doubt, Misread
from tabletape.projector.fold.turn_ends import TurnEnds
from tabletape.projector.model.rules import Broken
from tabletape.projector.model.sentences import clause


class Forgotten(TurnEnds):
    """Reads a line that breaks a rule as the first one after a decision that the log has left out."""

    def _end_turn_before(self, event: Event) -> None:
        super()._end_turn_before(event)
        if Misread(self._seq, "unsaid") not in self.misread:
            return
        if self.game.before is not None:
            self.game.before(self.table, event)
        forgotten = self.game.forgotten(self.table, event)
        if forgotten is None:
            return
        rule, line = forgotten
        words = clause(self.table, line)
        message = f"no line says that {words}, and the log goes on as if it were so, or breaks a rule again and again"
        self._find(rule, Broken(message, f"{tag_of(type(line))}: {words}", "missing"), event)
        if self.table.derived:
            self._passed_over.add(len(self.journal_ends), self.table.derived)
        self._disputed.clear()
        self._carry_out(line)

    def _as_it_was(self, event: Event, *, failed: bool) -> Event | None:
        if failed and self._found and self._found[-1].kind == "illegal" and not self.has_gap:
            forgotten = self.game.forgotten(self.table, event)
            if forgotten is not None and self._is_right_after(forgotten[1], event):
                self.open_to_doubt[Misread(self._seq, "unsaid")] = Doubt(self._seq)
        return super()._as_it_was(event, failed=failed)

    def _is_right_after(self, line: Any, event: Event) -> bool:
        """Return whether nothing is wrong with a decision behind another one; the table stays as it is."""
        table, after = self.table, self._after
        length, kept = len(table.journal), ([*table.derived], table.newly_applied, [*table.rests])
        self._carry_out(line)
        is_right = self._broken_by(event) == set()
        table.undo(length)
        table.derived, table.newly_applied, table.rests[:] = kept
        self._after = after
        return is_right
