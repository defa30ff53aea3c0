"""The fold: events in, a table and findings out.

For each decision or chance line: **check** the rules against the table before it, **apply** it as far as it is
physically possible, then **settle** what follows by itself. A consequence that the log writes down is compared with the
derived one; an observed total that differs is a drift and the table's value wins. After an illegal event the fold goes
on with what the table did, and what comes later is marked tainted.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from tabletape.events.errors import said_by
from tabletape.events.vocabulary import Consequence, Event, Remark
from tabletape.events.vocabulary.shared import (
    GameStarted,
    LogGap,
    PhaseStarted,
    PlayTakenBack,
    ResultRecorded,
    StateObserved,
)
from tabletape.projector.fold.causes import with_causes
from tabletape.projector.fold.checkpoints import Checkpoints, walk
from tabletape.projector.fold.compiled_rules import numbers_of, steps_of
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.draws import together
from tabletape.projector.fold.gc_pause import GcPause
from tabletape.projector.fold.hypotheses import KINDS
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis
from tabletape.projector.fold.judge import SEQ, Judge
from tabletape.projector.fold.ledger import Ledger
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.misread import Doubt, Misread
from tabletape.projector.fold.new_table import new_table
from tabletape.projector.fold.observations import Observations
from tabletape.projector.fold.taken_back import MAX_RECALLS, TakenBack, standing
from tabletape.projector.fold.trial import Trial
from tabletape.projector.fold.written import WrittenLines
from tabletape.projector.model.changes import Change, Derived
from tabletape.projector.model.game import Game, RuleVerdict
from tabletape.projector.model.outcome import Outcome, all_winners, ended_with
from tabletape.projector.model.rulebook import Ruleset, RulesetError
from tabletape.projector.model.rules import HARD, AllPassed, Broken, Finding, WentOn
from tabletape.projector.model.table import CannotFoldError, Table


class Stopped(msgspec.Struct, frozen=True):
    """Where a replay stopped, and why."""

    seq: int
    reason: str


class Replay:
    """A game folded as far as its events go; `run` takes more events at any time.

    `table` is the table after the last event, `lines` the events folded so far, `findings` what the audit has to say,
    `kept` and `broken` count the verdicts by the number of the rule, `stopped` says why a replay could not go on.
    `judge` rules on the lines, `ledger` holds what the rules derive, and `doubts` what may be misread. `read_as` says
    what of an event was taken for another word when it was imported: what hangs on that is in doubt. A table that
    outlives its replay begins a new journal, as a copy does.
    """

    JUDGE: ClassVar[type[Judge]] = Judge

    table: Table[Any, Any]
    stopped: Stopped | None = None
    went_on: Mapping[int, WentOn] = MappingProxyType({})
    read_as: Mapping[int, str] = MappingProxyType({})
    _recalls: int = 0
    _checkpoints: Checkpoints | None = None
    _result: ResultRecorded | None = None
    _with_causes: tuple[list[Finding], list[Finding]] | None = None

    def __init__(
        self,
        game: Game,
        ruleset: Ruleset,
        library: Mapping[str, Any] | None = None,
        misread: frozenset[Misread] = frozenset(),
        *,
        settled: bool = False,
    ) -> None:
        """Read the lines `misread` otherwise than they stand; where that is `settled` nobody looks for more of them."""
        self.game = game
        self.ruleset = ruleset
        self.library = game.cards.library if library is None else library
        self.lines = Lines()
        self.doubts = Doubts(misread, settled=settled)
        self.judge = self.JUDGE(game, ruleset, self.lines)
        self.ledger = Ledger(self.lines, self.judge)
        self.written = WrittenLines(self.lines, self.judge, self.ledger, self.doubts)
        self.observations = Observations(self.lines, self.judge, self.ledger, self.doubts)
        self._steps = steps_of(game, ruleset, type(self))
        self._is_finished = False

    def __del__(self) -> None:
        """Part the table from what was recorded on it: each refers to the other, so both would lie about as garbage."""
        table = getattr(self, "table", None)
        if table is not None:
            table.journal, table.reverted = [], {}

    # -- the fold --------------------------------------------------------------------------------------------------

    def run(self, events: Iterable[Event]) -> "Replay":
        """Fold more events; stops for good before one that cannot be folded."""
        with GcPause():
            self._is_finished = False
            self._run(events)
        return self

    @property
    def events(self) -> list[Event]:
        """The events folded so far."""
        return self.lines.events

    @property
    def seqs(self) -> list[int]:
        """Their numbers."""
        return self.lines.seqs

    @property
    def journal_ends(self) -> list[int]:
        """The journal's length after each of them."""
        return self.lines.journal_ends

    @property
    def automatic_ends(self) -> dict[int, int]:
        """By step, the journal's length after the automatic steps that the line needed first, where there were any.

        A window closes, a turn begins: what comes before it was so when the line was decided.
        """
        return self.lines.automatic_ends

    @property
    def misread(self) -> frozenset[Misread]:
        """The lines that are read otherwise than they stand."""
        return self.doubts.misread

    @property
    def open_to_doubt(self) -> dict[Misread, Doubt]:
        """Those that may be read so, too."""
        return self.doubts.open_to_doubt

    @property
    def tainted_from(self) -> int:
        """The number of the first illegal event, 0 without one: what comes later may follow from it."""
        return self.judge.tainted_from

    @property
    def kept(self) -> list[int]:
        """How often each rule was kept, by its number; counted when it is asked for: findings do not need it."""
        self.judge.count_agreed()
        if self.journal_ends:
            self.ledger.count()
        last = [*(each.rule for each in self.table.derived), *self.table.newly_applied] if self._is_finished else ()
        return self._counted_on(self.judge.kept, last)

    @property
    def broken(self) -> list[int]:
        """How often each rule was broken, by its number."""
        return self._counted_on(self.judge.broken, self.observations.undecided_rules() if self._is_finished else ())

    def _counted_on(self, counts: Sequence[int], rules: Iterable[str]) -> list[int]:
        """Return counts with those of the log's end, which are provisional: more events may follow."""
        found, numbers = [*counts], numbers_of(self.game)
        for rule in rules:
            found[numbers[rule]] += 1
        return found

    @property
    def unwritten(self) -> list[Derived]:
        """What the rules made of the lines and nobody wrote down, but that of the last one (`table.derived`)."""
        return [*self.ledger.passed_over]

    def _run(self, events: Iterable[Event]) -> None:
        batch = [*events]
        if self.stopped is not None or not batch:
            return
        self.lines.events.extend(batch)
        try:
            if not self.journal_ends:
                self._open(batch.pop(0))
                self.journal_ends.append(0)
            self._fold(self._together(batch))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - one bad game, and be it an exit, takes no audit of a thousand down
            self._stop(error)

    def _together(self, batch: list[Event]) -> list[Event]:
        """Return the events of a batch with draws as one that the log writes in several lines."""
        parts = {misread.seq for misread in self.misread if misread.how == "part"}
        seqs = self.seqs[-len(batch) :] if parts else ()
        return together(batch, [index for index, seq in enumerate(seqs) if seq in parts]) if parts else batch

    def _fold(self, events: Sequence[Event]) -> None:  # noqa: C901, PLR0912, PLR0915 - every line goes through here: each call is felt
        """Fold events: check, apply and settle a decision or chance line, compare what follows with the derived."""
        table, game, steps = self.table, self.game, self._steps
        before, gate, settle = game.before, game.gate, game.settle
        journal, applied, recognised = table.journal, table.applied, table.recognised
        judge, lines, ledger, writing = self.judge, self.lines, self.ledger, self.written
        journal_ends, automatic_ends, agreed = lines.journal_ends, lines.automatic_ends, judge.agreed
        written, disputed, passed_over = ledger.written, ledger.disputed, ledger.passed_over.new
        readings, is_misread = self.observations.readings, bool(self.doubts.misread)
        length = len(journal)
        free: str | None = None
        for event in events:
            act, content, step = steps[type(event)]
            if act is not None:
                judge_all, row, play, freely = act
                if free and freely and event.player == free and not is_misread:  # type: ignore[attr-defined]  # it has
                    gated, play = None, freely
                else:
                    free = None
                    if readings:
                        self.observations.decide()
                    if is_misread:
                        self._prepare(event)
                    if before is not None:
                        before(table, event)
                        if (automatic := len(journal)) != length:
                            automatic_ends[len(journal_ends)] = automatic
                    gated = gate(table, event)
                if gated is not None and (gated := self._goes_on_to(event, gated)) is not None:
                    failed = judge.note(gated.rule, gated.verdict, event)
                elif judge_all is None or (judged := judge_all(table, event)) is None:
                    failed = judge.judge(row, event)
                elif type(judged) is AllPassed:
                    agreed.append(judged)
                    failed = False
                else:
                    failed = judge.judge_each(judged, event)
                if gated is None or gated.played:
                    if not failed:
                        # What the rules made of the lines so far and nobody contradicted is carried out.
                        table.carried_out = len(applied)
                        # The log goes on: what it has not written down of what follows has happened as derived.
                        if derived := table.derived:
                            passed_over.append((len(journal_ends), derived))
                            table.derived = []
                        if disputed:
                            disputed.clear()
                    done: Event | None = event
                    if failed or is_misread:
                        done = self._as_it_was(event, failed=failed)
                    if done is not None:
                        play(table, done)
                        lines.after = len(journal)
                        free = settle(table)
                elif failed and not judge.takes_as_repeated(event) and table.over:
                    self._as_it_was(event, failed=failed)
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
                if content is not None:
                    if is_misread:
                        self._prepare(event)
                    if writing.back is not None:
                        self._recall(writing.back)
                step(self, event)
                length = len(journal)
                free = None
            journal_ends.append(length)

    def _goes_on_to(self, event: Event, gated: RuleVerdict) -> RuleVerdict | None:
        """Take back an end that only the log knew of; return what then stands against the event, or did before."""
        if not self.written.goes_on():
            return gated
        if self.game.before is not None:
            self.game.before(self.table, event)
        return self.game.gate(self.table, event)

    @cached_property
    def _hypotheses(self) -> tuple[Hypothesis, ...]:
        """The ways in which a line may be misread; a game in order needs none."""
        trial = Trial(self.ruleset, self.lines, self.judge, self._steps)
        return tuple(kind(self.lines, self.judge, self.ledger, self.doubts, trial) for kind in KINDS)

    def _prepare(self, event: Event) -> None:
        """Carry out what the log has left out before a line, where it is read so."""
        for hypothesis in self._hypotheses:
            hypothesis.prepare(event)

    def _as_it_was(self, event: Event, *, failed: bool) -> Event | None:
        """Return what the table did of a decision or chance line; where it breaks a rule, note what may be misread."""
        if self.doubts.misread:
            for hypothesis in self._hypotheses:
                read = hypothesis.read(event)
                if read is not event:
                    return read
        if failed and self.judge.takes_as_repeated(event):
            return None
        if failed and not self.doubts.settled:
            for hypothesis in self._hypotheses:
                hypothesis.suspects(event)
        return event

    def _consequence(self, event: Consequence) -> None:
        """Compare a written consequence, which is not the next that the rules have derived, with all of those."""
        written = self.written
        if written.fits(event):
            return
        contradiction = None if written.is_late(event) or written.is_again(event) else written.contradicted(event)
        if not self.doubts.settled:
            for hypothesis in self._hypotheses:
                hypothesis.suspects_written(event, self.judge.last)
        if contradiction is not None:
            written.enforce(event, contradiction)

    def _phase(self, event: PhaseStarted) -> None:
        """Compare the line of a phase; where another one begins before that, its word is in doubt."""
        if self.doubts.misread and any(each.read_written(event) for each in self._hypotheses):
            return
        found = len(self.judge.found)
        self._consequence(event)
        derived = self.table.derived
        if len(self.judge.found) > found or (derived and any(type(each.event) is type(event) for each in derived)):
            self.doubts.add_first(self.lines.seq, "phase", self.lines.seq)

    def _observe(self, event: StateObserved) -> None:
        self.observations.observe(event)

    def _stop(self, error: BaseException) -> None:
        known = isinstance(error, CannotFoldError | RulesetError)
        reason = str(error) if known else f"this event could not be folded ({said_by(error)})"
        self.stopped = Stopped(self.lines.seq, reason)
        self.lines.drop_rest()
        if self.events:
            self.table.undo(self.journal_ends[-1])

    def _open(self, event: Event) -> None:
        if self.journal_ends:
            raise CannotFoldError("a second game.started stands in the middle of this game")
        if not isinstance(event, GameStarted):
            raise CannotFoldError("the log does not begin with game.started")
        self.table = self.judge.table = new_table(self.game, event.players, self.ruleset, self.library)
        self.table.journal.clear()
        self.judge.judge(self.judge.rows.get(type(event), ()), event)

    # -- remarks ---------------------------------------------------------------------------------------------------

    def _remark(self, event: Remark) -> None:
        """Leave the table as it is: a question or a note changes nothing."""

    def _leave_gap(self, _event: LogGap) -> None:
        """Know from here on that the log does not tell everything that happened.

        What was said last may go on in what could not be read: a draw written card by card, a turn that ends.
        """
        if not self.judge.has_gap:
            last = len(self.journal_ends) - 1
            kind = (type(self.events[last]), getattr(self.events[last], "player", None))
            while last and kind == (type(self.events[last - 1]), getattr(self.events[last - 1], "player", None)):
                last -= 1
            self.judge.doubt_from(self.seqs[last])
        self.judge.has_gap = True

    def _record_result(self, event: ResultRecorded) -> None:
        """Keep how the game went for its end: what the actions say about it comes first."""
        self._result = event

    def _take_back(self, event: PlayTakenBack) -> None:
        """Put the table back to what it was after event `to`; what was taken back stays in the log."""
        before = self.seqs[: len(self.journal_ends)]
        if event.to not in before:
            raise CannotFoldError(f"play.taken-back names event {event.to}, which this game does not have")
        self.written.back = TakenBack(len(self.journal_ends), before.index(event.to))
        self.observations.decide()
        self.judge.wait_again(event.to)
        self.table.revert(self.journal_ends[self.written.back.to])
        self.table.derived.clear()
        self.table.newly_applied = ()
        self.ledger.disputed.clear()
        self.written.wrong_end = None
        self.lines.after = len(self.table.journal)

    def _recall(self, back: TakenBack) -> None:
        """Find out what was still to be written down after the line that a take-back goes back to, by folding it.

        A written consequence asks for it, if nothing has been played since the take-back.
        """
        if not back.comes_next(self.events, len(self.journal_ends)):
            return
        self._recalls += 1
        if self._recalls > MAX_RECALLS:
            return
        lines = standing(self.events[: back.to + 1], self.seqs[: back.to + 1])
        events = [msgspec.structs.replace(event, seq=seq) for seq, event in lines.items()]
        before = Replay(self.game, self.ruleset, self.library, self.misread).run(events)
        if before.stopped is not None:
            return
        self.written.back = None
        derived, self.ledger.disputed[:] = before.ledger.still_unwritten()
        if len(lines) == back.to + 1:
            self.lines.after = before.lines.after
        else:
            # Earlier take-backs stand in the journal: which tables there were on the way is not known any more.
            derived = [msgspec.structs.replace(each, mark=len(self.table.journal)) for each in derived]
        self.table.derived += derived

    def finish(self) -> "Replay":
        """Take the automatic steps that are due when the log ends, and count what the rules made of its last line.

        More events may come after all, and may still write it down.
        """
        if self.game.finish is not None and self.stopped is None and self.events:
            self.game.finish(self.table)
            self.journal_ends[-1] = len(self.table.journal)
        if self._result is not None:
            self._end_with(self._result)
        if self._result is not None and detail_of(self.events) == "results":
            self._forget_verdicts()
        else:
            self._is_finished = bool(self.events)
        return self

    def _end_with(self, result: ResultRecorded) -> None:
        """End the game as its result says, where the actions have not ended it; else take its points and places."""
        table = self.table
        winner, outcome = ended_with(result)
        if not table.over:
            table.update(table, over=True, winner=winner, outcome=outcome, reason=result.reason or "")
        elif {*all_winners(result)} != {*table.winners}:
            self._compare_result(result)
        elif table.outcome == Outcome():
            table.update(table, outcome=outcome)
        self.journal_ends[-1] = len(table.journal)

    def _compare_result(self, result: ResultRecorded) -> None:
        """Find a written result that names another winner than the game has come to."""
        rule = self.game.consequences.rule
        if rule is None:
            return
        names, winners = " and ".join(result.winners) or "nobody", " and ".join(self.table.winners) or "nobody"
        message = f"the result says that {names} won, the log makes it {winners}"
        self.judge.find(rule, Broken(message, winners, "mismatch"), result)

    def _forget_verdicts(self) -> None:
        """Judge nothing: a log without the actions shows neither that a rule was kept nor that it was broken."""
        self.judge.forget_verdicts()
        self.observations.readings.clear()
        self.ledger.forget()

    @property
    def raw_findings(self) -> list[Finding]:
        """All findings in the order of the events, with what was read on the way and the log has not explained yet."""
        found, undecided = self.judge.raw_findings, self.observations.undecided()
        return sorted([*found, *undecided], key=SEQ) if undecided else found

    # -- results ---------------------------------------------------------------------------------------------------

    @property
    def findings(self) -> list[Finding]:
        """All findings in the order of the events, each with the event that it follows from, where it does."""
        raw = [self._with_outcome(each) for each in self.raw_findings]
        if not raw:
            return raw
        if self._with_causes is None or self._with_causes[0] != raw:
            late = {misread.seq for misread in self.misread if misread.how == "late"}
            self._with_causes = raw, with_causes(raw, self.events, self.seqs, self._findings_of, late)
        found = self._with_causes[1]
        return [self._as_guessed(each) for each in found] if self.read_as else found

    def _as_guessed(self, finding: Finding) -> Finding:
        """Return a finding as one that the log cannot tell where its line, or its cause, is a line that was guessed."""
        read = self.read_as.get(finding.follows or finding.seq)
        if read is None or finding.kind not in HARD:
            return finding
        message = f"{finding.message.removesuffix('.')}; but {read} when the line was imported, which may explain it"
        return msgspec.structs.replace(finding, kind="unverifiable", message=message, follows=0, went_on="")

    def _with_outcome(self, finding: Finding) -> Finding:
        went_on = self.went_on.get(finding.seq) if finding.kind in {"mismatch", "drift"} else None
        return msgspec.structs.replace(finding, went_on=went_on) if went_on else finding

    def _findings_of(self, events: Sequence[Event], inserted: frozenset[int] = frozenset()) -> list[Finding]:
        """Return what is found where other events stand in place of the game's own.

        Before the lines `inserted` stands the line that ends the turn, which is missing there.
        """
        misread = frozenset(Misread(each.seq, "inserted") if each.seq in inserted else each for each in self.misread)
        return Replay(self.game, self.ruleset, self.library, misread).run(events).finish().raw_findings

    def changes(self, step: int) -> list[Change]:
        """Return the changes that the event at `step` (from 0) made."""
        return self.table.journal[self.journal_ends[step - 1] if step else 0 : self.journal_ends[step]]

    def at(self, step: int) -> Table[Any, Any]:
        """Return a new table as it was after the event at `step` (from 0)."""
        journal = self.table.journal
        if self._checkpoints is None:
            base = self.table.copy()
            walk(base, journal, len(journal), 0)
            self._checkpoints = Checkpoints(base)
        return self._checkpoints.table_at(journal, self.journal_ends[step])
