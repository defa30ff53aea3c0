"""The judge: makes the tests of a line, counts their verdicts, and keeps what is wrong as findings."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import takewhile
from operator import attrgetter
from typing import Any, Final, Literal

import msgspec

from tabletape.events.rules_file.lines import name_of
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.fold.compiled_rules import CHOICE, SEVERAL, Compiled, finding_of, rows_of
from tabletape.projector.fold.consequence_match import content_of
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.suppositions import Suppositions
from tabletape.projector.model.game import Game, RuleVerdict
from tabletape.projector.model.rules import HARD, Case, Rule
from tabletape.projector.model.table import Table
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Finding, Kept, Undecidable, Verdict

SEQ: Final = attrgetter("seq")
TAINTING_KINDS: Final = frozenset({"illegal", "missing"})


class Waiting(msgspec.Struct, frozen=True):
    """A verdict that waits for a card to be shown."""

    event: Event
    seq: int
    rule: Rule
    verdict: Undecidable
    tainted: bool


class Decided(msgspec.Struct, frozen=True):
    """A verdict that waited for a card, decided by the line `by` that showed it; without a finding the rule is kept."""

    by: int
    waiting: Waiting
    finding: Finding | None


GAP_EXPLAINS: Final = "could not be read, which may explain it"
"""How ends what is said of a finding near lines that could not be read."""

GAP_BEFORE: Final = f"lines before this {GAP_EXPLAINS}"
"""What is said of one behind them."""


class Judge:
    """Rules on lines at a table; `kept` and `broken` count the verdicts by the number of the rule.

    What `agreed` holds is not counted yet.
    """

    table: Table[Any, Any]
    tainted_from: int = 0
    suppositions: Suppositions | None = None
    _in_part: tuple[Callable[[Rule, Event], bool], ...] = ()
    _gap: Literal["", "set-up", "any"] = ""
    _decided: tuple[Decided, ...] = ()

    def __init__(self, game: Game, lines: Lines | None = None) -> None:
        """Rule on `lines`, whose numbers the findings name; without them on any line that is asked about."""
        self.game = game
        self._lines = lines or Lines()
        self.kept = [0] * len(game.rules)
        self.broken = [0] * len(game.rules)
        self.found: list[Finding] = []
        self._waiting: list[Waiting] = []
        self.agreed: list[AllPassed] = []
        self.rows = rows_of(game)
        behind_gaps = game.slips.behind_gaps
        self._behind_gaps = behind_gaps() if behind_gaps is not None else None

    @property
    def raw_findings(self) -> list[Finding]:
        """All findings in the order of the events, with those that the log never decides as unverifiable.

        None of them says yet which one it follows from.
        """
        if not self._waiting:
            return sorted(self.found, key=SEQ)
        undecided = [
            finding_of(
                each.rule,
                Broken(each.verdict.message, "", "unverifiable"),
                each.event,
                seq=each.seq,
                tainted=each.tainted,
            )
            for each in self._waiting
        ]
        return sorted([*self.found, *undecided], key=SEQ)

    def judge(self, row: tuple[Compiled, ...], event: Event) -> bool:
        """Make the tests of a row, in order; return whether a line breaks one."""
        table = self.table
        times_kept = self.kept
        any_failed = False
        for check, number, stops in row:
            if number >= 0:
                verdict = check(table, event)
                if verdict is None:
                    times_kept[number] += 1
                    continue
                failed = verdict is not NOT_APPLICABLE and self.note(self.game.rules[number], verdict, event)
            elif number == SEVERAL:
                judged = check(table, event)
                if type(judged) is AllPassed:
                    self.agreed.append(judged)
                    continue
                failed = self.judge_each(judged, event)
            elif number == CHOICE:
                failed = self._fails(check(table, event), event)
            else:
                failed = self._first_fails(check, event)
            if failed:
                any_failed = True
                if stops:
                    break
        return any_failed

    def count_agreed(self) -> None:
        """Count the rules of the answers that all is kept."""
        times_kept = self.kept
        for answer, times in Counter(self.agreed).items():
            for rule, _ in answer:
                times_kept[rule.number] += times
        self.agreed.clear()

    def judge_each(self, verdicts: Iterable[tuple[Rule, Verdict]], event: Event) -> bool:
        """Take rules with their verdicts; return whether one failed."""
        failed = False
        times_kept = self.kept
        for rule, verdict in verdicts:
            if verdict is None:
                times_kept[rule.number] += 1
            elif verdict is not NOT_APPLICABLE and self.note(rule, verdict, event):
                failed = True
        return failed

    def _fails(self, rule: Rule | Case, event: Event) -> bool:
        """Make one test; return whether it failed."""
        verdict = rule.check(self.table, event)
        if verdict is None:
            self.kept[rule.number] += 1
            return False
        return verdict is not NOT_APPLICABLE and self.note(self.game.rules[rule.number], verdict, event)

    def _first_fails(self, tests: tuple[Compiled, ...], event: Event) -> bool:
        """Make tests up to the first that fails; return whether one failed."""
        for check, number, stops in tests:
            if number >= 0:
                verdict = check(self.table, event)
                if verdict is None:
                    self.kept[number] += 1
                elif verdict is not NOT_APPLICABLE and self.note(self.game.rules[number], verdict, event):
                    return True
            elif number == CHOICE:
                if self._fails(check(self.table, event), event):
                    return True
            elif self.judge(((check, number, stops),), event):
                return True
        return False

    def note(self, rule: Rule, verdict: Verdict, event: Event) -> bool:
        """Count a verdict and keep what is wrong; return whether the rule is broken."""
        if verdict is None or isinstance(verdict, Kept):
            self.kept[rule.number] += 1
            return False
        if verdict is NOT_APPLICABLE:
            return False
        if isinstance(verdict, Undecidable):
            if not (verdict.once and self._is_reported(verdict)):
                self._waiting.append(Waiting(event, self._lines.seq, rule, verdict, self.is_tainted(self._lines.seq)))
            return False
        if isinstance(verdict, str) or (isinstance(verdict, Broken) and verdict.kind == "illegal"):
            doubt = self.doubt(rule, event)
            if doubt is not None:
                return self.note(doubt.rule, doubt.verdict, event)
        self.find(rule, verdict, event)
        return True

    def doubt(self, rule: Rule, event: Event) -> RuleVerdict | None:
        """Return the doubt whether a line breaks a rule, as far as the lines before it leave room for it."""
        doubt = self.game.slips.doubt(self.table, rule, event)
        if doubt is None or not isinstance(doubt.verdict, Undecidable):
            return doubt
        left = self.left_of(doubt.verdict, rule, event)
        return msgspec.structs.replace(doubt, verdict=left) if left is not None else None

    def left_of(self, doubt: Undecidable | None, rule: Rule, event: Event) -> Undecidable | None:
        """Return what the lines so far leave of a doubt whether a line breaks a rule."""
        return doubt if self.suppositions is None else self.suppositions.left_of(doubt, rule, event, self.found)

    @property
    def last(self) -> Finding | None:
        """The finding that was kept last."""
        return self.found[-1] if self.found else None

    def _is_reported(self, verdict: Undecidable) -> bool:
        return any(each.verdict.message == verdict.message for each in self._waiting)

    @property
    def has_gap(self) -> bool:
        """Whether lines that could not be read may explain what is found now."""
        return self._gap == "any" or (self._gap == "set-up" and not self.table.turn)

    @property
    def is_behind_set_up_gap(self) -> bool:
        """Whether a line of the set-up could not be read, and is taken for what is due there."""
        return self._gap == "set-up"

    def may_explain(self, rule: Rule) -> bool:
        """Return whether lines that could not be read may explain what a rule finds that looks beyond its line."""
        return self.has_gap and rule.rests_on != "line" and not self._stands_behind(rule)

    def _stands_behind(self, rule: Rule) -> bool:
        """Return whether a rule reads nothing in this line that unread ones may have changed, as far as one knows."""
        return self._behind_gaps is not None and self._behind_gaps.leave(rule.id, self._lines, self.table)

    def leave_gap(self, *, is_as_due: bool) -> None:
        """Know that a line could not be read; one of the set-up that did what is due there explains no later turn."""
        self._gap = "set-up" if is_as_due and self._gap != "any" else "any"

    def find(  # noqa: PLR0913 - what is found, where, and on what it hangs
        self, rule: Rule, verdict: Any, event: Event, *, because: str = "", seq: int = 0, follows: int = 0
    ) -> None:
        """Keep a finding, which may follow from another line; the first illegal one taints what comes after it."""
        broken = verdict if isinstance(verdict, Broken) else Broken(str(verdict))
        because = because or other_than(rule, broken.because)
        seq = seq or self._lines.seq
        if broken.kind != "info" and any(explains(rule, event) for explains in self._in_part):
            self._gap = "any"
        if self.may_explain(rule) and broken.kind != "info":
            if isinstance(event, DeckDeclared):  # who has which cards stays open then, and all turns hang on that
                self._gap = "any"
            broken = after_a_gap(broken)
        else:
            self.broken[rule.number] += 1
        says = self.game.by_id.get(broken.because)
        finding = finding_of(rule, broken, event, seq=seq, tainted=self.is_tainted(seq), because=because, says=says)
        self.found.append(msgspec.structs.replace(finding, follows=follows) if follows else finding)
        if broken.kind in TAINTING_KINDS and not self.is_tainted(seq):
            self.tainted_from = seq

    def know_in_part(self, explains: Callable[[Rule, Event], bool]) -> None:
        """Know a deck list only as far as the lines name its cards; `explains` says what may hang on the rest of it.

        What is found first of what does makes all behind it doubtful.
        """
        self._in_part = (*self._in_part, explains)

    def forget_verdicts(self) -> None:
        """Take back every finding and every count."""
        self.found.clear()
        self._waiting.clear()
        self.agreed.clear()
        self._decided = ()
        self.tainted_from = 0
        self.kept[:] = self.broken[:] = [0] * len(self.kept)

    def is_tainted(self, seq: int) -> bool:
        """Return whether a line comes behind the first illegal one."""
        return 0 < self.tainted_from < seq

    def decide_waiting(self) -> None:
        """Decide the verdicts that waited for the cards that have just been shown."""
        for was, card in self.table.recognised:
            for waiting in [each for each in self._waiting if each.verdict.card == was and each.verdict.later]:
                self._waiting.remove(waiting)
                later: Any = waiting.verdict.later
                verdict = later(card.text)
                if isinstance(verdict, Undecidable):  # this card decides nothing: another one may
                    if not (verdict.once and self._is_reported(verdict)):
                        self._waiting.append(msgspec.structs.replace(waiting, verdict=verdict))
                    continue
                if verdict is None:
                    self.kept[waiting.rule.number] += 1
                else:
                    self.find(waiting.rule, verdict, waiting.event, seq=waiting.seq)
                finding = None if verdict is None else self.found[-1]
                self._decided = (*self._decided, Decided(self._lines.seq, waiting, finding))
        self.table.recognised.clear()

    def wait_again(self, to: int) -> None:
        """Make verdicts on lines up to `to` wait again that lines behind it have decided, which are taken back."""
        for each in [each for each in self._decided if each.by > to >= each.waiting.seq]:
            self._waiting.append(each.waiting)
            if each.finding is None:
                self.kept[each.waiting.rule.number] -= 1
            else:
                self.withdraw(each.finding)
        self._decided = tuple(each for each in self._decided if each.by <= to)

    def doubt_from(self, seq: int) -> None:
        """Turn the accusations of the lines from `seq` on into what the log cannot tell: a gap comes behind them."""
        by_id = self.game.by_id
        open_to_it = [each for each in self.found if each.seq >= seq and by_id[each.rule].rests_on != "line"]
        for finding in [each for each in open_to_it if each.kind in HARD]:
            place = self.found.index(finding)
            self.withdraw(finding)
            message = f"{finding.message.removesuffix('.')}; lines behind this {GAP_EXPLAINS}"
            self.found.insert(place, msgspec.structs.replace(finding, kind="unverifiable", message=message))

    def takes_as_repeated(self, event: Event) -> bool:
        """Return whether a line of the set-up that breaks a rule says what the last one says, and note only that.

        Each of these is said once, so whoever writes one again, word for word, has not done it again.
        """
        lines = self._lines
        if not self._says_set_up_again(event):  # first, as in a log of many mistakes there is much to look through
            return False
        seq = lines.seq
        of_line = takewhile(lambda each: each.seq == seq, reversed(self.found))
        mine = [each for each in of_line if each.kind in TAINTING_KINDS][::-1]
        if not mine:
            return False
        for finding in mine:
            self.withdraw(finding)
        self._waiting = [each for each in self._waiting if each.seq != seq]
        says = f"this says again what event {lines.seqs[lines.last_act]} says"
        self.find(self.game.by_id[mine[0].rule], Broken(says, "no second line", "info"), event)
        return True

    def _says_set_up_again(self, event: Event) -> bool:
        lines, table = self._lines, self.table
        last, content = lines.last_act, content_of(type(event))
        said = lines.events[last]
        if not last or type(said) is not type(event) or content(said) != content(event):
            return False
        if name_of(event) or isinstance(event, self.game.slips.chosen):
            return False  # A move of a game's file is none of the set-up: its game may have no turns.
        since = table.journal[lines.started_at(last) :]
        turn_then = next(
            (before for thing, field, before, _ in since if thing is table and field == "turn"), table.turn
        )
        return not turn_then

    def withdraw(self, finding: Finding) -> None:
        """Take a finding back, with what it counts and taints."""
        last = range(len(self.found) - 1, -1, -1)
        del self.found[next(at for at in last if self.found[at] is finding)]
        rule = self.game.by_id[finding.rule]
        if not finding.message.endswith(GAP_EXPLAINS):
            self.broken[rule.number] -= 1
        if self.tainted_from == finding.seq:
            self.tainted_from = min((each.seq for each in self.found if each.kind in TAINTING_KINDS), default=0)


def after_a_gap(broken: Broken) -> Broken:
    """Return what is wrong as something that the log cannot tell: lines before it could not be read."""
    message = f"{broken.message.removesuffix('.')}; {GAP_BEFORE}"
    return msgspec.structs.replace(broken, kind="unverifiable", message=message)


def other_than(rule: Rule, because: str) -> str:
    """Return the rule that a finding contradicts, unless it is the one that it names anyway."""
    return "" if because == rule.id else because
