"""A chat about a game with moves of its own, as careless people write it, and the questions about its lines."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.conftest import Tabletape

GAME: Final = """title = "Tidewrack"
players = [2, 4]
zones = { deck = "shared hidden", hand = "own", shore = "open" }
CARDS
deal = { zone = "hand", count = 3, says = "Three finds each.", cite = "1" }
[turn]
actions = 1
first = { move = "draw", unless = "no(deck)", says = "Draw first.", cite = "2" }
says = "Then lay or trade."
cite = "3"
[move.draw]
owed = true
fields.card = "card of deck"
does = ["card -> hand"]
[move.lay]
fields.cards = { is = "cards of hand", says = "Lay what you hold.", cite = "4" }
does = ["cards -> shore"]
[move.trade]
fields.card = "card of hand"
fields.to = "other player"
fields.back = "card of hand(to)"
does = ["card -> hand(to)", "back -> hand"]
"""
LISTED: Final = 'cards = { kind = ["shell", "net", "buoy"], copies = 8 }'
CHAT: Final = """[Fri 20:02] Una: tidewrack! three each
[Fri 20:03] Una: i draw one
[Fri 20:03] Una: and lay 2 nets
[Fri 20:04] Ivo: drew a card, playing three BUOYS!
[Fri 20:05] Una: draw 1. trade with ivo, i give a shell and get a net
[Fri 20:06] Ivo: draw and lay one shell haha
[Fri 20:07] Una: drew. lay a net and a shell, thats ten! game over
[Fri 20:08] Ivo: well that was quick
"""
DRAW: Final = {"type": "cards.drawn", "count": 1}
SAID: Final = [
    DRAW | {"player": "A"},
    {"type": "move.lay", "player": "A", "cards": ["net", "net"]},
    DRAW | {"player": "B"},
    {"type": "move.lay", "player": "B", "cards": ["buoy", "buoy", "buoy"]},
    DRAW | {"player": "A"},
    {"type": "move.trade", "player": "A", "to": "B", "card": "shell", "back": "net"},
    DRAW | {"player": "B"},
    {"type": "move.lay", "player": "B", "cards": ["shell"]},
    DRAW | {"player": "A"},
    {"type": "move.lay", "player": "A", "cards": ["net", "shell"]},
    {"type": "game.ended", "reason": "said", "winner": None},
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A workspace with the game and the chat."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "tidewrack.toml").write_text(GAME.replace("CARDS", LISTED), encoding="utf-8")
    (tmp_path / "chat.txt").write_text(CHAT, encoding="utf-8")
    return tmp_path


def imported(tabletape: Tabletape) -> list[dict[str, Any]]:
    """Import the chat, and return its events without what all lines have; whose the cards are is left out."""
    assert tabletape("import", "chat.txt").exit_code == 0
    lines = [json.loads(line) for line in tabletape("log", "chat", "--jsonl").stdout.splitlines()[1:]]
    bare = [{key: value for key, value in line.items() if key not in {"seq", "at"}} for line in lines]
    read: list[dict[str, Any]] = json.loads(json.dumps(bare).replace("A:", "").replace("B:", ""))
    return read


@pytest.mark.parametrize("cards", [LISTED, ""])
def test_a_line_of_several_moves_is_proposed_as_these(tabletape: Tabletape, table: Path, cards: str) -> None:
    """Draws, moves, cards with their numbers, names in small letters and the end: also where no cards are listed."""
    (table / "games" / "tidewrack.toml").write_text(GAME.replace("CARDS", cards), encoding="utf-8")
    made = tabletape("map", "chat.txt", "--propose")
    assert made.exit_code == 0, made.stderr
    assert "100.0 % of 6 lines understood, 2 of 8 skipped" in made.stdout
    assert imported(tabletape) == SAID
    assert "illegal" not in tabletape("audit").stdout


def test_as_many_cards_as_a_line_says_are_laid(tabletape: Tabletape, table: Path) -> None:
    """Three buoys are three on the table; two cards where a move takes one are left over with what would be right."""
    assert tabletape("map", "chat.txt", "--propose").exit_code == 0
    imported(tabletape)
    assert tabletape("replay", "chat", "--step", "5").stdout.count("Buoy") >= 3
    file = table / "games" / "tidewrack.toml"
    file.write_text(
        file.read_text()
        .replace('cards = { is = "cards of hand"', 'card = { is = "card of hand"')
        .replace('"cards -> shore"', '"card -> shore"')
    )
    made = tabletape("map", "chat.txt", "--propose", "--force")
    assert "'2 nets' are 2 cards" in made.stdout
    assert '`fields.cards = "cards of hand"` in [move.lay]' in " ".join(made.stdout.split())


def test_what_may_be_a_move_is_no_understood_line_and_is_asked_about(tabletape: Tabletape, table: Path) -> None:
    """A proposal names it, the same command without `--propose` asks about it alone, by number and in words."""
    with (table / "chat.txt").open("a") as chat:
        chat.write("[Fri 20:09] Ivo: nooo my buoy\n")
    proposed = tabletape("map", "chat.txt", "--propose")
    assert "85.7 % of 7 lines understood, 2 of 9 skipped" in proposed.stdout
    assert "`tabletape map FILE`, without --propose, asks what they are" in proposed.stderr
    asked = tabletape("map", "chat.txt", stdin=b"2\n")
    assert asked.stdout.count("proposed: ") == 1
    assert "proposed: perhaps a move: not read" in asked.stdout
    assert "100.0 % of 6 lines understood, 3 of 9 skipped" in asked.stdout
    assert "proposed = true" not in (table / "chat.map.toml").read_text()


def test_another_meaning_is_chosen_by_number(tabletape: Tabletape, table: Path) -> None:
    """Which move a line is, and which of its words are the cards: no TOML is needed, and wrong answers say why."""
    (table / "chat.txt").write_text(f"{CHAT}[Fri 20:09] Ivo: my shell and a buoy go down\n")
    assert tabletape("map", "chat.txt", "--propose").exit_code == 0
    asked = tabletape("map", "chat.txt", stdin=b"4\nlay\n1\nfigs\nmy shell and a buoy\n")
    assert asked.exit_code == 0, asked.stderr
    assert "1 the move lay" in asked.stdout
    assert "a number from 1 to 7, not 'lay'" in asked.stderr
    assert "the line does not say 'figs'" in asked.stderr
    assert imported(tabletape)[-1] == {"type": "move.lay", "player": "B", "cards": ["shell", "buoy"]}


def test_what_a_line_does_not_say_is_left_open_and_stopping_keeps_the_answers(
    tabletape: Tabletape, table: Path
) -> None:
    """A card that a move needs and nobody names makes a gap that says so; answers that stop midway are written."""
    (table / "chat.txt").write_text(f"{CHAT}[Fri 20:09] Ivo: down go my net\n[Fri 20:10] Una: mine is a buoy\n")
    assert tabletape("map", "chat.txt", "--propose").exit_code == 0
    stopped = tabletape("map", "chat.txt", stdin=b"4\n1\n\n4\n1\n")
    assert stopped.exit_code == 0, stopped.stderr
    written = (table / "chat.map.toml").read_text()
    assert "does not say `cards` of the move lay" in written
    assert "proposed = true" not in written
    again = tabletape("map", "chat.txt", "--propose")
    assert "--check` says how it reads" in " ".join(again.stderr.split())
    assert "`tabletape map chat.txt --propose --force` writes over it" in " ".join(again.stderr.split())


def test_a_map_that_reads_more_is_not_written_over(tabletape: Tabletape, table: Path) -> None:
    """Stopping early keeps it; where there is one, the way to try it is named."""
    assert tabletape("map", "chat.txt", "--propose").exit_code == 0
    before = (table / "chat.map.toml").read_text().replace("proposed = true\n", "")
    (table / "chat.map.toml").write_text(f"# by hand\n{before}")
    refused = tabletape("map", "chat.txt")
    assert "`tabletape map chat.txt --check` says how it reads the file" in " ".join(refused.stderr.split())
    stopped = tabletape("map", "chat.txt", "--force", stdin=b"\n5\n")
    assert stopped.exit_code == 1
    assert "stays as it is: it reads more" in stopped.stderr
    assert (table / "chat.map.toml").read_text() == f"# by hand\n{before}"


def test_a_sheet_of_moves_says_the_cards_in_another_column(tabletape: Tabletape, table: Path) -> None:
    """Who, what and which card are columns: the proposal reads them, whatever the column of the cards is called."""
    (table / "chat.txt").unlink()
    rows = ("1,Una,lays,net,", "1,Ivo,lays,buoy,", "2,Una,trades,shell,Ivo", "2,Ivo,lays,net,", "3,Una,lays,net,")
    (table / "chat.csv").write_text("Round,Who,Action,Find,With\n" + "\n".join(rows) + "\n")
    file = table / "games" / "tidewrack.toml"
    file.write_text(file.read_text().replace('fields.back = "card of hand(to)"\n', "").replace(', "back -> hand"', ""))
    made = tabletape("map", "chat.csv", "--propose")
    assert "100.0 % of 5 lines understood" in made.stdout, made.stdout + made.stderr
    assert "line 4: move.trade  player = A | card = shell | to = B" in made.stdout
    assert "line 3: move.lay  player = B | cards = ['buoy']".replace("'", '"') in made.stdout


NUMBERED: Final = """title = "Stepstones"
players = [2, 4]
zones = { deck = "shared hidden", hand = "own", path = "shared" }
cards = { kind = ["amber", "slate", "grey"], number = [1, 2, 3, 4, 5, 6], copies = 2 }
[move.set]
fields.card = { is = "card of hand", says = "A stone comes from the hand.", cite = "1" }
does = ["card -> path"]
[move.wait]
fields.card = "card of deck"
does = ["card -> hand", "top(deck) -> hand"]
"""
STONES: Final = """Una: i set amber 3
Ivo: waiting, drawing 2
Una: i wait, ivo waits too
Ivo: i wiat
Una: abmer 4
Ivo: gray 5 it is
Una: white sky tonight
Ivo: huh, una set amber 2, and i wait, drawing 2
Una: hey we wait, ivo too
Una: i wait
Ivo: waiting, drawing 3
Una: waiting, drawing a card
"""


def test_slips_of_typing_others_and_draws_that_are_part_of_a_move(tabletape: Tabletape, table: Path) -> None:
    """A misspelt card or move is no talk; who stands before a verb does it; a move that draws has drawn its number."""
    (table / "games" / "tidewrack.toml").write_text(NUMBERED, encoding="utf-8")
    (table / "chat.txt").write_text(STONES, encoding="utf-8")
    made = tabletape("map", "chat.txt", "--propose")
    named = [line.split("`")[1] for line in made.stderr.splitlines() if "may be a move" in line]
    assert named == [STONES.splitlines()[at] for at in (3, 4, 5, 7, 8, 10, 11)], made.stderr
    assert "1 of 12 skipped" in made.stdout
    wait = {"type": "move.wait"}
    read = imported(tabletape)
    assert [each for each in read if each["type"] == "move.wait"] == [wait | {"player": each} for each in "BABA"]
    assert not [each for each in read if each["type"] == "cards.drawn"]
    answers = "4\n2\n" + "2\n2\n" + "4\n1,2,3\namber 2\n2\n" + "4\n2,2\n"
    answers += "4\n2,3\n3\n" + "4\n2,3\n2\n"
    asked = tabletape("map", "chat.txt", stdin=answers.encode())
    assert asked.exit_code == 0, asked.stderr
    assert "who1" in (table / "chat.map.toml").read_text()
    more = imported(tabletape)
    assert more[4:] == [
        wait | {"player": "B"},
        {"type": "move.set", "player": "A", "card": "amber-2"},
        wait | {"player": "B"},
        wait | {"player": "A"},
        {"type": "log.gap", "lines": 1, "text": "does not say who does this: the move wait"},
        wait | {"player": "A"},
        {"type": "log.gap", "lines": 1, "text": "draws 3, and not 2 as the move wait"},
        wait | {"player": "A"},
    ]


BARE: Final = """Una: i set amber 3
Ivo: slate 4 on the path
Una: ok amber 1 then
Ivo: slate 1 set
Una: grey 6
Una: wait no, grey 2
Ivo: amber 2, una says amber 5
Una: gray 4
"""


def test_messages_that_name_a_card_and_no_move_are_asked_about_at_once(tabletape: Tabletape, table: Path) -> None:
    """A proposal names them as gaps; one answer says which move they are, and takes back or misspelt ones are alone."""
    (table / "games" / "tidewrack.toml").write_text(NUMBERED, encoding="utf-8")
    (table / "chat.txt").write_text(BARE, encoding="utf-8")
    assert tabletape("map", "chat.txt", "--propose").exit_code == 0
    assert [each["type"] for each in imported(tabletape)] == ["move.set", *["log.gap"] * 7]
    asked = tabletape("map", "chat.txt", stdin=b"\n" * 9)
    assert asked.stdout.count("proposed: the move set, of the card that each names") == 1
    assert asked.stdout.count("proposed: perhaps a move") == 3
    assert "proposed: the move set (card grey {n})" in asked.stdout
    put = {"type": "move.set"}
    read = imported(tabletape)
    assert read[:4] == [
        put | {"player": player, "card": card}
        for player, card in (("A", "amber-3"), ("B", "slate-4"), ("A", "amber-1"), ("B", "slate-1"))
    ]
    assert [each["type"] for each in read[4:]] == ["log.gap", "log.gap", "log.gap", "move.set"]
    assert read[-1]["card"] == "grey-4"
    (table / "chat.map.toml").unlink()
    alone = tabletape("map", "chat.txt", stdin=b"4\n2\n2\n2\n2\n5\n")
    assert "4 each alone" in alone.stdout
    assert alone.stdout.count("proposed: the move set (card") == 3
