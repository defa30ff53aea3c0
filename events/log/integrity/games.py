"""The check of the games: every hash is computed again and every count is compared.

Events are read by the positions that the recordings name, from the table and never from an index of it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from tabletape.events.log import Log
from tabletape.events.log.hashes import next_hash, opening_hash
from tabletape.events.log.integrity.rows import Damage, What, checked_to_end, damage, each_row, tuples
from tabletape.events.log.rows import ENCODE, StoredEvent
from tabletape.events.log.tables import EVENT, GAME, RECORDING
from tabletape.events.plans import planned
from tabletape.events.vocabulary import MAX_EVENTS


@planned
class _Body(msgspec.Struct):
    """What an event's body says that also stands in columns of its own."""

    seq: int
    type: str
    player: Any = None
    at: str | None = None


_BODY = msgspec.json.Decoder(_Body)


class _Event(StoredEvent):
    """A stored event as it is checked."""

    __slots__ = ()

    def decoded(self) -> _Body | None:
        """Read the body; `None` where it is no event any more."""
        try:
            return _BODY.decode(self.body)
        except msgspec.MsgspecError:
            return None


_COLUMNS: Final = (*_Event._fields, "game")


class _Recording(NamedTuple):
    number: int
    game: int
    first: int
    last: int
    last_seq: int
    hash: bytes


def game_damages(log: Log) -> Iterator[Damage]:
    """Check every game of a log; return what is wrong."""
    with log.reading() as connection:
        games = list(each_row(connection, GAME))
        recordings = _recordings(connection)
        strays = _strays(connection, recordings)
    yield from _holes("game", [game.number for game in games])
    yield from _holes("recording", [recording.number for recording in recordings])
    yield from _each_game(log, games, recordings, strays)


def _recordings(connection: sa.Connection, where: str = "1 = 1") -> list[_Recording]:
    return [_Recording(*row) for row in tuples(connection, RECORDING, _Recording._fields, where=where)]


def damages_after(log: Log, recording: int) -> Iterator[Damage]:
    """Check the games of which something was recorded after a recording, whole; return what is wrong."""
    with log.reading() as connection:
        new = _recordings(connection, f"number > {recording}")
        last = max((each.last for each in _recordings(connection, f"number = {recording}")), default=0)
        strays = _strays(connection, new, after=last)
        numbers = sorted({*(each.game for each in new), *strays})
        games: list[sa.Row[Any]] = []
        recordings: list[_Recording] = []
        for begin in range(0, len(numbers), _GAMES_AT_ONCE):
            some = ", ".join(map(str, numbers[begin : begin + _GAMES_AT_ONCE]))
            games += each_row(connection, GAME, where=f"number IN ({some})")
            recordings += _recordings(connection, f"game IN ({some})")
    yield from _each_game(log, games, recordings, strays)


def _each_game(
    log: Log, games: Sequence[sa.Row[Any]], recordings: Sequence[_Recording], strays: dict[int, list[int]]
) -> Iterator[Damage]:
    """Check some games, of which all recordings are given, and events that none of them has taken."""
    for each in recordings:
        if not _is_sound(each):
            message = f"the recording {each.number} goes from position {each.first} to {each.last}, which cannot be"
            yield damage("altered", message)
    of_game: dict[int, list[_Recording]] = {}
    for recording in filter(_is_sound, recordings):
        of_game.setdefault(recording.game, []).append(recording)
    for game in games:
        check = _Check(log, game, of_game.get(game.number, []), strays.pop(game.number, []))
        yield from checked_to_end(f"game {game.game_id!r}", check.damages)
    for number, positions in strays.items():
        yield damage("added", f"{len(positions)} event(s) belong to the game number {number}, which is not there")


_GAMES_AT_ONCE: Final = 500
"""How many games are asked for at once."""

_MAX_LOST_ROWS: Final = 10_000
"""How many lost rows are looked for at most: a damaged number may be anything."""


def _is_sound(recording: _Recording) -> bool:
    """Return whether a recording can have taken the positions that it names."""
    return 1 <= recording.first <= recording.last < recording.first + MAX_EVENTS


def _holes(table: str, numbers: list[int]) -> Iterator[Damage]:
    """Rows are numbered without holes: a hole is a lost row."""
    lost = sorted(set(range(1, min(max(numbers, default=0), len(numbers) + _MAX_LOST_ROWS) + 1)) - set(numbers))
    if lost:
        named = ", ".join(map(str, lost[:10])) + (" ..." if len(lost) > 10 else "")
        yield damage("missing", f"row(s) {named} of the table `{table}` are gone")


def _strays(connection: sa.Connection, recordings: list[_Recording], after: int = 0) -> dict[int, list[int]]:
    """Return the positions of the events that no recording of their game has taken, by game.

    Of events `after` a position, if one is given: the recordings are then those of later ones.
    """
    taken = sorted((each.first, each.last, each.game) for each in recordings)
    firsts = [first for first, _, _ in taken]
    where = f"position > {after}" if after else "1 = 1"
    strays: dict[int, list[int]] = {}
    for position, game in tuples(connection, EVENT, ("position", "game"), where=where):
        place = bisect_right(firsts, position) - 1
        if place < 0 or position > taken[place][1] or game != taken[place][2]:
            strays.setdefault(game, []).append(position)
    return strays


class _Check:
    """The check of one game."""

    def __init__(self, log: Log, game: sa.Row[Any], recordings: list[_Recording], strays: list[int]) -> None:
        self._log = log
        self._game = game
        self._recordings = recordings
        self._strays = strays
        self._events: list[_Event] = []

    def _read(self) -> None:
        """Read the events that the recordings name, and those that only say that they belong to the game."""
        spans = [(each.first, each.last) for each in self._recordings]
        with self._log.reading() as connection:
            for first, last in (*spans, *((stray, stray) for stray in self._strays)):
                rows = tuples(connection, EVENT, _COLUMNS, where=f"position BETWEEN {int(first)} AND {int(last)}")
                self._events += [_Event(*row[:-1]) for row in rows if row[-1] == self._game.number]
        self._events.sort(key=attrgetter("seq"))

    def damages(self) -> Iterator[Damage]:
        """Return everything that is wrong with the game."""
        self._read()
        yield from self._missing()
        yield from self._added()
        yield from self._places()
        yield from self._chain()
        yield from self._ends()
        yield from self._head()

    def _damage(self, what: What, seq: int, message: str) -> Damage:
        return Damage(what, self._game.game_id, self._game.revision, seq, message)

    def _expected(self) -> set[int]:
        """Return the positions that the recordings of the game have taken."""
        return {place for each in self._recordings for place in range(each.first, each.last + 1)}

    def _missing(self) -> Iterator[Damage]:
        """Find events that were recorded and are gone."""
        if not self._recordings:
            yield self._damage("missing", 0, "nothing is recorded of this game")
        seqs = {event.position: event.seq for event in self._events}
        for place in sorted(self._expected() - set(seqs)):
            before = max((seq for position, seq in seqs.items() if position < place), default=0)
            after = f"after event {before}" if before else "at the beginning"
            yield self._damage("missing", before + 1, f"an event is missing {after} (position {place})")

    def _added(self) -> Iterator[Damage]:
        """Find events that nobody has recorded."""
        expected = self._expected()
        for event in self._events:
            if event.position not in expected:
                yield self._damage("added", event.seq, f"event {event.seq} was put in behind the log's back")

    def _places(self) -> Iterator[Damage]:
        """Find events whose columns and body disagree, or that lie before an earlier one."""
        in_place = []
        for event in self._events:
            body = event.decoded()
            if body is None:
                continue  # `_chain` says so
            if body.seq != event.seq:
                message = f"the event in place {event.seq} says that it is event {body.seq}"
                yield self._damage("reordered", event.seq, message)
                continue
            in_place.append(event)
            if (body.type, body.player, body.at) != (event.type, event.player, event.at):
                message = f"event {event.seq}: its type, player or time is not the one in its body"
                yield self._damage("altered", event.seq, message)
        for before, event in pairwise(in_place):
            if before.position > event.position:
                yield self._damage("reordered", event.seq, f"event {event.seq} lies before event {before.seq}")

    def _chain(self) -> Iterator[Damage]:
        """Find the events whose hash does not follow from their body and the event before them."""
        expected = self._expected()
        events = [event for event in self._events if event.position in expected]
        events.sort(key=lambda event: body.seq if (body := event.decoded()) else event.seq)
        possible = {opening_hash(self._game.game_id)}
        last = self._recordings[0].first - 1 if self._recordings else 0
        for event in events:
            following = {next_hash(before, event.body.encode()) for before in possible}
            after_a_hole = expected.intersection(range(last + 1, event.position))
            if event.hash not in following and not after_a_hole:
                message = f"event {event.seq} was altered: its hash does not fit its text"
                yield self._damage("altered", event.seq, message)
            # Where only the hash was changed, the next event still follows from the right one.
            possible = {event.hash, *following}
            last = event.position

    def _ends(self) -> Iterator[Damage]:
        """Find recordings that do not end as they did."""
        ends = {event.position: event for event in self._events}
        for recording in self._recordings:
            end = ends.get(recording.last)
            if end is not None and end.hash != recording.hash:
                message = f"event {end.seq} is not the one that was recorded last"
                yield self._damage("altered", end.seq, message)

    def _head(self) -> Iterator[Damage]:
        """Find a game whose row is not what its first event says."""
        try:
            head = msgspec.json.decode(self._events[0].body) if self._events else {}
        except msgspec.DecodeError:
            return
        game = self._game
        if not self._events or head.get("type") != "game.started":
            return
        row = (game.game_id, game.game, game.edition, game.players, game.rulings, game.started_at)
        players, rulings = (ENCODE(head.get(key)).decode() for key in ("players", "rulings"))
        if row != (head.get("id"), head.get("game"), head.get("edition"), players, rulings, head.get("at")):
            yield self._damage("altered", 0, "the row of the game is not what its game.started says")
