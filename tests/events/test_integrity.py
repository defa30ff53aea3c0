"""Every change that is made to a log in its database is found and named."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tabletape.events.log.integrity import Damage, verify
from tests.events.conftest import game, line, write_lines

LENGTH = len(game())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a log with three games, one of which has grown."""
    path = tmp_path / "log.db"
    source = tmp_path / "games.jsonl"
    with Log.open(path, create=True) as log:
        import_paths(log, [write_lines(source, [*game("a"), *game("b"), *game("c")])])
        import_paths(log, [write_lines(source, [*game("a"), *game("b"), *game("c"), line("note.added", text="more")])])
    return path


def tampered(path: Path, *statements: str) -> list[Damage]:
    """Change a log as an attacker would, without its triggers; return the damage that is found."""
    with sqlite3.connect(path) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            connection.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            connection.execute(statement)
    connection.close()
    with Log.open(path) as log:
        # The missing triggers, and damage that the heads show (tests/events/test_heads.py), are not tested here.
        return [each for each in verify(log) if each.what not in {"schema", "head", "database"}]


def test_nothing_is_found_in_an_unchanged_log(path: Path) -> None:
    """This holds for a game that was imported in two parts as well."""
    assert tampered(path) == []


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (["UPDATE event SET body = replace(body, 'moss', 'salt') WHERE position = 3"], [("altered", "a", 3)]),
        (["UPDATE event SET body = '{' WHERE position = 3"], [("altered", "a", 3)]),
        (["UPDATE event SET hash = x'00' WHERE position = 4"], [("altered", "a", 4)]),
        (["UPDATE event SET player = 'B' WHERE position = 3"], [("altered", "a", 3)]),
        (["DELETE FROM event WHERE position = 3"], [("missing", "a", 3)]),
        (["DELETE FROM event WHERE position = 1"], [("missing", "a", 1)]),
        (["DELETE FROM event WHERE seq = 7 AND game = 1"], [("missing", "a", LENGTH)]),
        (
            [
                "UPDATE event SET seq = 0 WHERE position = 3",
                "UPDATE event SET seq = 3 WHERE position = 4",
                "UPDATE event SET seq = 4 WHERE position = 3",
            ],
            [("reordered", "a", 3), ("reordered", "a", 4)],
        ),
        (["UPDATE game SET players = '[]' WHERE number = 2"], [("altered", "b", 0)]),
        (["UPDATE recording SET hash = x'00' WHERE number = 2"], [("altered", "b", LENGTH)]),
        (["DELETE FROM recording WHERE number = 4"], [("added", "c", LENGTH + 1)]),
        (
            [
                "DELETE FROM event WHERE game = 2",
                "DELETE FROM recording WHERE game = 2",
                "DELETE FROM game WHERE number = 2",
            ],
            [("missing", "", 0), ("missing", "", 0)],
        ),
        (["UPDATE raw_part SET content = x'00' WHERE raw_file = 1"], [("raw-file", "", 0)]),
        (["UPDATE raw_file SET sha256 = 'x' WHERE number = 2"], [("raw-file", "", 0)]),
    ],
)
def test_every_change_is_named(path: Path, statements: list[str], expected: list[tuple[str, str, int]]) -> None:
    """The damage names the game, the event and the kind of change, and there is no other damage."""
    damage = tampered(path, *statements)
    assert [(each.what, each.game_id, each.seq) for each in damage] == expected
    assert all(each.message for each in damage)


def test_an_inserted_event_is_found(path: Path) -> None:
    """A row outside of all recordings is named, even if it is a valid event."""
    columns = "999, 1, 99, type, player, at, replace(body, ':3', ':99'), hash"
    copy = f"INSERT INTO event SELECT {columns} FROM event WHERE position = 3"  # noqa: S608 - a test's own words
    assert ("added", "a", 99) in [(each.what, each.game_id, each.seq) for each in tampered(path, copy)]


@settings(deadline=None, max_examples=40)
@given(st.integers(2, LENGTH), st.integers(0, 200), st.characters(codec="ascii", min_codepoint=32))
def test_one_changed_character_is_enough(position: int, at: int, letter: str) -> None:
    """If any character of any body is changed, the event is found."""
    from tabletape.events.vocabulary import vocabulary  # noqa: PLC0415 - only this test

    with Log.open("sqlite://", create=True) as log:
        log.append("a", [vocabulary("splicers").decode(each) for each in game("a")], expected_last_seq=0)
        body = log.stored(log.game("a"))[position - 1].body
        changed = body[: at % len(body)] + letter + body[at % len(body) + 1 :]
        with log.reading() as connection:
            connection.exec_driver_sql("DROP TRIGGER event_refuses_update")
            connection.exec_driver_sql("UPDATE event SET body = ? WHERE position = ?", (changed, position))
            connection.commit()
        damage = {each.seq for each in verify(log) if each.what != "schema"}
    assert (position in damage) == (changed != body)
