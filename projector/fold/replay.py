"""A game as far as its events go: the table after each of them, and what the audit has to say."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Final

import msgspec

from tabletape.events.errors import said_by
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted, Seat
from tabletape.projector.fold.causes import MAX_CAUSES, Retold, as_explained, as_guessed, with_causes, with_outcome
from tabletape.projector.fold.checkpoints import Checkpoints, walk
from tabletape.projector.fold.compiled_rules import numbers_of
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.draws import NOTHING_MORE, together
from tabletape.projector.fold.judge import SEQ, Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.loop import Loop
from tabletape.projector.fold.meant import as_meant
from tabletape.projector.fold.misread import Doubt, Misread
from tabletape.projector.fold.refolding import folds_worth
from tabletape.projector.model.changes import Change, Derived
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruleset, RulesetError
from tabletape.projector.model.rules import Finding, WentOn
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
    what of an event was taken for another word when it was imported: what hangs on that is in doubt. `folds` says how
    often the game may be folded to tell its mistakes apart, None as often as is worth it. A table that outlives its
    replay begins a new journal, as a copy does.
    """

    JUDGE: ClassVar[type[Judge]] = Judge

    table: Table[Any, Any]
    stopped: Stopped | None = None
    went_on: Mapping[int, WentOn] = MappingProxyType({})
    read_as: Mapping[int, str] = MappingProxyType({})
    folds: int | None = None
    _checkpoints: Checkpoints | None = None
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
        self.judge = self.JUDGE(game, self.lines)
        anew = partial(Replay, game, ruleset, library, misread)  # refers to no replay, which would not be freed then
        self.loop = Loop(self.lines, self.judge, self.doubts, anew)
        self.ledger = self.loop.ledger
        self._is_finished = False

    def __del__(self) -> None:
        """Part the table from what was recorded on it: each refers to the other, so both would lie about as garbage."""
        table = getattr(self, "table", None)
        if table is not None:
            table.journal, table.reverted = [], {}

    # -- the fold --------------------------------------------------------------------------------------------------

    def run(self, events: Iterable[Event]) -> "Replay":
        """Fold more events; stops for good before one that cannot be folded."""
        self._is_finished = False
        self._run(events)
        return self

    def within(self, log: Iterable[Event]) -> "Replay":
        """Know the whole log that is folded in pieces: what a line said that could not be read is told behind it."""
        self.lines.whole = tuple(log)
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
        """How often each rule was kept, by its number; counted when it is asked for: findings do not need it.

        What follows from the last line counts, whether more events may still write it down or not.
        """
        self.judge.count_agreed()
        if not self.journal_ends:
            return [*self.judge.kept]
        self.ledger.count()
        last = [*(each.rule for each in self.table.derived), *self.table.newly_applied]
        return self._counted_on(self.judge.kept, last)

    @property
    def broken(self) -> list[int]:
        """How often each rule was broken, by its number."""
        return self._counted_on(
            self.judge.broken, self.loop.observations.undecided_rules() if self._is_finished else ()
        )

    def _counted_on(self, counts: Sequence[int], rules: Iterable[str]) -> list[int]:
        """Return counts with those of the log's end, which are provisional: more events may follow."""
        counted, numbers = [*counts], numbers_of(self.game)
        for rule in rules:
            counted[numbers[rule]] += 1
        return counted

    @property
    def unwritten(self) -> list[Derived]:
        """What the rules made of the lines and nobody wrote down, but that of the last one (`table.derived`)."""
        return [*self.ledger.passed_over]

    def _run(self, events: Iterable[Event]) -> None:
        batch, lines = [*events], self.lines
        if self.stopped is not None or not batch:
            return
        lines.events.extend(batch)
        try:
            if not lines.journal_ends:
                self._open(batch.pop(0))
                lines.journal_ends.append(0)
            self._fold(self._together(batch))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - one bad game, and be it an exit, takes no audit of a thousand down
            self._stop(error)

    def _together(self, batch: list[Event]) -> list[Event]:
        """Return the events of a batch with draws as one that the log writes in several lines, and each line once."""
        if not self.misread or not batch:  # there is nothing behind the first line yet
            return batch
        parts, seconds = ({each.seq for each in self.misread if each.how == how} for how in ("part", "second"))
        seqs = self.seqs[-len(batch) :]
        once = [NOTHING_MORE if seq in seconds else event for seq, event in zip(seqs, batch, strict=True)]
        return together(once, [index for index, seq in enumerate(seqs) if seq in parts])

    def _fold(self, events: Sequence[Event]) -> None:
        self.loop.fold(events)

    def _stop(self, error: BaseException) -> None:
        known = isinstance(error, CannotFoldError | RulesetError)
        reason = str(error) if known else f"this event could not be folded ({said_by(error)})"
        self.stopped = Stopped(self.lines.seq, reason)
        self.lines.drop_rest()
        if self.events:
            self.table.undo(self.journal_ends[-1])

    def _open(self, event: Event) -> None:
        if not isinstance(event, GameStarted):
            raise CannotFoldError("the log does not begin with game.started")
        self.table = self.judge.table = new_table(self.game, event.players, self.ruleset, self.library)
        self.table.journal.clear()
        self.judge.judge(self.judge.rows.get(type(event), ()), event)

    def finish(self) -> "Replay":
        """Take the automatic steps that are due when the log ends, and count what the rules made of its last line.

        More events may come after all, and may still write it down.
        """
        lines, loop, table_ends = self.lines, self.loop, self.game.finish
        if table_ends is not None and self.stopped is None and lines.events:
            table_ends(self.table)
            lines.journal_ends[-1] = len(self.table.journal)
        result = loop.result
        if result is not None:
            loop.observations.end_with(result)
        if result is not None and detail_of(lines.events) == "results":
            loop.forget_verdicts()
        else:
            self._is_finished = bool(lines.events)
        if self.stopped is not None or self.judge.found or loop.observations.readings:
            loop.look_back()
        return self

    @property
    def raw_findings(self) -> list[Finding]:
        """All findings in the order of the events, with what was read on the way and the log has not explained yet."""
        findings, observations = self.judge.raw_findings, self.loop.observations
        return sorted([*findings, *observations.undecided()], key=SEQ) if observations.readings else findings

    # -- results ---------------------------------------------------------------------------------------------------

    @property
    def findings(self) -> list[Finding]:
        """All findings in the order of the events, each with the event that it follows from, where it does."""
        raw = [with_outcome(each, self.went_on) for each in self.raw_findings]
        if not raw:
            return raw
        if self._with_causes is None or self._with_causes[0] != raw:
            late = {each.seq for each in self.misread if each.how == "late"}
            misread = {each.seq for each in self.misread}
            numbered = dict(zip(self.seqs, self.events, strict=True))
            alone = {each.id for each in self.game.rules if each.rests_on == "line"}
            folds = folds_worth(self) if self.folds is None else self.folds
            causes = as_meant(self, raw, alone, folds) if self.read_as else None
            apart = self.game.slips.standing_apart
            retold = Retold(numbered, self._findings_of, late, misread, self.ledger.otherwise)
            own = retold.own if apart is None else partial(apart, self)
            self._with_causes = raw, causes or with_causes(raw, own, alone, MAX_CAUSES if apart is not None else folds)
        words = [each.meant for each in self.misread if each.meant is not None and each.meant.is_open]
        explained = {seq: each.because for each in words for seq, _ in each.illegal if seq != each.because}
        findings = [as_explained(each, explained) for each in self._with_causes[1]]
        return [as_guessed(each, self.read_as) for each in findings] if self.read_as else findings

    def retold(self, seq: int, event: Event) -> "Replay":
        """Return the game with another event as a line."""
        step, events = self.seqs.index(seq), [*self.events]
        events[step] = msgspec.structs.replace(event, seq=seq)
        return Replay(self.game, self.ruleset, self.library, self.misread).run(events).finish()

    def _findings_of(
        self, events: Sequence[Event], inserted: frozenset[int], taken_over: frozenset[int]
    ) -> list[Finding]:
        """Return what is found where other events stand in place of the game's own.

        Before the lines `inserted` stands the line that ends the turn, which is missing there; the table goes on with
        what the lines `taken_over` say.
        """
        values = {Misread(each, "wrong") for each in taken_over}
        misread = frozenset(
            Misread(each.seq, "inserted") if each.seq in inserted else each for each in self.misread - values
        )
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


# -- tables laid out for those who play --------------------------------------------------------------------------------

MAX_CACHED_TABLES: Final = 64
"""Tables of a game that are kept to be copied."""


def new_table(game: Game, seats: tuple[Seat, ...], ruleset: Ruleset, library: Mapping[str, Any]) -> Table[Any, Any]:
    """Return a new table of a game, laid out for some players under a ruleset, with a library of cards."""
    laid_out: dict[tuple[str, tuple[Seat, ...]], Table[Any, Any]] = game.__dict__.setdefault("_laid_out", {})
    key = ruleset.id, seats
    table = laid_out.get(key)
    if table is None or table.library is not library:
        if len(laid_out) == MAX_CACHED_TABLES:
            laid_out.clear()
        table = game.opening(seats, ruleset, library)
        table.edition = ruleset.read_by
        laid_out[key] = table
    fresh = table.copy()
    fresh.derived += table.derived
    fresh.applied += table.applied
    return fresh
