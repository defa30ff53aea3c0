"""The verbs about the log itself: games, log, verify, db, schema, template."""

import json
import sqlite3
from pathlib import Path

import pytest

from tabletape.events.vocabulary import vocabulary
from tests.cli.conftest import ONE_MISTAKE, Tabletape


def test_games_are_listed_with_their_players(evening: Path, tabletape: Tabletape) -> None:
    """A stored game is one line: id, game, edition, players, events, file."""
    assert evening.exists()
    heading, row = tabletape("games").stdout.splitlines()
    assert heading.split() == ["id", "game", "edition", "players", "events", "played", "from"]
    assert row.split() == ["g", "higher", "first", "Ann,", "Ben", "12", "evening.jsonl"]


def test_games_as_data_have_their_fingerprint(evening: Path, tabletape: Tabletape) -> None:
    """--json gives every game with its players and the hash that changes when the game does."""
    assert evening.exists()
    (game,) = json.loads(tabletape("games", "--json").stdout)
    assert game["players"] == [{"id": "A", "name": "Ann", "deck": None}, {"id": "B", "name": "Ben", "deck": None}]
    assert len(game["fingerprint"]) == 64
    assert game["rulings"] == {}


def test_only_the_games_of_one_name_are_listed(evening: Path, tabletape: Tabletape) -> None:
    """--game narrows the list; an unknown name is an error and not an empty list."""
    assert evening.exists()
    assert len(tabletape("games", "--game", "splicers").stdout.splitlines()) == 1
    assert len(tabletape("games", "--game", "higher").stdout.splitlines()) == 2
    assert tabletape("games", "--game", "lower").exit_code == 1


def test_an_exported_log_imports_to_the_same_hashes(evening: Path, tabletape: Tabletape) -> None:
    """`log --jsonl` and an import elsewhere give the same game with the same fingerprint."""
    assert evening.exists()
    exported = tabletape("log", "g", "--jsonl").stdout
    assert tabletape("import", "-", "--db", "copy.db", stdin=exported.encode()).exit_code == 0
    ours, theirs = (
        json.loads(tabletape("games", "--json", "--db", db).stdout)[0]["fingerprint"]
        for db in ("tabletape.db", "copy.db")
    )
    assert ours == theirs


def test_stored_events_are_shown_with_number_and_content(evening: Path, tabletape: Tabletape) -> None:
    """The plain form is a table, an event a row; --json keeps body and hash."""
    assert evening.exists()
    lines = tabletape("log", "g").stdout.splitlines()
    assert len(lines) == 13
    assert lines[10].split() == ["10", "card.played", "A", '{"card":"A:five"}']
    event = json.loads(tabletape("log", "g", "--json").stdout)[9]
    assert event["body"] == {"type": "card.played", "player": "A", "card": "A:five", "seq": 10}
    assert len(event["hash"]) == 64


def test_a_game_that_is_not_there_is_answered_with_the_nearest(evening: Path, tabletape: Tabletape) -> None:
    """An unknown id is an error; so are two forms at once, and a revision that does not exist."""
    evening.write_bytes(ONE_MISTAKE.read_bytes().replace(b'"id": "g"', b'"id": "friday-1"'))
    tabletape("import", evening.name)
    result = tabletape("log", "friday-2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "did you mean 'friday-1'?" in result.stderr
    assert tabletape("log", "g", "--json", "--jsonl").exit_code == 1
    assert "no revision 3" in tabletape("log", "g", "--revision", "3").stderr


def test_an_untouched_log_verifies(evening: Path, tabletape: Tabletape) -> None:
    """`verify` finds nothing wrong in a log that nobody has changed."""
    assert evening.exists()
    result = tabletape("verify")
    assert (result.exit_code, result.stdout) == (0, "1 game with 12 events: all as they were written down\n")


def test_an_altered_event_is_named(evening: Path, tabletape: Tabletape, tmp_path: Path) -> None:
    """An event that was changed in the database itself is named with its game and number."""
    assert evening.exists()
    database = sqlite3.connect(tmp_path / "tabletape.db")
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("UPDATE event SET body = replace(body, 'A:five', 'A:four') WHERE seq = 10")
    database.commit()
    database.close()
    result = tabletape("verify")
    assert result.exit_code == 1
    assert any(line.startswith("altered  g: event 10") for line in result.stdout.splitlines())
    assert 10 in [each.get("seq") for each in json.loads(tabletape("verify", "--json").stdout)]


def test_the_database_has_a_version_and_is_upgraded_once(tabletape: Tabletape) -> None:
    """`db upgrade` makes a database from nothing; a second time there is nothing to do."""
    assert tabletape("db", "current").exit_code == 1
    assert tabletape("db", "upgrade").stdout.startswith("upgraded from nothing to ")
    assert tabletape("db", "upgrade").stdout.startswith("already at ")
    assert "this Tabletape knows" in tabletape("db", "current").stdout
    assert tabletape("db", "downgrade").exit_code == 2


def test_a_file_that_is_no_log_is_refused(tabletape: Tabletape, tmp_path: Path) -> None:
    """A file that is no database is an error in plain words, and is not changed."""
    (tmp_path / "notes.db").write_text("these are notes" * 100)
    result = tabletape("games", "--db", "notes.db")
    assert result.exit_code == 1
    assert "is no log" in result.stderr
    assert (tmp_path / "notes.db").read_text() == "these are notes" * 100


def test_the_schema_of_a_game_is_json_schema(tabletape: Tabletape) -> None:
    """`schema` prints what the vocabulary says; an unknown game is answered with the nearest."""
    assert json.loads(tabletape("schema", "higher").stdout) == vocabulary("higher").schema()
    assert "did you mean higher?" in tabletape("schema", "hgher").stderr


def test_a_template_is_empty_as_it_is_and_not_overwritten(tabletape: Tabletape, tmp_path: Path) -> None:
    """The spreadsheet begins with an example, which is no game; an existing file is not overwritten."""
    assert tabletape("template", "higher", "friday.xlsx").exit_code == 0
    empty = tabletape("import", "friday.xlsx")
    assert empty.exit_code == 1
    assert "the sheet is still empty" in empty.stderr
    assert "games added" not in tabletape("games").stdout
    before = (tmp_path / "friday.xlsx").read_bytes()
    refused = tabletape("template", "higher", "friday.xlsx")
    assert refused.exit_code == 1
    assert "is there already" in refused.stderr
    assert (tmp_path / "friday.xlsx").read_bytes() == before
    assert tabletape("template", "higher", "friday.xlsx", "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("template", "hgher", "x.xlsx"), "did you mean higher?"),
        (("template", "higher", "x.xlsx", "--results", "--language", "sv"), "de, fr, es, it, pt, nl, not in 'sv'"),
        (("template", "", "x.xlsx"), "there is no game called ''"),
        (("template", "higher", ""), "as in higher.xlsx"),
        (("template", "higher", "x.ods"), "as in x.xlsx"),
        (("template", "higher", "none/x.xlsx"), "none/x.xlsx"),
    ],
)
def test_a_template_that_cannot_be_written_is_an_error(
    tabletape: Tabletape, arguments: tuple[str, ...], message: str
) -> None:
    """An unknown game, another kind of file and a missing folder are reported in plain words."""
    result = tabletape(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr


def test_events_of_another_programs_file_name_their_line(tabletape: Tabletape, tmp_path: Path) -> None:
    """The log, the replay and the audit name the line of the chat, as text and as data."""
    chat = ["Ann joins the table", "Ben joins the table", "Ann begins", "Ann wins the game", "Ann plays Lamp from hand"]
    (tmp_path / "chat.txt").write_text("\n".join(chat), encoding="utf-8")
    tabletape("map", "chat.txt", "--propose", "--players", "Ann,Ben")
    assert tabletape("import", "chat.txt").stdout.startswith("chat.txt: 1 new")
    assert "chat.txt:4" in tabletape("log", "chat").stdout
    assert '"origin": "chat.txt:4"' in tabletape("log", "chat", "--json").stdout
    assert "(chat.txt:4)" in tabletape("replay", "chat", "--plain").stdout
    assert '"origin": "chat.txt:5"' in tabletape("replay", "chat", "--json").stdout
    assert "chat.txt:5" in tabletape("audit").stdout
    assert '"origin": "chat.txt:5"' in tabletape("audit", "--format", "json").stdout
    assert '"origin":"chat.txt:5"' in tabletape("audit", "--format", "jsonl").stdout
    assert "(chat.txt:5)" in tabletape("audit", "--format", "concise").stdout
