"""What the readings of lines that end a turn have in common: the line that would end it now, and steps taken back."""

from typing import Any

from tabletape.events.vocabulary import Event
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis


def ending_line(hypothesis: Hypothesis) -> Any:
    """Return the line that would end the turn that is going on, None where none is, or the game has no turns."""
    turn_end = hypothesis.judge.game.slips.turn_end
    return None if turn_end is None else turn_end.line(hypothesis.judge.table)


def turn_began(hypothesis: Hypothesis) -> int:
    """Return the journal's length before the change with which the turn began that is going on."""
    table, journal = hypothesis.judge.table, hypothesis.judge.table.journal
    changes = range(len(journal) - 1, -1, -1)
    return next((at for at in changes if journal[at][0] is table and journal[at][1] == "active"), 0)


def take_steps(hypothesis: Hypothesis, line: Event) -> None:
    """Take the automatic steps that a line needs first."""
    game, table, lines = hypothesis.judge.game, hypothesis.judge.table, hypothesis.lines
    if game.before is not None:
        game.before(table, line)
        lines.automatic_ends[lines.here] = len(table.journal)


def undo_steps(hypothesis: Hypothesis) -> None:
    """Take back the automatic steps that a line needed first: the table has not done it."""
    table, lines = hypothesis.judge.table, hypothesis.lines
    length = lines.journal_ends[-1]
    if len(table.journal) > length:
        table.undo(length)
        table.derived = [each for each in table.derived if each.mark <= length]
        lines.automatic_ends.pop(lines.here, None)
