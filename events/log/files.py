"""The files that a log keeps: those that were imported, how they came, what of them could not be read; card files.

And which words of them were taken for others.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
import sqlalchemy as sa
import zstandard

from tabletape.events.log.rows import Arrival, QuarantinedLine, RawFile
from tabletape.events.log.schema import LogError
from tabletape.events.log.tables import CARD_FILE, GAME, INTAKE, QUARANTINE, RAW_FILE, RAW_PART, READING, RECORDING

_NEWER: Final = INTAKE.alias("newer")
_IS_LAST_INTAKE: Final = ~sa.exists().where(_NEWER.c.name == INTAKE.c.name, _NEWER.c.number > INTAKE.c.number)
"""Whether an intake is the last one under its name."""

_REVISION: Final = GAME.alias("revision")
_IS_REVISED_GAME: Final = sa.exists().where(
    _REVISION.c.game_id == GAME.c.game_id, _REVISION.c.revision > GAME.c.revision
)
"""Whether a game has a later revision."""

_MARK: Final = "was taken for"
"""What every text about such a word says; a reading without it has none."""


def raw_files(connection: sa.Connection) -> list[RawFile]:
    """Return the files that were imported, in the order of their import."""
    return [RawFile(*row) for row in connection.execute(sa.select(RAW_FILE).order_by(RAW_FILE.c.number))]


def arrivals(connection: sa.Connection) -> list[Arrival]:
    """Return the last arrival under each name by which files came."""
    query = (
        sa.select(*RAW_FILE.columns, INTAKE.c.name.label("called"), INTAKE.c.format)
        .join(INTAKE, INTAKE.c.raw_file == RAW_FILE.c.number)
        .where(_IS_LAST_INTAKE)
        .order_by(INTAKE.c.number)
    )
    return [Arrival(RawFile(*row[:-2]), *row[-2:]) for row in connection.execute(query)]


def games_of(connection: sa.Connection, sha256: str) -> dict[str, str]:
    """Return the games, by id, that a file of that hash brought in and nothing has revised, each with its name then."""
    query = (
        sa.select(GAME.c.game_id, INTAKE.c.name)
        .join(RECORDING, RECORDING.c.game == GAME.c.number)
        .join(INTAKE, INTAKE.c.number == RECORDING.c.intake)
        .join(RAW_FILE, RAW_FILE.c.number == INTAKE.c.raw_file)
        .where(RAW_FILE.c.sha256 == sha256, ~_IS_REVISED_GAME)
        .order_by(RECORDING.c.number.desc())
    )
    return dict(connection.execute(query).all())


def quarantined(connection: sa.Connection) -> list[QuarantinedLine]:
    """Return the lines that could not be read of the last arrival under each name."""
    query = (
        sa.select(*(column for column in QUARANTINE.columns if column.name not in ("intake", "number")))
        .join(INTAKE, INTAKE.c.number == QUARANTINE.c.intake)
        .where(_IS_LAST_INTAKE)
        .order_by(QUARANTINE.c.intake, QUARANTINE.c.number)
    )
    return [QuarantinedLine(*row) for row in connection.execute(query)]


def content_of(connection: sa.Connection, file: RawFile) -> Iterator[bytes]:
    """Yield the content of an imported file in pieces. Raises `LogError` where what was kept cannot be unpacked."""
    query = sa.select(RAW_PART.c.content).where(RAW_PART.c.raw_file == file.number).order_by(RAW_PART.c.number)
    unpack = zstandard.ZstdDecompressor().decompressobj()
    try:
        yield from (unpack.decompress(part) for part in connection.scalars(query))
    except zstandard.ZstdError as error:
        raise LogError(f"the kept copy of {file.name} cannot be unpacked: {error}") from error


def card_file(connection: sa.Connection, number: int) -> str:
    """Return the text of a kept card file. Raises `LogError` where it cannot be unpacked."""
    content = connection.scalar(sa.select(CARD_FILE.c.content).where(CARD_FILE.c.number == number))
    try:
        return zstandard.decompress(content or b"").decode()
    except (zstandard.ZstdError, UnicodeDecodeError) as error:
        raise LogError(f"the kept card file {number} cannot be unpacked: {error}") from error


def changed_lines(connection: sa.Connection) -> Mapping[int, Mapping[int, str]]:
    """Return what was taken for another word, by the number of the game and the `seq` of the event."""
    words_by_game: defaultdict[int, dict[int, str]] = defaultdict(dict)
    query = sa.select(READING.c.intake, READING.c.found).where(READING.c.found.contains(_MARK))
    for intake, text in connection.execute(query.order_by(READING.c.intake)).all():
        changed: list[tuple[str, int, str]] = [each for part in msgspec.json.decode(text)[4:] for each in part]
        games = _games_brought_by(connection, intake) if changed else {}
        for game_id, seq, words in changed:
            if game_id in games:
                words_by_game[games[game_id]][seq] = words
    return words_by_game


def _games_brought_by(connection: sa.Connection, intake: int) -> Mapping[str, int]:
    """Return the numbers of the games that an intake brought events of, by their ids."""
    query = sa.select(GAME.c.game_id, GAME.c.number).join(RECORDING, RECORDING.c.game == GAME.c.number)
    return {row.game_id: row.number for row in connection.execute(query.where(RECORDING.c.intake == intake))}
