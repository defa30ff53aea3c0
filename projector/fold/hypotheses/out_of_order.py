"""A player's turn that comes before that of another one, who was passed over and has it later."""

from typing import ClassVar

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.events.vocabulary.event import Chance
from tabletape.events.vocabulary.shared import PlayTakenBack
from tabletape.projector.fold.consequence_match import has_same_content
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis
from tabletape.projector.fold.hypotheses.turn_ending import turn_began
from tabletape.projector.fold.misread import How
from tabletape.projector.fold.taken_back import standing
from tabletape.projector.model.rules import Finding


class OutOfOrder(Hypothesis):
    """Reads a line out of turn as the first one of a turn that comes too soon."""

    HOW: ClassVar[tuple[How, ...]] = ("too soon",)

    def prepare(self, event: Event) -> None:
        """Find that it is another player's turn, and begin that of the player who takes it."""
        slips, table = self.judge.game.slips, self.judge.table
        if slips.turn_end is None or slips.bring_forward is None or not self.reads("too soon"):
            return
        if not _player_of(event):
            return  # a line of nobody, which has the number of the one in doubt
        verdict = slips.turn_end.rule.check(table, event)  # by the table before the turn of the other begins
        if slips.bring_forward(table, _player_of(event)):
            self.judge.find(slips.turn_end.rule, verdict, event)
            self.ledger.pass_over()

    def suspects(self, event: Event) -> None:
        """Note that a line against the rules would be right if its player's turn came now."""
        last = self.judge.last
        if last is not None and last.kind == "illegal" and self._would_fit(event):
            self.doubts.add(self.lines.seq, "too soon", self.lines.seq)

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:
        """Note the same of the line that says that a turn begins."""
        if finding is not None and finding.seq == self.lines.seq and self._would_fit(event):
            self.doubts.add(self.lines.seq, "too soon", self.lines.seq)

    def _would_fit(self, event: Event) -> bool:
        """Return whether nothing would be wrong with a line if its player's turn came before that of another."""
        bring_forward, table = self.judge.game.slips.bring_forward, self.judge.table
        if bring_forward is None or self._has_begun():
            return False
        with self.trial.tried():
            if not bring_forward(table, _player_of(event)):
                return False
            if not isinstance(event, Consequence):
                return self.trial.is_right(event)
            begun = (each.event for each in table.derived)
            return any(type(each) is type(event) and has_same_content(event, each) for each in begun)

    def _has_begun(self) -> bool:
        """Return whether the player on turn has done anything in it that was not taken back."""
        lines, mark = self.lines, turn_began(self)
        first, left = lines.place_of(mark), standing(lines.events[: lines.here], lines.seqs[: lines.here])
        acts = [(seq, each) for seq, each in left.items() if isinstance(each, Decision | Chance)]
        if first < lines.here and isinstance(lines.events[first], PlayTakenBack):
            return bool(acts) and self._is_of_turn(acts[-1][1])  # the turn was put back, perhaps to its middle
        first += mark >= lines.started_at(first)
        return first < lines.here and any(seq >= lines.seqs[first] for seq, _ in acts)

    def _is_of_turn(self, event: Event) -> bool:
        """Return whether a line is one of the player on turn, and ends none."""
        turn_end = self.judge.game.slips.turn_end
        is_end = turn_end is not None and type(event) is turn_end.by
        return _player_of(event) == self.judge.table.active and not is_end


def _player_of(event: Event) -> str:
    return getattr(event, "player", "")
