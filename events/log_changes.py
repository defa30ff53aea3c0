"""What of stored events was taken for other words than those that stand in their files."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import msgspec
import sqlalchemy as sa

from tabletape.events.log.tables import GAME, READING, RECORDING

_MARK: Final = "was taken for"
"""What every text about such a word says; a reading without it has none."""


def changed_lines(connection: sa.Connection) -> Mapping[int, Mapping[int, str]]:
    """Return what was taken for another word, by the number of the game and the `seq` of the event."""
    words_by_game: defaultdict[int, dict[int, str]] = defaultdict(dict)
    query = sa.select(READING.c.intake, READING.c.found).where(READING.c.found.contains(_MARK))
    for intake, text in connection.execute(query.order_by(READING.c.intake)).all():
        changed: list[tuple[str, int, str]] = [each for part in msgspec.json.decode(text)[4:] for each in part]
        games = _games_of(connection, intake) if changed else {}
        for game_id, seq, words in changed:
            if game_id in games:
                words_by_game[games[game_id]][seq] = words
    return words_by_game


def _games_of(connection: sa.Connection, intake: int) -> Mapping[str, int]:
    """Return the numbers of the games that an intake brought events of, by their ids."""
    query = sa.select(GAME.c.game_id, GAME.c.number).join(RECORDING, RECORDING.c.game == GAME.c.number)
    return {row.game_id: row.number for row in connection.execute(query.where(RECORDING.c.intake == intake))}
