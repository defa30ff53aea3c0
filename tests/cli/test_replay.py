"""`tabletape replay` as text and as data, on the smallest game."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tabletape.cli.main import app
from tabletape.events.log import Log
from tabletape.projector.model.game import Game

ONE_MISTAKE = Path(__file__).parents[1] / "sixth_game" / "one-mistake.jsonl"


def store(game: Game, path: Path, extra: list[dict[str, Any]] | None = None) -> str:
    """Store the recorded game, with extra lines if there are any, in a new log; return the path of the log."""
    lines = [*ONE_MISTAKE.read_text(encoding="utf-8").splitlines(), *map(json.dumps, extra or [])]
    database = str(path / "evening.db")
    with Log.open(database, create=True) as log:
        log.append("g", [game.vocabulary.decode(line) for line in lines], expected_last_seq=0)
    return database


@pytest.fixture
def database(higher: Game, tmp_path: Path) -> str:
    """Store the recorded game."""
    return store(higher, tmp_path)


def replay(database: str, *arguments: str) -> Result:
    """Call the command as a pipe does."""
    return CliRunner().invoke(app, ["replay", *arguments, "--db", database], terminal_width=100)


def data(database: str, *arguments: str) -> dict[str, Any]:
    """Call the command and read its JSON."""
    result = replay(database, *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_pipe_gets_a_line_for_each_event_and_findings_below_theirs(database: str) -> None:
    """In a pipe the game is text: players, each event, each finding with its citation, and a heading for each turn."""
    lines = replay(database, "g").stdout.splitlines()
    assert lines[:3] == ["Higher first: g", "Ann, Ben", "Ann won (tricks); 1 finding"]
    assert "   10  Ann: card played - Five" in lines
    below = lines[lines.index("   10  Ann: card played - Five") + 1]
    assert below.strip() == (
        "✗ illegal: higher.card.from-hand (Turns, L2.2): A:five is not in the hand - expected: a hand card"
    )
    assert [line for line in lines if line.startswith("--")] == [
        "-- round 1, turn 1, Ann --",
        "-- round 1, turn 2, Ann --",
    ]
    assert sum(line[:5].strip().isdigit() for line in lines) == 12


def test_a_step_in_a_pipe_is_the_table_what_changed_why_and_the_source(database: str) -> None:
    """One step as text shows the drawn table, the totals, the rules with their sentence, and the log's own line."""
    text = replay(database, "g", "--step", "10").stdout
    for words in (
        "Event 10, round 1, turn 2, Ann",
        "✗ illegal higher.card.from-hand  Turns, L2.2",
        "expected: a hand card",
        "╭─ Trick ─",
        "▌Five 5",
        "• Five: Ann's deck to trick",
        "✓ higher.turn.alternate  Turns, L2",
        "A card is played from the hand.",
        '"card":"A:five"',
    ):
        assert words in text
    assert "\x1b" not in text


def test_a_step_is_followed_by_its_comments(higher: Game, tmp_path: Path) -> None:
    """A comment is shown with its number at the step that it is about, and an answer stands below it."""
    comments = [
        {"type": "note.added", "text": "Why the Five?", "on": 10},
        {"type": "note.added", "text": "A slip.", "on": 13, "settled": True},
    ]
    database = store(higher, tmp_path, comments)
    output = replay(database, "g", "--step", "10").stdout
    assert "\n13  Note on event 10: Why the Five?\n  14  Note on event 13: A slip. - settled\n" in output
    assert "Why the Five?" not in replay(database, "g", "--step", "9").stdout


def test_text_shows_a_player_only_what_that_player_may_know(database: str) -> None:
    """Seen by Ben, Ann's hand is shown as backs and her drawn cards have no names."""
    assert "One 1" in replay(database, "g", "--step", "4").stdout
    seen = replay(database, "g", "--step", "4", "--player", "B").stdout
    assert "a hidden card of Ann" in seen
    assert "One" not in seen
    assert "A:four" not in seen
    assert "░ card" in seen


def test_json_without_a_step_is_the_table_at_the_end(database: str) -> None:
    """The JSON holds the last table: totals, places, zones with their cards, winner and reason."""
    end = data(database, "g")
    assert (end["game_id"], end["seq"], end["over"], end["winner"], end["reason"]) == ("g", 12, True, "A", "tricks")
    assert end["totals"] == {"A": {"tricks": 2}, "B": {"tricks": 0}}
    assert end["places"] == {"trick": {"A": 2, "B": 0}}
    assert end["zones"]["taken"] == {"owner": None, "size": 4, "cards": ["A:four", "B:two", "A:five", "B:one"]}
    assert {"name": "trick", "title": "Trick", "caption": "Ann 2 : Ben 0", "highlight": "A"} in end["areas"]


def test_json_at_a_step_is_the_table_then(database: str) -> None:
    """--step takes the number of an event; the table is the one after it."""
    then = data(database, "g", "--step", "10")
    assert (then["seq"], then["round"], then["turn"], then["active"], then["winner"]) == (10, 1, 2, "B", None)
    assert then["event"]["card"] == "A:five"
    assert [finding["rule"] for finding in then["findings"]] == ["higher.card.from-hand"]


@pytest.mark.parametrize(
    ("player", "cards"), [("A", ["A:one", "A:four", "A:six"]), ("Ann", ["A:one", "A:four", "A:six"]), ("B", [])]
)
def test_json_names_only_cards_that_the_viewer_may_know(database: str, player: str, cards: list[str]) -> None:
    """The size of a hand is public, its cards are known to the owner; `--player` takes an id or a name."""
    hand = data(database, "g", "--step", "4", "--player", player)["zones"]["A/hand"]
    assert hand == {"owner": "A", "size": 3, "cards": cards}


def test_the_public_knows_no_hand_and_no_deck(database: str) -> None:
    """No part of the JSON for the public holds a hidden card."""
    text = replay(database, "g", "--step", "4", "--player", "public", "--json").stdout
    assert "A:one" not in text
    assert '"A:?"' in text


def test_a_turn_is_its_first_event(database: str) -> None:
    """--turn shows the event with which the turn begins."""
    assert data(database, "g", "--turn", "2")["seq"] == 10


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gg"], "did you mean 'g'?"),
        (["g", "--step", "13"], "its events are 1 to 12"),
        (["g", "--turn", "7"], "its turns are 1 to 2"),
        (["g", "--step", "3", "--turn", "1"], "give one of them"),
        (["g", "--player", "Cleo"], "A (Ann), B (Ben) or public"),
        (["g", "--edition", "frist"], "did you mean first?"),
        (["g", "--ruling", "tie=first_card"], "did you mean ties?"),
    ],
)
def test_a_wrong_argument_is_an_error_that_says_what_there_is(database: str, arguments: list[str], words: str) -> None:
    """A wrong game, event, turn, player or reading ends with exit code 1, a plain message and no traceback."""
    result = replay(database, *arguments)
    assert result.exit_code == 1
    assert words in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.output


@pytest.mark.usefixtures("as_older_logs")
def test_a_game_that_cannot_be_folded_is_shown_as_far_as_it_goes(higher: Game, tmp_path: Path) -> None:
    """The steps before the event that cannot be folded are shown, then the reason; the exit code is 1."""
    database = store(higher, tmp_path, [{"type": "play.taken-back", "to": 99}, {"type": "note.added", "text": "?"}])
    result = replay(database, "g")
    assert result.exit_code == 1
    assert "   12  Ann has won (tricks)" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("The replay stops before event 13:")
    last = json.loads(replay(database, "g", "--json").stdout)
    assert last["seq"] == 12
    assert "event 99" in last["stopped"]
    beyond = replay(database, "g", "--step", "14")
    assert beyond.exit_code == 1
    assert "its events are 1 to 12" in beyond.stderr
    assert "stops before event 13" in beyond.stderr


def test_another_reading_of_the_rulebook_gives_other_findings(database: str) -> None:
    """--edition reads the same log by another edition."""
    text = replay(database, "g", "--edition", "second").stdout
    assert text.startswith("Higher second ties=second_card: g")
    assert "higher.card.no-one" in text


def test_texts_of_a_log_never_control_the_terminal(higher: Game, tmp_path: Path) -> None:
    """Control characters in a note are shown as replacement characters."""
    database = store(higher, tmp_path, [{"type": "note.added", "text": "\x1b[2Jboo", "note": "\x1b]0;x"}])
    for arguments in (["g"], ["g", "--step", "13"]):
        text = replay(database, *arguments).stdout
        assert "boo" in text
        assert "\x1b" not in text
