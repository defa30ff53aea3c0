"""Card text and sample cards of Crystal Factions."""

import re

import pytest

from tabletape.projector.games import game
from tabletape.projector.games.crystal.abilities import Effect, parsed_text
from tabletape.projector.model.cards import CardError

GAME = game("crystal")
CARD = (
    '[[card]]\nid = "odd"\nname = "Odd"\nkind = "card"\nfaction = "basic"\n'
    "cost = 1\ntech_requirement = 0\nattack = 1\nmining = 1\ntech = 1\n"
)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("when-plaid -> heal 1", "'when-plaid'"),
        ("when-played -> hael 1", "did you mean 'heal'"),
        ("when-played -> heal much", "'much'"),
        ("when-played -> heal 1 2", "'2'"),
        ("when-played -> gain 1 gold", "'gold'"),
        ("when-played -> lose 1 crystals everybody", "'everybody'"),
        ("attack-phase -> power north +1", "'north'"),
        ("attack-phase -> power attack 1", "a change such as +1"),
        ("when-played -> draw 1 from discard", "'discard'"),
        ("when-played -> token bost self attack", "did you mean 'boost'"),
        ("when-played -> token boost self chosen", "only a lane of one `opponent` can be chosen"),
        ("when-played -> destroy opponent attack 2", "expected 'upto'"),
        ("when-played -> may heal 1", "only `move` may be left undone"),
        ("end-of-turn -> draw 1 from any", "nobody can choose or draw in a later phase"),
        ("attack-phase -> damage 1 opponent", "nobody can choose or draw in a later phase"),
        ("when-played -> cost -1", "'static'"),
        ("static -> heal 1", "'static'"),
        ("static -> cost -1 if rich", "'rich'"),
        ("when-played ->", "ends too early"),
        ("end-of-turn -> prevent 3", "nothing comes of it at the end of the turn"),
        ("end-of-turn -> power attack +1", "nothing comes of it at the end of the turn"),
        ("start-of-next-round -> heal 1 if dealt-damage", "nobody has dealt damage in this round's attack phase yet"),
        ("attack-phase -> heal 1 if dealt-damage", "nobody has dealt damage in this round's attack phase yet"),
    ],
)
def test_an_unknown_word_is_refused(line: str, word: str) -> None:
    """A line that cannot be parsed is refused, and the message names the word that is wrong."""
    with pytest.raises(ValueError, match=re.escape(word)):
        parsed_text((line,))


def test_a_card_has_one_target_at_most() -> None:
    """A line of the log can name one target only, so a card with two targets is refused."""
    with pytest.raises(ValueError, match="one lane and one card only"):
        parsed_text(("when-played -> destroy opponent attack upto 2; may move earlier",))


def test_a_line_is_parsed_into_effects_in_their_order() -> None:
    """The effects of one line, and of several lines of one trigger, keep the order in which they are written."""
    parsed = parsed_text(("when-played -> gain 2 crystals; heal 1", "when-played -> damage 3 each-opponent"))
    assert parsed.when_played == (
        Effect(verb="gain", n=2),
        Effect(verb="heal", n=1),
        Effect(verb="damage", n=3, who="each-opponent"),
    )
    assert (parsed.yields, parsed.waits, parsed.asks) == (2, False, False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('kind = "card"', 'kind = "unit"'), "a card is a card or a faction"),
        (("cost = 1\n", ""), "a card needs cost"),
        (("tech_requirement = 0", "tech_requirement = -1"), "a card needs tech_requirement, a number from 0, not -1"),
        (('faction = "basic"\n', ""), "a card needs its faction"),
        (("attack = 1\n", ""), "it needs the field `attack`"),
        (("tech = 1", 'tech = 1\nabilities = ["when-played -> hael 1"]'), "did you mean 'heal'"),
        (('kind = "card"', 'kind = "faction"'), "base cards have no cost"),
    ],
)
def test_a_card_that_lacks_something_is_refused_with_its_place(change: tuple[str, str], message: str) -> None:
    """A card has a cost, a requirement and three values; the message names file, line, card and what is missing."""
    with pytest.raises(CardError) as refused:
        GAME.read_cards(CARD.replace(*change), "own.toml")
    assert str(refused.value).startswith("own.toml:2: card 'odd': ")
    assert message in str(refused.value)


def test_an_unknown_token_of_a_faction_is_refused() -> None:
    """A faction with a token that does not exist is refused."""
    source = '[[card]]\nid = "x"\nname = "X"\nkind = "faction"\nattack = 1\nmining = 2\ntech = 1\ntokens = ["gold"]\n'
    with pytest.raises(CardError, match="there is no token called 'gold'"):
        GAME.read_cards(source, "own.toml")


def test_there_are_two_factions_33_cards_and_two_decks() -> None:
    """All sample cards and decks are read, and the decks consist of these cards."""
    kinds = [text.kind for text in GAME.cards.library.values()]
    assert (kinds.count("faction"), kinds.count("card")) == (2, 33)
    for deck in GAME.cards.decks.values():
        assert (len(deck.cards), len(deck.extra["basic"])) == (30, 12)
        assert {*deck.cards, *deck.extra["basic"], deck.extra["faction"]} <= set(GAME.cards.library)


def test_keywords_of_a_card_are_the_words_of_its_text() -> None:
    """The keywords of a card are the triggers and verbs of its text."""
    assert set(GAME.cards.keywords(GAME.cards.library["bounty-marshal"])) == {"end-of-turn", "gain"}
    assert set(GAME.cards.keywords(GAME.cards.library["trooper"])) == set()
