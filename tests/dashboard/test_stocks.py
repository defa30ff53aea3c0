"""What players own beside cards: how much of it a rulebook allows, what moves gain and pay, which lines break that."""

from typing import Any

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form, own_game
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.stocks import guessed_stock_effects, stock_limit, stocks_of
from tabletape.events.vocabulary.open_games import games_of

BOOK = (
    "Every player starts with five cards and three oil.",
    "On your turn you take one action: draw a card, play a card, rest or gather 2 oil.",
    "To play a card, pay oil equal to its number.",
    "Rest: take one oil.",
)
RAW: dict[str, Any] = {
    "title": "Bay",
    "zones": {"deck": "shared hidden", "hand": "own"},
    "cards": {"kind": ["dinghy", "sloop"], "copies": "any"},
    "move": {
        "gather": {"fields": {"number": "number 0 to 1000"}},
        "rest": {},
        "play": {"fields": {"cards": "cards of hand", "pays": "number 0 to 1000?"}},
        "draw": {"owed": True, "fields": {"cards": "cards of deck"}, "does": ["cards -> hand"]},
    },
}


def bay(*more: str, book: tuple[str, ...] = BOOK) -> tuple[OwnGame, CiteSentence]:
    """Return the game with a rulebook that ends with these sentences, and the first of them."""
    said = [CiteSentence(text, f"L{line}") for line, text in enumerate((*book, *more), 1)]
    return own_game(RAW, said, draws=True), said[len(book)]


def rule_of(own: OwnGame, sentence: CiteSentence, effects: str = "") -> FirstRule | str:
    """Return the rule of a sentence, whose moves do what is answered."""

    def ask(question: RuleQuestion) -> str:
        return effects if question.name == "effects" else question.usual

    return rule_said(own, sentence, known_form(sentence, own), ask)


def test_a_rulebook_tells_what_its_moves_gain_and_pay() -> None:
    """Where lines of a move say how much, it is that; else the number of the rulebook."""
    own, _ = bay("Nobody may own more than ten oil.")
    assert stocks_of(own) == {"oil": 3}
    assert guessed_stock_effects(own, "oil") == {
        "gather": "gains",
        "rest": "gains 1",
        "play": "pays",
        "draw": "nothing",
    }


@pytest.mark.parametrize(
    ("text", "move", "that"),
    [
        ("Nobody may own more than ten oil.", "gather", "oil + number <= 10"),
        ("You never have more than 8 oil.", "rest", "oil + 1 <= 8"),
        ("You cannot pay oil that you do not have.", "play", "oil >= pays"),
    ],
)
def test_a_sentence_about_a_stock_limits_the_moves_that_change_it(text: str, move: str, that: str) -> None:
    """It names no move, and is held against each that gains, or pays, what it speaks of."""
    own, sentence = bay(text)
    rule = rule_of(own, sentence)
    assert isinstance(rule, FirstRule)
    (need,) = rule.changes["move"][move]["needs"].values()
    assert need["that"] == that
    assert need.get("if", "") == ("pays != nothing" if move == "play" else "")  # Else it would count as kept.
    assert games_of("bay.toml", "bay", with_changes(tomlkit.dumps(RAW), rule.changes))


def test_a_second_sentence_keeps_what_the_moves_do() -> None:
    """It is asked about once: nothing is gained twice."""
    own, sentence = bay("Nobody may own more than ten oil.", "You cannot pay oil that you do not have.")
    rule = rule_of(own, sentence, "draw: gains 2")
    assert isinstance(rule, FirstRule)
    text = with_changes(tomlkit.dumps(RAW), rule.changes)
    after = own_game(tomlkit.parse(text).unwrap(), own.sentences, draws=True)
    second = rule_of(after, own.sentences[-1], "draw: ?")
    assert isinstance(second, FirstRule)
    both = tomlkit.parse(with_changes(text, second.changes)).unwrap()
    assert both["move"]["gather"]["does"] == ["oil + number"]
    assert both["move"]["draw"]["does"] == ["cards -> hand", "oil + 2"]


def test_the_number_of_a_piece_is_not_how_many_are_owned() -> None:
    """`gather (oil 3; number 1)`, the third can, is one more of it: what is counted has a name of its own."""
    raw = {**RAW, "move": RAW["move"] | {"gather": {"fields": {"oil": "number 0 to 9?", "number": "number 0 to 9?"}}}}
    own, sentence = bay("Nobody may own more than ten oil.")
    rule = rule_of(own._replace(raw=raw), sentence, "gather: gains 1, rest: nothing, play: nothing")
    assert isinstance(rule, FirstRule)
    (need,) = rule.changes["move"]["gather"]["needs"].values()
    assert need["that"] == "owned_oil + 1 <= 10"
    assert games_of("bay.toml", "bay", with_changes(tomlkit.dumps(raw), rule.changes))


@pytest.mark.parametrize(
    "text",
    [
        "Nobody may own more than ten oil before the first storm.",
        "You may have more than ten oil.",
        "A player with more than ten oil wins.",
        "Nobody may own more than ten points.",
        "Nobody may draw more than three cards.",
    ],
)
def test_other_sentences_limit_no_stock(text: str) -> None:
    """A condition, a permission, an end or points are no limit of what players own."""
    own, sentence = bay(text)
    assert stock_limit(sentence, own) is None


def test_nothing_is_judged_of_a_stock_whose_beginning_nobody_knows() -> None:
    """It is said what lacks."""
    own, sentence = bay("Nobody may own more than ten oil.", book=BOOK[1:])
    told = rule_of(own, sentence)
    assert told == "nobody knows how much oil everybody begins with; nobody is accused"
