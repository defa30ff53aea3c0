"""The lines of text on the cards of Splicers: how they are parsed, what is refused, and the keywords of a card."""

import pytest

from tabletape.projector.games import game
from tabletape.projector.games.splicers.abilities import Active, Keyword, Reveal, Static, Trigger, line_of
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.game import Game


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("evade", Keyword),
        ("Expensive 2", Keyword),
        ("req gene Air", Keyword),
        ("@, willpower: draw 1", Active),
        ("when close Plant evolves -> dom +1 that", Trigger),
        ("always -> dom +1 host", Static),
        ("reveal -> crunch 1 seed", Reveal),
    ],
)
def test_a_line_is_parsed_as_its_kind(line: str, kind: type) -> None:
    """A line is a keyword, an active ability, a trigger, a static line or a reveal; case does not matter."""
    assert isinstance(line_of(line), kind)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("evad", "there is no keyword called 'evad'; did you mean 'evade'"),
        ("@: hunnt", "there is no verb called 'hunnt'; did you mean 'hunt'"),
        ("@: bounce 1 thing", "there is no card called 'thing'"),
        ("@ bounce 1 ting", "there is no keyword called '@'"),
        ("@, pray: draw 1", "there is no cost called 'pray'"),
        ("when moon.rises -> draw 1", "there is no moment called 'moon.rises'"),
        ("when self.evolves -> bounce 1 ting", "nobody can choose when an ability happens by itself"),
        ("always -> draw 1", "may only say `dom` or `grant`"),
        ("@: dom 1 self", "expected a change such as \\+1 or -2, found '1'"),
        ("@: draw", "ends too early"),
        ("@: draw many", "expected a number, found 'many'"),
        ("req gene air", "expected a type or gene with a capital"),
        ("evade evade", "'evade' has no meaning here"),
        ("always -> grant host @", "in quotation marks"),
        ("@: if hand ! 3 -> draw 1", "there is no comparison called '!'"),
        ("when self.evolves draw 1", "expected '->', found 'draw'"),
    ],
)
def test_the_refusal_of_a_line_names_the_wrong_word(line: str, complaint: str) -> None:
    """A line that cannot be parsed is refused, and the message names the word that is wrong."""
    with pytest.raises(ValueError, match=complaint):
        line_of(line)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ("kind = 'ting'", "a ting needs dominance"),
        ("kind = 'biom'\ndominance = 3\ngenes = ['Air']", "a biom has no genes"),
        ("kind = 'mutation'\ndominance = 3", "a mutation has no dominance"),
        ("kind = 'event'\nstart_cards = 4", "an event has no start_cards"),
        ("kind = 'splicer'", "a splicer needs start_cards"),
        ("kind = 'creature'", "a card is a ting, mutation, event, biom or splicer, not a 'creature'"),
        ("kind = 'ting'\ndominance = 1\nabilities = ['req gene Air']", "only a biom can require a gene"),
        ("kind = 'biom'\ndominance = 1\nabilities = ['req type Aquatic']", "only a ting can require a type"),
        ("kind = 'ting'\ndominance = 1\nabilities = ['season']", "only an event has `reveal` lines or `season`"),
        ("kind = 'ting'\ndominance = 1\ngenes = ['Air', 'Bug', 'Land']", "at most two genes"),
        (
            "kind = 'ting'\ndominance = 1\nabilities = ['jump']",
            "there is no keyword called 'jump'; did you mean 'jumper'",
        ),
        ("kind = 'ting'\ndominance = 'much'", "Expected `int | null`, got `str`"),
    ],
)
def test_an_invalid_card_is_refused_with_its_place(splicers: Game, fields: str, complaint: str) -> None:
    """The message names file, line and card, and then what is wrong."""
    with pytest.raises(CardError, match=rf"own.toml:3: card 'x': .*{complaint}"):
        splicers.read_cards(f"\n[[card]]\nid = 'x'\nname = 'X'\n{fields}\n", "own.toml")


def test_the_keywords_of_a_card_are_the_words_of_its_text() -> None:
    """The keywords of a card are its keywords, costs, moments and verbs."""
    splicers = game("splicers")
    source = (
        "[[card]]\nid = 'x'\nname = 'X'\nkind = 'ting'\ndominance = 1\n"
        "abilities = ['evade', 'expensive 2', '@, willpower: draw 1', 'when close Plant evolves -> dom +1 that']\n"
    )
    [card] = splicers.read_cards(source, "own.toml").library.values()
    assert list(splicers.cards.keywords(card)) == [
        "evade",
        "expensive",
        "willpower",
        "draw",
        "when close evolves",
        "dom",
    ]
