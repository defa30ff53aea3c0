"""Writing the log: what one transaction appends.

The writer holds the write lock, so it gives the numbers and positions itself, without holes.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Final, NamedTuple

import sqlalchemy as sa

from events.log_rows import ENCODE, QuarantinedLine, Row
from events.log_schema import LogError
from events.log_tables import EVENT, GAME, INTAKE, QUARANTINE, RAW_FILE, RAW_PART, RECORDING
from events.shared import GameStarted

ROWS_A_STATEMENT: Final = 100
"""800 parameters: below the 999 that older SQLite libraries allow; more is no faster."""


class StaleAppendError(LogError):
    """Somebody else has appended to the game first, or its log does not go on where the caller thinks.

    `expected` and `found` are last `seq`s, 0 for no events.
    """

    def __init__(self, game_id: str, expected: int, found: int) -> None:
        super().__init__(
            f"game {game_id!r} was to be continued after event {expected}, but the log goes up to event {found}: "
            "somebody else was first; read it again and repeat what is still missing"
        )
        self.game_id = game_id
        self.expected = expected
        self.found = found


class Tail(NamedTuple):
    """Where a stored game ends: its number, revision, last `seq` and last hash."""

    number: int
    revision: int
    last_seq: int
    last_hash: bytes


class Intake(NamedTuple):
    """One file that was imported: the number of its raw file, its name, format and lines."""

    raw_file: int
    name: str
    format: str
    lines: int


class Tape:
    """Appends games, events and files within one transaction of `Log.writing()`."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self.events = 0
        self._now = now()
        mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
        names = ", ".join(column.name for column in EVENT.columns)
        self._insert = f"INSERT INTO event ({names}) VALUES "  # noqa: S608 - names and marks only, no values
        self._marks = "(" + ", ".join([mark] * len(EVENT.columns)) + ")"
        self._tails = (
            "SELECT game.number, game.revision, recording.last_seq, recording.hash FROM game "  # noqa: S608 - as above
            "JOIN recording ON recording.number = (SELECT max(number) FROM recording WHERE game = game.number) "
            f"WHERE game.game_id = {mark} ORDER BY game.revision DESC"
        )
        self._last_game = self._highest(GAME.c.number)
        self._last_position = self._highest(EVENT.c.position)
        self._last_recording = self._highest(RECORDING.c.number)
        self._last_intake = self._highest(INTAKE.c.number)

    def _highest(self, column: sa.Column[int]) -> int:
        return int(self.connection.scalar(sa.select(sa.func.max(column))) or 0)

    def tails(self, game_id: str) -> list[Tail]:
        """Give where a game ends in each of its revisions, the latest first; empty where it is not in the log."""
        return [Tail(*row) for row in self.connection.exec_driver_sql(self._tails, (game_id,))]

    def row(self, game: int, seq: int) -> Row | None:
        """Give the stored event of a game (by its number) with that `seq`."""
        columns = (EVENT.c.seq, EVENT.c.type, EVENT.c.player, EVENT.c.at, EVENT.c.body, EVENT.c.hash)
        found = self.connection.execute(sa.select(*columns).where(EVENT.c.game == game, EVENT.c.seq == seq)).first()
        return None if found is None else (found.seq, found.type, found.player, found.at, found.body, found.hash)

    def start(self, head: GameStarted, revision: int) -> int:
        """Add a game; gives its number."""
        self._last_game += 1
        self.connection.execute(
            GAME.insert(),
            {
                "number": self._last_game,
                "game_id": head.id,
                "revision": revision,
                "game": head.game,
                "edition": head.edition,
                "players": ENCODE(head.players).decode(),
                "rulings": ENCODE(head.rulings).decode(),
                "started_at": ENCODE(head.at)[1:-1].decode() if head.at else None,
                "recorded_at": self._now,
            },
        )
        return self._last_game

    def append(self, game: int, rows: Sequence[Row], intake: int | None = None) -> None:
        """Append events to a game (by its number), as one recording; `rows` must go on where the game ends."""
        if not rows:
            return
        first = self._last_position + 1
        for start in range(0, len(rows), ROWS_A_STATEMENT):
            part = rows[start : start + ROWS_A_STATEMENT]
            values = chain.from_iterable(
                [(position, game, *row) for position, row in enumerate(part, self._last_position + 1)]
            )
            self.connection.exec_driver_sql(self._insert + ", ".join([self._marks] * len(part)), tuple(values))
            self._last_position += len(part)
        self.events += len(rows)
        self._last_recording += 1
        self.connection.execute(
            RECORDING.insert(),
            {
                "number": self._last_recording,
                "game": game,
                "intake": intake,
                "first": first,
                "last": self._last_position,
                "last_seq": rows[-1][0],
                "hash": rows[-1][5],
                "recorded_at": self._now,
            },
        )

    def next_intake(self) -> int:
        """Give the number that the next intake will have: its recordings and its quarantine name it before."""
        return self._last_intake + 1

    def take_in(self, intake: Intake) -> None:
        """Add an intake, after everything that it brought."""
        self._last_intake += 1
        row = {"number": self._last_intake, "taken_at": self._now, **intake._asdict()}
        self.connection.execute(INTAKE.insert(), row)

    def quarantine(self, first: int, lines: Iterable[QuarantinedLine]) -> None:
        """Put lines of the coming intake into quarantine, numbered from `first`."""
        intake = self.next_intake()
        rows = [{"intake": intake, "number": number, **line._asdict()} for number, line in enumerate(lines, first)]
        if rows:
            self.connection.execute(QUARANTINE.insert(), rows)

    def raw_file(self, sha256: str) -> int | None:
        """Give the number of the raw file with that hash, if it is kept."""
        return self.connection.scalar(sa.select(RAW_FILE.c.number).where(RAW_FILE.c.sha256 == sha256))

    def keep(self, sha256: str, name: str, size: int, parts: Iterator[bytes]) -> int:
        """Keep a raw file, its content compressed with Zstandard, in parts; gives its number."""
        number = self._highest(RAW_FILE.c.number) + 1
        row = {"number": number, "sha256": sha256, "name": name, "size": size, "kept_at": self._now}
        self.connection.execute(RAW_FILE.insert(), row)
        for place, part in enumerate(parts, 1):
            self.connection.execute(RAW_PART.insert(), {"raw_file": number, "number": place, "content": part})
        return number


def now() -> str:
    """Give the time as it is written into the log: RFC 3339, UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
