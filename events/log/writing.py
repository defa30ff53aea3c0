"""Writing the log: what one transaction appends.

The writer holds the write lock, so it gives the numbers and positions itself, without holes.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa
import zstandard
from msgspec import UnsetType

from tabletape.events.log.batches import Batches
from tabletape.events.log.files import games_of
from tabletape.events.log.games import GAMES, game_of
from tabletape.events.log.heads import COVERED_TABLES, Digests, Head, digest_of_parts, head_after
from tabletape.events.log.notices import send
from tabletape.events.log.rows import (
    ENCODE,
    CardTexts,
    Chain,
    EventRows,
    KeptReading,
    QuarantinedLine,
    Row,
    StoredGame,
    seated,
)
from tabletape.events.log.schema import LogError
from tabletape.events.log.tables import (
    CARD_FILE,
    EVENT,
    GAME,
    GAME_CARDS,
    HEAD,
    INTAKE,
    QUARANTINE,
    RAW_FILE,
    RAW_PART,
    READING,
    RECORDING,
    mark_of,
)
from tabletape.events.vocabulary.event import SERVED, Event, tag_of
from tabletape.events.vocabulary.shared import GameStarted, overlong

_START_TAG: Final = tag_of(GameStarted)
_ROWS: Final = sa.select(EVENT.c.seq, EVENT.c.type, EVENT.c.player, EVENT.c.at, EVENT.c.body, EVENT.c.hash)

_TAILS: Final = (
    "SELECT game.game_id, game.number, game.revision, recording.last_seq, recording.hash, game.players "
    "FROM game JOIN recording ON recording.number = "
    "(SELECT max(each.number) FROM recording AS each WHERE each.game = game.number) WHERE game.game_id IN "
)
"""However long a game is: its last recording is found by the index, and the others are not read."""

FEW_GAMES: Final = 20
"""Games that are looked up one by one, before the ids of all of them are read: an import has thousands of new ones."""


class StaleAppendError(LogError):
    """Somebody else has appended to the game first, or its log does not go on where the caller thinks.

    `expected` and `found` are last `seq`s, 0 for no events.
    """

    def __init__(self, game_id: str, expected: int, actual: int) -> None:
        super().__init__(
            f"game {game_id!r} was to be continued after event {expected}, but the log goes up to event {actual}: "
            "somebody else was first; read it again and repeat what is still missing"
        )
        self.game_id = game_id
        self.expected = expected
        self.found = actual


class BegunError(LogError):
    """A game was begun already by the same request of the same writer; `game_id` is its id."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"the same request has begun the game {game_id!r}")
        self.game_id = game_id


class Tail(NamedTuple):
    """Where a stored game ends: its number, revision, last `seq` and last hash; and its players as they are stored."""

    number: int
    revision: int
    last_seq: int
    last_hash: bytes
    players: str

    @property
    def chain(self) -> Chain:
        """What goes on behind it."""
        return Chain((seat.id for seat in seated(self.players)), self.last_seq, self.last_hash)


def tails_of(connection: sa.Connection, ids: Collection[str]) -> dict[str, list[Tail]]:
    """Return where games end in each of their revisions, the latest first; nothing of those that are not in the log."""
    tails: dict[str, list[Tail]] = {}
    query = f"{_TAILS} ({', '.join([mark_of(connection.dialect)] * len(ids))}) ORDER BY game.revision DESC"
    for game_id, *tail in connection.exec_driver_sql(query, tuple(ids)) if ids else ():
        tails.setdefault(game_id, []).append(Tail(*tail))
    return tails


class Intake(NamedTuple):
    """One file that was imported: the number of its raw file, its name, format and lines."""

    raw_file: int
    name: str
    format: str
    lines: int


class Last(NamedTuple):
    """The highest numbers in use."""

    game: int
    position: int
    recording: int
    intake: int
    raw_file: int


_NUMBERS: Final = (GAME.c.number, EVENT.c.position, RECORDING.c.number, INTAKE.c.number, RAW_FILE.c.number)
_HIGHEST: Final = sa.select(*(sa.select(sa.func.max(number)).scalar_subquery() for number in _NUMBERS))
"""One query for all of them: a line that is kept at the table runs it before each write."""


class Savepoint(NamedTuple):
    """Where a part of a transaction begins."""

    part: sa.NestedTransaction
    last: Last
    events: int
    digests: Digests


class LogWriter:
    """Appends games, events and files within one transaction of `Log.writing()`."""

    def __init__(self, connection: sa.Connection) -> None:
        self._batches = Batches(connection)
        self.events = 0
        self._grown: set[int] = set()
        self._begun = 0  # The number of the game whose head has yet to come.
        self._now = now()
        self._ids: set[str] | None = None
        self._looked_up = 0
        self._card_files: dict[str, int] = {}
        self._digests = Digests()
        self._last = Last(*(number or 0 for number in self._settled().execute(_HIGHEST).one()))

    def _settled(self) -> sa.Connection:
        """Return the connection when everything that was appended is in the database."""
        return self._batches.settle()

    def _highest(self, column: sa.Column[int]) -> int:
        return int(self._settled().scalar(sa.select(sa.func.max(column))) or 0)

    def tails(self, game_id: str) -> list[Tail]:
        """Return where a game ends in each of its revisions, the latest first; empty where it is not in the log."""
        self._looked_up += 1
        if self._ids is None and self._looked_up > FEW_GAMES:
            self._ids = set(self._settled().scalars(sa.select(GAME.c.game_id)))
        return [] if self._ids is not None and game_id not in self._ids else self.tails_of([game_id]).get(game_id, [])

    def tails_of(self, ids: Collection[str]) -> dict[str, list[Tail]]:
        """Return where several games end, as `tails` does for one."""
        return tails_of(self._settled(), ids)

    def stored(self, ids: Collection[str]) -> list[StoredGame]:
        """Return the games with some ids as they are now, each of their revisions."""
        rows = self._settled().execute(GAMES.where(GAME.c.game_id.in_(ids))) if ids else ()
        return [game_of(row) for row in rows]

    def finish(self) -> None:
        """Send what still waits, and the head over it; the transaction is about to end well."""
        if self._digests.rows:
            before = self._settled().execute(sa.select(HEAD).order_by(HEAD.c.number.desc()).limit(1)).first()
            covers = self._digests.covers(self._reach())
            head = head_after(Head(*before) if before else None, self._now, covers)
            self._settled().execute(HEAD.insert(), head._asdict())
        send(self._settled(), self._grown)

    def close(self) -> None:
        """Wait for what is still being written, whatever became of it."""
        self._batches.close()

    def _reach(self) -> dict[str, int]:
        """Return how far the tables reach that a head covers, each in the column that counts for it."""
        last = {**self._last._asdict(), "card_file": self._highest(CARD_FILE.c.number)}
        owners = {"quarantine": "intake", "reading": "intake", "game_cards": "game"}
        return {table: last[owners.get(table, table)] for table in COVERED_TABLES}

    def mark(self) -> "Savepoint":
        """Begin a part that may be taken back without the rest of the transaction; `release` ends it."""
        return Savepoint(self._settled().begin_nested(), self._last, self.events, self._digests.copy())

    def release(self, mark: "Savepoint", *, keep: bool) -> None:
        """End a part: keep what was appended since the mark, or take it back."""
        if keep:
            self._settled()
            mark.part.commit()
        else:
            self._batches.forget()
            self._settled()
            mark.part.rollback()
            self._last, self.events, self._digests = mark.last, mark.events, mark.digests
            self._card_files.clear()

    def begun(self, by: Event) -> str | None:
        """Return the game whose first event has the writer and the request of an event; None for none."""
        if isinstance(by.request, UnsetType):
            return None
        mine = {name: value for name in SERVED if not isinstance(value := getattr(by, name), UnsetType)}
        first = sa.select(GAME.c.game_id, EVENT.c.body).join(EVENT, EVENT.c.game == GAME.c.number)
        key = ENCODE(by.request).decode()
        rows = self._settled().execute(first.where(EVENT.c.seq == 1, EVENT.c.body.contains(key, autoescape=True)))
        known = ((row.game_id, msgspec.json.decode(row.body)) for row in rows)
        return next(
            (game for game, body in known if {name: body[name] for name in SERVED if name in body} == mine), None
        )

    def rows(self, game: int) -> Iterator[Row]:
        """Return the stored events of a game (by its number), in order."""
        for row in self._settled().execute(_ROWS.where(EVENT.c.game == game).order_by(EVENT.c.seq)):
            yield (row.seq, row.type, row.player, row.at, row.body, row.hash)

    def row(self, game: int, seq: int) -> Row | None:
        """Return the stored event of a game (by its number) with that `seq`."""
        row = self._settled().execute(_ROWS.where(EVENT.c.game == game, EVENT.c.seq == seq)).first()
        return None if row is None else (row.seq, row.type, row.player, row.at, row.body, row.hash)

    def start(self, head: GameStarted, revision: int) -> int:
        """Add a game; return its number. Raise `LogError` where its head has a name that is too long."""
        if long := overlong(head):
            raise LogError(long[1])
        self._begun = number = self._last.game + 1
        self._last = self._last._replace(game=number)
        row = (
            number,
            head.id,
            revision,
            head.game,
            head.edition,
            ENCODE(head.players).decode(),
            ENCODE(head.rulings).decode(),
            ENCODE(head.at)[1:-1].decode() if head.at else None,
            self._now,
        )
        self._batches.games.append(row)
        self._digests.add("game", row)
        if self._ids is not None:
            self._ids.add(head.id)
        return number

    def keep_cards(self, game: int, texts: CardTexts) -> None:
        """Keep the card texts that a game (by its number) is recorded under; the same text is kept once."""
        own = self._card_file(texts.own) if texts.own else None
        self._add_cards((game, self._card_file(texts.built_in), own))

    def keep_cards_of(self, game: int, earlier: int) -> None:
        """Keep for a revision of a game the card texts of an earlier one (both by their numbers), if it has any."""
        cards = sa.select(GAME_CARDS.c.built_in, GAME_CARDS.c.own).where(GAME_CARDS.c.game == earlier)
        texts = self._settled().execute(cards).first()
        if texts is not None:
            self._add_cards((game, texts.built_in, texts.own))

    def _add_cards(self, row: tuple[int, int, int | None]) -> None:
        self._batches.cards.append(row)
        self._digests.add("game_cards", row)

    def _card_file(self, text: str) -> int:
        """Return the number of the kept file with a card text."""
        if text not in self._card_files:
            content = text.encode()
            sha256 = hashlib.sha256(content).hexdigest()
            number = self._settled().scalar(sa.select(CARD_FILE.c.number).where(CARD_FILE.c.sha256 == sha256))
            if number is None:
                number = self._highest(CARD_FILE.c.number) + 1
                row = (number, sha256, zstandard.compress(content), self._now)
                self._settled().execute(CARD_FILE.insert().values(row))
                self._digests.add("card_file", row)
            self._card_files[text] = number
        return self._card_files[text]

    def append(self, game: int, rows: EventRows, intake: int | None = None) -> None:
        """Append events to a game (by its number), as one recording; `rows` must go on where the game ends.

        Every writer passes here. Raise `LogError` for a second `game.started`, behind which nothing could be read.
        """
        events = len(rows.seqs)
        if not events:
            return
        if rows.types.count(_START_TAG) > (game == self._begun):
            raise LogError("a second game.started cannot stand in the middle of a game: begin another game with it")
        self._begun = 0
        first, number = self._last.position + 1, self._last.recording + 1
        last = first + events - 1
        recording = (number, game, intake, first, last, rows.seqs[-1], rows.hashes[-1], self._now)
        self._batches.add_events(game, first, rows, recording)
        self._digests.add("recording", recording)
        self._last = self._last._replace(position=last, recording=number)
        self.events += events
        self._grown.add(game)

    def next_intake(self) -> int:
        """Return the number that the next intake will have: its recordings and its quarantine name it before."""
        return self._last.intake + 1

    def add_intake(self, intake: Intake, reading: KeptReading | None = None) -> None:
        """Add an intake, after everything that it brought, and what is kept of the reading of its file."""
        self._last = self._last._replace(intake=self._last.intake + 1)
        row = (self._last.intake, *intake, self._now)
        self._settled().execute(INTAKE.insert().values(row))
        self._digests.add("intake", row)
        if reading is not None:
            read = (self._last.intake, *reading)
            self._settled().execute(READING.insert().values(read))
            self._digests.add("reading", read)

    def quarantine(self, first: int, lines: Iterable[QuarantinedLine]) -> None:
        """Put lines of the coming intake into quarantine, numbered from `first`."""
        intake = self.next_intake()
        rows = [{"intake": intake, "number": number, **line._asdict()} for number, line in enumerate(lines, first)]
        if rows:
            self._settled().execute(QUARANTINE.insert(), rows)
        for row in rows:
            self._digests.add("quarantine", list(row.values()))

    def unread(self, name: str) -> dict[tuple[str, int], str]:
        """Return what is wrong with quarantined lines of the last intake with a name, by file (or sheet) and line."""
        last = sa.select(sa.func.max(INTAKE.c.number)).where(INTAKE.c.name == name).scalar_subquery()
        lines = sa.select(QUARANTINE.c.file, QUARANTINE.c.line, QUARANTINE.c.message).where(QUARANTINE.c.intake == last)
        return {(row.file, row.line): row.message for row in self._settled().execute(lines)}

    def arrival(self, name: str) -> Intake | None:
        """Return the last intake of a file with a name; None where it never came."""
        columns = [column for column in INTAKE.columns if column.name in Intake._fields]
        query = sa.select(*columns).where(INTAKE.c.name == name).order_by(INTAKE.c.number.desc()).limit(1)
        row = self._settled().execute(query).first()
        return None if row is None else Intake(**row._asdict())

    def stamp(self, name: str) -> str | None:
        """Return the stamp of the last reading of a file with a name; None where nothing is kept of it."""
        last = sa.select(sa.func.max(INTAKE.c.number)).where(INTAKE.c.name == name).scalar_subquery()
        return self._settled().scalar(sa.select(READING.c.stamp).where(READING.c.intake == last))

    def source_of(self, game: int) -> str | None:
        """Return the name of the file that the last events of a game (by its number) came in; None for no file."""
        query = sa.select(INTAKE.c.name).join(RECORDING, RECORDING.c.intake == INTAKE.c.number)
        last = query.where(RECORDING.c.game == game).order_by(RECORDING.c.number.desc()).limit(1)
        return self._settled().scalar(last)

    def raw_file(self, sha256: str) -> int | None:
        """Return the number of the raw file with that hash, if it is kept."""
        return self._settled().scalar(sa.select(RAW_FILE.c.number).where(RAW_FILE.c.sha256 == sha256))

    def kept_file(self, number: int) -> tuple[str, int]:
        """Return the hash and the size, in bytes, of a raw file that is kept."""
        query = sa.select(RAW_FILE.c.sha256, RAW_FILE.c.size).where(RAW_FILE.c.number == number)
        return self._settled().execute(query).one()

    def games_of(self, sha256: str) -> dict[str, str]:
        """Return the games that a file of that hash brought in and that stand as such, each with the file's name."""
        return games_of(self._settled(), sha256)

    def keep(self, sha256: str, name: str, size: int, parts: Iterator[bytes]) -> int:
        """Keep a raw file, its content compressed with Zstandard, in parts; return its number."""
        number = self._last.raw_file + 1
        self._last = self._last._replace(raw_file=number)
        row = (number, sha256, name, size, self._now)
        self._settled().execute(RAW_FILE.insert().values(row))
        self._digests.add("raw_file", (*row, digest_of_parts(self._kept(number, parts))))
        return number

    def keep_whole(self, content: bytes, name: str) -> int:
        """Keep a file whose content is at hand; return its number. The same content is kept once."""
        sha256 = hashlib.sha256(content).hexdigest()
        known, packed = self.raw_file(sha256), iter((zstandard.compress(content),))
        return self.keep(sha256, name, len(content), packed) if known is None else known

    def _kept(self, raw_file: int, parts: Iterator[bytes]) -> Iterator[bytes]:
        """Keep the parts of a raw file, and return them as they are kept."""
        for place, part in enumerate(parts, 1):
            self._settled().execute(RAW_PART.insert(), {"raw_file": raw_file, "number": place, "content": part})
            yield part


def now() -> str:
    """Return the time as it is written into the log: RFC 3339, UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
