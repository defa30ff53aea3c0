"""The loop: for each decision or chance line, check the rules, play it as far as possible, and settle what follows.

A consequence that the log writes down is compared with the derived one; an observed total that differs is a drift and
the table's value wins. After an illegal event the loop goes on with what the table did.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from tabletape.events.vocabulary import Consequence, Event, Remark
from tabletape.events.vocabulary.shared import (
    GameStarted,
    LogGap,
    PhaseStarted,
    PlayTakenBack,
    ResultRecorded,
    StateObserved,
)
from tabletape.projector.fold.compiled_rules import Act, Play, judging_of, kept_with
from tabletape.projector.fold.consequence_match import content_of
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.hypotheses import Hypotheses
from tabletape.projector.fold.judge import SEQ, Judge
from tabletape.projector.fold.ledger import Ledger
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.lost_lines import LostLines
from tabletape.projector.fold.misread import Misread
from tabletape.projector.fold.observations import Observations
from tabletape.projector.fold.suppositions import Suppositions
from tabletape.projector.fold.taken_back import TakeBacks
from tabletape.projector.fold.written import WrittenLines
from tabletape.projector.model.game import Game, RuleVerdict
from tabletape.projector.model.rules import AllPassed, Broken, Test
from tabletape.projector.model.table import CannotFoldError

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

Step = tuple[Act | None, Callable[[Any], Any] | None, Any]
"""What the loop does with an event: the act, for a decision or chance line; else the method that folds it.

Between them is what reads all that a written consequence says, where the event is one.
"""


class Loop:
    """Folds the lines of a game at the table of a judge.

    `ledger` holds what the rules derive, `written` compares it with the log, `observations` what was read off the
    table; `doubts` says what is misread and what may be, `result` how the log says that the game went.
    """

    result: ResultRecorded | None = None

    def __init__(self, lines: Lines, judge: Judge, doubts: Doubts, anew: "Callable[[], Replay]") -> None:
        """Fold `lines` with a judge; `anew` begins another fold of the same game."""
        self.game = judge.game
        self.lines = lines
        self.judge = judge
        self.doubts = doubts
        self.ledger = Ledger(lines, judge)
        self.written = WrittenLines(lines, judge, self.ledger, doubts)
        self.observations = Observations(lines, judge, self.ledger, doubts)
        self._anew = anew
        judge.suppositions = Suppositions(lines, self.ledger.passed_over, anew)
        self._before, self._gate, self._settle = self.game.before, self.game.gate, self.game.settle
        self._is_misread = bool(doubts.misread)
        self.steps = _steps_of(self.game)

    # What few games need is made when the first line asks for it.

    @cached_property
    def _hypotheses(self) -> Hypotheses:
        return Hypotheses(self.lines, self.judge, self.ledger, self.doubts)

    @cached_property
    def _second_records(self) -> dict[int, Misread]:
        return {each.seq: each for each in sorted(self.doubts.misread, key=SEQ) if each.how == "second"}

    @cached_property
    def take_backs(self) -> TakeBacks:
        """What puts the table back to what it was."""
        return TakeBacks(self.lines, self.judge, self.ledger, self.written, self.observations)

    def fold(self, events: Sequence[Event]) -> None:  # noqa: C901, PLR0912, PLR0915 - every line comes through here: each call is felt
        """Fold events: act on a decision or chance line, compare what follows with the derived."""
        judge, table, ledger, lines = self.judge, self.judge.table, self.ledger, self.lines
        before, gate, settle, steps = self._before, self._gate, self._settle, self.steps
        journal, applied, recognised = table.journal, table.applied, table.recognised
        journal_ends, written, disputed, passed_over = (
            lines.journal_ends,
            ledger.written,
            ledger.disputed,
            ledger.passed_over,
        )
        agreed, readings, is_misread = judge.agreed, self.observations.readings, self._is_misread
        free, length = None, len(journal)
        for event in events:
            act, content, step = steps[type(event)]
            if act is not None:
                look, row, play, freely = act
                if free and freely is not None and event.player == free:  # type: ignore[attr-defined]  # it has a player
                    play, gated = freely, None
                else:
                    if readings or is_misread:
                        self._prepare(event)
                    if before is not None:
                        before(table, event)
                        if (automatic := len(journal)) != length:
                            lines.automatic_ends[len(journal_ends)] = automatic
                    if (gated := gate(table, event)) is not None:
                        gated = self._goes_on_to(event, gated)
                judged = look(table, event) if gated is None and look is not None else None
                if type(judged) is AllPassed:  # as nearly always
                    agreed.append(judged)
                    failed = False
                else:
                    failed = gated is not None or (
                        judge.judge(row, event) if judged is None else judge.judge_each(judged, event)
                    )
                if failed or is_misread:
                    free = None
                    self._carry_out(event, play, gated, failed=failed)
                else:
                    # What the rules made of the lines so far and nobody contradicted is carried out.
                    table.carried_out = len(applied)
                    # The log goes on: what it has not written down of what follows has happened as derived.
                    if derived := table.derived:
                        passed_over.new.append((len(journal_ends), derived))
                        table.derived = []
                    if disputed:
                        disputed.clear()
                    play(table, event)
                    lines.after = len(journal)
                    free = settle(table)
                if recognised:
                    judge.decide_waiting()
                length = len(journal)
            # Of what is written down about what follows, nearly all is the next that the rules have derived.
            elif (
                content is not None
                and (derived := table.derived)
                and type(first := derived[0].event) is type(event)
                and content(event) == content(first)
            ):
                written.append(derived.pop(0))
            else:
                if content is not None and (is_misread or self.written.back is not None):
                    self._come_to_written(event)
                step(self, event)
                free, length = None, len(journal)
            journal_ends.append(length)

    def _prepare(self, event: Event) -> None:
        """Decide what was read on the way, and what was misread before a line that may not go with it."""
        self.observations.decide()
        if self._is_misread:
            self._hypotheses.prepare(event)

    def _carry_out(self, event: Event, play: Play, gated: RuleVerdict | None, *, failed: bool) -> None:
        """Play a line that is wrong or may be misread, as far as it is physically possible, and settle what follows.

        What stands against it whatever it says is noted; then it is played where the table can have done so.
        """
        table = self.judge.table
        if gated is not None:
            failed = self.judge.note(gated.rule, gated.verdict, event)
            if not gated.played:
                if failed and not self.judge.takes_as_repeated(event) and table.over:
                    self._as_it_was(event, failed=failed)
                return
        if not failed:
            table.carried_out = len(table.applied)
            self.ledger.pass_over()
        done = self._as_it_was(event, failed=failed)
        if done is not None:
            play(table, done)
            self.lines.after = len(table.journal)
            self._settle(table)

    def _come_to_written(self, event: Event) -> None:
        """Take what comes before a written consequence that is not the next derived one."""
        if self._is_misread:
            self._hypotheses.prepare(event)
        if self.written.back is not None:
            self.take_backs.recall(self.written.back, self._anew)

    def _goes_on_to(self, event: Event, gated: RuleVerdict) -> RuleVerdict | None:
        """Take back an end that only the log knew of; return what then stands against the event, or did before."""
        if not self.written.goes_on():
            return gated
        if self._before is not None:
            self._before(self.judge.table, event)
        return self._gate(self.judge.table, event)

    def _as_it_was(self, event: Event, *, failed: bool) -> Event | None:
        """Return what the table did of a decision or chance line; where it breaks a rule, note what may be misread."""
        if self._is_misread and (read := self._hypotheses.read(event)) is not event:
            return read
        if failed and self.judge.takes_as_repeated(event):
            return None
        if failed and not self.doubts.settled:
            self._hypotheses.suspects(event)
        return event

    def _consequence(self, event: Consequence) -> None:
        """Compare a written consequence, which is not the next that the rules have derived, with all of those."""
        if not self.written.fits(event):
            self._differs(event)

    def _differs(self, event: Consequence) -> None:
        """Find that a written consequence which the rules do not make is late, said again, or wrong."""
        written = self.written
        contradiction = None if written.is_late(event) or written.is_again(event) else written.contradicted(event)
        if not self.doubts.settled:
            self._hypotheses.suspects_written(event, self.judge.last)
        if contradiction is not None:
            written.adopt(event, contradiction)

    def _phase(self, event: PhaseStarted) -> None:
        """Compare the line of a phase; where another one begins before that, its word is in doubt."""
        if self._is_misread and self._hypotheses.read_written(event):
            return
        is_doubted = not self.written.fits(event)
        if is_doubted:
            before = len(self.judge.found)
            self._differs(event)
            is_doubted = len(self.judge.found) > before
        derived = self.judge.table.derived
        if is_doubted or (derived and any(type(each.event) is type(event) for each in derived)):
            self.doubts.add_first(self.lines.seq, "phase", self.lines.seq)

    # -- lines about the log ---------------------------------------------------------------------------------------

    def _begin_again(self, _event: GameStarted) -> None:
        raise CannotFoldError("a second game.started stands in the middle of this game")

    def _observe(self, event: StateObserved) -> None:
        self.observations.observe(event)

    def _remark(self, _event: Remark) -> None:
        """Leave the table as it is: a question or a note changes nothing, nor does a second record of a line."""
        lines, seconds = self.lines, self._second_records if self._is_misread else {}
        if (second := seconds.get(lines.seq)) is not None:
            again = f"this says again what event {second.first} says"
            ahead = "one of two keepers has written this ahead of the other one, whose log stops before it"
            says = Broken(again if second.first else ahead, "no second line" if second.first else "", "info")
            follows = next(iter(seconds)) if next(iter(seconds)) < second.seq else 0
            self.judge.find(self.game.by_id[second.rule], says, lines.events[lines.here], follows=follows)

    def _leave_gap(self, event: LogGap) -> None:
        """Know from here on that the log does not tell everything that happened.

        What was said last may go on in what could not be read: a draw written card by card, a turn that ends. Of two
        keepers the other one may have written it.
        """
        is_unparted = self.doubts.reads(self.lines.seq, "unparted")
        if not self.judge.has_gap or self.game.slips.behind_gaps is not None:
            said, last = self.lines.events, self.lines.here - 1
            while last and _is_said_alike(said[last - 1], said[last]):
                last -= 1
            self.judge.doubt_from(self.lines.seqs[0 if is_unparted else last])
        taken = self.doubts.way(self.lines.seq)
        ways, is_told = 0, False
        if not self.judge.table.turn and not is_unparted and not self._second_records:
            ways, is_told = LostLines(self.lines, self.judge, self.doubts).carry_out(event, taken)
        if ways > 1 and not taken:
            self.doubts.add_ways(self.lines.seq, ways)
        self.judge.leave_gap(is_as_due=is_told)

    def _record_result(self, event: ResultRecorded) -> None:
        """Keep how the game went for its end: what the actions say about it comes first."""
        self.result = event

    def _take_back(self, event: PlayTakenBack) -> None:
        """Put the table back to what it was after event `to`; what was taken back stays in the log."""
        self.take_backs.take_back(event)

    def look_back(self) -> None:
        """Note what else may be misread, now that the lines are folded and something is found wrong with them."""
        if not self.doubts.settled:
            self._hypotheses.look_back()

    def forget_verdicts(self) -> None:
        """Judge nothing: a log without the actions shows neither that a rule was kept nor that it was broken."""
        self.judge.forget_verdicts()
        self.observations.readings.clear()
        self.ledger.forget()

    STEPS: ClassVar[tuple[tuple[type[Event], Any], ...]] = (
        (GameStarted, _begin_again),
        (PlayTakenBack, _take_back),
        (StateObserved, _observe),
        (ResultRecorded, _record_result),
        (LogGap, _leave_gap),
        (Remark, _remark),
        (PhaseStarted, _phase),
        (Consequence, _consequence),
    )
    """What folds events of these types; the first that fits counts, the others are acts."""


def _is_said_alike(one: Event, other: Event) -> bool:
    """Return whether two lines are of one type and player: they may be one thing, written in parts."""
    return type(one) is type(other) and getattr(one, "player", None) == getattr(other, "player", None)


def _steps_of(game: Game) -> dict[type, Step]:
    """Return what is done with each type of event; kept for the life of the game."""
    kinds = game.vocabulary.types.values()
    return kept_with(game, "_steps", lambda: {kind: _step_of(game, game.rows.get(kind, ()), kind) for kind in kinds})


def _step_of(game: Game, tests: tuple[Test, ...], kind: type[Event]) -> Step:
    for above, step in Loop.STEPS:
        if issubclass(kind, above):
            return None, content_of(kind) if issubclass(kind, Consequence) else None, step
    play = game.play[kind]
    freely = game.freely.get(kind, play) if "player" in kind.__struct_fields__ else None
    return (*judging_of(tests), play, freely), None, None
