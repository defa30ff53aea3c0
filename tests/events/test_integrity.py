"""Whatever is changed in a log behind its back is found, and named."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.importing import import_paths
from events.integrity import Damage, verify
from events.log import Log
from tests.events.conftest import game, line, written

LENGTH = len(game())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a log with three games, one of which has grown."""
    path = tmp_path / "log.db"
    source = tmp_path / "games.jsonl"
    with Log.open(path, create=True) as log:
        import_paths(log, [written(source, [*game("a"), *game("b"), *game("c")])])
        import_paths(log, [written(source, [*game("a"), *game("b"), *game("c"), line("note.added", text="more")])])
    return path


def tampered(path: Path, *statements: str) -> list[Damage]:
    """Change a log as a thief would, triggers away first; return what is found."""
    with sqlite3.connect(path) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            connection.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            connection.execute(statement)
    connection.close()
    with Log.open(path) as log:
        # The triggers that are away, and what the heads say (tests/events/test_heads.py), are not what is asked here.
        return [each for each in verify(log) if each.what not in {"schema", "head", "database"}]


def test_an_untouched_log_is_well(path: Path) -> None:
    """Nothing is found in a log that nobody changed, also in a game that came in two parts."""
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
    """The game, the event and what was done to it are said, and nothing else is."""
    found = tampered(path, *statements)
    assert [(each.what, each.game_id, each.seq) for each in found] == expected
    assert all(each.message for each in found)


def test_an_event_that_was_put_in_is_found(path: Path) -> None:
    """A row that no recording knows is named, also where its hash is right."""
    columns = "999, 1, 99, type, player, at, replace(body, ':3', ':99'), hash"
    copy = f"INSERT INTO event SELECT {columns} FROM event WHERE position = 3"  # noqa: S608 - a test's own words
    assert ("added", "a", 99) in [(each.what, each.game_id, each.seq) for each in tampered(path, copy)]


@settings(deadline=None, max_examples=40)
@given(st.integers(2, LENGTH), st.integers(0, 200), st.characters(codec="ascii", min_codepoint=32))
def test_one_changed_character_is_enough(position: int, at: int, letter: str) -> None:
    """SelectRule character of whichever body is changed, its event is found."""
    from events.vocabulary import vocabulary  # noqa: PLC0415 - only this test

    with Log.open("sqlite://", create=True) as log:
        log.append("a", [vocabulary("splicers").decode(each) for each in game("a")], expected_last_seq=0)
        body = log.stored(log.game("a"))[position - 1].body
        changed = body[: at % len(body)] + letter + body[at % len(body) + 1 :]
        with log.reading() as connection:
            connection.exec_driver_sql("DROP TRIGGER event_refuses_update")
            connection.exec_driver_sql("UPDATE event SET body = ? WHERE position = ?", (changed, position))
            connection.commit()
        found = {each.seq for each in verify(log) if each.what != "schema"}
    assert (position in found) == (changed != body)
