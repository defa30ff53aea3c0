"""The timeline of a game: which of its steps counted in the end, and the round, turn and phase of each of them.

A turn ends where the number of the turn moves on, or with the log; one in which nobody did anything is none. What the
table took back did not happen, as far as turns and cards are concerned; it stays among the events, marked.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.shared import PlayTakenBack
from tabletape.projector.fold.checkpoints import walk
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.changes import Change
from tabletape.projector.model.table import Table

_OWN_FIELDS: Final = frozenset({"round", "turn", "phase", "active"})


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


class OwnChange(NamedTuple):
    """A change of a field of the table itself, at `place` in the journal."""

    place: int
    field: str
    before: Any
    after: Any


class Timeline(msgspec.Struct, frozen=True):
    """The timeline of a game.

    `steps` are the numbers (from 0) of the steps that were not taken back, `positions` says for every step when it was
    decided, `turns` are the turns in order; the set-up is none. `opening` is when the table was laid out.
    """

    steps: tuple[int, ...]
    positions: tuple[Position, ...]
    turns: tuple[Turn, ...]
    opening: Position


def timeline_of(replay: Replay) -> Timeline:
    """Return the timeline of a replay."""
    steps = tuple(_steps_that_counted(replay))
    # They are few among those of cards and players, which nobody has to look at twice for them.
    own = [
        OwnChange(index, field, before, after)
        for index, (thing, field, before, after) in enumerate(replay.table.journal)
        if field in _OWN_FIELDS and thing.n == 0
    ]
    first = {each.field: each.before for each in reversed(own)}
    began = {field: first[field] if field in first else getattr(replay.table, field) for field in _OWN_FIELDS}
    opening = Position(began["round"], began["turn"], began["phase"])
    return Timeline(
        steps=steps,
        positions=tuple(_positions(replay, own, opening)),
        turns=tuple(_turns(replay, steps, own, began)),
        opening=opening,
    )


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


def unwritten(replay: Replay, timeline: Timeline) -> Iterator[tuple[int, Event]]:
    """Return what the rules made of the lines that counted and nobody wrote down, each with its step (from 0)."""
    counted = set(timeline.steps)
    for derived in (*replay.unwritten, *replay.table.derived):
        step = min(bisect_right(replay.journal_ends, derived.mark), len(replay.events) - 1)
        if step in counted:
            yield step, derived.event


def span(replay: Replay, step: int) -> tuple[int, int]:
    """Return the stretch of the journal that a step wrote."""
    return (replay.journal_ends[step - 1] if step else 0), replay.journal_ends[step]


def _positions(replay: Replay, own: Sequence[OwnChange], now: Position) -> Iterator[Position]:
    """Return for every step the position at which its line was decided: after what had to come before it."""
    begin = done = 0
    for step, end in enumerate(replay.journal_ends):
        decided = replay.automatic_ends.get(step, begin)
        if not now.turn and isinstance(replay.events[step], Decision):
            decided = _first_turn_begun(own, done, decided)
        while done < len(own) and own[done].place < decided:
            if own[done].field != "active":
                now = msgspec.structs.replace(now, **{own[done].field: own[done].after})
            done += 1
        yield now
        begin = end


def _first_turn_begun(own: Sequence[OwnChange], done: int, decided: int) -> int:
    """Return where in the journal the first turn has begun, if it does with the decision made there and not behind it.

    Such a table is laid out, and whoever decides first begins: that is what it sets before anything else.
    """
    here, has_begun = decided, False
    for each in islice(own, done, None):
        if each.place > here:
            break
        has_begun |= each.field == "turn"
        here = max(here, each.place + 1)
    return here if has_begun else decided


class Begin(msgspec.Struct, frozen=True):
    """The begin of a turn: its number, whose it is, the step and the length of the journal before it."""

    number: int
    player: str
    step: int
    length: int


def _turns(
    replay: Replay, steps: tuple[int, ...], own: Sequence[OwnChange], began: Mapping[str, Any]
) -> Iterator[Turn]:
    """Return the turns; each lasts to the begin of the next, or to the end of the log."""
    begins = list(_begins(replay, steps, own, began))
    for begin, following in pairwise(begins):
        if begin.number:
            yield Turn(begin.number, begin.player, following.step, following.length)
    last = begins[-1]
    decided = (step for step in steps if step >= max(last.step, 0) and _is_decided_after(replay, step, last))
    if last.number and any(replay.events[step].CLASS in {"decision", "chance"} for step in decided):
        yield Turn(last.number, last.player, steps[-1], replay.journal_ends[steps[-1]])


def _is_decided_after(replay: Replay, step: int, begin: Begin) -> bool:
    """Return whether the line of a step was decided when a turn had begun."""
    return replay.automatic_ends.get(step, span(replay, step)[0]) > begin.length


def _begins(
    replay: Replay, steps: tuple[int, ...], own: Sequence[OwnChange], began: Mapping[str, Any]
) -> Iterator[Begin]:
    """Return where the turns begin, whose number grows; the first is the one (or the set-up) of the opening."""
    active = began["active"]
    yield Begin(began["turn"], active, -1, -1)
    counted = set(steps)
    for index, field, before, after in own:
        if field in {"round", "phase"} or (step := bisect_right(replay.journal_ends, index)) not in counted:
            continue
        if field == "active":
            active = after
        elif after > before:
            yield Begin(after, _whose(replay.table.journal, index, active), step, index)


def _whose(journal: Sequence[Change], index: int, active: str) -> str:
    """Return whose turn begins with a change of its number: who gets it together with it, or had it just before.

    What a table does in one go stands in a row: changes of its own fields, before anything happens to a player or card.
    """
    for thing, field, _, after in islice(journal, index + 1, None):
        if thing.n != 0 or field == "turn":
            return active
        if field == "active":
            return str(after)
    return active


class Walk:
    """A table that is taken forward along the steps that counted."""

    def __init__(self, replay: Replay, timeline: Timeline) -> None:
        self._replay = replay
        self._steps = iter(timeline.steps)
        self.table: Table[Any, Any] = replay.at(0)
        self._step = next(self._steps, 0)
        self._length = replay.journal_ends[self._step]

    def to(self, step: int, length: int | None = None) -> Table[Any, Any]:
        """Take the table to `length` of the journal within a step that counted (the end of the step without it)."""
        while self._step < step:
            before, self._step = self._step, next(self._steps, step)
            if self._step != before + 1:
                self._go(span(self._replay, before)[1])
                self._length = span(self._replay, self._step)[0]
        self._go(span(self._replay, step)[1] if length is None else length)
        return self.table

    def before(self, step: int) -> Table[Any, Any]:
        """Take the table to where the line of a step that counted was decided."""
        return self.to(step, self._replay.automatic_ends.get(step, span(self._replay, step)[0]))

    def _go(self, length: int) -> None:
        walk(self.table, self._replay.table.journal, self._length, length)
        self._length = length


def tables_back(replay: Replay, timeline: Timeline) -> Iterator[tuple[Turn, Table[Any, Any]]]:
    """Yield every turn with the table at its end, the last turn first: one table, which is taken back turn by turn.

    It begins where the game ended, so that nobody has to go back to the beginning first.
    """
    journal = replay.table.journal
    table = replay.table.copy()
    walk(table, journal, len(journal), replay.journal_ends[-1])
    stretches = _stretches(replay, timeline.steps)
    begin, here = next(stretches)
    for turn in reversed(timeline.turns):
        while turn.length < begin:
            walk(table, journal, here, begin)
            begin, here = next(stretches)
        walk(table, journal, here, turn.length)
        here = turn.length
        yield turn, table


def _stretches(replay: Replay, steps: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of the journal that counted, the last one first: what lies between them was taken back.

    So the table was the same at the end of one and at the begin of the next.
    """
    begin, end = span(replay, steps[-1])
    for later, step in pairwise(reversed(steps)):
        if step + 1 != later:
            yield begin, end
            end = span(replay, step)[1]
        begin = span(replay, step)[0]
    yield begin, end


def player_of(event: Event) -> str | None:
    """Return who did it, or none where nobody acts."""
    player = getattr(event, "player", UNSET)
    return player or None if player is not UNSET else None
