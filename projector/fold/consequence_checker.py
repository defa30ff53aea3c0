"""What a log writes down of what follows, set beside what the rules derive, and observed totals beside the table's."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event, Remark
from tabletape.events.vocabulary.shared import GameEnded, PlayTakenBack, ResultRecorded, StateObserved
from tabletape.projector.fold.compiled_rules import finding_of, in_words, numbers_of
from tabletape.projector.fold.consequence_match import content_of, goes_the_same_way, has_same_content, nearest
from tabletape.projector.fold.drifts import as_broken, drifts_in
from tabletape.projector.fold.judging import SEQ, Judging, after_a_gap, other_than
from tabletape.projector.fold.misread import Doubt, Misread
from tabletape.projector.fold.numbering import numbered
from tabletape.projector.fold.passed_over import Group, PassedOver
from tabletape.projector.model.changes import Change, Derived
from tabletape.projector.model.game import Drift, Game, RuleVerdict
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import Broken, Finding, FindingKind, Kept, NotApplicable, Undecidable, is_broken

if TYPE_CHECKING:
    from tabletape.projector.fold.taken_back import TakenBack

SAID_AGAIN: Final = Broken("this says again what the line before it says", "no second line", "info")
LEFT_OVER: Final = "lines before this were taken back: the log does not tell whether this was still to be written down"


class Reading(msgspec.Struct, frozen=True):
    """Totals that the table had on the way: what was read, and what has happened since that no line has said yet."""

    event: StateObserved
    seq: int
    seen: list[Drift]
    unwritten: list[Derived]


class ConsequenceChecker(Judging):
    """Compares written consequences and observations with the table; each derived consequence is used once."""

    _wrong_end: tuple[int, int] | None = None
    _back: "TakenBack | None" = None

    def __init__(self, game: Game, ruleset: Ruleset, misread: frozenset[Misread] = frozenset()) -> None:
        """Read the lines `misread` otherwise than they stand; `open_to_doubt` are those that may be read so."""
        super().__init__(game, ruleset)
        self.ruleset = ruleset
        self.misread = misread
        self.open_to_doubt: dict[Misread, Doubt] = {}
        self.events: list[Event] = []
        self._seqs: list[int] = []
        self.journal_ends: list[int] = []
        self.automatic_ends: dict[int, int] = {}
        self._passed_over = PassedOver()
        self._written: list[Derived] = []
        self._disputed: list[tuple[Derived, Consequence | None]] = []
        self._after = 0
        self._readings: list[Reading] = []

    @property
    def seqs(self) -> list[int]:
        """The numbers of the events, worked out when they are asked for: a game in order asks for none."""
        known = self._seqs
        if len(known) < len(self.events):
            known += numbered(self.events[len(known) :], known[-1] if known else 0)
        return known

    @property
    def _seq(self) -> int:
        """The number of the event that is looked at; one that is only tried out comes after all others."""
        here, seqs = len(self.journal_ends), self.seqs
        return seqs[here] if here < len(seqs) else seqs[-1] + 1

    def _consequence(self, event: Consequence) -> None:
        """Compare a written consequence, which is not the next that the rules have derived, with all of those."""
        if (self.table.derived and self._is_derived(event)) or (self._disputed and self._is_disputed(event)):
            return
        if self._passed_over.may_be_open() and self._is_late(event):
            return
        if self._wrong_end is not None and self._goes_on_with(event):
            return
        if self.game.before is not None and self._is_derived_after_steps(event, self.game.before):
            return
        self._differs(event)

    def _is_derived_after_steps(self, event: Consequence, take_steps: Callable[[Any, Event], Derived | None]) -> bool:
        """Return whether the rules make this of the automatic steps that come next, which are taken then.

        They are not where it is another form of what was derived before them: then the log is not that far yet.
        """
        table, length = self.table, len(self.table.journal)
        is_due = bool(table.derived) and nearest(event, table.derived) is not None
        before = ([*table.derived], table.newly_applied, [*table.rests]) if is_due else None
        found = take_steps(table, event)
        if found is not None:
            self._written.append(found)
            table.derived.remove(found)
            return True
        if self._is_derived(event):
            return True
        if before is not None and len(table.journal) > length:
            table.undo(length)
            table.derived, table.newly_applied, table.rests[:] = before
        return False

    def _goes_on_with(self, event: Consequence) -> bool:
        return not isinstance(event, GameEnded) and self._goes_on() and self._is_derived(event)

    def _is_derived(self, event: Consequence) -> bool:
        """Return whether the rules make this of the lines so far; each derived consequence is used once."""
        kind = type(event)
        derived = self.table.derived
        for index, each in enumerate(derived):
            other = each.event
            if type(other) is kind and has_same_content(event, other):
                self._written.append(each)
                del derived[index]
                return True
        return False

    def _is_disputed(self, event: Consequence) -> bool:
        """Return whether this is what an earlier line should have said; it then takes the place of that line."""
        for index, (derived, instead) in enumerate(self._disputed):
            if type(derived.event) is type(event) and has_same_content(event, derived.event):
                del self._disputed[index]
                enforce = self.game.enforce.get(type(event))
                if enforce is not None and instead is not None:
                    enforce(self.table, event, instead)
                return True
        return False

    def _is_late(self, event: Consequence) -> bool:
        """Return whether this was passed over and is written down now, before a decision depends on it."""
        for group, each in self._still_open():
            if type(each.event) is type(event) and has_same_content(event, each.event):
                self._written.append(self._taken(group, each))
                return True
        return False

    def _still_open(self) -> Iterator[tuple[Group, Derived]]:
        return self._passed_over.still_open(self.events, self.journal_ends, self.table.players)

    def still_unwritten(self) -> tuple[list[Derived], list[tuple[Derived, Consequence | None]], int]:
        """Return what may still be written down of what follows, and what was written down otherwise instead.

        With the journal's length after the last decision.
        """
        late = [each for _, each in self._still_open()]
        return [*late, *self.table.derived], self._disputed, self._after

    def close_passed_over(self) -> None:
        """Close what can no longer be written down, as the next late line would."""
        for _ in self._still_open():
            pass

    def _taken(self, group: Group, derived: Derived) -> Derived:
        """Take out a consequence that was passed over; it no longer counts as left out."""
        if self._passed_over.take(group, derived):
            self._kept[numbers_of(self.game)[derived.rule]] -= 1
        return derived

    def _counterpart(self, event: Consequence) -> Derived | None:
        """Return the derived consequence that a differing one is about; one that was passed over is due again."""
        derived = self.table.derived
        found = nearest(event, derived)
        if found is None:
            late = {id(each): (group, each) for group, each in self._still_open()}
            found = nearest(event, (each for _, each in late.values() if goes_the_same_way(event, each.event)))
            if found is not None:
                derived.insert(0, self._taken(*late[id(found)]))
        return found

    def _differs(self, event: Consequence) -> None:
        """Say which rule a written consequence breaks, and do it all the same."""
        table = self.table
        counterpart = self._counterpart(event)
        expected = counterpart.event if counterpart else None
        ruled = self.game.explain_mismatch(table, event, expected)
        if is_broken(ruled.verdict):
            doubt = self.game.doubt(table, ruled.rule, event)
            if doubt is None and counterpart is None and self._repeats_last(event):
                self._note(ruled.rule, SAID_AGAIN, event)
                return
            ruled = ruled if doubt is None else msgspec.structs.replace(doubt, played=ruled.played)
        if counterpart is not None:
            table.derived.remove(counterpart)
            self._disputed.append((counterpart, None if self._is_wrong(self._seq) else event))
        if counterpart is None and is_broken(ruled.verdict) and self._may_be_late(event):
            ruled = RuleVerdict(ruled.rule, Undecidable(LEFT_OVER), played=False)
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
        if enforce is not None and ruled.played and not self._is_wrong(self._seq):
            was_over, before = table.over, len(table.journal)
            enforce(table, event, expected)
            if is_broken(verdict):
                self._note_adopted(self._seq, before)
            if table.over and not was_over and expected is None and is_broken(verdict):
                self._wrong_end = before, len(table.journal)

    def _repeats_last(self, event: Consequence) -> bool:
        """Return whether a consequence says no more and no less than the line before it, remarks left aside."""
        lines = reversed(self.events[: len(self.journal_ends)])
        # What was taken back is said anew, not again.
        last = next((each for each in lines if not isinstance(each, Remark) or isinstance(each, PlayTakenBack)), None)
        content = content_of(type(event))
        return type(last) is type(event) and content(last) == content(event)

    def _may_be_late(self, event: Consequence) -> bool:
        """Return whether a take-back hides that this was still to be written down."""
        back, here = self._back, len(self.journal_ends)
        return back is not None and back.may_be_late(event, self.events, here, self.table.players)

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
        """Compare what was read off the table with the fold as it is, or as it was on the way since the last decision.

        Whoever reads in the middle of what follows from a decision writes the rest of it down afterwards. So a reading
        that fits only on the way waits for that: without it the table has forgotten something, which is a drift.
        """
        seen = list(self.game.observe(self.table, event))
        drifts = drifts_in(seen)
        unwritten = self._unwritten_since(event) if drifts else None
        if drifts and unwritten is None:
            seen = self._seen_after_last_line(event) or seen
            drifts = drifts_in(seen)
        seen = [self._in_doubt(each, event) for each in seen]
        drifts = drifts_in(seen)
        reading = Reading(event, self._seq, seen, unwritten or [])
        if unwritten and all(each.doubt is None for each in drifts):
            self._readings.append(reading)
        else:
            self._compare(reading, drifts if unwritten is None else [])

    def _in_doubt(self, read: Drift, event: StateObserved) -> Drift:
        """Return what was read, with the verdict that nobody can tell where it differs and a card may be the reason."""
        differs = read.folded != read.seen and read.doubt is None
        found = self.game.doubt(self.table, read.rule, event) if differs else None
        return read if found is None else msgspec.structs.replace(read, rule=found.rule, doubt=found.verdict)

    @property
    def raw_findings(self) -> list[Finding]:
        """All findings in the order of the events, with what was read on the way and the log has not explained yet."""
        found = super().raw_findings
        undecided = [self._undecided(each, drift) for each in self._readings for drift in self._drifts_of(each)]
        return sorted([*found, *undecided], key=SEQ) if undecided else found

    def _drifts_of(self, reading: Reading) -> list[Drift]:
        """Return where a reading differs from the fold, unless the lines since say that it was made on the way."""
        there = {id(each) for each in self.table.derived}
        return drifts_in(reading.seen) if all(id(each) in there for each in reading.unwritten) else []

    def _decide_readings(self) -> None:
        """Decide about what was read on the way: nothing more will be written down of what the last decision led to."""
        for reading in self._readings:
            self._compare(reading, self._drifts_of(reading))
        self._readings.clear()

    def _compare(self, reading: Reading, drifts: list[Drift]) -> None:
        """Count the rules that a reading confirms, note where it differs from the fold, and take that over."""
        broken_rules = {drift.rule.id for drift in drifts}
        confirming = [each for each in reading.seen if each.rule.id not in broken_rules]
        for rule in {each.rule.id: each.rule for each in confirming}.values():
            self._kept[rule.number] += 1
        self._confirm({each.because for each in confirming})
        for drift in drifts:
            if drift.doubt is not None:
                self._note(drift.rule, drift.doubt, reading.event)
            else:
                self._find(drift.rule, as_broken(drift), reading.event, seq=reading.seq)
            if drift.adopt is not None and not self._is_wrong(reading.seq):
                before = len(self.table.journal)
                drift.adopt()
                self._note_adopted(reading.seq, before)

    def _note_adopted(self, seq: int, before: int) -> None:
        """Remember a line whose written value has changed the table, which had `before` entries in its journal."""
        if len(self.table.journal) > before:
            self.open_to_doubt[Misread(seq, "wrong")] = Doubt(seq)

    def _is_wrong(self, seq: int) -> bool:
        """Return whether what a line says was written down wrongly, so that what the rules derive stands."""
        return bool(self.misread) and Misread(seq, "wrong") in self.misread

    def _undecided_rules(self) -> list[str]:
        """Return the rules that are broken if the log does not go on."""
        readings = [] if self.has_gap else self._readings
        return [drift.rule.id for reading in readings for drift in self._drifts_of(reading)]

    def forget_verdicts(self) -> None:
        """Take back every finding and every count, also what is not decided yet."""
        super().forget_verdicts()
        self._readings.clear()

    def _undecided(self, reading: Reading, drift: Drift) -> Finding:
        """Return what a drift is found to be for as long as the log does not go on."""
        broken = after_a_gap(as_broken(drift)) if self.has_gap else as_broken(drift)
        rule, seq, because = drift.rule, reading.seq, other_than(drift.rule, drift.because)
        return finding_of(rule, broken, reading.event, seq=seq, tainted=self._is_tainted(seq), because=because)

    def _confirm(self, rules: set[str]) -> None:
        """Count derived rules that an observation confirms, unless they are counted as carried out anyway."""
        carried_out = {"", *(each.rule for each in self.table.derived), *self.table.newly_applied}
        numbers = numbers_of(self.game)
        for rule in rules - carried_out:
            self._kept[numbers[rule]] += 1

    @property
    def _last_begun(self) -> int:
        """The journal's length before the last decision or chance line: what follows from it may be a part of it."""
        here = len(self.journal_ends)
        lines = (each for each in range(here - 1, 0, -1) if isinstance(self.events[each], Decision | Chance))
        last = next(lines, 0)
        return min(self._after, self.automatic_ends.get(last, self.journal_ends[last - 1] if last else 0))

    def _unwritten_since(self, event: StateObserved) -> "list[Derived] | None":
        """Return what no line has said yet of what has happened since the table was as it was read.

        Nothing where it was so just after the line before, or between automatic steps since then; None where it has not
        been so since the last decision.
        """
        table = self.table
        before, after = self._last_begun, self._after
        just_written = self._written[-1].mark if self._written else 0
        later = {each.mark for each in (*self._written, *table.derived) if each.mark > before}
        rests = {mark for mark in table.rests if mark > before and mark >= just_written}
        undone: list[Change] = []
        unwritten: list[Derived] | None = None
        for mark in sorted({after, *later, *rests}, reverse=True):
            undone = table.undo(mark) + undone
            if drifts_in(self.game.observe(table, event)):
                continue
            if mark in rests or (mark == just_written and unwritten is None):
                unwritten = []
                break
            unwritten = unwritten or [each for each in table.derived if each.mark >= mark] or None
        table.redo(undone)
        return unwritten

    def _seen_after_last_line(self, event: StateObserved) -> list[Drift]:
        """Return a reading beside the table just after the last line, where the log is still writing what follows."""
        table = self.table
        mark = self._written[-1].mark if self._written else 0
        if not table.derived or mark <= self._last_begun:
            return []
        undone = table.undo(mark)
        seen = list(self.game.observe(table, event))
        table.redo(undone)
        return seen
