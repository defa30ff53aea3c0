"""Card files: what a designer may write, and how a mistake is reported."""

from pathlib import Path

import pytest

from tabletape.events.log import Log
from tabletape.projector.archive.stored import cards_of, workspace, workspace_at
from tabletape.projector.model.cards import CardError, parse_cards, unknown_cards
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import nearest
from tabletape.projector.model.things import CardText

SEVEN = '[[card]]\nid = "seven"\nname = "Seven"\nkind = "number"\nvalue = 7\n'


def write_own_cards(folder: Path, text: str) -> None:
    """Write a designer's own cards for the test game Higher."""
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "cards" / "higher.toml").write_text(text, encoding="utf-8")


def test_own_cards_and_decks_are_added_to_the_built_in_ones(higher: Game, tmp_path: Path) -> None:
    """A card with a new id is added, one with a known id replaces the built-in card."""
    one = SEVEN.replace("seven", "one").replace("Seven", "My One")
    write_own_cards(tmp_path, f'{SEVEN}\n{one}\n[[deck]]\nid = "mine"\ncards = ["seven", "two"]\n')
    cards = cards_of(tmp_path, "higher")
    assert set(cards.library) == {*higher.cards.library, "seven"}
    assert cards.library["one"].name == "My One"
    assert cards.decks["mine"].cards == ("seven", "two")
    assert cards.decks["mine"].name == "mine"


class Firework(CardText, frozen=True, kw_only=True, eq=False):
    """A card with a colour and a rank."""

    colour: str
    rank: int
    copies: int = 1


def test_a_product_is_each_value_with_each_other() -> None:
    """Every colour has every rank, with as many copies as its rank has; names may be written another way."""
    text = '[[product]]\ncolour = ["red", "pale blue"]\nrank = [1, 2, 3]\ncopies = [3, 2, 1]\n'
    cards = parse_cards(text, "cards.toml", Firework, lambda _: None).library
    assert [*cards] == ["red-1", "red-2", "red-3", "pale-blue-1", "pale-blue-2", "pale-blue-3"]
    card = cards["pale-blue-2"]
    assert (card.name, card.kind, card.colour, card.rank, card.copies) == (
        "Pale blue 2",
        "pale blue",
        "pale blue",
        2,
        2,
    )
    (first, *_) = parse_cards(
        f'{text}name = "{{rank}} of {{colour}}"\nkind = "card"', "c", Firework, print
    ).library.values()
    assert (first.id, first.name, first.kind, first.text) == ("red-1", "1 of red", "card", "")


def test_a_changed_card_file_is_read_again(higher: Game, tmp_path: Path) -> None:
    """A changed card takes effect without a restart."""
    assert cards_of(tmp_path, "higher") is higher.cards
    write_own_cards(tmp_path, SEVEN)
    assert cards_of(tmp_path, "higher").library["seven"].value == 7
    write_own_cards(tmp_path, SEVEN.replace("value = 7", "value = 70"))
    (tmp_path / "cards" / "higher.toml").touch()
    assert cards_of(tmp_path, "higher").library["seven"].value == 70


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[card]]\nid = "x\n', "higher.toml:2:8: "),
        (
            SEVEN.replace("value", "valu"),
            "higher.toml:2: card 'seven': there is no field called 'valu'; did you mean value?",
        ),
        (SEVEN.replace("value = 7\n", ""), "higher.toml:2: card 'seven': it needs the field `value`"),
        (SEVEN.replace("7", '"seven"'), "higher.toml:2: card 'seven': Expected `int`, got `str` - at `$.value`"),
        (SEVEN.replace("7", "0"), "higher.toml:2: card 'seven': a card counts at least 1, not 0"),
        (SEVEN + SEVEN, "card 'seven': there are two cards with this id"),
        (SEVEN.replace("[[card]]", "[card]"), "every card begins with a line [[card]], in two brackets"),
        (SEVEN.replace("[[card]]", "[[cards]]"), "there is no card in it"),
        (
            '[[deck]]\nid = "d"\ncards = ["sx"]\n',
            "higher.toml:2: deck 'd': there is no card called 'sx'; did you mean six?",
        ),
        ('[[deck]]\nid = "d"\n', "higher.toml:2: deck 'd': it needs the field `cards`"),
        ("[[deck]]\ncards = []\n", "higher.toml:1: deck '?': "),
        ("\n[[product]]\nkind = 'x'\n", "higher.toml:2: product: a product needs lists"),
        ("[[product]]\nvalue = [7, 0]\n", "higher.toml:1: card '0': a card counts at least 1, not 0"),
        (
            "[[product]]\nvalue = [7]\nid = '{valu}'\n",
            "product: '{valu}' names 'valu', which is none of its lists: value",
        ),
        ("[[product]]\nvalue = [7, 8]\ncopies = [1]\n", "`copies` has 1 numbers for 2 values of `value`"),
        (f"[[product]]\nvalue = {[*range(1, 200)]}\nid = {[*range(99)]}\n", "a product has at most 10,000 cards"),
        ("[[product]]\nvalue = [7]\ncopies = 2\n", "card '7': there is no field called 'copies'"),
        ("[product]\nvalue = [7]\n", "every product begins with a line [[product]], in two brackets"),
    ],
)
def test_a_mistake_in_a_card_file_is_reported_with_its_place(
    higher: Game, tmp_path: Path, text: str, message: str
) -> None:
    """The message names the file, the line and the card, and what was probably meant."""
    assert higher.slug == "higher"
    write_own_cards(tmp_path, text)
    with pytest.raises(CardError) as raised:
        cards_of(tmp_path, "higher")
    assert str(raised.value).startswith(str(tmp_path / "cards" / "higher.toml"))
    assert message in str(raised.value)


def test_a_card_file_in_another_encoding_is_refused(higher: Game, tmp_path: Path) -> None:
    """Card files are UTF-8, with or without a byte order mark; anything else is reported as such."""
    write_own_cards(tmp_path, SEVEN)
    file = tmp_path / "cards" / "higher.toml"
    file.write_bytes(b"\xef\xbb\xbf" + SEVEN.encode())
    assert set(cards_of(tmp_path, higher.slug).library) == {*higher.cards.library, "seven"}
    file.write_bytes(SEVEN.replace("Seven", "Sëven").encode("latin-1"))
    with pytest.raises(CardError, match="not UTF-8"):
        cards_of(tmp_path, higher.slug)


def test_the_workspace_is_the_folder_of_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The workspace of a SQLite file is its folder; that of a log on a server is the working folder."""
    monkeypatch.chdir(tmp_path)
    with Log.open(tmp_path / "a.db", create=True) as log:
        assert workspace(log) == tmp_path
    assert workspace_at("deep/b.db") == tmp_path / "deep"
    assert workspace_at("postgresql://host/tapes") == tmp_path


def test_an_unknown_card_is_reported_with_a_suggestion(higher: Game) -> None:
    """Each unknown id is followed by the nearest card of the library; known ids are not mentioned."""
    assert unknown_cards(("two", "twoo"), higher.cards.library) == "unknown card twoo; did you mean two?"
    assert unknown_cards(("xyzzyx",), higher.cards.library) == "unknown card xyzzyx"
    assert unknown_cards(("two",), higher.cards.library) == ""


@pytest.mark.parametrize(
    ("written", "suggestion"),
    [
        ("reed-heron", ""),
        ("komodo", "komodo-charger"),
        ("dragonlrk", "dragonlark"),
        ("charger-komodo", "komodo-charger"),
    ],
)
def test_a_short_name_inside_a_long_word_is_no_suggestion(written: str, suggestion: str) -> None:
    """A suggestion is similar to the whole text, or shares whole words with it."""
    assert nearest(written, ["ion", "dragonlark", "komodo-charger", "koi"]) == suggestion
