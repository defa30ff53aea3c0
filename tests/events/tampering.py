# ruff: noqa: S608 - SQL as an attacker would write it, all of it our own
"""Ways to tamper with a log in its database, with its triggers dropped."""

import sqlite3
from pathlib import Path
from typing import Final

from tabletape.events.log import Log
from tabletape.events.log.heads import COVERED_TABLES
from tabletape.events.log.rows import CardTexts
from tests.events.conftest import KNOWN, game, import_file, line, write_lines

PLAYED: Final = KNOWN._replace(card_texts=CardTexts("the cards of that day", ""))

_LAST_GAME: Final = "(SELECT max(number) FROM game)"
_COPIED: Final = (
    "INSERT INTO event SELECT 999, {game}, {seq}, type, player, at, body, hash FROM event WHERE position = 3"
)
_LAST_RECORDING: Final = "(SELECT max(number) FROM recording)"

TAMPERING: Final[dict[str, tuple[str, ...]]] = {
    # events
    "event-body": ("UPDATE event SET body = replace(body, 'moss', 'salt') WHERE position = 3",),
    "event-body-and-hash": ("UPDATE event SET body = replace(body, 'moss', 'salt'), hash = x'00' WHERE position = 3",),
    "event-no-json": ("UPDATE event SET body = '{' WHERE position = 3",),
    "event-blob": ("UPDATE event SET body = x'ff00' WHERE position = 3",),
    "event-hash": ("UPDATE event SET hash = x'00' WHERE position = 4",),
    "event-type": ("UPDATE event SET type = 'turn.ended' WHERE position = 3",),
    "event-player": ("UPDATE event SET player = 'B' WHERE position = 3",),
    "event-at": ("UPDATE event SET at = '2020-01-01T00:00:00Z' WHERE position = 3",),
    "event-seq": ("UPDATE event SET seq = 99 WHERE position = 3",),
    "event-game": ("UPDATE event SET game = 2, seq = 99 WHERE position = 3",),
    "event-position": ("UPDATE event SET position = 999 WHERE position = 3",),
    "event-gone": ("DELETE FROM event WHERE position = 3",),
    "first-event-gone": ("DELETE FROM event WHERE position = 1",),
    "last-event-gone": ("DELETE FROM event WHERE position = (SELECT max(position) FROM event)",),
    "events-gone": ("DELETE FROM event",),
    "events-of-a-game-gone": ("DELETE FROM event WHERE game = 2",),
    "events-swapped": (
        "UPDATE event SET seq = 0 WHERE position = 3",
        "UPDATE event SET seq = 3 WHERE position = 4",
        "UPDATE event SET seq = 4 WHERE position = 3",
    ),
    "positions-swapped": (
        "UPDATE event SET position = 999 WHERE position = 3",
        "UPDATE event SET position = 3 WHERE position = 4",
        "UPDATE event SET position = 4 WHERE position = 999",
    ),
    "event-put-in": (
        "INSERT INTO event SELECT 999, 1, 99, type, player, at, body, hash FROM event WHERE position = 3",
    ),
    "event-of-no-game": (
        "PRAGMA foreign_keys = OFF",
        _COPIED.format(game=77, seq=1),
    ),
    # games
    "game-id": ("UPDATE game SET game_id = 'other' WHERE number = 2",),
    "game-revision": ("UPDATE game SET revision = 7 WHERE number = 2",),
    "game-of-another-kind": ("UPDATE game SET game = 'evolve' WHERE number = 2",),
    "game-edition": ("UPDATE game SET edition = '9' WHERE number = 2",),
    "game-players": ("UPDATE game SET players = '[]' WHERE number = 2",),
    "game-player-without-name": ('UPDATE game SET players = \'[{"id":"A"}]\' WHERE number = 2',),
    "game-rulings": ('UPDATE game SET rulings = \'{"a":"b"}\' WHERE number = 2',),
    "game-rulings-no-json": ("UPDATE game SET rulings = 'x' WHERE number = 2",),
    "game-started-at": ("UPDATE game SET started_at = '2020-01-01T00:00:00Z' WHERE number = 2",),
    "game-recorded-at": ("UPDATE game SET recorded_at = '2020-01-01T00:00:00Z' WHERE number = 2",),
    "game-gone": (
        "DELETE FROM event WHERE game = 2",
        "DELETE FROM recording WHERE game = 2",
        "DELETE FROM game WHERE number = 2",
    ),
    "last-game-gone": (
        f"DELETE FROM event WHERE game = {_LAST_GAME}",
        f"DELETE FROM recording WHERE game = {_LAST_GAME}",
        f"DELETE FROM game WHERE number = {_LAST_GAME}",
    ),
    "all-games-gone": ("DELETE FROM event", "DELETE FROM recording", "DELETE FROM game"),
    "games-renumbered": ("PRAGMA foreign_keys = OFF", "UPDATE game SET number = number + 10"),
    # recordings
    "recording-gone": (f"DELETE FROM recording WHERE number = {_LAST_RECORDING}",),
    "recording-hash": ("UPDATE recording SET hash = x'00' WHERE number = 2",),
    "recording-of-another-game": ("UPDATE recording SET game = 1 WHERE number = 2",),
    "recording-without-intake": ("UPDATE recording SET intake = NULL WHERE number = 2",),
    "recording-first": ("UPDATE recording SET first = first + 1 WHERE number = 2",),
    "recording-last-huge": ("UPDATE recording SET last = 9000000000000000 WHERE number = 2",),
    "recording-last-seq": ("UPDATE recording SET last_seq = 99 WHERE number = 2",),
    "recorded-at": ("UPDATE recording SET recorded_at = '2020-01-01T00:00:00Z' WHERE number = 2",),
    "tail-gone-recording-mended": (
        f"DELETE FROM event WHERE position = (SELECT last FROM recording WHERE number = {_LAST_RECORDING})",
        f"UPDATE recording SET last = last - 1, last_seq = last_seq - 1 WHERE number = {_LAST_RECORDING}",
        f"UPDATE recording SET hash = (SELECT hash FROM event WHERE position = last) WHERE number = {_LAST_RECORDING}",
    ),
    "last-recording-with-its-events-gone": (
        f"DELETE FROM event WHERE position >= (SELECT first FROM recording WHERE number = {_LAST_RECORDING})",
        f"DELETE FROM recording WHERE number = {_LAST_RECORDING}",
    ),
    # files
    "raw-file-name": ("UPDATE raw_file SET name = 'x' WHERE number = 1",),
    "raw-file-hash": ("UPDATE raw_file SET sha256 = 'x' WHERE number = 2",),
    "raw-file-size": ("UPDATE raw_file SET size = 1 WHERE number = 2",),
    "raw-file-kept-at": ("UPDATE raw_file SET kept_at = '2020-01-01T00:00:00Z' WHERE number = 1",),
    "raw-part": ("UPDATE raw_part SET content = x'00' WHERE raw_file = 1",),
    "raw-part-gone": ("DELETE FROM raw_part WHERE raw_file = 1",),
    "raw-part-put-in": ("PRAGMA foreign_keys = OFF", "INSERT INTO raw_part VALUES (77, 1, x'00')"),
    "raw-file-with-its-hash": (
        "UPDATE raw_part SET content = (SELECT content FROM raw_part WHERE raw_file = 2) WHERE raw_file = 1",
        "UPDATE raw_file SET sha256 = 'y' WHERE number = 2",
        "UPDATE raw_file SET (sha256, size) = (SELECT 'z', size FROM raw_file WHERE number = 2) WHERE number = 1",
    ),
    "intake-name": ("UPDATE intake SET name = 'x' WHERE number = 1",),
    "intake-lines": ("UPDATE intake SET lines = 1 WHERE number = 1",),
    "intake-file": ("UPDATE intake SET raw_file = 2 WHERE number = 1",),
    "intake-taken-at": ("UPDATE intake SET taken_at = '2020-01-01T00:00:00Z' WHERE number = 1",),
    "last-intake-gone": (
        "PRAGMA foreign_keys = OFF",
        "DELETE FROM intake WHERE number = 2",
    ),
    # quarantine
    "quarantine-message": ("UPDATE quarantine SET message = 'x'",),
    "quarantine-line": ("UPDATE quarantine SET line = 77",),
    "quarantine-emptied": ("DELETE FROM quarantine",),
    "quarantine-put-in": ("INSERT INTO quarantine VALUES (1, 99, 'f', 1, 1, 'c', 'm', 's', 'r')",),
    "quarantine-dropped": ("DROP TABLE quarantine",),
    # card texts
    "card-file-content": ("UPDATE card_file SET content = x'00'",),
    "card-file-hash": ("UPDATE card_file SET sha256 = 'x'",),
    "card-file-kept-at": ("UPDATE card_file SET kept_at = '2020-01-01T00:00:00Z'",),
    "cards-of-a-game-gone": ("DELETE FROM game_cards WHERE game = 2",),
    "card-file-gone": ("PRAGMA foreign_keys = OFF", "DELETE FROM card_file WHERE number = 1"),
    "card-files-gone": ("PRAGMA foreign_keys = OFF", "DELETE FROM game_cards", "DELETE FROM card_file"),
    "card-file-renumbered": ("PRAGMA foreign_keys = OFF", "UPDATE card_file SET number = 77"),
    "card-files-dropped": ("PRAGMA foreign_keys = OFF", "DROP TABLE game_cards", "DROP TABLE card_file"),
    "cards-own": ("UPDATE game_cards SET own = built_in WHERE game = 1",),
    "cards-of-another-game": (
        "PRAGMA foreign_keys = OFF",
        "UPDATE game_cards SET game = 99 WHERE game = 2",
    ),
    "card-file-put-in": ("INSERT INTO card_file VALUES (77, 'x', x'00', '2020-01-01T00:00:00Z')",),
    "cards-put-in": (
        "INSERT INTO card_file VALUES (77, 'x', x'00', '2020-01-01T00:00:00Z')",
        "INSERT OR REPLACE INTO game_cards VALUES (1, 77, NULL)",
    ),
    # how files were read
    "reading-stamp": ("UPDATE reading SET stamp = 'x' WHERE intake = 2",),
    "reading-found": ("UPDATE reading SET found = replace(found, 'splicers', 'evolve') WHERE intake = 2",),
    "reading-gone": ("DELETE FROM reading WHERE intake = 2",),
    "reading-put-in": ("INSERT INTO reading VALUES (1, 'x', 'x')",),
    "readings-dropped": ("DROP TABLE reading",),
    # schema
    "version-emptied": ("DELETE FROM alembic_version",),
    "trigger-dropped": (),
    "index-dropped": ("DROP INDEX ix_recording_game_number",),
    "table-put-in": ("CREATE TABLE more (a)",),
    "trigger-put-in": ("CREATE TRIGGER evil AFTER INSERT ON event BEGIN SELECT 1; END",),
    # heads
    "head-hash": ("UPDATE head SET hash = x'00' WHERE number = 1",),
    "head-covers": ("UPDATE head SET covers = '{}' WHERE number = 1",),
    "head-covers-no-json": ("UPDATE head SET covers = 'x' WHERE number = 2",),
    "head-time": ("UPDATE head SET recorded_at = '2020-01-01T00:00:00Z' WHERE number = 1",),
    "head-gone": ("DELETE FROM head WHERE number = 1",),
    "heads-emptied": ("DELETE FROM head",),
    "heads-dropped": ("DROP TABLE head",),
}
"""By name: the SQL that tampers with a log of several games with quarantined lines."""


def log_to_tamper_with(folder: Path) -> Path:
    """Return the file of a log with three games, one of which has grown, and a line in quarantine, in two imports."""
    source = folder / "games.jsonl"
    with Log.open(folder / "made.db", create=True) as log:
        for bad, more in (["{"], []), ([], [line("note.added", text="more")]):
            import_file(
                log, write_lines(source, [*game("a"), *bad, *game("b"), *game("c"), *more]), known=lambda _: PLAYED
            )
    return folder / "made.db"


def tamper(path: Path, statements: tuple[str, ...], *, triggers: bool = True) -> None:
    """Run SQL on a log as an attacker would; with `triggers` they are restored, so that their absence gives no clue."""
    connection = sqlite3.connect(path, isolation_level=None)
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in found:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for name, sql in found if triggers else ():
        if name.partition("_refuses")[0] in tables:
            connection.execute(sql)
    connection.close()


def cut_off(path: Path) -> None:
    """Delete the newest head with all that it covers, which a log cannot detect by itself."""
    drop = ["PRAGMA foreign_keys = OFF", "DELETE FROM head WHERE number = (SELECT max(number) FROM head)"]
    last = "(SELECT coalesce(max(json_extract(covers, '$.{0}[0]')), 0) FROM head)"
    drop += [f"DELETE FROM {table} WHERE {column} > {last.format(table)}" for table, column in COVERED_TABLES.items()]
    drop += [
        "DELETE FROM event WHERE position > (SELECT max(last) FROM recording)",
        "DELETE FROM raw_part WHERE raw_file > (SELECT max(number) FROM raw_file)",
    ]
    tamper(path, tuple(drop))
