"""Totals that were read off the table, and the result, beside the fold: where they differ, something was forgotten."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from tabletape.events.vocabulary.shared import ResultRecorded, StateObserved
from tabletape.projector.fold.compiled_rules import finding_of, in_words, numbers_of
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.judge import Judge, after_a_gap, other_than
from tabletape.projector.fold.ledger import Ledger
from tabletape.projector.fold.lines import Lines
from tabletape.projector.model.changes import Change, Derived
from tabletape.projector.model.game import Drift
from tabletape.projector.model.outcome import Outcome, all_winners, ended_with
from tabletape.projector.model.rules import Broken, Finding, Undecidable


class ObservedTotals(msgspec.Struct, frozen=True):
    """Totals that the table had on the way: what was read, and what has happened since that no line has said yet."""

    event: StateObserved
    seq: int
    seen: list[Drift]
    unwritten: list[Derived]


class Observations:
    """Compares what was read off the table with the fold; `readings` are those that wait for what follows."""

    def __init__(self, lines: Lines, judge: Judge, ledger: Ledger, doubts: Doubts) -> None:
        self._lines = lines
        self._judge = judge
        self._ledger = ledger
        self._doubts = doubts
        self.readings: list[ObservedTotals] = []

    def observe(self, event: StateObserved) -> None:
        """Compare what was read off the table with the fold as it is, or as it was on the way since the last decision.

        Whoever reads in the middle of what follows from a decision writes the rest of it down afterwards. So a reading
        that fits only on the way waits for that: without it the table has forgotten something, which is a drift.
        """
        judge = self._judge
        seen = list(judge.game.observe(judge.table, event))
        drifts = drifts_in(seen)
        unwritten = self._unwritten_since(event) if drifts else None
        if drifts and unwritten is None:
            seen = self._seen_after_last_line(event) or seen
            drifts = drifts_in(seen)
        seen = [self._in_doubt(each, event) for each in seen]
        drifts = drifts_in(seen)
        reading = ObservedTotals(event, self._lines.seq, seen, unwritten or [])
        if unwritten and all(each.doubt is None for each in drifts):
            self.readings.append(reading)
        else:
            self._compare(reading, drifts if unwritten is None else [])

    def _in_doubt(self, read: Drift, event: StateObserved) -> Drift:
        """Return what was read, with the verdict that nobody can tell where it differs and a card may be the reason."""
        if isinstance(read.doubt, Undecidable):
            return msgspec.structs.replace(read, doubt=self._judge.left_of(read.doubt, read.rule, event))
        differs = read.folded != read.seen and read.doubt is None
        doubted = self._judge.doubt(read.rule, event) if differs else None
        return read if doubted is None else msgspec.structs.replace(read, rule=doubted.rule, doubt=doubted.verdict)

    def decide(self) -> None:
        """Decide about what was read on the way: nothing more will be written down of what the last decision led to."""
        for reading in self.readings:
            self._compare(reading, self._drifts_of(reading))
        self.readings.clear()

    def undecided(self) -> list[Finding]:
        """Return what is found of what was read on the way if the log does not go on."""
        return [self._undecided(each, drift) for each in self.readings for drift in self._drifts_of(each)]

    def undecided_rules(self) -> list[str]:
        """Return the rules that are broken if the log does not go on."""
        readings = [] if self._judge.has_gap else self.readings
        return [drift.rule.id for reading in readings for drift in self._drifts_of(reading)]

    def _undecided(self, reading: ObservedTotals, drift: Drift) -> Finding:
        """Return what a drift is found to be for as long as the log does not go on."""
        judge = self._judge
        broken = after_a_gap(as_broken(drift)) if judge.has_gap else as_broken(drift)
        rule, seq, because = drift.rule, reading.seq, other_than(drift.rule, drift.because)
        says, tainted = judge.game.by_id.get(because), judge.is_tainted(seq)
        return finding_of(rule, broken, reading.event, seq=seq, tainted=tainted, because=because, says=says)

    def _drifts_of(self, reading: ObservedTotals) -> list[Drift]:
        """Return where a reading differs from the fold, unless the lines since say that it was made on the way."""
        there = {id(each) for each in self._judge.table.derived}
        return drifts_in(reading.seen) if all(id(each) in there for each in reading.unwritten) else []

    def _compare(self, reading: ObservedTotals, drifts: list[Drift]) -> None:
        """Count the rules that a reading confirms, note where it differs from the fold, and take that over."""
        judge, journal = self._judge, self._judge.table.journal
        broken_rules = {drift.rule.id for drift in drifts}
        confirming = [each for each in reading.seen if each.rule.id not in broken_rules]
        for rule in {each.rule.id: each.rule for each in confirming}.values():
            judge.kept[rule.number] += 1
        self._confirm({each.because for each in confirming})
        for drift in drifts:
            if drift.doubt is not None:
                judge.note(drift.rule, drift.doubt, reading.event)
            else:
                judge.find(drift.rule, as_broken(drift), reading.event, seq=reading.seq)
            if drift.adopt is not None and not self._doubts.reads(reading.seq, "wrong"):
                before = len(journal)
                drift.adopt()
                if len(journal) > before:
                    self._doubts.add(reading.seq, "wrong", reading.seq)

    def _confirm(self, rules: set[str]) -> None:
        """Count derived rules that an observation confirms, unless they are counted as carried out anyway."""
        table = self._judge.table
        carried_out = {"", *(each.rule for each in table.derived), *table.newly_applied}
        numbers = numbers_of(self._judge.game)
        for rule in rules - carried_out:
            self._judge.kept[numbers[rule]] += 1

    # -- at the end ------------------------------------------------------------------------------------------------

    def end_with(self, result: ResultRecorded) -> None:
        """End the game as its result says, where the actions have not ended it; else take its points and places."""
        table = self._judge.table
        winner, outcome = ended_with(result)
        if not table.over:
            table.update(table, over=True, winner=winner, outcome=outcome, reason=result.reason or "")
        elif {*all_winners(result)} != {*table.winners}:
            self._compare_result(result)
        elif table.outcome == Outcome():
            table.update(table, outcome=outcome)
        self._lines.journal_ends[-1] = len(table.journal)

    def _compare_result(self, result: ResultRecorded) -> None:
        """Find a written result that names another winner than the game has come to."""
        judge = self._judge
        rule = judge.game.consequences.rule
        if rule is None:
            return
        names, winners = " and ".join(result.winners) or "nobody", " and ".join(judge.table.winners) or "nobody"
        message = f"the result says that {names} won, the log makes it {winners}"
        judge.find(rule, Broken(message, winners, "mismatch"), result)

    # -- on the way ------------------------------------------------------------------------------------------------

    def _unwritten_since(self, event: StateObserved) -> list[Derived] | None:
        """Return what no line has said yet of what has happened since the table was as it was read.

        Nothing where it was so just after the line before, or between automatic steps since then; None where it has not
        been so since the last decision.
        """
        game, table = self._judge.game, self._judge.table
        before, after, just_written = self._lines.last_begun, self._lines.after, self._ledger.last_mark
        later = {each.mark for each in (*self._ledger.written, *table.derived) if each.mark > before}
        rests = {mark for mark in table.rests if mark > before and mark >= just_written}
        undone: list[Change] = []
        unwritten: list[Derived] | None = None
        for mark in sorted({after, *later, *rests}, reverse=True):
            undone = table.undo(mark) + undone
            if drifts_in(game.observe(table, event)):
                continue
            if mark in rests or (mark == just_written and unwritten is None):
                unwritten = []
                break
            unwritten = unwritten or [each for each in table.derived if each.mark >= mark] or None
        table.redo(undone)
        return unwritten

    def _seen_after_last_line(self, event: StateObserved) -> list[Drift]:
        """Return a reading beside the table just after the last line, where the log is still writing what follows."""
        game, table, mark = self._judge.game, self._judge.table, self._ledger.last_mark
        if not table.derived or mark <= self._lines.last_begun:
            return []
        undone = table.undo(mark)
        seen = list(game.observe(table, event))
        table.redo(undone)
        return seen


# -- what was read otherwise, as what is wrong -------------------------------------------------------------------------

_PREPOSITION: Final = re.compile(r" (?:of|on|in|at) ")


def drifts_in(seen: Iterable[Drift]) -> list[Drift]:
    """Return what was read otherwise than the fold has it."""
    return [each for each in seen if each.folded != each.seen]


def as_broken(drift: Drift) -> Broken:
    """Return a drift as what is wrong."""
    folded, seen = in_words(drift.folded), in_words(drift.seen)
    was, it = ("were", "them") if _is_plural(drift) else ("was", "it")
    message = f"{drift.field} {was} read as {seen}, the log makes {it} {folded}"
    return Broken(message, folded, "drift", drift.because)


def _is_plural(drift: Drift) -> bool:
    """Return whether a number was read of what is called by a plural: `hit points`, `cards in the hand of Ann`."""
    noun = _PREPOSITION.split(drift.field, maxsplit=1)[0]
    return type(drift.seen) is int and noun.endswith("s") and not noun.endswith(("ss", "us"))
