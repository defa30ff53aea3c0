"""What a take-back leaves behind: the lines that still stand, and what may still be written down about them."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event
from tabletape.events.vocabulary.shared import GameEnded, PlayTakenBack
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.ledger import Ledger
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.observations import Observations
from tabletape.projector.fold.passed_over import PassedOverGroup, player_of
from tabletape.projector.model.table import CannotFoldError

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay
    from tabletape.projector.fold.written import WrittenLines

UNDONE: Final = "undone by who keeps the log"
"""The note of a take-back by which no player took anything back: what it takes back was never played."""

MAX_RECALLS: Final = 100
"""How often a game is folded again to know what a take-back has left to be written down: each fold takes time."""


class TakenBack(msgspec.Struct):
    """A take-back: its line and the one to which the table was put back, as indices from 0."""

    line: int
    to: int
    _deciders: PassedOverGroup | None = None

    def comes_next(self, events: Sequence[Event], here: int) -> bool:
        """Return whether nothing has been played since, so that the line `here` may belong to what was before."""
        return not any(isinstance(each, Decision | Chance) for each in events[self.line + 1 : here])

    def may_be_late(self, event: Consequence, events: Sequence[Event], here: int, players: Collection[str]) -> bool:
        """Return whether a consequence may have been left to be written down before the take-back.

        It may, as one that was passed over, until the player whom it is about decides something.
        """
        since = self._deciders = self._deciders or PassedOverGroup(self.line, [], set(), self.line + 1)
        if isinstance(event, GameEnded) or since.closes(events, here, players):
            return False
        about = player_of(event)
        return about not in since.deciders and bool(about or not since.deciders)


class TakeBacks:
    """Puts the table back to what it was, and finds out what was still to be written down then."""

    _recalls: int = 0

    def __init__(
        self, lines: Lines, judge: Judge, ledger: Ledger, written: "WrittenLines", observations: Observations
    ) -> None:
        self._lines = lines
        self._judge = judge
        self._ledger = ledger
        self._written = written
        self._observations = observations

    def take_back(self, event: PlayTakenBack) -> None:
        """Put the table back to what it was after event `to`; what was taken back stays in the log."""
        lines, table = self._lines, self._judge.table
        before = lines.seqs[: lines.here]
        if event.to not in before:
            raise CannotFoldError(f"play.taken-back names event {event.to}, which this game does not have")
        to = before.index(event.to)
        self._written.back = TakenBack(lines.here, to)
        self._observations.decide()
        self._judge.wait_again(event.to)
        if event.note == UNDONE:
            for finding in [each for each in self._judge.found if each.seq > event.to]:
                self._judge.withdraw(finding)
        self._ledger.pass_over()
        table.revert(lines.journal_ends[to])
        table.carried_out = len(table.applied)
        self._written.wrong_end = None
        lines.after = len(table.journal)

    def recall(self, back: TakenBack, anew: "Callable[[], Replay]") -> None:
        """Find out what was still to be written down after the line that a take-back goes back to, by folding it.

        A written consequence asks for it, if nothing has been played since the take-back.
        """
        lines, table = self._lines, self._judge.table
        if not back.comes_next(lines.events, lines.here):
            return
        self._recalls += 1
        if self._recalls > MAX_RECALLS:
            return
        left = standing(lines.events[: back.to + 1], lines.seqs[: back.to + 1])
        before = anew().run([msgspec.structs.replace(event, seq=seq) for seq, event in left.items()])
        if before.stopped is not None:
            return
        self._written.back = None
        derived, self._ledger.disputed[:] = before.ledger.still_unwritten()
        self._ledger.open_again(derived, back.to)
        if len(left) == back.to + 1:
            lines.after = before.lines.after
        else:
            # Earlier take-backs stand in the journal: which tables there were on the way is not known any more.
            derived = [msgspec.structs.replace(each, mark=len(table.journal)) for each in derived]
        table.derived += derived


def standing(events: Sequence[Event], seqs: Sequence[int]) -> dict[int, Event]:
    """Return the lines that were not taken back, by their numbers, in order, without the take-backs."""
    lines: dict[int, Event] = {}
    for seq, event in zip(seqs, events, strict=True):
        if isinstance(event, PlayTakenBack):
            while lines and next(reversed(lines)) > event.to:
                lines.popitem()
        else:
            lines[seq] = event
    return lines
