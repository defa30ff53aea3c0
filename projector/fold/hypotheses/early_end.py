"""A line that ends a turn which goes on: its player goes on playing behind it."""

from typing import Any, ClassVar

from tabletape.events.vocabulary import Decision, Event, tag_of
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, findings_of, mistakes
from tabletape.projector.fold.hypotheses.turn_ending import ending_line, undo_steps
from tabletape.projector.fold.misread import How
from tabletape.projector.model.rules import Broken


class EarlyEnd(Hypothesis):
    """Reads a line that ends a turn as none; `open`: or the next turn has ended with no line of its own."""

    HOW: ClassVar[tuple[How, ...]] = ("early", "open")

    def read(self, event: Event) -> Event | None:
        """Return nothing where a turn has not ended with a line, and say that there should be no such line."""
        line, turn_end = ending_line(self), self.judge.game.slips.turn_end
        if line is None or turn_end is None or not self.reads("early"):
            return event
        self.judge.find(turn_end.rule, self._too_early(line), event)
        undo_steps(self)
        return None

    def _too_early(self, line: Any) -> Broken:
        """Return what is wrong with a line that ends a turn which goes on, unless the next turn has ended unsaid."""
        name, tag = self.judge.table.players[line.player].name, tag_of(type(line))
        if not self.reads("open"):
            return Broken(f"{name} ends the turn, but the log goes on with it", f"no {tag} here")
        message = f"{name} ends the turn and goes on: either it had not ended, or no line says that the next one has"
        return Broken(message, f"no {tag} here, or another one after it", "unverifiable")

    def suspects(self, event: Event) -> None:
        """Note that the last decision may have ended no turn: its player goes on with a line that breaks a rule.

        Behind a gap it may as well have ended one: what stood there may explain why its player goes on.
        """
        turn_end, lines = self.judge.game.slips.turn_end, self.lines
        if turn_end is None or self.judge.has_gap or (ending_line(self) is not None and type(event) is turn_end.by):
            return
        here = lines.here
        last = next((each for each in range(here - 1, -1, -1) if isinstance(lines.events[each], Decision)), 0)
        ended: Any = lines.events[last]
        if type(ended) is turn_end.by and ended.player == getattr(event, "player", None):
            self.doubts.add_first(lines.seqs[last], "early", lines.seq)

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether the later lines bear the other fold out.

        They do not where what has put that end of a turn in doubt is wrong without it as well. They do where most is
        right with it, though a wrong number fits the next turn by chance.
        """
        if findings_of(choice.other, choice.misread.seq)[choice.doubt.line]:
            return False
        is_mostly_right = choice.other.stopped is None and 2 * mistakes(choice.other) <= mistakes(choice.best)
        return is_mostly_right or super().prefers(choice)
