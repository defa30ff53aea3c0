"""A line that ends a turn and has a wrong name, or ends none at all."""

from typing import Any, ClassVar

import msgspec

from tabletape.events.vocabulary import Event, tag_of
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis
from tabletape.projector.fold.hypotheses.turn_ending import ending_line, take_steps, undo_steps
from tabletape.projector.fold.misread import How
from tabletape.projector.model.game import TurnEnd
from tabletape.projector.model.rules import Broken


class MisnamedEnd(Hypothesis):
    """Reads a line that ends a turn as that of the player who is on turn, or where it is that already as nothing."""

    HOW: ClassVar[tuple[How, ...]] = ("misnamed",)

    def read(self, event: Event) -> Event | None:
        """Return the same line by the player on turn, or nothing where it is that player's."""
        line, turn_end = ending_line(self), self.judge.game.slips.turn_end
        if line is None or turn_end is None or not self.reads("misnamed"):
            return event
        is_misnamed = _is_misnamed(turn_end, line, event)
        if is_misnamed:
            self._name_end(turn_end, line, event)
        undo_steps(self)
        if not is_misnamed or not line.player:
            return None
        read = msgspec.structs.replace(event, player=line.player)
        take_steps(self, read)
        return read

    def _name_end(self, turn_end: TurnEnd, line: Any, event: Event) -> None:
        """Note about an end that repeats the one before it that an empty turn has ended with it."""
        finding = self.judge.last
        if finding is None or (finding.seq, finding.kind) != (self.lines.seq, "info"):
            return
        self.judge.withdraw(finding)
        players, tag = self.judge.table.players, tag_of(type(line))
        ended, name = (players[each].name for each in (getattr(event, "player", line.player), line.player))
        message = f"the turn of {ended} has ended already, and no line says that the turn of {name} has ended"
        broken = Broken(f"{message}; this may be that line, under another name", f"{tag} by {name}", "missing")
        self.judge.find(turn_end.rule, broken, event)

    def suspects(self, event: Event) -> None:
        """Note that a line which ends a turn, or may, and breaks a rule may have ended none, or another player's."""
        line, turn_end = ending_line(self), self.judge.game.slips.turn_end
        if line is None or turn_end is None:
            return
        if type(event) is type(line) or _is_misnamed(turn_end, line, event):
            self.doubts.add(self.lines.seq, "misnamed", self.lines.seq)


def _is_misnamed(turn_end: TurnEnd, line: Any, event: Event) -> bool:
    """Return whether a line ends a turn, or may, and has another name than that of the player on turn."""
    is_end = type(event) is type(line) or type(event) in turn_end.also
    return is_end and getattr(event, "player", "") != line.player
