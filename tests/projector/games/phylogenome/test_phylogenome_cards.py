"""The card file of PhyloGenome: its sample cards, and what is refused in the card files of designers."""

from collections import Counter

import pytest

from tabletape.projector.games import game
from tabletape.projector.model.cards import CardError

GAME = game("phylogenome")
LIBRARY = GAME.cards.library

EVENT = """
[[card]]
id = "grant"
name = "Grant"
kind = "event"
mode = "instant"
target = { type = "none" }
effects = [{ op = "draw", n = 2 }]
"""
SPECIES = """
[[card]]
id = "yeti"
name = "Yeti"
kind = "species"
genome_scale = 9
sequencing_generation = 1
points = 2
"""


def test_there_are_41_species_and_12_events() -> None:
    """All sample cards are read, each with its kind."""
    assert Counter(card.kind for card in LIBRARY.values()) == {"species": 41, "event": 12}


@pytest.mark.parametrize("deck", ["animal-kingdom", "garden-and-lab"])
def test_a_sample_deck_has_the_recommended_composition(deck: str) -> None:
    """A sample deck has 12, 8 and 5 Species of the three generations, and 10 Events."""
    cards = [LIBRARY[card] for card in GAME.cards.decks[deck].cards]
    generations = Counter(card.sequencing_generation for card in cards)
    assert generations == {1: 12, 2: 8, 3: 5, 0: 10}


def test_the_genome_scale_is_the_magnitude_of_the_genome_size() -> None:
    """The genome scale of each sample card is the number of digits of its genome size in base pairs, less one."""
    for card in LIBRARY.values():
        if card.kind == "species":
            assert card.genome_scale == len(str(round(card.genome_size_mb * 10**6))) - 1, card.id


def test_own_cards_are_read() -> None:
    """A designer's Species and Event need only the fields that the rules use."""
    cards = GAME.read_cards(SPECIES + EVENT, "mine.toml").library
    assert cards["yeti"].genome_scale == 9
    assert cards["grant"].says.effects[0].n == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("op = ", "opp = ", "there is no operation called ''; there are: draw"),
        ('"draw"', '"drawn"', "there is no operation called 'drawn'; did you mean draw?"),
        ("n = 2", 'n = "two"', "n of draw has to be a number from 1, not 'two'"),
        ("n = 2", "n = 0", "n of draw has to be a number from 1, not 0"),
        ("n = 2", "m = 2", "there is no word of draw called 'm'"),
        ('draw", n = 2', 'draw"', "draw needs n"),
        ('"instant"', '"instantly"', "there is no mode called 'instantly'; did you mean instant?"),
        ('"none"', '"nothing"', "there is no type of target called 'nothing'"),
        (
            'op = "draw", n = 2',
            'op = "discard", what = "target"',
            "discard needs a target of the type species, not none",
        ),
        ('op = "draw", n = 2', 'op = "points_add", n = 2', "points_add cannot have the trigger on_play"),
        ('type = "none"', 'type = "species", facing = "me"', "there is no facing called 'me'; there are: self"),
        ("effects", 'requires = [{ kind = "luck", count = 1 }]\neffects', "there is no requirement called 'luck'"),
        ("effects", 'trigger = "start_of_turn"\neffects', "only an Event on the table has an ability for the start"),
        ("effects", 'duration = "forever"\neffects', "there is no duration called 'forever'"),
        ('"instant"', '"beneath"', "an Event that lies beneath a Species needs a Species as its target"),
        ("effects", "points = 2\neffects", "an Event has no points"),
        ("effects = [{ op = ", "ignored = [{ op = ", "there is no field called 'ignored'"),
    ],
)
def test_an_invalid_event_is_refused(old: str, new: str, message: str) -> None:
    """The message names file, line and card, and for an unknown word the known ones."""
    assert old in EVENT
    with pytest.raises(CardError) as refused:
        GAME.read_cards(EVENT.replace(old, new, 1), "mine.toml")
    assert str(refused.value).startswith("mine.toml:3: card 'grant': ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("genome_scale = 9", "", "a Species needs a genome_scale"),
        ("= 1", "= 4", "a Species needs a sequencing_generation from 1 to 3"),
        ("points = 2", 'mode = "instant"', "a Species has no mode"),
        ('"species"', '"progress"', "a card is a species or an event, not a 'progress'"),
    ],
)
def test_an_invalid_species_is_refused(old: str, new: str, message: str) -> None:
    """A Species needs the fields for playing it and may have none of an Event."""
    with pytest.raises(CardError, match=message):
        GAME.read_cards(SPECIES.replace(old, new, 1), "mine.toml")


def test_an_event_without_effects_needs_manual_text() -> None:
    """Text beyond the vocabulary is written in the field `manual`."""
    without_effects = EVENT.replace('effects = [{ op = "draw", n = 2 }]', "")
    with pytest.raises(CardError, match="needs effects, or the field manual"):
        GAME.read_cards(without_effects, "mine.toml")
    assert GAME.read_cards(without_effects + 'manual = "Sing."', "mine.toml").library["grant"].manual == "Sing."


def test_keywords_of_a_card_are_words_of_the_vocabulary() -> None:
    """The keywords of a card are its operations, modes, requirements and the like."""
    words = {word for card in LIBRARY.values() for word in GAME.cards.keywords(card)}
    assert {"draw", "generation_bonus", "look_at_deck", "beneath", "discard_from_hand", "conservation"} <= words
