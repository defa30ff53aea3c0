"""Lines that nobody has written, carried out: for good, or only to see what they would make of the next one."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import CardsDrawn
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.model.rules import Rule


class Trial:
    """Carries out lines at the table of a fold that are not in its log."""

    def __init__(self, lines: Lines, judge: Judge) -> None:
        self._lines = lines
        self._judge = judge

    def carry_out(self, line: Event) -> None:
        """Do what a line says, and what follows from it."""
        game, table = self._judge.game, self._judge.table
        if game.before is not None:
            game.before(table, line)
        game.play[type(line)](table, line)
        self._lines.after = len(table.journal)
        game.settle(table)

    def draw_lost(self, rules: Iterable[Rule]) -> None:
        """Draw what is due by some rules, and what nobody writes who forgets the end of a turn.

        Of draws that are due by one rule any is right, as from either of two decks: which it was is open.
        """
        lost = {rule.id for rule in rules}
        lost_draws = [due for due in self._judge.game.due(self._judge.table) if due.rule in lost] if lost else []
        by_rule = Counter(due.rule for due in lost_draws)
        for due in lost_draws:
            if by_rule[due.rule] == 1 and issubclass(due.line, CardsDrawn) and due.asked is not None:
                self.carry_out(due.event(count=due.asked.most))

    @contextmanager
    def tried(self) -> Iterator[int]:
        """Put the table back to what it was after a `with` block, and hand it the length of its journal."""
        table, after = self._judge.table, self._lines.after
        length, recognised = len(table.journal), [*table.recognised]
        saved = [*table.derived], table.newly_applied, [*table.rests]
        yield length
        table.undo(length)
        table.derived, table.newly_applied, table.rests[:] = saved
        table.recognised[:] = recognised
        self._lines.after = after

    def broken_by(self, event: Event, but: Container[str] = ("unverifiable",)) -> set[str] | None:
        """Return the rules that a line would break now; None where it could not be played at all.

        Findings of some kinds are none. Nothing is counted or kept.
        """
        game, table = self._judge.game, self._judge.table
        if type(event) not in game.play or game.gate(table, event) is not None:
            return None
        judge = Judge(game)
        judge.table = table
        judge.judge(judge.rows.get(type(event), ()), event)
        return {each.rule for each in judge.raw_findings if each.kind not in but}

    def against(self, event: Event, but: Container[str] = ("unverifiable",)) -> set[str] | None:
        """Return the same; of a line that could not be played at all the rule that says so."""
        gated = self._judge.game.gate(self._judge.table, event)
        return self.broken_by(event, but) if gated is None else {gated.rule.id}

    def is_right(self, event: Event) -> bool:
        """Return whether nothing would be wrong with a decision or chance line now."""
        return self.broken_by(event) == set()
