"""Sentences about how many actions a turn has: what is asked about a draw, and how many they are."""

import pytest

from tabletape.cli.terminal import rule_answers
from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.questions import EffectsSaid, RuleQuestion
from tabletape.dashboard.pages import my_game
from tests.dashboard.test_own_forms import GAME

ASKED = {
    "In your turn you do exactly two actions.": ("one of the two actions", 2, False),
    "Each turn you take up to three actions.": ("one of the three actions", 3, True),
    "In your turn you do one or two actions.": ("one of the two actions", 2, True),
    "In a turn you may take two or three actions.": ("one of the three actions", 3, True),
    "One thing is done in a turn: one thing a turn.": ("the one action", 1, False),
}


def read(text: str, answer: str) -> tuple[FirstRule | str, list[RuleQuestion]]:
    """Return what a sentence becomes where somebody answers what is asked about the draw, and the questions."""
    asked: list[RuleQuestion] = []

    def ask(question: RuleQuestion) -> str:
        asked.append(question)
        return answer if question.name == "draws" else "y" if question.name == "more" else question.usual

    sentence = CiteSentence(text, text, "L1")
    game = GAME._replace(order=("Ann", "Ben"))
    return rule_said(game, sentence, known_form(sentence, game), ask), asked


@pytest.mark.parametrize("text", ASKED)
def test_a_sentence_about_the_actions_of_a_turn_says_how_many(text: str) -> None:
    """So many, or so many at most, and whether a draw is one of them is asked with their number."""
    among, number, is_fewer = ASKED[text]
    rule, asked = read(text, "y")
    assert isinstance(rule, FirstRule)
    assert (rule.changes["turn"]["actions"], rule.changes["turn"].get("fewer", False)) == (number, is_fewer)
    assert rule.changes["move"]["take"]["free"] is False
    assert [each.text for each in asked if each.name == "draws"] == [f"Is `take` {among} of a turn"]


def test_the_terminal_and_the_page_ask_the_same_of_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both say one of what, in the same words."""
    (question,) = [each for each in read(next(iter(ASKED)), "")[1] if each.name == "draws"]
    shown: dict[str, str] = {}
    monkeypatch.setattr(rule_answers, "answer_to", lambda text: shown.setdefault("terminal", text))
    monkeypatch.setattr(my_game, "escaped", lambda text: text)
    monkeypatch.setattr("streamlit.selectbox", lambda label, *_, **__: shown.setdefault("page", label))
    rule_answers.SentenceAnswers(EffectsSaid()).to(question)
    my_game._answer_to(question, "a game")
    assert shown["page"] == "Is `take` one of the two actions of a turn?"
    assert shown["terminal"].strip().startswith(shown["page"].removesuffix("?"))


def test_how_play_goes_round_names_no_move() -> None:
    """The move that is called so is meant where somebody does it."""
    assert not GAME.is_named("play", "The oldest player begins, and play goes clockwise.")
    assert not GAME.is_named("play", "The play passes to the left.")
    assert GAME.is_named("play", "You may not play two lamps.")
