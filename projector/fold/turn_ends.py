"""Turns that ended otherwise than the log says: a line that ends one is missing, has a wrong name or is one too many.

Such a slip is found at the line that contradicts it. Both readings of that line are followed (see `folding`): here it
is looked whether there are two, and the second one is carried out.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from tabletape.events.vocabulary import Consequence, Decision, Event, Remark, tag_of
from tabletape.events.vocabulary.shared import CardsDrawn
from tabletape.projector.fold.compiled_rules import Step
from tabletape.projector.fold.consequence_match import has_same_content
from tabletape.projector.fold.draws import places_of_parts
from tabletape.projector.fold.judging import Judging
from tabletape.projector.fold.late_lines import LateLines
from tabletape.projector.fold.misread import Doubt, Misread
from tabletape.projector.model.game import TurnEnd
from tabletape.projector.model.rules import Broken, Rule


class TurnEnds(LateLines):
    """Reads a line that is out of turn as the first one after the end of a turn, and an end that is one as none."""

    _steps: dict[type, Step]

    def _differs(self, event: Consequence) -> None:
        doubt = self._doubt_after_end(lambda: self._would_be_derived(event), event)
        super()._differs(event)
        found = self._found[-1] if self._found else None
        if doubt is None or found is None or found.seq != doubt.line:
            return
        if found.kind == "mismatch":
            self.open_to_doubt[Misread(doubt.line, "late")] = doubt
        elif found.kind == "info":  # written late: nothing is wrong with that
            self.open_to_doubt[Misread(doubt.line, "late")] = doubt._replace(is_likelier=False)

    def _end_turn_before(self, event: Event) -> None:
        """End the turn that is going on, where the log has left that line out and goes on with this one."""
        turn_end, seq = self.game.turn_end, self._seq
        is_missing = Misread(seq, "late") in self.misread
        if turn_end is None or not (is_missing or Misread(seq, "inserted") in self.misread):
            return
        if turn_end.line(self.table) is None and self.game.before is not None:
            self.game.before(self.table, event)  # the first turn may begin only with a line that needs it
        line: Any = turn_end.line(self.table)
        if line is None:
            return
        if is_missing:
            name = self.table.players[line.player].name
            message = f"no line says that the turn of {name} has ended, and the log goes on after it"
            self._find(turn_end.rule, Broken(message, f"{tag_of(type(line))} by {name}", "missing"), event)
        if self.table.derived:
            self._passed_over.add(len(self.journal_ends), self.table.derived)
        self._disputed.clear()
        self._draw_lost(turn_end.lost_with_it)
        self._end_turn(turn_end, line, event)

    def _end_turn(self, turn_end: TurnEnd, line: Any, event: Event) -> None:
        """Carry out a line that ends a turn before another line, and the draw behind it that is not written either.

        Behind a consequence of the end it may still be written.
        """
        self._carry_out(line)
        if not isinstance(event, Consequence) and not (isinstance(event, CardsDrawn) and event.player == line.player):
            self._draw_lost(turn_end.lost_behind_it)

    def _draw_lost(self, rules: Iterable[Rule]) -> None:
        """Draw what is due by some rules, and what nobody writes who forgets the end of a turn.

        Of draws that are due by one rule any is right, as from either of two decks: which it was is open.
        """
        lost = {rule.id for rule in rules}
        found = [due for due in self.game.due(self.table) if due.rule in lost] if lost else []
        by_rule = Counter(due.rule for due in found)
        for due in found:
            if by_rule[due.rule] == 1 and issubclass(due.line, CardsDrawn) and due.asked is not None:
                self._carry_out(due.event(count=due.asked.most))

    def _carry_out(self, line: Event) -> None:
        if self.game.before is not None:
            self.game.before(self.table, line)
        self.game.play[type(line)](self.table, line)
        self._after = len(self.table.journal)
        self.game.settle(self.table)

    def _as_it_was(self, event: Event, *, failed: bool) -> Event | None:
        """Return what the table did of a decision or chance line: nothing where it has ended no turn."""
        if failed and isinstance(event, CardsDrawn):
            for place in places_of_parts(self.events, len(self.journal_ends)):
                self.open_to_doubt.setdefault(Misread(self.seqs[place], "part"), Doubt(self._seq))
        turn_end = self.game.turn_end
        line: Any = None if turn_end is None else turn_end.line(self.table)
        if turn_end is None:
            return event
        if line is None:
            if failed:
                self._doubt_earlier(turn_end, event)
            return event
        if Misread(self._seq, "early") in self.misread:
            self._find(turn_end.rule, self._too_early(line), event)
            return self._as_read(event, "")
        is_end = type(event) is type(line)
        is_misnamed = (is_end or type(event) in turn_end.also) and getattr(event, "player", "") != line.player
        if Misread(self._seq, "wrong") in self.misread:
            if is_misnamed:
                self._name_end(turn_end, line, event)
            return self._as_read(event, line.player if is_misnamed else "")
        if failed:
            self._doubt_end(turn_end, event, is_doubtful=is_end or is_misnamed)
        return event

    def _name_end(self, turn_end: TurnEnd, line: Any, event: Event) -> None:
        """Note about an end that repeats the one before it that an empty turn has ended with it."""
        finding = self._found[-1] if self._found else None
        if finding is None or (finding.seq, finding.kind) != (self._seq, "info"):
            return
        self._withdraw(finding)
        players, tag = self.table.players, tag_of(type(line))
        ended, name = (players[each].name for each in (getattr(event, "player", line.player), line.player))
        message = f"the turn of {ended} has ended already, and no line says that the turn of {name} has ended"
        broken = Broken(f"{message}; this may be that line, under another name", f"{tag} by {name}", "missing")
        self._find(turn_end.rule, broken, event)

    def _too_early(self, line: Any) -> Broken:
        """Return what is wrong with a line that ends a turn which goes on, unless the next turn has ended unsaid."""
        name, tag = self.table.players[line.player].name, tag_of(type(line))
        if Misread(self._seq, "open") not in self.misread:
            return Broken(f"{name} ends the turn, but the log goes on with it", f"no {tag} here")
        message = f"{name} ends the turn and goes on: either it had not ended, or no line says that the next one has"
        return Broken(message, f"no {tag} here, or another one after it", "unverifiable")

    def _as_read(self, event: Event, player: str) -> Event | None:
        """Return what was done in place of a line that ends a turn: the same by another `player`, or nothing."""
        self._undo_steps()
        if not player:
            return None
        read = msgspec.structs.replace(event, player=player)
        self._take_steps(read)
        return read

    def _take_steps(self, line: Event) -> None:
        """Take the automatic steps that a line needs first."""
        if self.game.before is not None:
            self.game.before(self.table, line)
            self.automatic_ends[len(self.journal_ends)] = len(self.table.journal)

    def _undo_steps(self) -> None:
        """Take back the automatic steps that a line needed first: the table has not done it."""
        table, length = self.table, self.journal_ends[-1]
        if len(table.journal) > length:
            table.undo(length)
            table.derived = [each for each in table.derived if each.mark <= length]
            self.automatic_ends.pop(len(self.journal_ends), None)

    def _doubt_end(self, turn_end: TurnEnd, event: Any, *, is_doubtful: bool) -> None:
        """Note in which ways a line that breaks a rule may be read otherwise."""
        if is_doubtful:
            self.open_to_doubt[Misread(self._seq, "wrong")] = Doubt(self._seq)
        is_end = type(event) is turn_end.by
        if not is_end:
            self._doubt_earlier(turn_end, event)
        if self._found[-1].kind == "illegal":
            doubt = self._doubt_after_end(lambda: self._would_be_right(event), event)
            if doubt is not None:
                self.open_to_doubt[Misread(doubt.line, "late")] = doubt._replace(
                    is_likelier=not is_end and doubt.is_likelier
                )
            if turn_end.may_be_followed_by_own:
                self._doubt_beginning(turn_end, event)

    def _doubt_earlier(self, turn_end: TurnEnd, event: Event) -> None:
        """Note that the last decision may have ended no turn: its player goes on with a line that breaks a rule.

        Behind a gap it may as well have ended one: what stood there may explain why its player goes on.
        """
        if self.has_gap:
            return
        here = len(self.journal_ends)
        last = next((each for each in range(here - 1, -1, -1) if isinstance(self.events[each], Decision)), 0)
        ended: Any = self.events[last]
        if type(ended) is turn_end.by and ended.player == getattr(event, "player", None):
            self.open_to_doubt.setdefault(Misread(self.seqs[last], "early"), Doubt(self._seq))

    def _doubt_beginning(self, turn_end: TurnEnd, event: Any) -> None:
        """Note that this may be the player's next turn, and that no line of the one before it is written down."""
        lines = ((seq, each) for seq, each in self._since_turn_began() if not isinstance(each, Consequence | Remark))
        first = next((seq for seq, each in lines if type(each) is not turn_end.by), 0)
        if first and getattr(event, "player", "") == self.table.active:
            self.open_to_doubt.setdefault(Misread(first, "late"), Doubt(self._seq))

    def _would_be_derived(self, event: Consequence) -> bool:
        derived = [each.event for each in self.table.derived]
        return any(type(each) is type(event) and has_same_content(event, each) for each in derived)

    def _would_be_right(self, event: Event) -> bool:
        """Return whether nothing is wrong with a decision or chance line now."""
        return self._broken_by(event) == set()

    def _broken_by(self, event: Event) -> set[str] | None:
        """Return the rules that a line would break now; None where it could not be played at all.

        Nothing is counted or kept.
        """
        act, _, _ = self._steps[type(event)]
        if act is None or self.game.gate(self.table, event) is not None:
            return None
        trial = Judging(self.game, self.ruleset)
        trial.table = self.table
        trial.breaks_a_rule(act[1], event)
        return {each.rule for each in trial.raw_findings if each.kind != "unverifiable"}

    def _doubt_after_end(self, look: Callable[[], bool], event: Event) -> Doubt | None:
        """Return a doubt about a line with which nothing would be wrong if the turn had ended before it.

        `look` says whether nothing is wrong then; the table stays as it is. That the end is missing is likely where the
        turn has had lines of its player.
        """
        table, after, turn_end = self.table, self._after, self.game.turn_end
        line: Any = None if turn_end is None else turn_end.line(table)
        if turn_end is None or line is None or not self._may_be_lost(turn_end, line):
            return None
        length, kept = len(table.journal), ([*table.derived], table.newly_applied, [*table.rests])
        table.derived = []
        self._draw_lost(turn_end.lost_with_it)
        # What follows from the draw alone may as well be written before it.
        follows_draw = isinstance(event, Consequence) and len(table.journal) > length and look()
        self._end_turn(turn_end, line, event)
        if self.game.before is not None:
            self.game.before(table, event)
        seen = not follows_draw and look()
        table.undo(length)
        table.derived, table.newly_applied, table.rests[:] = kept
        self._after = after
        return Doubt(self._seq, self._has_begun(line.player, event)) if seen else None

    def _may_be_lost(self, turn_end: TurnEnd, line: Event) -> bool:
        """Return whether nothing stands before the end of a turn but what is lost with it."""
        gate = self.game.gate(self.table, line)
        broken = self._broken_by(line) if gate is None else {gate.rule.id}
        return broken is not None and broken <= {rule.id for rule in turn_end.lost_with_it}

    def _has_begun(self, player: str, event: Event) -> bool:
        """Return whether a line since the turn of a player began, or the one at hand, is one of that player's."""
        lines = [*(each for _, each in self._since_turn_began()), event]
        return any(getattr(each, "player", "") == player and not isinstance(each, Remark) for each in lines)

    def _since_turn_began(self) -> Iterator[tuple[int, Event]]:
        """Yield the lines since the turn began that is going on, with their numbers."""
        table, journal = self.table, self.table.journal
        changes = range(len(journal) - 1, -1, -1)
        began = next((each for each in changes if journal[each][0] is table and journal[each][1] == "active"), 0)
        for place in range(bisect_right(self.journal_ends, began), len(self.journal_ends)):
            yield self.seqs[place], self.events[place]
