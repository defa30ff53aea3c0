"""What the log keeps of how files were read, so that the same file need not be read again."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import sqlalchemy as sa

from tabletape.events.log import Log
from tabletape.events.log.rows import KeptReading
from tabletape.events.log.tables import GAME, INTAKE, RAW_FILE, READING

NAMES_AT_ONCE: Final = 1000


class LastReading(NamedTuple):
    """The last intake under a name: the hash (hexadecimal) and size of the file, and what is kept of its reading."""

    sha256: str
    size: int
    kept: KeptReading


def last_readings(log: Log, names: Iterable[str]) -> dict[str, LastReading]:
    """Return the last intake under each of some names, of which something is kept."""
    wanted = [*dict.fromkeys(names)]
    readings = {}
    with log.reading() as connection:
        for start in range(0, len(wanted), NAMES_AT_ONCE):
            part = wanted[start : start + NAMES_AT_ONCE]
            last = sa.select(sa.func.max(INTAKE.c.number)).where(INTAKE.c.name.in_(part)).group_by(INTAKE.c.name)
            query = (
                sa.select(INTAKE.c.name, RAW_FILE.c.sha256, RAW_FILE.c.size, READING.c.stamp, READING.c.found)
                .join(READING, READING.c.intake == INTAKE.c.number)
                .join(RAW_FILE, RAW_FILE.c.number == INTAKE.c.raw_file)
                .where(INTAKE.c.number.in_(last))
            )
            for name, sha256, size, *reading in connection.execute(query):
                readings[name] = LastReading(sha256, size, KeptReading(*reading))
    return readings


def revised_games(log: Log) -> frozenset[str]:
    """Return the ids of the games that have more than one revision."""
    with log.reading() as connection:
        return frozenset(connection.scalars(sa.select(GAME.c.game_id).where(GAME.c.revision > 1)))
