"""Lines that nobody has written, carried out: for good, or only to see what they would make of the next one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

from tabletape.events.vocabulary import Chance, Decision, Event
from tabletape.events.vocabulary.shared import CardsDrawn
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.model.rules import Rule

LOOKED_AHEAD: Final = 30
"""How many lines behind one that could not be read may tell what it said."""


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

    def gone_on_from(self, lines: Iterable[Event]) -> Event | None:
        """Return the one unwritten line with which the log goes on rightly for longest, None where several do."""
        runs = [(self._right_behind(line), line) for line in lines]
        longest = max((run for run, _ in runs), default=0)
        best = [line for run, line in runs if run == longest]
        return best[0] if len(best) == 1 else None

    def _right_behind(self, line: Event) -> int:
        """Return how many of the next decision and chance lines are right behind a line that nobody has written."""
        lines, judge, number = self._lines, self._judge, 0
        with self.tried():
            self.carry_out(line)
            for event in islice(lines.events, lines.here + 1, lines.here + 1 + LOOKED_AHEAD):
                if isinstance(event, Decision | Chance):
                    if judge.game.before is not None:
                        judge.game.before(judge.table, event)
                    if not self.is_right(event):
                        break
                    self.carry_out(event)
                    number += 1
        return number

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

    def broken_by(self, event: Event) -> set[str] | None:
        """Return the rules that a line would break now; None where it could not be played at all.

        Nothing is counted or kept.
        """
        game, table = self._judge.game, self._judge.table
        if type(event) not in game.play or game.gate(table, event) is not None:
            return None
        judge = Judge(game)
        judge.table = table
        judge.judge(judge.rows.get(type(event), ()), event)
        return {each.rule for each in judge.raw_findings if each.kind != "unverifiable"}

    def is_right(self, event: Event) -> bool:
        """Return whether nothing would be wrong with a decision or chance line now."""
        return self.broken_by(event) == set()
