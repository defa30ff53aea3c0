"""A replay that remembers for every step which rules it looked at and what it derived, for people to read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tabletape.events.vocabulary import Event
from tabletape.projector.fold.compiled_rules import CHOICE, FIRST, SEVERAL, Compiled
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.misread import Misread
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import NOT_APPLICABLE, Rule, Verdict

if TYPE_CHECKING:
    from tabletape.projector.model.changes import Derived


class ObservingJudge(Judge):
    """A judge that remembers its verdicts by the number of the line; `mark` is the journal's length at the last one."""

    def __init__(self, game: Game, lines: Lines | None = None) -> None:
        super().__init__(game, lines)
        self.verdicts: dict[int, list[tuple[Rule, Verdict]]] = {}
        self.mark = 0

    def judge(self, row: tuple[Compiled, ...], event: Event) -> bool:
        """Make the tests of a row one by one; return whether a line breaks one."""
        self.mark = len(self.table.journal)
        any_failed = False
        for check, number, stops in row:
            if number == FIRST:
                failed = any(self.judge((test,), event) for test in check)
            elif number == SEVERAL:
                failed = self.judge_each(check(self.table, event), event)
            else:
                chosen = check(self.table, event) if number == CHOICE else None
                rule = self.game.rules[number if chosen is None else chosen.number]
                verdict = check(self.table, event) if chosen is None else chosen.check(self.table, event)
                failed = self.note(rule, verdict, event)
            any_failed = any_failed or failed
            if failed and stops:
                break
        return any_failed

    def judge_each(self, verdicts: Iterable[tuple[Rule, Verdict]], event: Event) -> bool:
        """Take rules with their verdicts; return whether one failed."""
        failed = [self.note(rule, verdict, event) for rule, verdict in verdicts]
        return True in failed

    def note(self, rule: Rule, verdict: Verdict, event: Event) -> bool:
        """Remember a verdict, count it and keep what is wrong; return whether the rule is broken."""
        self.mark = len(self.table.journal)
        if verdict is not NOT_APPLICABLE:
            self.verdicts.setdefault(self._lines.seq, []).append((rule, verdict))
        return super().note(rule, verdict, event)


class Traced(Replay):
    """A replay that remembers for every step which rules it looked at and what it derived, for people to read.

    `marks` holds, for decisions and chance lines, the journal's length just before the event was carried out.
    """

    JUDGE: ClassVar[type[Judge]] = ObservingJudge

    judge: ObservingJudge

    def __init__(
        self,
        game: Game,
        ruleset: Ruleset,
        library: Mapping[str, Any] | None = None,
        misread: frozenset[Misread] = frozenset(),
    ) -> None:
        super().__init__(game, ruleset, library, misread)
        self.follows: dict[int, list[Derived]] = {}
        self.marks: dict[int, int] = {}
        steps = self.loop.steps.items()
        self.loop.steps = {kind: (act and (None, *act[1:]), content, step) for kind, (act, content, step) in steps}

    @property
    def verdicts(self) -> dict[int, list[tuple[Rule, Verdict]]]:
        """The rules that were looked at for each line, by its number, with their verdicts."""
        return self.judge.verdicts

    def _fold(self, events: Sequence[Event]) -> None:
        for event in events:
            super()._fold((event,))
            if type(event) in self.game.play:
                seq = self.seqs[len(self.journal_ends) - 1]
                self.follows[seq] = list(self.table.derived)
                self.marks[seq] = self.judge.mark
