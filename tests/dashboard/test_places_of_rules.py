"""Sentences about places: how they are told apart, whose they are, and what the moves do there."""

from typing import Any

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form, own_game
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.events.vocabulary.open_games import games_of

TABLES: dict[str, Any] = {
    "title": "Teahouse",
    "zones": {"deck": "shared hidden", "hand": "own", "somewhere": "shared hidden"},
    "cards": {"kind": ["assam", "ceylon", "matcha"], "copies": 9},
    "move": {
        "buy": {"fields": {"cards": "cards of somewhere", "number": "number 0 to 1000?"}},
        "serve": {"fields": {"cards": "cards of hand", "table": "number 0 to 1000?"}},
        "clear": {"fields": {"table": "number 0 to 1000?"}},
    },
}
NUMBERED = {
    "Each card must be of another kind than the last card on that table.": "serve: the kind is not that of",
    "A table holds only one kind of tea.": "serve: the kind is that of the last card on WHOSE table",
    "A table never has more than four cards.": "serve: at most 4 cards lie on WHOSE table",
    "To clear a table you need at least three cards on it.": "clear: at least 3 cards lie on WHOSE table",
    "Matcha may never be served at table 3.": "serve with matcha: not at table 3",
    "Matcha may only be served at table 3.": "serve with matcha: only at table 3",
    "Assam costs 2, Ceylon costs 3.": "buy: the number that is said is the price: assam 2, ceylon 3",
}
ALONE = "A tea may not be served after one of the same kind, because that is dull."
RULE = "A tea may not be of the same kind as the last tea on a shelf."
WHOSE = {
    "Every player has three tables; serve at one of your tables.": "the own",
    "Three tables stand there; serve at your side of a table.": "a",
}


@pytest.mark.parametrize(("text", "read"), NUMBERED.items())
@pytest.mark.parametrize(("told", "whose"), WHOSE.items())
def test_places_are_told_apart_by_their_numbers(told: str, whose: str, text: str, read: str) -> None:
    """Those of a player are the own ones; where the rulebook leaves that open it is asked."""
    sentences = [CiteSentence(each, f"L{at}") for at, each in enumerate((told, text), 1)]
    own = own_game(TABLES, sentences, draws=False)
    (found,) = read_sentence(sentences[1], own)
    assert found.composition.shown.startswith(read.replace("WHOSE", whose))
    assert found.composition.clauses[0].whose != "all"
    assert found.left == ""


@pytest.mark.parametrize(
    ("told", "whose"),
    {
        "The shelf starts empty.": "all",
        "The shelf in front of you starts empty.": "own",
        "Every player has a shelf.": "own",
        "Nobody talks.": "",
    }.items(),
)
def test_whose_a_place_is_follows_from_how_the_rulebook_calls_it(told: str, whose: str) -> None:
    """What is only `the shelf` is that of all; where no sentence says whose it is, somebody is asked."""
    texts = (told, "The first tea that is served on an empty shelf may be any.", RULE)
    sentences = [CiteSentence(each, f"L{at}") for at, each in enumerate(texts, 1)]
    own = own_game(TABLES, sentences, draws=False)
    (found,) = read_sentence(sentences[2], own)
    assert [each.whose for each in found.composition.clauses] == [whose]
    zoned = own_game({**TABLES, "zones": {"shelf": "shared open"}}, sentences, draws=False)
    (found,) = read_sentence(sentences[2], zoned)
    assert [each.whose for each in found.composition.clauses] == ["all"], "its file says whose it is"


@pytest.mark.parametrize(
    "text",
    [
        "Only Matcha may be served at table 3.",
        "If table 2 is full, you must serve at table 3.",
        "You may not serve Matcha except at table 3.",
        "Assam costs 2 more in the last round.",
        "A table holds two kinds of tea.",
    ],
)
def test_what_is_said_of_one_of_several_places_otherwise_is_left_open(text: str) -> None:
    """It is read as no rule, or somebody is asked about the half that is."""
    told = CiteSentence("Every player has three tables; serve at one of your tables.", "L1")
    own = own_game(TABLES, [told, CiteSentence(text, "L2")], draws=False)
    assert all(each.is_part for each in read_sentence(own.sentences[1], own))


def test_a_move_that_names_no_card_adds_none() -> None:
    """Nobody knows which card that would be: it is said, and what lies there is unknown behind it."""
    told = CiteSentence("Every player has a row; serve into your row.", "L1")
    own = own_game(TABLES, [told, CiteSentence("No row may be longer than four cards.", "L2")], draws=False)

    def ask(question: RuleQuestion) -> str:
        return "clear: adds" if question.name == "effects" else question.usual

    rule = rule_said(own, own.sentences[1], None, ask)
    assert isinstance(rule, FirstRule)
    assert "clear names no card in the chat, so nobody knows which one it adds" in rule.taken
    assert games_of("pond.toml", "pond", with_changes(tomlkit.dumps(TABLES), rule.changes))


def test_what_a_move_does_to_a_hand_is_asked_and_never_taken() -> None:
    """A move whose effects the file states may cost a card all the same; who does not say so leaves the limit open."""
    raw: dict[str, Any] = {
        **TABLES,
        "move": {"draw": {"owed": True, "fields": {"cards": "cards of deck"}, "does": ["cards -> hand"]},
                 "storm": {"fields": {"to": "player"}, "does": []}},
        "deal": {"zone": "hand", "count": 5, "says": "Five cards each.", "cite": "L1"},
        "turn": {"actions": 1, "says": "One thing a turn.", "cite": "L2"},
    }  # fmt: skip
    limit = CiteSentence("You may not hold more than seven cards.", "L3")
    own = own_game(raw, [limit], draws=True)._replace(order=("Ann", "Ben"))
    form = known_form(limit, own)
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return question.usual

    assert rule_said(own, limit, form, ask) == "nobody knows what storm does to a hand; nobody is accused"
    said = [each.text for each in asked if each.name == "hands"]
    assert said == ["Does each of these leave hands as they are, beside what its line says is drawn: storm"]
    rule = rule_said(own, limit, form, lambda each: "y" if each.name == "hands" else each.usual)
    assert isinstance(rule, FirstRule)
    assert "storm changes no hand" in rule.taken
