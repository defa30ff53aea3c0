"""Is the log still what was written down? Every hash is computed again and every count is compared.

What is found: an altered event, a missing one, one in another place, one that was put in behind the log's back, an
altered game or raw file. Whoever recomputes all hashes after a change is not found out: for that, keep the fingerprints
of the games (`Game.fingerprint`) somewhere else.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec
import sqlalchemy as sa

from events.hashes import next_hash, opening_hash
from events.log import Log
from events.log_rows import ENCODE
from events.log_schema import LogError
from events.log_tables import EVENT, GAME, RECORDING

What = Literal["altered", "missing", "reordered", "added", "raw-file"]


class Damage(NamedTuple):
    """Something that is not as it was written; `seq` is 0 where it is not about one event."""

    what: What
    game_id: str
    revision: int
    seq: int
    message: str


class _Body(msgspec.Struct):
    """What an event's body says that also stands in columns of its own."""

    seq: int
    type: str
    player: Any = None
    at: str | None = None


_BODY = msgspec.json.Decoder(_Body)


class _Event(NamedTuple):
    position: int
    seq: int
    type: str
    player: str | None
    at: str | None
    body: str
    hash: bytes

    def says(self) -> _Body | None:
        """Read the body; `None` where it is no event any more."""
        try:
            return _BODY.decode(self.body)
        except msgspec.MsgspecError:
            return None


class _Recording(NamedTuple):
    number: int
    game: int
    first: int
    last: int
    last_seq: int
    hash: bytes


def verify(log: Log) -> Iterator[Damage]:
    """Check every game and every raw file of a log; return what is wrong, nothing where all is well."""
    with log.reading() as connection:
        games = connection.execute(sa.select(GAME).order_by(GAME.c.number)).all()
        columns = [RECORDING.c[name] for name in _Recording._fields]
        recordings = [_Recording(*row) for row in connection.execute(sa.select(*columns).order_by(RECORDING.c.number))]
    yield from _holes("game", [game.number for game in games])
    yield from _holes("recording", [recording.number for recording in recordings])
    of_game: dict[int, list[_Recording]] = {}
    for recording in recordings:
        of_game.setdefault(recording.game, []).append(recording)
    for game in games:
        yield from _Check(log, game, of_game.get(game.number, [])).damages()
    yield from _raw_files(log)


def _holes(table: str, numbers: list[int]) -> Iterator[Damage]:
    """Rows are numbered without holes: a hole is a lost row."""
    lost = sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers))
    if lost:
        named = ", ".join(map(str, lost[:10])) + (" ..." if len(lost) > 10 else "")
        yield Damage("missing", "", 0, 0, f"row(s) {named} of the table `{table}` are gone")


class _Check:
    """The check of one game."""

    def __init__(self, log: Log, game: sa.Row[Any], recordings: list[_Recording]) -> None:
        self._game = game
        self._recordings = recordings
        columns = [EVENT.c[name] for name in _Event._fields]
        query = sa.select(*columns).where(EVENT.c.game == game.number).order_by(EVENT.c.seq)
        with log.reading() as connection:
            self._events = [_Event(*row) for row in connection.execute(query)]

    def damages(self) -> Iterator[Damage]:
        """Return everything that is wrong with the game."""
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
        """Find events whose columns and body disagree."""
        for event in self._events:
            body = event.says()
            if body is None:
                continue  # `_chain` says so
            if body.seq != event.seq:
                message = f"the event in place {event.seq} says that it is event {body.seq}"
                yield self._damage("reordered", event.seq, message)
            elif (body.type, body.player, body.at) != (event.type, event.player, event.at):
                message = f"event {event.seq}: its type, player or time is not the one in its body"
                yield self._damage("altered", event.seq, message)

    def _chain(self) -> Iterator[Damage]:
        """Find the events whose hash does not follow from their body and the event before them."""
        expected = self._expected()
        events = [event for event in self._events if event.position in expected]
        events.sort(key=lambda event: body.seq if (body := event.says()) else event.seq)
        possible = {opening_hash(self._game.game_id)}
        last = self._recordings[0].first - 1 if self._recordings else 0
        for event in events:
            found = {next_hash(before, event.body.encode()) for before in possible}
            after_a_hole = expected.intersection(range(last + 1, event.position))
            if event.hash not in found and not after_a_hole:
                message = f"event {event.seq} was altered: its hash does not fit its text"
                yield self._damage("altered", event.seq, message)
            # Where only the hash was changed, the next event still follows from the right one.
            possible = {event.hash, *found}
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


def _raw_files(log: Log) -> Iterator[Damage]:
    """Unpack every raw file and compare its hash."""
    for file in log.raw_files():
        found = sha256()
        size = 0
        try:
            for piece in log.raw_content(file):
                found.update(piece)
                size += len(piece)
        except LogError as error:
            yield Damage("raw-file", "", 0, 0, str(error))
            continue
        if found.hexdigest() != file.sha256 or size != file.size:
            yield Damage("raw-file", "", 0, 0, f"the kept copy of {file.name} is not the file that was imported")
