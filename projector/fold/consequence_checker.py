"""What a log writes down of what follows, set beside what the rules derive, and observed totals beside the table's."""

from typing import TYPE_CHECKING

import msgspec

from events.shared import GameEnded, ResultRecorded, StateObserved
from events.vocabulary import Consequence
from projector.fold.compiled_rules import in_words, numbers_of
from projector.fold.consequence_match import is_counterpart, says_the_same
from projector.fold.judging import Judging, other_than
from projector.model.game import Game
from projector.model.rulebook import Ruleset
from projector.model.rules import Broken, FindingKind, Kept, NotApplicable, Undecidable, is_broken

if TYPE_CHECKING:
    from projector.model.table import Change, Derived


class ConsequenceChecker(Judging):
    """Compares written consequences and observations with the table; each derived consequence is used once."""

    def __init__(self, game: Game, ruleset: Ruleset) -> None:
        super().__init__(game, ruleset)
        self._numbers = numbers_of(game)
        self._written: list[Derived] = []
        self._disputed: list[tuple[Derived, Consequence]] = []
        self._wrong_end: tuple[int, int] | None = None
        self._after = 0

    def _consequence(self, event: Consequence) -> None:
        """Compare a written consequence, which is not the next that the rules have derived, with all of those."""
        if (self.table.derived and self._is_derived(event)) or (self._disputed and self._is_disputed(event)):
            return
        if self._wrong_end is not None and self._goes_on_with(event):
            return
        if self.game.before is not None:
            self.game.before(self.table, event)
            if self._is_derived(event):
                return
        self._differs(event)

    def _goes_on_with(self, event: Consequence) -> bool:
        return not isinstance(event, GameEnded) and self._goes_on() and self._is_derived(event)

    def _is_derived(self, event: Consequence) -> bool:
        """Return whether the rules make this of the lines so far; each derived consequence is used once."""
        kind = type(event)
        derived = self.table.derived
        for index, each in enumerate(derived):
            other = each.event
            if type(other) is kind and says_the_same(event, other):
                self._written.append(each)
                del derived[index]
                return True
        return False

    def _is_disputed(self, event: Consequence) -> bool:
        """Return whether this is what an earlier line should have said; it then takes the place of that line."""
        for index, (derived, instead) in enumerate(self._disputed):
            if type(derived.event) is type(event) and says_the_same(event, derived.event):
                del self._disputed[index]
                enforce = self.game.enforce.get(type(event))
                if enforce is not None:
                    enforce(self.table, event, instead)
                return True
        return False

    def _differs(self, event: Consequence) -> None:
        """Say which rule a written consequence breaks, and do it all the same."""
        table = self.table
        counterpart = next((each for each in table.derived if is_counterpart(event, each.event)), None)
        expected = counterpart.event if counterpart else None
        ruled = self.game.explain_mismatch(table, event, expected)
        if counterpart is not None:
            table.derived.remove(counterpart)
            self._disputed.append((counterpart, event))
        verdict = ruled.verdict
        if verdict is None or isinstance(verdict, Kept | NotApplicable | Undecidable):
            self._note(ruled.rule, verdict, event)
        else:
            broken = verdict if isinstance(verdict, Broken) else Broken(verdict)
            kind: FindingKind = "mismatch" if broken.kind == "illegal" else broken.kind
            broken = msgspec.structs.replace(broken, kind=kind)
            self._find(
                ruled.rule,
                broken,
                event,
                because=other_than(ruled.rule, ruled.because or (counterpart.rule if counterpart else "")),
            )
        enforce = self.game.enforce.get(type(event))
        if enforce is not None and ruled.played:
            was_over, before = table.over, len(table.journal)
            enforce(table, event, expected)
            if table.over and not was_over and expected is None and is_broken(verdict):
                self._wrong_end = before, len(table.journal)

    def _goes_on(self) -> bool:
        """Take back an end that only the log knew of, where the table has gone on all the same; return whether it did.

        It has been found to be wrong already; what comes after it is no mistake because of it.
        """
        end, self._wrong_end = self._wrong_end, None
        if end is None or len(self.table.journal) != end[1]:
            return False
        self.table.revert(end[0])
        return True

    def _compare_result(self, result: ResultRecorded) -> None:
        """Find a written result that names another winner than the game has come to."""
        rule = self.game.consequence_rule
        winner = self.table.winner
        if rule is None or result.winners == ((winner,) if winner else ()):
            return
        names = " and ".join(result.winners) or "nobody"
        message = f"the result says that {names} won, the log makes it {in_words(winner or None)}"
        self._find(rule, Broken(message, in_words(winner or None), "mismatch"), result)

    def _observe(self, event: StateObserved) -> None:
        """Compare an observed total with the fold, as it is or as it was on the way since the last decision."""
        seen = list(self.game.observe(self.table, event))
        drifts = [each for each in seen if each.folded != each.seen]
        if drifts and self._fits_on_the_way(event):
            drifts = []
        broken_rules = {drift.rule.id for drift in drifts}
        for rule in {each.rule.id: each.rule for each in seen if each.rule.id not in broken_rules}.values():
            self._kept[rule.number] += 1
        self._confirm({each.because for each in seen if each.rule.id not in broken_rules})
        for drift in drifts:
            if drift.doubt is not None:
                self._note(drift.rule, drift.doubt, event)
            else:
                message = f"{drift.field} was read as {in_words(drift.seen)}, the log makes it {in_words(drift.folded)}"
                broken = Broken(message, in_words(drift.folded), "drift")
                self._find(drift.rule, broken, event, because=other_than(drift.rule, drift.because))
            if drift.adopt is not None:
                drift.adopt()

    def _confirm(self, rules: set[str]) -> None:
        """Count derived rules that an observation confirms, unless they are counted as carried out anyway."""
        carried_out = {"", *(each.rule for each in self.table.derived), *self.table.applied}
        for rule in rules - carried_out:
            self._kept[self._numbers[rule]] += 1

    def _fits_on_the_way(self, event: StateObserved) -> bool:
        table = self.table
        after = self._after
        later = {each.mark for each in (*self._written, *table.derived) if each.mark > after}
        marks = sorted({after, *later}, reverse=True)
        undone: list[Change] = []
        fits = False
        for mark in marks:
            undone = table.undo(mark) + undone
            if all(each.folded == each.seen for each in self.game.observe(table, event)):
                fits = True
                break
        table.redo(undone)
        return fits
