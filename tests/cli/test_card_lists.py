"""A list of the cards of a new game: names, types and numbers, as designers keep them in a sheet."""

import io
from pathlib import Path

import pytest
import xlsxwriter

from tabletape.dashboard.own_game.card_list import read_card_list
from tabletape.events.errors import RefusedError
from tabletape.events.vocabulary.open_games import games_of
from tabletape.events.workspace_files import GameFileError
from tests.cli.conftest import Tabletape
from tests.cli.test_first_rule import GAMES, accused

CARDS = """Name,Type,Cost,Strength,Text,Copies
Sir Bramble,Knight,2,2,"When he attacks, draw a card",2
The Crooked Mill,Place,1,,All knights cost 1 less,2
Lady Thistle,Knight,3,3,,2
Old Wolf,Knight,2,3,,1
Sir Bramble\u2019s Horse,Spell,1,,Sir Bramble attacks twice,3
Moon Priest,Knight,3,2,,1
Ash Squire,Knight,1,1,,1
Fen Witch,Witch,2,2,,1
Toll Bridge,Place,2,,,1
Rope Trick,Spell,1,,Untap a knight,1
"""
ANSWERS = ("", "Only knights may attack.", "", "y", "Nobody may play Sir Bramble's Horse.", "", "y")


def begun(tabletape: Tabletape, folder: Path, *answers: str) -> str:
    """Begin the recorded game of knights with the list of its cards; return what is said."""
    for name in ("evening", "rulebook"):
        (folder / f"{name}.txt").write_text((GAMES / f"hedge-{name}.txt").read_text())
    (folder / "cards.csv").write_text(CARDS)
    words = ("rules", "new", "hedge", "evening.txt", "rulebook.txt", "--card-list", "cards.csv")
    made = tabletape(*words, stdin="\n".join((*answers, *[""] * 9)).encode())
    assert made.exit_code == 0, made.output
    return made.stdout


def test_a_list_names_the_cards_and_a_rule_may_speak_of_their_types(tabletape: Tabletape, tmp_path: Path) -> None:
    """Nobody has to type them; a sentence says the word of a type, or a name with an apostrophe in it."""
    said = begun(tabletape, tmp_path, *ANSWERS)
    assert "Of the list: 10 cards; type: knight 5, place 2, spell 2, witch 1; cost 1 to 3; strength 1 to 3" in said
    assert "not read: text\n" in said
    assert "Read: 33 moves in 14 lines; 2 lines left open; 2 of talk" in said
    assert "read as: attack: the kind is knight" in said
    assert accused(said.replace("(own words)", "(L1)")) == [
        (11, "illegal", "L1"),
        (17, "illegal", "L1"),
        (6, "illegal", "L1"),
    ]
    written = (tmp_path / "games" / "hedge.toml").read_text()
    assert '{kind = "fen witch", type = "witch", cost = 2, strength = 2},' in written
    assert tabletape("audit").stdout.count("illegal  ") == 3


def test_a_list_comes_with_the_first_chat(tabletape: Tabletape, tmp_path: Path) -> None:
    """Behind that the file says what the cards are, and the list is refused with the way on."""
    begun(tabletape, tmp_path)
    again = tabletape("rules", "new", "hedge", "evening.txt", "--card-list", "cards.csv")
    assert again.exit_code == 1
    assert "games/hedge.toml says what its cards are: change [cards] there" in again.output
    assert "--card-list belongs to `new GAME CHAT`" in tabletape("rules", "--card-list", "cards.csv").output


def test_a_list_may_be_a_workbook_or_a_table_in_a_text() -> None:
    """The same cards come from all of them."""
    heads = ["Karte", "Klasse", "Angriff"]
    rows = [heads, ["Alter Wolf", "Tier", "3"], ["Eule", "Tier", "1"], ["Falle", "Zauber", ""]]
    with xlsxwriter.Workbook(packed := io.BytesIO()) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    text = "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], ["---"] * 3, *rows[1:]))
    found = read_card_list(text.encode(), "cards.md")
    assert found == read_card_list(packed.getvalue(), "cards.xlsx")
    assert found.names == ("alter wolf", "eule", "falle")
    assert found.printed["angriff"] == {"alter wolf": 3, "eule": 1}


def test_a_number_that_may_be_one_of_the_list_is_not_printed_on_a_card() -> None:
    """What a column is called `number` for nobody can tell; what is not read is said."""
    found = read_card_list(b"Number,Name,Cost\n1,Wolf,3\n2,Owl,1\n", "cards.csv")
    assert found.printed == {"cost": {"wolf": 3, "owl": 1}}
    assert found.in_words == "2 cards; cost 1 to 3; not read: number"


def test_a_row_for_each_copy_is_one_card() -> None:
    """Whoever prints a deck has the same row twice."""
    assert read_card_list(b"name,cost\nWolf,3\nOwl,1\nWolf,3\n", "cards.csv").names == ("wolf", "owl")


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "a row of headings"),
        (b"name,cost\nOld Wolf,1\n,2\n", "cards.csv:3: no name stands in this row, in the column `name`"),
        (b"type,cost\nknight,1\nknight,2\nknight,2\n", "cards.csv:1: no column has the names of cards"),
        (b"name,cost\nWolf,1\nOwl,2\nWolf,3\n", "cards.csv:4: `Wolf` stands in line 2 already, and otherwise"),
        (b"\x00\x01\x02\xff\xfe" * 40, "cards.csv: "),
        (("name\n" + "\n".join(f"card {n}" for n in range(2001))).encode(), "more than 2,000 cards"),
    ],
)
def test_what_is_no_list_of_cards_is_refused_with_the_line(content: bytes, wrong: str) -> None:
    """Nothing of it is guessed."""
    with pytest.raises(RefusedError, match=r"cards\.csv") as error:
        read_card_list(content, "cards.csv")
    assert wrong in str(error.value)


@pytest.mark.parametrize(
    ("listed", "wrong"),
    [
        ("[]", "has to be a list of cards"),
        ('[{ kind = "wolf" }, { kind = "Wolf" }]', "card 2 is there already as `wolf`"),
        ('[{ kind = "wolf", cost = 1 }, { kind = "owl", cost = "two" }]', "cost has to be a number on all cards"),
        ('[{ kind = "wolf", cost = 1 }, { cost = 2 }]', "card 2 has no kind"),
    ],
)
def test_a_wrong_list_in_a_file_is_told(listed: str, wrong: str) -> None:
    """With the line of the file, and what was expected."""
    with pytest.raises(GameFileError, match=r"cards\.list") as error:
        games_of("hedge.toml", "hedge", f'title = "Hedge"\n[cards]\nlist = {listed}\n')
    assert wrong in str(error.value)
    assert "hedge.toml:3" in str(error.value)


def test_a_card_that_has_no_number_is_not_compared() -> None:
    """It is neither higher nor lower: what is printed on the other cards is nothing on it."""
    text = 'title = "H"\n[cards]\nlist = [{ kind = "wolf", cost = 1 }, { kind = "owl" }]\n'
    described = games_of("h.toml", "h", text)["h"]
    assert described.rules is not None
    assert {card: each[0] for card, each in described.rules.cards.items()} == {
        "wolf": {"kind": "wolf", "cost": 1},
        "owl": {"kind": "owl"},
    }


NUMBERED = ["Brie 1,Brie,1", "Brie 2,Brie,2", "Brie 7,Brie,7", "Blue 2,Blue,2", "Blue 5,Blue,5", "Mouse,Mouse,"]


def test_a_list_of_kinds_with_numbers_says_the_kinds_and_their_numbers() -> None:
    """`Brie 4` is the 4 of brie, not a card with a name of its own; a kind without a number stands among them."""
    found = read_card_list("\n".join(["name,kind,number", *NUMBERED]).encode(), "cards.csv")
    assert found.in_words == found.numbered == "brie 1-7, blue 2-5, mouse"
    assert found.printed == {}
    without = ["kind,number", *(line.partition(",")[2] for line in NUMBERED)]
    assert read_card_list("\n".join(without).encode(), "cards.csv") == found


def test_what_else_stands_on_numbered_cards_is_said_to_be_left_out() -> None:
    """A file has one number for a card of a kind; the list says what of it is not read."""
    rows = ["name,kind,number,points", *(f"{line},{at}" for at, line in enumerate(NUMBERED))]
    assert read_card_list("\n".join(rows).encode(), "cards.csv").left_out == ("points",)


def test_a_chat_is_read_by_a_list_of_kinds_with_numbers(tabletape: Tabletape, tmp_path: Path) -> None:
    """As many lines as without the list."""
    (tmp_path / "cards.csv").write_text(
        "\n".join(["kind,number", *(f"{k},{n}" for k in ("tea", "silk") for n in (1, 2, 3))])
    )
    (tmp_path / "evening.txt").write_text(
        "\n".join(["Ann plays tea 2", "Ben plays silk 3", "Ann draws 1", "Ben draws 1"] * 2)
    )
    said = tabletape("rules", "new", "wares", "evening.txt", "--card-list", "cards.csv", stdin=b"\n\n\n").output
    assert "Of the list: tea 1-3, silk 1-3\n" in said
    assert "Read: 8 moves in 8 lines; 0 lines left open" in said
