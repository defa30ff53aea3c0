"""The course of a game: which of its steps counted in the end, and the round, turn and phase of each of them.

A turn ends where the number of the turn moves on, or with the log; one in which nobody did anything is none. What the
table took back did not happen, as far as turns and cards are concerned; it stays among the events, marked.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from events.shared import PlayTakenBack
from projector.fold.checkpoints import walk
from projector.fold.replay import Replay
from projector.model.table import Table


class Position(msgspec.Struct, frozen=True, gc=False):
    """Where in the game something happens: numbers from 1, 0 during the set-up."""

    round: int
    turn: int
    phase: str


class Turn(msgspec.Struct, frozen=True):
    """A turn: its number, the player whose turn it is, the step (from 0) that ended it.

    `length` is the length of the journal at its end, just before the next turn began.
    """

    number: int
    player: str
    step: int
    length: int


class Timeline(msgspec.Struct, frozen=True):
    """The course of a game.

    `steps` are the numbers (from 0) of the steps that were not taken back, `moments` says for every step when it
    happened, `turns` are the turns in order; the set-up is none.
    """

    steps: tuple[int, ...]
    moments: tuple[Position, ...]
    turns: tuple[Turn, ...]


def course_of(replay: Replay) -> Timeline:
    """Return the course of a replay."""
    steps = tuple(_steps_that_counted(replay))
    return Timeline(steps=steps, moments=tuple(_moments(replay)), turns=tuple(_turns(replay, steps)))


def _steps_that_counted(replay: Replay) -> list[int]:
    """Return the steps that led to the table as it is: a take-back goes on from the state after the event it names."""
    before: list[int] = []
    ends: list[int] = []
    last = -1
    for step, event in enumerate(replay.events):
        before.append(last)
        last = ends[replay.seqs.index(event.to)] if isinstance(event, PlayTakenBack) else step
        ends.append(last)
    counted = []
    while last >= 0:
        counted.append(last)
        last = before[last]
    return counted[::-1]


def span(replay: Replay, step: int) -> tuple[int, int]:
    """Return the stretch of the journal that a step wrote."""
    return (replay.journal_ends[step - 1] if step else 0), replay.journal_ends[step]


def _moments(replay: Replay) -> Iterator[Position]:
    """Return for every step the moment at which it began."""
    table: Any = replay.at(0) if replay.events else None
    now = {"round": table.round, "turn": table.turn, "phase": table.phase} if table is not None else {}
    for step in range(len(replay.events)):
        yield Position(**now)
        begin, end = span(replay, step)
        for thing, field, _, after in replay.table.journal[begin:end]:
            if thing.n == 0 and field in now:
                now[field] = after


def _turns(replay: Replay, steps: tuple[int, ...]) -> Iterator[Turn]:
    """Return the turns; whose turn it is says the table after the step in which the turn began."""
    opening: Any = replay.at(0)
    turn, active = opening.turn, opening.active
    player, last = active, -1
    for step in steps:
        begin, end = span(replay, step)
        ended = []
        for index in range(begin, end):
            thing, field, before, after = replay.table.journal[index]
            if thing.n == 0 and field == "turn" and after > before:
                ended.append((turn, index))
                turn = after
            elif thing.n == 0 and field == "active":
                active = after
        for number, length in ended:
            if number:
                yield Turn(number, player, step, length)
            player, last = active, step
    if turn and any(replay.events[step].CLASS in {"decision", "chance"} for step in steps if step > last):
        yield Turn(turn, player, steps[-1], replay.journal_ends[steps[-1]])


class Walk:
    """A table that is taken forward along the steps that counted."""

    def __init__(self, replay: Replay, course: Timeline) -> None:
        self._replay = replay
        self._steps = iter(course.steps)
        self.table: Table[Any, Any] = replay.at(0)
        self._step = next(self._steps, 0)
        self._length = replay.journal_ends[self._step]

    def to(self, step: int, length: int | None = None) -> Table[Any, Any]:
        """Take the table to `length` of the journal within a step that counted (the end of the step without it)."""
        while self._step < step:
            self._go(span(self._replay, self._step)[1])
            self._step = next(self._steps, step)
            self._length = span(self._replay, self._step)[0]
        self._go(span(self._replay, step)[1] if length is None else length)
        return self.table

    def before(self, step: int) -> Table[Any, Any]:
        """Take the table to the beginning of a step that counted."""
        return self.to(step, span(self._replay, step)[0])

    def _go(self, length: int) -> None:
        walk(self.table, self._replay.table.journal, self._length, length)
        self._length = length


def player_of(event: Any) -> str | None:
    """Return who did it, or none where nobody acts."""
    player = getattr(event, "player", UNSET)
    return player or None if player is not UNSET else None
