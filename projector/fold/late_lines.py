"""Consequences that are written down after the next decision of their player: late writing is no late doing.

What was so before that decision, and is written down after it as it was, accuses nobody: only where a rule says when it
has to happen, the lines in between contradict it.
"""

from typing import Any

from tabletape.events.vocabulary import Consequence
from tabletape.projector.fold.consequence_checker import ConsequenceChecker
from tabletape.projector.fold.consequence_match import has_same_content, nearest
from tabletape.projector.fold.misread import Doubt, Misread
from tabletape.projector.fold.passed_over import Group, player_of
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.rules import Broken, Rule, is_broken


class LateLines(ConsequenceChecker):
    """Reads a consequence that was right before the last decision of its player as written down late.

    Where another of its kind is due, it can as well be a wrong one: both readings of it are followed once the due one
    is written, too.
    """

    _in_place_of: tuple[tuple[Derived, int], ...] = ()

    def _differs(self, event: Consequence) -> None:
        late, due = self._as_before_last_decision(event), nearest(event, self.table.derived)
        if late is not None and (due is None or Misread(self._seq, "behind") in self.misread):
            self._note_late(event, *late)
            return
        super()._differs(event)
        if late is not None and due is not None:
            self._in_place_of = (*self._in_place_of, (due, self._seq))

    def _as_before_last_decision(self, event: Consequence) -> tuple[Rule, Group, Derived] | None:
        """Return what the log has left out before a single decision of a player, if this line says the same.

        With the rule that it would break if it were not late; None also where a rule says when it happens, or where a
        card may be the reason that nobody can check.
        """
        ruled: Any = None
        players = self.table.players
        for group, each in self._passed_over.closed_by_one_decision(self.events, self.journal_ends, players):
            if type(each.event) is not type(event) or not has_same_content(event, each.event):
                continue
            ruled = ruled or self.game.explain_mismatch(self.table, event, None)
            is_wrong = is_broken(ruled.verdict) and getattr(ruled.verdict, "kind", "") != "info"
            is_wrong = is_wrong and self.game.doubt(self.table, ruled.rule, event) is None
            if is_wrong and not (ruled.rule.says_when or self.game.by_id[each.rule].says_when):
                return ruled.rule, group, each
        return None

    def _note_late(self, event: Consequence, rule: Rule, group: Group, earlier: Derived) -> None:
        """Say where a line belongs; it has happened there as the rules say."""
        self._written.append(self._taken(group, earlier))
        player = self.table.players.get(player_of(event))
        decision = f"the next decision of {player.name}" if player else "the next decision"
        before = self.seqs[group.line]
        message = f"this is written late, after {decision}: it belongs before event {before}"
        self._find(rule, Broken(message, f"this line before event {before}", "info"), event)

    def _is_disputed(self, event: Consequence) -> bool:
        """Return whether this is what an earlier line should have said, or what is due beside one that is late."""
        disputed = [derived for derived, _ in self._disputed]
        if not super()._is_disputed(event):
            return False
        left = {id(derived) for derived, _ in self._disputed}
        settled = {id(each) for each in disputed} - left
        for due, seq in self._in_place_of:
            if id(due) in settled:
                self.open_to_doubt[Misread(seq, "behind")] = Doubt(seq, is_likelier=True)
        return True
