"""The card text of Evolve: what is parsed, what is refused, and findings about cards that print too little."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.projector.games import game
from tabletape.projector.games.evolve.abilities import ParsedText, parsed_text
from tabletape.projector.model.cards import CardError

GAME = game("evolve")
Begin = Callable[..., Any]


def parse(text: str) -> Any:
    """Return the cards of a card file."""
    return GAME.read_cards(text, "mine.toml")


def organism(name: str, *lines: str, **fields: Any) -> str:
    """Return the TOML of an organism."""
    values = {"kind": "organism", "phylum": "Bacillota", "tier": 1, "mp": 1, "dna": 0} | fields
    values = {key: value for key, value in values.items() if value is not None}
    entries = [
        f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in values.items()
    ]
    evolve = [] if "evolve" in fields else ["evolve = { energy = 3, dna = 1 }"]
    head = [f'id = "{name}"', f'name = "{name.title()}"', *evolve]
    return "\n".join(["[[card]]", *head, *entries, f"abilities = {list(lines)!r}", ""])


def test_all_sample_cards_are_read() -> None:
    """There are thirty cards and two deck lists of thirty, with at most three copies of a card."""
    assert len(GAME.cards.library) == 30
    for deck in GAME.cards.decks.values():
        assert len(deck.cards) == 30
        assert max(deck.cards.count(card) for card in deck.cards) == 3
        assert set(deck.cards) <= set(GAME.cards.library)


@pytest.mark.parametrize(
    "line",
    [
        "action consume (energy 1): energy +2 self; stress 1 food",
        "action divide (energy 1): dna +1",
        "action attack (energy 1, stress self): stress upto 1 enemy unstressed nonfood; if died -> energy +2 self",
        "action bud (dna 1, mp 2, discard 1): draw 2",
        "limit actions 3",
        "when begin.each if energy >= 2 -> mp +1",
        "when self.died -> stress all enemy tier 2 organism",
        "always if stressed -> host evolve energy -1; host attack dna +1",
        "always -> consume gain -1 all organism; cap +2 all friendly phylum Bacillota nonfood",
        "always -> host cannot be removed",
        "remove 1 mutation; end status",
        "shield 1 friendly organism from event",
        "if hand < 3 -> draw 1",
    ],
)
def test_a_line_of_the_vocabulary_is_parsed(line: str) -> None:
    """Every form of the grammar is parsed to something."""
    assert parsed_text([line]) != ParsedText()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("action duplicate (energie 1): dna +1", "no cost called 'energie'; did you mean 'energy'"),
        ("action attack: stres 1 enemy organism", "no verb called 'stres'; did you mean 'stress'"),
        ("action attack: stress 1 enmy organism", "no card called 'enmy'"),
        ("when begin.slef -> dna +1", "no moment called 'begin.slef'; did you mean 'begin.self'"),
        ("always -> host cannot be eaten", "no state called 'eaten'"),
        ("dna 1", "expected a change such as"),
        ("draw +1", "expected a number"),
        ("limit actions two", "expected a number"),
        ("action duplicate: stress 1 enemy organism", "cannot say which card is chosen"),
        ("when enters -> stress 1 enemy organism", "nobody can choose"),
        ("dna +1 and more", "has no meaning here"),
        ("action attack (energy 1: stress self", "expected"),
        ("stress 1 phylum bacillota organism", "expected a phylum with a capital"),
        ("when", "ends too early"),
    ],
)
def test_an_unknown_word_is_refused_with_its_place(line: str, complaint: str) -> None:
    """The message names file, line, card and word."""
    with pytest.raises(CardError, match=r"mine\.toml:2: card 'odd'.*") as error:
        parse(organism("odd", line))
    assert complaint in str(error.value)


def test_an_unknown_kind_is_refused() -> None:
    """A card is an organism, an event, a mutation or a status."""
    with pytest.raises(CardError, match="'virus' is no kind of card"):
        parse(organism("odd", kind="virus"))


@pytest.mark.parametrize(
    ("toml", "rule", "kind"),
    [
        (organism("odd", phylum=None), "card.food-label", "info"),
        (organism("odd", tier=None), "card.phylum-tier", "illegal"),
        (organism("odd", tier=4), "tier.three", "illegal"),
        (
            '[[card]]\nid = "odd"\nname = "Odd"\nkind = "organism"\nphylum = "X"\ntier = 3\n',
            "tier3.evolve-cost",
            "illegal",
        ),
        ('[[card]]\nid = "odd"\nname = "Odd"\nkind = "status"\n', "status.subtypes", "illegal"),
    ],
)
def test_a_deck_list_has_findings_for_what_its_cards_lack(begin: Begin, toml: str, rule: str, kind: str) -> None:
    """What a card has to print is checked when it is declared, so that a draft of a card can be read and tried."""
    replay = begin(["odd"], own=toml).replay()
    assert [(each.rule, each.kind) for each in replay.findings] == [(f"evolve.{rule}", kind)]


def test_the_keywords_of_a_card_are_the_words_of_the_vocabulary() -> None:
    """The keywords of a card are the actions and verbs of its text."""
    assert list(GAME.cards.keywords(GAME.cards.library["bdellovibrio"])) == [
        "action attack",
        "action duplicate",
        "dna",
        "energy",
        "stress",
    ]
