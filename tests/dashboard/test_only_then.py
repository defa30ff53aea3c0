"""Sentences that say what is allowed, or has to be done, when something is so: whether only then is asked."""

from typing import Any

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import own_game
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.events.vocabulary.open_games import games_of
from tests.dashboard.test_composed_rules import RAW, game

CHEESE: dict[str, Any] = {
    "title": "Rind",
    "zones": {"deck": "shared hidden", "hand": "own"},
    "cards": {"kind": ["brie", "blue", "gouda"], "number": [1, 2, 3, 4], "copies": "any"},
    "move": {
        "lay": {"fields": {"cards": "cards of hand?"}},
        "wax": {"fields": {"kind": "kind?"}},
        "mouse": {"fields": {"cards": "cards of hand", "to": "player"}},
    },
}
WHEELS = (
    "Lay one cheese from your hand on a wheel in front of you, or start a new wheel with it.",
    "All cheeses in a wheel are of the same kind.",
    "Each cheese you lay on a wheel must have a higher number than the cheese on top of it.",
    "Play a mouse from your hand on an open wheel of another player.",
    "The mouse eats the top cheese of that wheel; the cheese and the mouse go to the discard pile.",
    "If one of your wheels has at least three cheeses, you may wax it: turn it sideways.",
)


def said(book: tuple[str, ...], at: int) -> tuple[FirstRule | str, list[RuleQuestion]]:
    """Return what a sentence of a rulebook of cheese comes to, and what was asked."""
    sentences = [CiteSentence(each, f"L{line}") for line, each in enumerate(book, 1)]
    own = own_game(CHEESE, sentences, draws=False)
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return "y" if question.name == "only" else question.usual

    return rule_said(own, sentences[at], None, ask), asked


@pytest.mark.parametrize(
    ("text", "read"),
    {
        "If you have two fish on your tower, you must show one.": "fewer than 2 cards lie on the own tower",
        "If your tower has six fish or more, you must show one.": "fewer than 6 cards lie on the own tower",
        "When your tower is empty, you have to show a fish.": "at least 1 card lie on the own tower",
    }.items(),
)
def test_what_has_to_be_done_then_forbids_everything_else_if_somebody_says_so(text: str, read: str) -> None:
    """`You must show one` may also mean: once in that turn; so nothing is preselected."""
    own, sentence = game(text)
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return "y" if question.name == "only" else question.usual

    rule = rule_said(own, sentence, None, ask)
    assert asked[0].text == "Is nothing else allowed then"
    assert asked[0].told[0].startswith(f"It says what has to be done; read as: stack: {read}; topple: {read}")
    assert isinstance(rule, FirstRule)
    assert {move for move, table in rule.changes["move"].items() if "needs" in table} == {
        "stack", "topple", "crown", "bid"
    }  # fmt: skip
    assert games_of("pond.toml", "pond", with_changes(tomlkit.dumps(RAW), rule.changes))
    assert not isinstance(rule_said(own, sentence, None, lambda question: question.usual), FirstRule)


def test_a_wheel_is_one_for_each_kind_where_a_player_may_have_several() -> None:
    """The card before a blue one is the last on the blue wheel, not the one that was laid last."""
    rule, asked = said(WHEELS, 2)
    assert isinstance(rule, FirstRule)
    assert rule.changes["zones"]["wheel"] == "open per kind"
    (need,) = rule.changes["move"]["lay"]["needs"].values()
    assert "top(wheel(player, first(cards).kind)).number" in need["that"]
    assert "mouse: last to" in asked[0].choices
    assert games_of("rind.toml", "rind", with_changes(tomlkit.dumps(CHEESE), rule.changes))
    assert not isinstance(said(WHEELS, 1)[0], FirstRule), "that a wheel is of one kind no line can break"


def test_of_several_places_that_nobody_can_tell_apart_nothing_is_judged() -> None:
    """Where a wheel may hold all kinds, nobody knows on which one a card was laid."""
    rule, _ = said((WHEELS[0], *WHEELS[2:]), 1)
    assert not isinstance(rule, FirstRule)


def test_you_may_when_one_of_your_wheels_has_three_asks_whether_only_then() -> None:
    """What explains it behind a colon is no part of it."""
    rule, asked = said(WHEELS, 5)
    assert asked[0].text == "Is it allowed only then"
    assert isinstance(rule, FirstRule)
    assert rule.words == "wax: at least 3 cards lie on the own wheel"
    (need,) = rule.changes["move"]["wax"]["needs"].values()
    assert "size(wheel(player, kind)) >= 3" in need["that"]
    assert games_of("rind.toml", "rind", with_changes(tomlkit.dumps(CHEESE), rule.changes))


def test_the_card_that_somebody_takes_is_not_the_last_one_that_lies_there() -> None:
    """`The same kind as the cheese you take` was read as that of the last card on the counter."""
    text = "The cheese you lay down must be of the same kind as the cheese you take, or have a higher number than it."
    sentences = [CiteSentence(each, f"L{line}") for line, each in enumerate((*WHEELS, text), 1)]
    read = read_sentence(sentences[-1], own_game(CHEESE, sentences, draws=False))
    assert all(each.is_part and not each.composition.needs_place for each in read)


def test_a_place_that_its_file_has_once_is_not_read_as_one_for_each_kind() -> None:
    """The file would have a mistake otherwise."""
    sentences = [CiteSentence(each, f"L{line}") for line, each in enumerate(WHEELS, 1)]
    own = own_game({**CHEESE, "zones": {**CHEESE["zones"], "wheel": "open"}}, sentences, draws=False)
    assert not isinstance(rule_said(own, sentences[2], None, lambda question: question.usual), FirstRule)
