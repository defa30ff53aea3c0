"""Logs of the first version of Tabletape, small and large."""

import sqlite3
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from tabletape.events.log.hashes import chained, opening_hash
from tabletape.events.log.rows import ENCODE

STORED = Path(__file__).parent / "logs" / "first-version.db.zst"


def unpack(path: Path) -> Path:
    """Unpack the stored log to a path: four games, a revision of one, two lines in quarantine."""
    path.write_bytes(zstandard.ZstdDecompressor().decompress(STORED.read_bytes()))
    return path


def lengthen(path: Path, games: int, events: int) -> None:
    """Add `games` games of `events` events each to the unpacked log, by repeating the events of its first game."""
    with sqlite3.connect(path) as connection:
        number, position, recording = connection.execute(
            "SELECT (SELECT max(number) FROM game), (SELECT max(position) FROM event), max(number) FROM recording"
        ).fetchone()
        stored = connection.execute("SELECT type, player, at, body FROM event WHERE game = 1 ORDER BY seq").fetchall()
        for more in range(1, games + 1):
            game, first = number + more, position + 1
            rows = list(_rows(f"long-{more}", stored, events))
            position += len(rows)
            connection.execute(
                f"INSERT INTO game SELECT {game}, 'long-{more}', 1, game, edition, players, rulings, started_at, "  # noqa: S608 - our own
                "recorded_at FROM game WHERE number = 1"
            )
            placed = ((first + place, game, place + 1, *row) for place, row in enumerate(rows))
            connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", placed)
            ending = (recording + more, game, 1, first, position, len(rows), rows[-1][-1])
            connection.execute("INSERT INTO recording VALUES (?, ?, ?, ?, ?, ?, ?, '2026-05-01T19:00:00Z')", ending)
    connection.close()


def _rows(game_id: str, stored: list[tuple[Any, ...]], events: int) -> Iterator[tuple[Any, ...]]:
    """Yield the type, player, time, body and hash of each event of a long game."""
    again = [stored[0], *islice(cycle(stored[1:-1]), events - 1)]
    bodies = []
    for seq, row in enumerate(again, 1):
        fields = msgspec.json.decode(row[-1]) | {"seq": seq} | ({"id": game_id} if seq == 1 else {})
        bodies.append(ENCODE(fields))
    hashes = chained(opening_hash(game_id), bodies)
    for row, body, hashed in zip(again, bodies, hashes, strict=True):
        yield (*row[:-1], body.decode(), hashed)
