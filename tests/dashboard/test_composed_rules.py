"""Sentences of rulebooks for which no form was written: what each is read as, and that what is left over is said."""

from typing import Any

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import own_game
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.events.vocabulary.open_games import games_of
from tests.dashboard.test_places_of_rules import ALONE, TABLES

CARDS = {"cards": "cards of hand"}
RAW: dict[str, Any] = {
    "title": "Pond",
    "zones": {"deck": "shared hidden", "hand": "own"},
    "cards": {"kind": ["carp", "eel", "pike"], "number": [1, 2, 3], "copies": "any"},
    "move": {
        "stack": {"fields": CARDS},
        "show": {"fields": CARDS},
        "topple": {"fields": {"to": "player"}},
        "crown": {},
        "bid": {"fields": {"number": "number 0 to 1000"}},
    },
}
BOOK = (
    "The fish are carp, eel and pike, each with a weight from 1 to 3.",
    "You stack a fish onto your own tower.",
    "Show a fish in the pool in the middle.",
    "Topple: name another keeper, the last fish of their tower is lost.",
    "Crown your tower and begin a new one.",
    "In your turn you stack, show, topple, bid or crown.",
    "After a crown the bids start again.",
)
READ = {
    "A fish must weigh less than the fish below it.": "stack: the number is lower than that of the last card",
    "A fish you stack must be heavier than the last one on your tower, or of the same kind.": (
        "stack: the number is higher than that of the last card on the own tower, or the kind is that of the last card"
    ),
    "A stacked fish must be heavier or of the same kind as the fish before it on the tower.": (
        "stack: the number is higher than that of the last card on the own tower, or the kind is that of the last card"
    ),
    "You may only crown if your tower holds three fish or more.": "crown: at least 3 cards lie on the own tower",
    "A tower of fewer than two fish cannot be toppled.": (
        "topple: at least 2 cards lie on the tower of the player named"
    ),
    "You may not topple a keeper whose tower is empty.": "topple: at least 1 card lie on the tower of the player named",
    "No tower may be taller than six fish.": "stack: at most 6 cards lie on the own tower then",
    "No more than two eels may be in a tower.": "stack: at most 2 eel cards lie on the own tower then",
    "Two fish of the same kind never lie next to each other in the pool.": (
        "show: the kind is not that of the last card on the pool"
    ),
    "A pike is shown only when a carp is already in the pool.": (
        "show with pike: at least 1 carp card lie on the pool"
    ),
    "Eels are stacked only in pairs.": "stack with eel: exactly 2 cards at once",
    "Every bid has to beat the previous bid by at least two.": (
        "bid: the number that is said is at least the number before it + 2"
    ),
    "No bid is higher than twenty.": "bid: the number that is said is at most 20",
    "Before you crown you must have toppled.": "crown: only after the player has done topple",
    "After you topple you have to stack.": "topple: the player does stack next",
    "You can't topple twice without crowning in between.": "topple: at most once until crown is done",
    "Only pikes may be shown.": "show: the kind is pike",
    "A three may never be shown.": "show: the number is not 3",
    "You may not stack twos or a 3.": "stack: the number is not 2, and the number is not 3",
    "A fish with the weight 1 cannot be shown.": "show: the number is not 1",
    "Nobody may show a pike before a pike has been laid.": "show with pike: only after pike was shown",
    "To stack, put three fish of the same kind from your hand on the discard pile.": (
        "stack: exactly 3 cards at once, and at once only cards of one kind"
    ),
    "Crowning is allowed at any time, but not twice in a row.": ("crown: at most once in a row by the same player"),
    "Show: put one fish from your hand at the end of the pool.": "show: exactly 1 card at once",
    "Pikes are heavy and may only be stacked one at a time.": "stack with pike: at most 1 card at once",
    "Pikes may not be stacked if an eel lies on the own tower.": (
        "stack with pike: exactly 0 eel cards lie on the own tower"
    ),
    "A toppled keeper may not stack on their next turn.": "stack: not by a player to whom topple was just done",
    "You may only stack if at most two fish lie on the own tower.": "stack: at most 2 cards lie on the own tower",
    "A tower needs at least two fish to crown.": "crown: at least 2 cards lie on the own tower",
    "You may crown three times in a game, not more often.": "crown: at most 3 times in a game by the same player",
}
"""Sentences that are understood whole, and how the composition that each is read as begins."""

OF_A_KIND = "A fish you stack must be heavier than the last one on your tower, or of the same kind."

HALF = {
    "You may only crown if your tower holds three fish or more, unless it rains.": "unless ... rains",
    "No tower may be taller than six fish before the first crown.": "",
    "Half of the eels are stacked only in pairs.": "Half",
}
"""Sentences of which a part is left over that may turn them over; what has to be in it."""

TOLD = {
    "The game is over when the deck is empty.": "how the game ends, or who wins",
    "Each fish in a tower counts one point.": "what counts in the end",
    "The youngest keeper begins.": "who begins",
    "There are ten fish of each kind.": "which cards there are",
    "Put the rest face down as the deck.": "which cards there are",
}
"""Sentences that tell something and name no move, and what is said that they tell."""

NOTHING = (
    "Nobody may show a pike until the moon is up.",
    "Eels and pikes must never stand on the same tower.",
    "A carp may be shown.",
    "If your tower has six fish or more, you must crown.",
    "When your tower is empty, you have to stack.",
    "Sevens may never be shown.",
    "You may not bid a three.",
    "The three are never shown.",
    "A three may not be shown unless it rains.",
    "The youngest keeper begins.",
    "You stack a fish onto your own tower.",
    "Whoever has most fish wins.",
)


def game(*more: str) -> tuple[OwnGame, CiteSentence]:
    """Return the game with a rulebook that ends with these sentences, and the first of them."""
    said = [CiteSentence(text, f"L{line}") for line, text in enumerate((*BOOK, *more), 1)]
    return own_game(RAW, said, draws=False), said[len(BOOK)]


@pytest.mark.parametrize(("text", "read"), READ.items())
def test_a_sentence_is_read_as_a_composition(text: str, read: str) -> None:
    """Its move, its subjects and its relations come from the sentence, and its rule makes a file without a mistake."""
    own, sentence = game(text)
    (found,) = read_sentence(sentence, own)
    assert found.composition.shown.startswith(read)
    assert not found.is_part
    rule = rule_said(own, sentence, None, lambda question: question.usual)
    assert isinstance(rule, FirstRule)
    assert games_of("pond.toml", "pond", with_changes(tomlkit.dumps(RAW), rule.changes))


@pytest.mark.parametrize(("text", "left"), HALF.items())
def test_what_a_composition_does_not_hold_is_said_and_nothing_is_written(text: str, left: str) -> None:
    """A number, a denial, `unless`, `half` that is in no condition is named, and Enter leaves the sentence open."""
    own, sentence = game(text)
    read = read_sentence(sentence, own)
    assert all(each.is_part for each in read)
    assert any(left in each.left for each in read) or not read
    assert rule_said(own, sentence, None, lambda _: "") == ""


def asked_about(own: OwnGame, sentence: CiteSentence) -> list[RuleQuestion]:
    """Return what is asked about a sentence where only what it says itself is answered."""
    asked: list[RuleQuestion] = []

    def answer(question: RuleQuestion) -> str:
        asked.append(question)
        return question.usual

    rule_said(own, sentence, None, answer)
    return asked


def test_a_number_beside_the_card_is_not_compared_with_the_card_before() -> None:
    """What is paid stands in the line, too: `higher than the last fish` speaks of the fish."""
    said = [CiteSentence(text, f"L{line}") for line, text in enumerate((*BOOK, OF_A_KIND), 1)]
    paying = {"fields": {"cards": "cards of hand", "number": "number 0 to 1000?"}}
    own = own_game({**RAW, "move": {**RAW["move"], "stack": paying}}, said, draws=False)
    (found,) = read_sentence(said[-1], own)
    assert found.composition.shown.startswith(READ[OF_A_KIND])
    assert not found.is_part


def test_half_of_what_says_or_is_not_offered() -> None:
    """It would accuse whoever keeps the other half."""
    own, sentence = game("A fish you stack must glow or be of the same kind as the last one on your tower.")
    asked = asked_about(own, sentence)
    assert [each.name for each in asked][:1] == ["which"]
    assert not any("without" in each for each in asked[0].choices)


def test_what_costs_nothing_is_no_exception_to_what_lies_there() -> None:
    """`For free` frees of a price alone."""
    own, sentence = game("No tower may be taller than six fish.", "Stacking costs 1 coin, but eels are laid for free.")
    (found,) = read_sentence(sentence, own)
    assert (found.left, found.is_part) == ("", False)


def test_a_rule_is_composed_for_the_only_own_place() -> None:
    """A sentence that names none means the one of which the rulebook tells, with what moves do there."""
    own, sentence = game("You may not topple a keeper who is asleep.")
    assert "how many cards lie on the own tower" in asked_about(own, sentence)[-1].choices


@pytest.mark.parametrize("text", NOTHING)
def test_what_allows_or_tells_something_is_no_rule(text: str) -> None:
    """Nothing is made of it without a person."""
    own, sentence = game(text)
    assert not read_sentence(sentence, own)


@pytest.mark.parametrize(("text", "told"), TOLD.items())
def test_a_sentence_without_a_move_is_not_asked_about(text: str, told: str) -> None:
    """What it tells is said, and that no line can break it; nobody has to choose a move for it."""
    own, sentence = game(text)
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return ""

    why = rule_said(own, sentence, None, ask)
    assert isinstance(why, str)
    assert told in why
    assert not asked


def test_what_is_made_of_the_cards_of_a_line_has_no_more_than_that_lays() -> None:
    """A raft is what is stacked at once: a limit of it is one of the line, how many it needs may come later."""
    made = "Stack: lay two or more fish of the same kind in front of you as a raft."
    own, sentence = game(made, "A raft never has more than three fish.", "A raft has to have five fish.")
    (found,) = read_sentence(sentence, own)
    assert (found.composition.shown, found.left) == (
        "stack: at least 2 cards at once, and at once only cards of one kind",
        "",
    )
    (limit,) = read_sentence(own.sentences[-2], own)
    assert (limit.composition.shown, limit.is_sure) == ("stack: at most 3 cards at once", True)
    assert not read_sentence(own.sentences[-1], own)


def test_another_number_for_a_kind_frees_it() -> None:
    """A count that tells how a move is done does not hold for the kind that needs fewer."""
    own, sentence = game(
        "To stack, put three fish of the same kind on the tower.", "A set of eels needs only two fish."
    )
    (found,) = read_sentence(sentence, own)
    assert found.composition.freed == ("eel",)


def test_an_exception_in_another_sentence_frees_its_cards() -> None:
    """A rule without its exception would accuse whoever keeps it; one that is not understood is left over."""
    own, sentence = game("A fish must weigh less than the fish below it.", "A pike may always be stacked.")
    (found,) = read_sentence(sentence, own)
    assert found.composition.freed == ("pike",)
    own, sentence = game("A fish must weigh less than the fish below it.", "Who leads may stack anything.")
    (found,) = read_sentence(sentence, own)
    assert (found.is_part, found.left) == (True, "Who leads may stack anything.")


def test_in_a_row_is_no_place() -> None:
    """Two rules say `in a row`: neither speaks of a row in which something lies."""
    own, sentence = game("You never stack the same kind twice in a row.", "Nobody crowns three times in a row.")
    (found,) = read_sentence(sentence, own)
    assert found.composition.shown == "stack: the kind is not that which the player has just shown"


def test_what_the_moves_do_to_a_place_is_told_before_it_is_taken() -> None:
    """The rulebook says what lays cards there and what takes them away; somebody may say it otherwise."""
    own, sentence = game("A fish must weigh less than the fish below it.")
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return "crown: nothing"

    rule = rule_said(own, sentence, None, ask)
    assert [each.name for each in asked] == ["effects"]
    assert {"stack: adds", "topple: last to", "crown: empties"} <= {*asked[0].choices}
    assert isinstance(rule, FirstRule)
    assert rule.changes["move"]["topple"]["does"] == ["top(tower(to)) -> discards"]
    assert rule.changes["move"]["crown"]["does"] == []


def test_of_several_cards_that_are_taken_nobody_knows_which() -> None:
    """One card of a line is found there: of more than one nobody knows what lies there then, and nobody is accused."""
    own, sentence = game("A fish must weigh less than the fish below it.")
    rule = rule_said(own, sentence, None, lambda _: "show: takes")
    assert isinstance(rule, FirstRule)
    assert "(size(cards) < 2 or unsaid > 0)" in str(rule.changes["move"]["show"]["does"])


def test_what_nobody_knows_of_a_place_makes_a_file_without_a_mistake() -> None:
    """Behind a move of which nobody knows what it does there, nothing is told of what lies there."""
    own, sentence = game("A fish must weigh less than the fish below it.")
    rule = rule_said(own, sentence, None, lambda _: "crown: ?")
    assert isinstance(rule, FirstRule)
    assert "unsaid" in rule.changes["counters"]
    assert games_of("pond.toml", "pond", with_changes(tomlkit.dumps(RAW), rule.changes))


@pytest.mark.parametrize(
    ("text", "that"),
    [
        ("Pikes may not be stacked if an eel lies on the own tower.", "size(tower where it.kind = 'eel') = 0"),
        ("You may only stack if at most two fish lie on the own tower.", "size(tower) <= 2"),
    ],
)
def test_what_lies_there_before_the_move_is_judged_whatever_the_line_lays(text: str, that: str) -> None:
    """A rule about pikes that waited for a line with eels, too, called every line right."""
    own, sentence = game(text)
    rule = rule_said(own, sentence, None, lambda question: question.usual)
    assert isinstance(rule, FirstRule)
    (need,) = rule.changes["move"]["stack"]["needs"].values()
    assert need["that"].removeprefix("no(cards where it.kind = 'pike') or ") == that


def test_a_count_of_a_move_that_names_no_cards_is_one_of_those_that_it_takes_away() -> None:
    """`To leave` names no fish: at least three at once would judge no line, and look as if all had kept it."""
    fields = {"cards": "cards of hand?", "number": "number 0 to 1000?"}
    raw = {**RAW, "move": {**RAW["move"], "leave": {"fields": fields}}}
    text = "A tower needs at least three fish to leave."
    book = (*BOOK, "You may leave: discard an eel from your hand, and all fish go from your tower.", text)
    said = [CiteSentence(each, f"L{line}") for line, each in enumerate(book, 1)]
    own = own_game(raw, said, draws=False)
    for sentence in (said[-1], CiteSentence("Nobody may leave with fewer than three fish.", "L99")):
        for found in read_sentence(sentence, own):
            assert found.composition.shown == "leave: at least 3 cards lie on the own tower"
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return ""

    rule = rule_said(own, said[-1], None, ask)
    assert isinstance(rule, FirstRule)
    assert "leave: empties" in asked[0].choices  # the eel is discarded from the hand, not from the tower


def test_a_card_that_somebody_says_is_only_alone_stays_in_the_rule() -> None:
    """Without it all lines with two cards were accused."""
    own, sentence = game("A pike is a lonely fish when stacked.")
    at_once = "stack with (a card): at most 1 card at once\tpike"
    answers = {"which": "something else", "what": "how many cards at once, and which", "detail": at_once}
    rule = rule_said(own, sentence, None, lambda question: answers.get(question.name, question.usual))
    assert isinstance(rule, FirstRule)
    assert rule.words == "stack with pike: at most 1 card at once"


def test_a_sentence_without_a_place_is_about_the_only_one_of_its_rulebook() -> None:
    """It is offered of the shelf of all, not of an own row of which no sentence speaks."""
    texts = ("Put one tea on the shelf.", "The shelf starts empty.", "Served teas on the shelf stay there.", ALONE)
    sentences = [CiteSentence(each, f"L{at}") for at, each in enumerate(texts, 1)]
    asked: list[tuple[str, ...]] = []

    def answer(question: RuleQuestion) -> str:
        asked.append(question.choices)
        return ""

    rule_said(own_game(TABLES, sentences, draws=False), sentences[-1], None, answer)
    offered = [each for each in asked[0] if "lies" in each or "last card" in each]
    assert offered
    assert all("the shelf" in each for each in offered)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("You may never hold more than seven fish in your hand; with seven fish in hand you may not stack.", "7"),
        ("Whoever is toppled by a 1 takes a penny from the box at once.", "once"),
        ("A toppled keeper may not stack in the night.", "done topple"),
        ("Then show a fish from the deck, so that four fish lie there again.", "until"),
        ("You may not show or stack in the night.", "after"),
    ],
)
def test_no_form_is_offered_whose_condition_a_sentence_does_not_say(text: str, wrong: str) -> None:
    """Neither a count of a hand nor a move beside another one by `or` is a condition of the move."""
    own, sentence = game(text)
    offered: list[str] = []

    def ask(question: RuleQuestion) -> str:
        offered.extend(question.choices * (question.name == "which"))
        return question.usual

    assert not isinstance(rule_said(own, sentence, None, ask), FirstRule)
    assert not [each for each in offered if wrong in each]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("If the moon is up, you must show one.", "what has to be done when something else is so"),
        ("You may not show or stack on that turn.", "a turn that another sentence speaks of"),
    ],
)
def test_a_case_without_a_form_is_left_open_and_said(text: str, why: str) -> None:
    """Nothing is asked about it."""
    own, sentence = game(text)
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return question.usual

    said = rule_said(own, sentence, None, ask)
    assert (said, asked) == (f"there is no form for {why} yet; nobody is accused", [])
