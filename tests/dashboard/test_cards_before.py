"""Sentences that compare a card with the one that anybody laid before it, and what moves do to that."""

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

RAW: dict[str, Any] = {
    "title": "Canyon",
    "zones": {"deck": "shared hidden", "hand": "own"},
    "cards": {"kind": ["wolf", "owl", "goat"], "number": [1, 2, 3, 4, 5, 6], "copies": "any"},
    "move": {
        "shout": {"fields": {"cards": "cards of hand"}},
        "listen": {"fields": {"number": "number 0 to 1000?"}},
        "throw": {},
    },
}
BOOK = (
    "There are 18 cards: three voices (wolf, owl and goat), each numbered from 1 to 6.",
    "On your turn you do one of three things: you shout, you listen or you throw a pebble.",
    "To shout, lay one card from your hand face up on your ridge.",
    "A shout may never have the same voice as the shout before it.",
    "To throw, put one of your pebbles back on the heap.",
    "The canyon falls silent: the next shout may be any card at all, and it cannot be an echo.",
)
OF_ANYBODY = "that of the last card on the table"
READ = {
    "A shout may never have the same voice as the shout before it.": f"shout: the kind is not {OF_ANYBODY}",
    "A shout may not be of the same voice as the one that was shouted just before it.": (
        f"shout: the kind is not {OF_ANYBODY}"
    ),
    "A shout must have another voice than your last shout.": (
        "shout: the kind is not that of the last card on the own ridge"
    ),
    "The number of a shout may be at most three higher or three lower than the number of the shout before it.": (
        f"shout: the number differs by at most 3 from {OF_ANYBODY}"
    ),
    "The number of a shout must differ by at most 2 from the number of the shout before it.": (
        f"shout: the number differs by at most 2 from {OF_ANYBODY}"
    ),
    "The number of a shout may not differ by more than two from that of the shout before it.": (
        f"shout: the number differs by at most 2 from {OF_ANYBODY}"
    ),
    "A wolf may not be shouted directly after a goat.": "shout with wolf: not where goat lies last on a ridge,",
}


def canyon(text: str, raw: dict[str, Any] = RAW) -> tuple[OwnGame, CiteSentence]:
    """Return the game, in which cards are drawn, and a sentence that stands last in its rulebook."""
    said = [CiteSentence(each, f"L{line}") for line, each in enumerate((*BOOK, text), 1)]
    return own_game(raw, said, draws=True), said[-1]


def asked_of(text: str, answers: dict[str, str] | None = None) -> tuple[FirstRule | str, list[RuleQuestion]]:
    """Return what a sentence comes to, the first choice taken where several are offered, and what was asked."""
    own, sentence = canyon(text)
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return question.choices[0] if question.name == "which" else (answers or {}).get(question.name, question.usual)

    return rule_said(own, sentence, None, ask), asked


def offered(text: str) -> list[str]:
    """Return the rules that are offered for a sentence."""
    return [each for question in asked_of(text)[1] if question.name == "which" for each in question.choices[:-1]]


@pytest.mark.parametrize(("text", "read"), READ.items())
def test_the_card_before_is_that_of_anybody_unless_it_is_the_own_one(text: str, read: str) -> None:
    """Nothing is left over, and the rule makes a file without a mistake."""
    own, sentence = canyon(text)
    (found,) = read_sentence(sentence, own)
    assert (found.composition.shown.startswith(read), found.left) == (True, "")
    rule, _ = asked_of(text, {"whose": "that of anybody"})
    assert isinstance(rule, FirstRule)
    assert games_of("canyon.toml", "canyon", with_changes(tomlkit.dumps(RAW), rule.changes))


@pytest.mark.parametrize(
    "text",
    [
        "The number of a shout must be more than two higher than the number of the shout before it.",
        "The number of a shout may be at most two higher or three lower than the number of the shout before it.",
        "A shout has the same voice as a shout.",
    ],
)
def test_other_distances_are_not_read_as_that_of_both_sides(text: str) -> None:
    """A wrong reading would be worse than none."""
    own, sentence = canyon(text)
    assert not [each for each in read_sentence(sentence, own) if "differs" in each.composition.shown and not each.left]
    assert not [each for each in read_sentence(sentence, own) if "the kind" in each.composition.shown]


def test_behind_a_move_that_lets_the_next_card_be_any_nothing_is_compared() -> None:
    """`The canyon falls silent: the next shout may be any card at all` is said of a throw, in the sentence before."""
    _, asked = asked_of(BOOK[3])
    (effects,) = (each.choices for each in asked if each.name == "effects")
    assert effects == ("shout: adds", "listen: nothing", "throw: empties")
    _, asked = asked_of("A shout must have another voice than your last shout.")
    (effects,) = (each.choices for each in asked if each.name == "effects")
    assert "throw: nothing" in effects, "the own ridge is not emptied by that"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The number of a shout stays within three or so of the shout before it.", "own ridge"),
        ("A shout must be different from the shout before it.", "own ridge"),
        ("Your voice must somehow differ from your last one on your ridge.", "on the table"),
    ],
)
def test_the_own_place_is_offered_only_where_a_sentence_says_own(text: str, wrong: str) -> None:
    """`The shout before it` is that of anybody."""
    last = [each for each in offered(text) if "last card" in each]
    assert last
    assert not [each for each in last if wrong in each]


def test_how_far_a_number_may_be_is_in_the_list_of_choices() -> None:
    """It stood in no list, though it is read where the words are the right ones."""
    text = "The number of a shout stays within three or so of the shout before it."
    assert f"shout: the number differs by at most 3 from {OF_ANYBODY}" in offered(text)


def test_a_sentence_about_draws_is_offered_as_one_of_draws() -> None:
    """The file names no draw, and the rule brings it along; no other move is offered."""
    for text in ("A draw is of exactly two cards.", "When you listen you draw two cards from the pile."):
        rule, _ = asked_of(text)
        assert isinstance(rule, FirstRule)
        assert rule.words == "draw: exactly 2 cards at once"
        assert games_of("canyon.toml", "canyon", with_changes(tomlkit.dumps(RAW), rule.changes))
        assert rule.changes["move"]["draw"]["fields"] == {"cards": "cards of deck"}
    assert all(each.startswith("draw: ") for each in offered("A draw is of exactly two cards."))


def test_a_sentence_that_names_what_is_no_move_is_about_no_other_one() -> None:
    """`A discard` in a game without one is not offered as a shout: which move it is about is asked."""
    assert offered("A discard is of exactly one card.") == []
    _, asked = asked_of("A discard is of exactly one card.")
    assert [each.name for each in asked] == ["move"]


def test_what_comes_of_a_move_is_no_condition_of_it() -> None:
    """`After throw the ridge is empty` was offered as: throw only where the ridge is empty."""
    said, asked = asked_of("After throw the ridge is empty.")
    assert (said, asked) == (
        "it tells what throw does: answer `throw: empties` where that is asked; nobody is accused",
        [],
    )


def test_the_cards_that_somebody_holds_are_no_number_of_a_line() -> None:
    """`While you hold six or more cards` was read as: the number that a listen says is lower than 6."""
    own, sentence = canyon("You may not listen while you hold six or more cards.")
    assert read_sentence(sentence, own) == ()


def test_how_many_hang_there_limits_the_place_and_not_the_move() -> None:
    """`At most four may hang on a ridge` was preselected as at most four at once."""
    raw = {**RAW, "move": {**RAW["move"], "hang": {"fields": {"cards": "cards of hand"}}}}
    own, sentence = canyon("At most four cards may hang on a ridge.", raw)
    (found,) = read_sentence(sentence, own)
    assert found.composition.shown == "hang: at most 4 cards lie on the own ridge then"
    own, sentence = canyon("You may hang at most four cards on a ridge.", raw)
    assert not [each for each in read_sentence(sentence, own) if "at once" in each.composition.shown]


OF_OTHERS = {
    "When somebody else has done listen in this round, you may not throw.": (
        "throw: not after another player has done listen in the round"
    ),
    "Nobody may shout right after somebody else has listened.": "shout: not right after another player has done listen",
    "If another player has thrown since your last turn, you may not shout.": (
        "shout: not after another player has done throw since the own last turn"
    ),
    "You may only shout if somebody else has thrown since your last turn.": (
        "shout: only after another player has done throw since the own last turn"
    ),
    "After a throw the next player may not shout on her turn; she has to listen or throw.": (
        "shout: not right after another player has done throw"
    ),
}


@pytest.mark.parametrize(("text", "read"), OF_OTHERS.items())
def test_what_another_player_has_done_is_a_condition(text: str, read: str) -> None:
    """Since when is said by the sentence; what the player has done is none of it."""
    own, sentence = canyon(text)
    (found,) = read_sentence(sentence, own)
    assert (found.composition.shown, found.left, found.is_part) == (read, "", False)


def test_for_how_long_what_others_did_counts_has_to_be_said() -> None:
    """Without it the rule is chosen from a list, and none of that is about what the player has done."""
    text = "You may not listen after a throw of another player."
    assert read_sentence(*reversed(canyon(text))) == ()
    assert [each for each in offered(text) if "another player has done throw" in each]
    assert not [each for each in offered(text) if "the player has done" in each and "another" not in each]


def test_whose_card_is_the_last_one_is_asked_where_each_player_has_a_row() -> None:
    """`Directly after a goat` may be the last shout of anybody, or the last card of the own ridge."""
    text = "A wolf may not be shouted directly after a goat."
    for answer, place in (("that of anybody", "the table"), ("that on the own ridge", "the own ridge")):
        rule, asked = asked_of(text, {"whose": answer})
        assert next(each.choices for each in asked if each.name == "whose") == (
            "that of anybody",
            "that on the own ridge",
        )
        assert isinstance(rule, FirstRule)
        assert rule.words == f"shout with wolf: not where goat lies last on {place}"
    assert asked_of(text)[0] == ""
