"""What is read from the log: games, stored events, quarantined lines, and how an event becomes a row."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from operator import attrgetter, lt
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import force_setattr

from tabletape.events.errors import TabletapeError
from tabletape.events.log.hashes import chained
from tabletape.events.plans import planned
from tabletape.events.vocabulary import MAX_EVENTS, Event, tag_of
from tabletape.events.vocabulary.shared import PlayTakenBack

ENCODER: Final = msgspec.json.Encoder(order="sorted")
ENCODE: Final = ENCODER.encode
"""Writes the canonical JSON of a value: keys sorted, no blanks, nothing that was not written down."""


def as_lines(events: Iterable[Event]) -> bytes:
    """Return events as a log file: canonical JSON Lines, which import to the same hashes."""
    return b"".join([ENCODE(event) + b"\n" for event in events])


class Seated(NamedTuple):
    """A player of a stored game, in the order of the seats."""

    id: str
    name: str
    deck: str | None


class CardTexts(NamedTuple):
    """The card files of a game as text: the built-in one, and the designer's own (empty where there is none)."""

    built_in: str
    own: str = ""


class StoredGame(NamedTuple):
    """A stored game; `fingerprint` is its last hash (hexadecimal): it changes if and only if the game does.

    `cards` are the numbers of the card files that it was recorded under, 0 for none; both are 0 in logs that are older
    than the keeping of card texts.
    """

    number: int
    game_id: str
    revision: int
    game: str
    edition: str
    players: tuple[Seated, ...]
    rulings: dict[str, str]
    started_at: str | None
    recorded_at: str
    events: int
    last_seq: int
    fingerprint: str
    file: str | None
    cards: tuple[int, int] = (0, 0)


Row: TypeAlias = tuple[int, str, str | None, str | None, str, bytes]
"""An event as it is written: seq, type, player, at, body, hash."""


class EventRows(NamedTuple):
    """Events as they are written, column by column: there are millions of them, and a tuple for each costs more."""

    seqs: list[int]
    types: list[str]
    players: list[str | None]
    times: list[str | None]
    bodies: list[str]
    hashes: list[bytes]

    def behind(self, place: int) -> "EventRows":
        """Return the events from a place on, counted from 0."""
        return EventRows._make(column[place:] for column in self) if place else self

    def each(self) -> Iterator[Row]:
        """Return the events one by one."""
        return zip(*self, strict=True)


class StoredEvent(NamedTuple):
    """An event as it stands in the log; `body` is its canonical JSON, `hash` its place in the chain."""

    position: int
    seq: int
    type: str
    player: str | None
    at: str | None
    body: str
    hash: bytes


_SHEET: Final = re.compile(r"(?P<book>.*\.(?:xlsx|xlsm|xls|ods)) \[(?P<sheet>.+)\]", re.IGNORECASE | re.DOTALL)
"""How the import calls a sheet of a workbook."""


class QuarantinedLine(NamedTuple):
    """A line that could not be read; `line` and `column` count from 1, 0 means the whole file."""

    file: str
    line: int
    column: int
    code: str
    message: str
    suggestion: str
    raw: str

    @property
    def place(self) -> str:
        """Where the line stands, as people see it: `log.csv:15:3`, or `log.xlsx: cell C15 of sheet "log"`."""
        sheet = _SHEET.fullmatch(self.file)
        if sheet is None or not self.line:
            return ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        from xlsxwriter.utility import xl_col_to_name  # noqa: PLC0415 - only a line of a sheet waits for the library

        cell = f"cell {xl_col_to_name(self.column - 1)}{self.line}" if self.column else f"row {self.line}"
        return f'{sheet["book"]}: {cell} of sheet "{sheet["sheet"]}"'


class RawFile(NamedTuple):
    """A file that was imported and is kept; `size` is in bytes, before compression."""

    number: int
    sha256: str
    name: str
    size: int
    kept_at: str


class Arrival(NamedTuple):
    """How a file came: what is kept of it, the name by which it came, the format by which it was read."""

    file: RawFile
    name: str
    format: str


class Recording(NamedTuple):
    """Events of a game that were recorded together: how many, when, from which file (none: from no file)."""

    game_id: str
    revision: int
    events: int
    recorded_at: str
    file: str | None


class KeptReading(NamedTuple):
    """What is kept of the reading of a file: a stamp of all that it depended on, and what it found (JSON)."""

    stamp: str
    found: str


class UnfitError(TabletapeError):
    """An event that cannot follow in its game: a code, the field that is wrong, the reason, the player it names."""

    def __init__(self, code: str, field: str, message: str, value: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.value = value


class _Tags(dict[type[Event], str]):
    """The name of each event type, looked up once: millions ask."""

    def __missing__(self, event_type: type[Event]) -> str:
        tag = self[event_type] = tag_of(event_type)
        return tag


_TAGS: Final = _Tags()


_SEQ: Final = attrgetter("seq")
_AT: Final = attrgetter("at")

EVENTS_AT_ONCE: Final = 1000
"""Events that are made rows together."""


class Chain:
    """The rows of a game as its events come in, each with its `seq` and hash."""

    __slots__ = ("_events", "_first", "_hash", "_players", "_rows", "_seats", "last_seq")

    def __init__(self, players: Iterable[str], last_seq: int, last_hash: bytes) -> None:
        """Begin behind the event `last_seq` (0: at the beginning) of a game with these players."""
        self._seats: dict[object, str | None] = {None: None, UNSET: None} | {player: player for player in players}
        self.last_seq = self._first = last_seq
        self._hash = last_hash
        self._rows = EventRows([], [], [], [], [], [])
        self._events: list[Event] = []
        self._players: list[str | None] = []

    def add(self, event: Event) -> None:
        """Take the next event of the game; one without a `seq` gets the next one.

        Raises `UnfitError` where its `seq` does not grow, its player does not sit at the table, or it takes back to an
        event that is not before it.
        """
        try:
            player = self._seats[getattr(event, "player", None)]
        except KeyError as error:
            player = str(error.args[0])
            raise UnfitError("unknown-player", "player", no_such_player(player, self._seats.values()), player) from None
        seq = event.seq
        if seq is UNSET:
            seq = self.last_seq + 1
            # Frozen for everybody else: it was decoded a moment ago, and a copy would cost more than all the rest.
            force_setattr(event, "seq", seq)
        if not self.last_seq < seq <= MAX_EVENTS:
            raise self._unfit(seq)
        if type(event) is PlayTakenBack and not self._has(event.to):
            raise UnfitError("no-such-event", "to", f"`to` is {event.to}: the game has no such event before this one")
        self.last_seq = seq
        self._players.append(player)
        waiting = self._events
        waiting.append(event)
        if len(waiting) == EVENTS_AT_ONCE:
            self._write_down()

    def _has(self, seq: int) -> bool:
        """Return whether an event is there with a number, or may be among those with which the chain was begun."""
        return 0 < seq <= self._first or seq in self._rows.seqs or any(each.seq == seq for each in self._events)

    def _unfit(self, seq: int) -> UnfitError:
        if seq > MAX_EVENTS:
            return UnfitError("too-many", "seq", f"a game has at most {MAX_EVENTS:,} events: begin a new one")
        message = f"`seq` is {seq}, but the event before has {self.last_seq}: it has to grow"
        return UnfitError("seq-order", "seq", message)

    def extend(self, events: list[Event], is_kept: Callable[[bytes, int], bool]) -> bool:
        """Take the next events of the game together; return whether they fit.

        They do not where a player or a `seq` is out of place, where one takes another back, or where their canonical
        lines, in which so many of them were numbered, do not keep what was read (`is_kept`). The chain is then as it
        was, and `add` says of each event what is wrong with it.
        """
        if PlayTakenBack in map(type, events):
            return False
        seqs: list[Any] = [*map(_SEQ, events)]
        unnumbered = seqs.count(UNSET)
        if unnumbered == len(seqs):
            seqs = [*range(self.last_seq + 1, self.last_seq + 1 + len(seqs))]
            for event, seq in zip(events, seqs, strict=True):
                force_setattr(event, "seq", seq)
        elif unnumbered or not all(map(lt, (self.last_seq, *seqs), seqs)):
            return False
        try:
            players = [*map(self._seats.__getitem__, map(getattr, events, repeat("player"), repeat(None)))]
        except KeyError:
            return False
        lines = ENCODER.encode_lines(events)
        if seqs[-1] > MAX_EVENTS or not is_kept(lines, unnumbered):
            return False
        self._write_down()
        self._add_rows(events, seqs, players, lines)
        self.last_seq = seqs[-1]
        return True

    def _write_down(self) -> None:
        """Make the events that wait rows: many together, each column in one go, take a third less time."""
        if self._events:
            lines = ENCODER.encode_lines(self._events)
            self._add_rows(self._events, map(_SEQ, self._events), self._players, lines)
            self._events, self._players = [], []

    def _add_rows(self, events: list[Event], seqs: Iterable[int], players: list[str | None], written: bytes) -> None:
        lines = written.rstrip(b"\n")
        hashes = chained(self._hash, lines.split(b"\n"))
        rows = self._rows
        rows.seqs.extend(seqs)
        rows.types.extend(map(_TAGS.__getitem__, map(type, events)))
        rows.players.extend(players)
        rows.times.extend(_times(events))
        rows.bodies.extend(lines.decode().split("\n"))
        rows.hashes.extend(hashes)
        self._hash = hashes[-1]

    @property
    def rows(self) -> EventRows:
        """The rows of all events so far."""
        self._write_down()
        return self._rows


def _times(events: list[Event]) -> list[str | None]:
    """Return the times of events as they are written; None where there is none."""
    times = [*map(_AT, events)]
    if times.count(UNSET) == len(times):
        return [None] * len(times)
    known = [at for at in times if at is not UNSET]
    texts = iter(ENCODE(known)[2:-2].decode().split('","'))
    return [None if at is UNSET else next(texts) for at in times]


def no_such_player(player: str, players: Iterable[str | None]) -> str:
    """Return the error of a line whose player does not sit at the table."""
    seats = ", ".join(sorted(each for each in players if each is not None))
    return f"no player `{player}` sits at this table; the players are {seats}"


@planned
class _Seat(msgspec.Struct):
    id: str
    name: str
    deck: str | None = None


_SEATS: Final = msgspec.json.Decoder(list[_Seat])


def seated(players: str) -> tuple[Seated, ...]:
    """Read the `players` column (a JSON list of objects) of a game. Raises `msgspec.MsgspecError` where it is none."""
    return tuple(Seated(each.id, each.name, each.deck) for each in _SEATS.decode(players))
