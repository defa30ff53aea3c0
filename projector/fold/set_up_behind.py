"""The rest of a set-up behind a line that could not be read: what it lacks, and with what all of it is right."""

from collections.abc import Callable
from functools import cached_property
from itertools import takewhile

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event, tag_of
from tabletape.events.vocabulary.shared import (
    DeckDeclared,
    DeckShuffled,
    LogGap,
    PhaseStarted,
    PlayTakenBack,
    RoundStarted,
    TurnStarted,
)
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.trial import Trial
from tabletape.projector.model.due import Due, covers

Kind = type[Event]
Wanted = dict[tuple[Kind, str], Due | None]
"""The types of lines and whose they are, empty where nobody's, with what is due of them, None of a decision."""


def touches_nothing(kind: Kind) -> bool:
    """Return whether lines of a type change nothing that a later line hangs on, or what follows by itself.

    A phase begins by itself only where nobody says that another one does.
    """
    if issubclass(kind, PhaseStarted):
        return False
    return issubclass(kind, Consequence | DeckShuffled) or tag_of(kind) == "deck.cut"


class SetUpBehind:
    """The lines from one that could not be read up to the first turn, at the table of a judge."""

    def __init__(self, lines: Lines, judge: Judge, doubts: Doubts, trial: Trial) -> None:
        self._judge, self._doubts, self._trial = judge, doubts, trial
        self._behind = [*lines.log[lines.here + 1 :]]
        self._log = lines.log

    @cached_property
    def _set_up(self) -> list[Event]:
        """The lines up to that with which the first turn begins; none where it does not."""
        with self._trial.tried():
            for number, event in enumerate(self._behind, 1):
                if isinstance(event, LogGap | PlayTakenBack):
                    return []
                self._carry_out([event])
                if self._judge.table.turn:
                    return self._behind[:number]
        return []

    @cached_property
    def _acts(self) -> list[Event]:
        """The lines of the set-up that are acts, without the one with which the first turn begins if it is of that."""
        *before, last = self._set_up
        with self._trial.tried():
            self._carry_out(before)
            lines = self._set_up if (type(last), str(getattr(last, "player", ""))) in self.possible() else before
        return [each for each in lines if isinstance(each, Decision | Chance)]

    @cached_property
    def _stands_before_a_turn(self) -> bool:
        """Whether the log says behind the line, before anything is done, that a turn begins."""
        before_acts = takewhile(lambda each: not isinstance(each, Decision | Chance), self._set_up)
        return any(isinstance(each, RoundStarted | TurnStarted) for each in before_acts)

    def first_plays(self) -> list[Event]:
        """Return what the line may have been of a turn that the log lets begin behind it: it may say so late."""
        table, game = self._judge.table, self._judge.game
        offers = (each for player in game.actors(table) for each in game.legal(table, player))
        return [each for each in offers if self._begins_a_turn(each)] if self._stands_before_a_turn else []

    def possible(self) -> Wanted:
        """Return what luck may write now and does not later, and what a player may decide before the first turn."""
        table, game = self._judge.table, self._judge.game
        due = (each for each in game.due(table) if not any(covers(each, line) for line in self._set_up[:-1]))
        wanted: Wanted = {(each.line, each.player): each for each in due}
        for player in game.actors(table):
            offers = {type(each): each for each in game.legal(table, player)}
            wanted |= {(kind, player): None for kind, each in offers.items() if not self._begins_a_turn(each)}
        return wanted

    def wanted(self) -> Wanted | None:
        """Return what the first turn comes without, None where that is not told."""
        if not self._set_up:
            return None
        *before, last = self._set_up
        lists = {each.player for each in self._log if isinstance(each, DeckDeclared)}
        table, types = self._judge.table, self._judge.game.vocabulary.types.values()
        declares = [each for each in types if issubclass(each, DeckDeclared)] if lists else []
        wanted: Wanted = {(kind, player): None for kind in declares for player in table.players if player not in lists}
        with self._trial.tried():
            self._carry_out(before)
            wanted |= self.possible()
        wanted.pop((type(last), str(getattr(last, "player", ""))), None)
        return wanted

    def _begins_a_turn(self, line: Event) -> bool:
        with self._trial.tried():
            self._come_to(line)
            return bool(self._judge.table.turn)

    def is_right(self, carry_out: Callable[[], object]) -> bool:
        """Return whether the lines of the set-up before and behind are right if a line said something.

        Where none stands behind it, nor that a turn begins, it may have been of the first turn: then nothing is known
        of it. A line that is read with another word is right.
        """
        found = (each for each in self._judge.raw_findings if self._doubts.meant(each.seq) is None)
        if not (self._acts or self._stands_before_a_turn) or any(each.kind != "info" for each in found):
            return False
        with self._trial.tried():
            carry_out()
            for event in self._acts:
                self._come_to(event)
                if not self._trial.is_right(event):
                    return False
                self._trial.carry_out(event)
            return not self._is_lacking()

    def _is_lacking(self) -> bool:
        """Return whether the first turn is wrong, and would be if it ended at once: no line of it has brought that."""
        last, turn_end, table = self._set_up[-1], self._judge.game.slips.turn_end, self._judge.table
        if turn_end is None or last in self._acts:
            return False
        idle = turn_end.by(player=table.active or getattr(last, "player", ""))
        both = self._broken_by(last) & self._broken_by(idle)
        return any(self._judge.game.by_id[each].rests_on == "nothing" for each in both)

    def _broken_by(self, line: Event) -> set[str]:
        with self._trial.tried():
            self._come_to(line)
            return self._trial.against(line, ("unverifiable", "info")) or set()

    def _carry_out(self, events: list[Event]) -> None:
        table, game = self._judge.table, self._judge.game
        for event in events:
            if isinstance(event, Decision | Chance) and type(event) in game.play:
                self._come_to(event)
                gated = game.gate(table, event)
                if gated is None or gated.played:
                    self._trial.carry_out(event)

    def _come_to(self, event: Event) -> None:
        if self._judge.game.before is not None:
            self._judge.game.before(self._judge.table, event)
