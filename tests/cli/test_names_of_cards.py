"""Cards as chats name them: each by a name of its own, of several words, or by a letter and a number."""

from pathlib import Path

import pytest

from tabletape.dashboard.own_game.chat import surveyed
from tabletape.dashboard.own_game.game import kinds_named
from tabletape.dashboard.own_game.kinds import names_said
from tabletape.dashboard.own_game.look import FirstLook, with_cards
from tabletape.dashboard.own_game.messages import letters_in_short
from tests.cli.conftest import Tabletape
from tests.cli.test_first_rule import GAMES, accused, begun

NAMES = (
    "sir bramble, crooked mill, lady thistle, old wolf, sir bramble's horse, moon priest, ash squire, fen witch, "
    "toll bridge, rope trick"
)

LENT = """lends C8 to Bram
stamps P5
lends C2 to Ines, she says thanks
borrows T12, refill P2
borrows T6, refill T8
lends H12 to Kofi
stamps H2
lends T1 to Bram
"""
PLAYERS = ("Ines", "Bram", "Kofi")
BOOK = """{list}each with the numbers 1 to 12.
On your turn you do exactly one of three things: you borrow, lend or stamp.
Nobody may lend to the same player twice in a row.
"""


def test_cards_with_names_of_their_own_are_found_and_read(tabletape: Tabletape, tmp_path: Path) -> None:
    """No rulebook lists them: the capitals of the chat tell, and what a player has come to stays a note."""
    said = begun(tabletape, tmp_path, "hedge", "", "", "l")
    assert f"Kinds of cards: {NAMES}\n" in said
    assert "Read: 33 moves in 14 lines; 2 lines left open; 2 of talk" in said
    assert "13  Jo: draws, plays nothing" in said
    assert "14  Mia: draws, attacks with Sir Bramble twice" in said
    log = tabletape("log", "evening", "--jsonl").stdout
    assert '"cards":["sir-brambles-horse"]' in log
    assert '"text":"Jo down to 13"' in log


def test_a_part_of_a_name_stands_for_the_only_card_that_has_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """Which card is meant is said; what the other player has come to behind it stays a note."""
    chat = (GAMES / "hedge-evening.txt").read_text()
    (tmp_path / "evening.txt").write_text(chat.replace("with Sir Bramble and Lady Thistle", "with Bramble and thistle"))
    said = tabletape("rules", "new", "hedge", "evening.txt", stdin=b"\n\n\n\n").output
    shown = "8  Mia: attacks with sir bramble and lady thistle |, Jo down to 13  (Bramble, thistle: sir bramble, lady"
    assert f"{shown} thistle?)\n" in said
    log = tabletape("log", "evening", "--jsonl").stdout
    assert '"cards":["sir-bramble","lady-thistle"]' in log


def test_a_sentence_about_a_card_with_a_name_accuses_its_lines(tabletape: Tabletape, tmp_path: Path) -> None:
    """The name is one word of the sentence, and stands in the finding as it is written."""
    said = begun(tabletape, tmp_path, "hedge", "", "", "Nobody may attack with the Fen Witch.", "y")
    assert accused(said) == [(11, "illegal", "L7"), (17, "illegal", "L7")]
    assert "Here the line has Fen Witch." in said


def test_what_is_in_play_is_not_what_one_plays(tabletape: Tabletape, tmp_path: Path) -> None:
    """A limit of what lies there is none of what is played at once, and is not said to be understood."""
    said = begun(tabletape, tmp_path, "hedge", "", "", "You may never have more than four knights in play.")
    assert "read as: play" not in said
    assert "Which of these does it say?" in said


@pytest.mark.parametrize(
    ("listed", "kinds", "card"),
    [
        (
            "48 book cards: four subjects (Cookery, History, Poetry and Travel), ",
            "cookery, history, poetry, travel",
            "cookery-8",
        ),
        ("48 book cards, ", "c, h, p, t", "c-8"),
    ],
)
def test_a_card_in_short_is_its_kind_and_its_number(
    listed: str, kinds: str, card: str, tabletape: Tabletape, tmp_path: Path
) -> None:
    """`C8` is the 8 of cookery where a list of the rulebook has one kind with that letter, else the 8 of C."""
    lines = [f"{PLAYERS[at % 3]}: {line}" for at, line in enumerate(LENT.splitlines())]
    (tmp_path / "evening.txt").write_text("\n".join(lines))
    (tmp_path / "rules.txt").write_text(BOOK.format(list=listed))
    said = tabletape("rules", "new", "overdue", "evening.txt", "rules.txt", stdin=b"\n\ny\n\n\n\n\n").output
    assert f"Kinds of cards: {kinds}, each with 1 to 12\n" in said
    assert "Read: 7 moves in 7 lines; 1 line left open" in said
    assert f'"cards":["{card}"]' in tabletape("log", "evening", "--jsonl").stdout


def test_squares_of_a_board_are_no_cards_in_short() -> None:
    """Where one goes to is a place, and one letter alone may be anything: `P1` is a player."""
    assert (
        letters_in_short(["moves to c3", "moves to c4", "moves to d4", "moves to d5", "goes to e1", "to e2"] * 3)
        == set()
    )
    assert letters_in_short(["P1 draws", "P2 draws"] * 9) == set()
    assert letters_in_short(["lends C8", "lends C2", "takes T1", "takes T9"] * 2) == {"c", "t"}


def test_letters_with_their_numbers_are_understood_as_they_are_typed() -> None:
    """Nobody has to put a blank between them."""
    look = with_cards(FirstLook((), {}, {}, {}, ()), "c1-12, h1-12")
    assert look is not None
    assert (look.cards, look.numbers) == (("c", "h"), (1, 12))


def test_names_of_several_words_are_named_in_the_order_of_a_sentence() -> None:
    """A name of one word that is part of another is found as well."""
    kinds = ("wolf", "sir bramble", "old wolf")
    assert kinds_named(["Sir", "Bramble", "beats", "the", "Old", "Wolf"], kinds) == ["sir bramble", "old wolf", "wolf"]
    assert kinds_named(["Sir", "Thistle"], kinds) == []


PRICED = """Mia Sommer: draw. play ash squire for 1
Jo: draw, play toll bridge (2)
Mia Sommer: draw, play the crooked mill (1), attack with the squire, jo 19
Jo: draw, old wolf for 2
Mia Sommer: draw, lady thistle attacks, jo 18
Jo: draw, play bell tower (2), attack with old wolf, mia 17
Mia Sommer: draw, attack with lady thistle and squire: jo 14
"""
PRICED_BOOK = """Setup: each player draws five cards and starts with 20 life.
At the start of your turn draw one card.
To play a card, pay its cost in coins.
"""
PRICED_CARDS = """name,type,cost
Ash Squire,knight,1
Toll Bridge,place,2
The Crooked Mill,place,1
Old Wolf,knight,2
Lady Thistle,knight,3
Bell Tower,place,2
"""


def test_prices_and_life_beside_a_move_are_notes_and_the_setup_is_no_draw(tabletape: Tabletape, tmp_path: Path) -> None:
    """What a card costs is printed on it; whoever is called by the first name is no field of a move."""
    for name, text in (("evening.txt", PRICED), ("rules.txt", PRICED_BOOK), ("cards.csv", PRICED_CARDS)):
        (tmp_path / name).write_text(text)
    words = ("rules", "new", "hedge", "evening.txt", "rules.txt", "--card-list", "cards.csv")
    said = tabletape(*words, stdin=b"\n\n\n\n").output
    assert "Is that one card each time?" not in said
    assert "Read: 14 moves in 6 lines; 1 line left open; 0 of talk" in said
    log = tabletape("log", "evening", "--jsonl").stdout
    assert '"text":"for 2"' in log
    assert '"text":"for 1 ... jo 19"' in log
    assert '"cards":["lady-thistle","ash-squire"]' in log
    written = (tmp_path / "games" / "hedge.toml").read_text()
    assert "mia" not in written
    assert 'does = ["cards -> hand"]' in written


def test_small_letters_of_any_script_are_no_capitals() -> None:
    """Names are told by capitals in Polish and Greek as well, and a chat without them tells none."""
    lines = ["Ala: gra Stary Wilk", "Jan: gra Żółty Ksiądz i Łowca Snów", "Ala: gra śliwka i łabędź", "Jan: gra żaba"]
    seen = surveyed("\n".join(lines * 2).encode(), "evening.txt")
    assert names_said({"gra": ("gra",)}, seen) == ("stary wilk", "żółty ksiądz", "łowca snów")
    small = surveyed("\n".join(["Ala: gra śliwka", "Jan: gra łabędź i żaba"] * 4).encode(), "evening.txt")
    assert names_said({"gra": ("gra",)}, small) == ()
