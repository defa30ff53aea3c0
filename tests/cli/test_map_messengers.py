"""Chats of two people as messengers write them: who speaks is who stands before the colon, and moves are moves."""

from pathlib import Path
from typing import Final

import pytest

from tabletape.events.importing.maps.proposing.surveying import Said, survey
from tests.cli.conftest import Tabletape

GAME: Final = """title = "Millpond"
players = [2, 2]
[zones]
hand = "own"
pond = "open"
[move.play]
fields.card = "card of hand"
[move.rest]
[move.give]
fields.card = "card of hand"
fields.to = "other player"
"""
SAID: Final = (
    ("Mara", "ok ready?"),
    ("Mara", "I start"),
    ("Mara", "plays Reed"),
    ("Jonas", "I play Frog, haha"),
    ("Mara", "rests"),
    ("Jonas", "play Lily"),
    ("Mara", "gives Pike to Jonas"),
    ("Jonas", "plays it cool, man"),
    ("Mara", "plays Otter"),
    ("Jonas", "rests"),
    ("Jonas", "Mara wins"),
)
MOVES: Final = """line 2: first-player.chosen A
line 3: move.play A A:reed
line 4: move.play B B:frog
line 5: move.rest A
line 6: move.play B B:lily
line 7: move.give A A:pike
line 8: log.gap  lines = 1 | text = may be a move
line 9: move.play A A:otter
line 10: move.rest B""".splitlines()
STYLES: Final = {
    "whatsapp": "02.10.26, 19:{n:02} - {who}: {text}",
    "ios": "[02.10.26, 19:{n:02}:11] {who}: {text}",
    "irc": "[19:{n:02}] <{who}> {text}",
}


def written(style: str) -> str:
    """Return the chat as a program writes it."""
    return "\n".join(STYLES[style].format(n=n, who=who, text=text) for n, (who, text) in enumerate(SAID))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A workspace with the game and the chat."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "millpond.toml").write_text(GAME, encoding="utf-8")
    (tmp_path / "chat.txt").write_text(written("whatsapp"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("players", [(), ("Mara", "Jonas")])
def test_who_stands_before_the_colon_speaks(style: str, players: tuple[str, ...]) -> None:
    """Nobody keeps the log whose messages begin with what the others do too; `plays` and `I` are no players."""
    seen = survey(written(style), Said(players=players))
    assert seen.players == ("Mara", "Jonas")
    assert "Mara" not in str(seen.head.get("prefix"))


def test_what_is_called_like_a_move_is_that_move(tabletape: Tabletape, table: Path) -> None:
    """First and third person, a remark behind a card, whom it is given to; who is said to win wins, and no speaker."""
    made = tabletape("map", "chat.txt", "--propose")
    assert made.exit_code == 0, made.stderr
    told = [line.strip().replace("  player = ", " ") for line in made.stdout.splitlines() if "  line " in line]
    short = [line.partition(" | to")[0].partition(" | reason")[0].replace(" | card =", "") for line in told]
    shown = [line.replace("  winner = ", " ").partition(" | method")[0] for line in short if "note.added" not in line]
    assert shown == MOVES
    assert "; Mara won; " in made.stdout
    assert "`Jonas: plays it cool, man` may be a move" in made.stderr
    assert (table / "chat.map.toml").exists()


def test_cards_in_small_letters_are_read_where_the_lines_are_alike(tabletape: Tabletape, table: Path) -> None:
    """One word behind a move that several lines say so, or that somebody is given, and words that say from where."""
    said = ("plays reed", "rests :)", "I play the pike from my hand", "gave up", "played frog", "gives otter to Jonas")
    text = "\n".join(f"Mara: {each}" for each in (*said, "plays well"))
    (table / "chat.txt").write_text(f"{text}\nJonas: rests\n")
    made = tabletape("map", "chat.txt", "--propose", "--players", "Mara,Jonas")
    assert made.exit_code == 0, made.stderr
    told = [line.strip().replace("  player = ", " ") for line in made.stdout.splitlines() if "  line " in line]
    assert told == [
        "line 1: move.play A | card = A:reed",
        "line 2: move.rest A",
        "line 3: move.play A | card = A:pike",
        "line 4: log.gap  lines = 1 | text = may be a move",
        "line 5: move.play A | card = A:frog",
        "line 6: move.give A | card = A:otter | to = B",
        "line 7: log.gap  lines = 1 | text = may be a move",
        "line 8: move.rest B",
    ]


def test_every_move_is_asked_about_and_a_half_map_is_gone_on_from(tabletape: Tabletape, table: Path) -> None:
    """`q` at once writes nothing; after an answer the next call asks about the rest; a changed map is left."""
    file = table / "chat.map.toml"
    nothing = tabletape("map", "chat.txt", stdin=b"q\n")
    assert (nothing.exit_code, file.exists()) == (1, False)
    assert tabletape("map", "chat.txt", stdin=b"\nq\n").exit_code == 0
    assert "move.give" not in file.read_text(encoding="utf-8")
    assert tabletape("map", "chat.txt", stdin=b"\n" * 20).exit_code == 0
    assert "move.give" in file.read_text(encoding="utf-8")
    file.write_text(f"{file.read_text(encoding='utf-8')}# mine\n", encoding="utf-8")
    refused = tabletape("map", "chat.txt", stdin=b"\n" * 20)
    assert "is there already: change it by hand" in refused.stderr


def test_a_refused_proposal_has_no_percentage(tabletape: Tabletape, table: Path) -> None:
    """What reads no game is not `100.0 % understood`; the command that goes on is said beside the page."""
    talk = [
        f"02.10.26, 19:{n:02} - {who}: {words} {n}"
        for n in range(12)
        for who, words in (("Mara", "well"), ("Jonas", "indeed"))
    ]
    (table / "talk.txt").write_text("\n".join(talk), encoding="utf-8")
    refused = tabletape("map", "talk.txt", "--propose")
    assert refused.exit_code == 1
    assert "no move of the game (24 of 24 lines are skipped)" in refused.stderr
    assert "%" not in refused.stderr
    assert "`tabletape map talk.txt --check` then tries it" in refused.stderr
