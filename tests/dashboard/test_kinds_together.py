"""Kinds of cards that a rulebook calls together by one word: `the storms are Squall, Gale and Hurricane`."""

from typing import Any

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import own_game
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composition import CardGroup
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.kinds import cards_in, groups_of, printed_numbers
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.events.vocabulary.open_games import games_of

BOOK = (
    "The ships are Dinghy (1), Sloop (2) and Galleon (6).",
    "The storms are Squall (2), Gale (4) and Hurricane (6), and there are four Keepers.",
    "To play a ship, put it into your harbour.",
    "A storm sinks a ship in another player's harbour.",
)
KINDS = ("dinghy", "sloop", "galleon", "squall", "gale", "hurricane", "keeper")
RAW: dict[str, Any] = {
    "title": "Bay",
    "zones": {"deck": "shared hidden", "hand": "own"},
    "cards": {"kind": [*KINDS], "copies": "any"},
    "move": {
        "play": {"fields": {"cards": "cards of hand", "to": "player?"}},
        "draw": {"owed": True, "fields": {"cards": "cards of deck"}, "does": ["cards -> hand"]},
    },
}


def bay(*more: str) -> tuple[OwnGame, CiteSentence]:
    """Return the game with a rulebook that ends with these sentences, and the first of them."""
    said = [CiteSentence(text, f"L{line}") for line, text in enumerate((*BOOK, *more), 1)]
    return own_game(RAW, said, draws=True), said[len(BOOK)]


def test_the_lists_of_a_rulebook_name_its_kinds_together() -> None:
    """Those that only stand alone belong to it, and the number behind a name is its own."""
    said = ["plays Sloop", "plays Gale on Bram's Sloop", "plays Keeper", "plays Dinghy", "plays Squall"]
    text = "\n".join(BOOK)
    assert {*cards_in(text, said)} == {*KINDS}
    groups = groups_of(BOOK, KINDS, {})
    assert groups == {
        "ship": CardGroup(("dinghy", "sloop", "galleon")),
        "storm": CardGroup(("squall", "gale", "hurricane")),
    }
    assert printed_numbers(BOOK, KINDS) == {
        "dinghy": 1,
        "sloop": 2,
        "galleon": 6,
        "squall": 2,
        "gale": 4,
        "hurricane": 6,
    }


def test_one_list_of_all_cards_is_no_group() -> None:
    """What all cards are called is a word for a card."""
    assert groups_of(["The goods are tea, silk and salt."], ("tea", "silk", "salt"), {}) == {}


STORM, SHIP = (f"cards where is_{group}(it.kind)" for group in ("storm", "ship"))
RULES = {
    "You may play only one storm per turn.": (
        "play: at most 1 storm card in a turn by the same player",
        f"no({STORM}) or play_turn_storm + size({STORM}) <= 1",
    ),
    "A harbour never holds more than four ships.": (
        "play: at most 4 ship cards lie on the own harbour then",
        f"no({SHIP}) or size({SHIP.replace('cards', 'harbour')}) + size({SHIP}) <= 4",
    ),
}


@pytest.mark.parametrize(("text", "rule_of_it"), RULES.items())
def test_a_rule_about_them_knows_their_cards(text: str, rule_of_it: tuple[str, str]) -> None:
    """It is one word of the file, whatever the kinds are."""
    read, that = rule_of_it
    own, sentence = bay(text)
    (found,) = read_sentence(sentence, own)
    assert (found.composition.shown, found.left) == (read, "")
    rule = rule_said(own, sentence, None, lambda question: question.usual or "play")
    assert isinstance(rule, FirstRule)
    (need,) = rule.changes["move"]["play"]["needs"].values()
    assert need["that"] == that
    assert games_of("bay.toml", "bay", with_changes(tomlkit.dumps(RAW), rule.changes))


def test_what_cards_of_another_group_do_to_a_place_is_open() -> None:
    """A storm takes a ship away, and nobody has said from whom: behind it no harbour is judged."""
    own, sentence = bay("A harbour never holds more than four ships.")
    asked: list[str] = []

    def ask(question: RuleQuestion) -> str:
        asked.extend(question.choices)
        return question.usual or "play"

    rule = rule_said(own, sentence, None, ask)
    assert [each for each in asked if " with " in each] == [
        "play with ship: adds",
        "play with storm: ?",
        "play with others: nothing",
    ]
    assert isinstance(rule, FirstRule)
    assert rule.changes["move"]["play"]["does"] == [
        "cards -> harbour when any(cards where is_ship(it.kind))",
        "top(harbour) -> discards when unsaid > 0 and any(cards where is_storm(it.kind))",
    ]


def test_draws_of_one_card_are_counted_by_their_cards() -> None:
    """Three draws in a row, or one line with three cards: it is the same."""
    own, sentence = bay("You may draw at most twice in a turn.", "Draw: take the top card of the deck.")
    rule = rule_said(own, sentence, None, lambda question: question.usual)
    assert isinstance(rule, FirstRule)
    (need,) = rule.changes["move"]["draw"]["needs"].values()
    assert need["that"] == "draw_turn_times + size(cards) <= 2"
