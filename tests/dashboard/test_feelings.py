"""The questions about what people said: every number with who said it, and the words as they stand."""

from collections.abc import Callable
from pathlib import Path

from tabletape.dashboard.questions import ask
from tabletape.projector.model.game import Game
from tests.projector.counting import WON, built

Store = Callable[..., Path]

SAID = [
    {"type": "question.raised", "player": "B", "text": "Twice?"},
    {"type": "feedback.given", "player": "A", "fun": 2},
    {"type": "feedback.given", "player": "A", "fun": 4, "text": "better than before"},
    {"type": "feedback.given", "player": "B", "fun": 5, "fair": 1},
    {"type": "feedback.given", "fun": 1},
]


def test_feelings_stand_with_who_had_them(store: Store, higher: Game) -> None:
    """Ann, who won and began, said 4 last; Ben 5; somebody 1: of three answers two people are known."""
    assert higher
    folder = built(store("g", *WON, *SAID)).folder
    found = {(row["felt"], row["among"]): row for row in ask("feelings", folder).to_pylist()}
    fun = found["fun", "all"]
    assert (fun["answers"], fun["people"], fun["who"], fun["median"]) == (3, 2, "Ann, Ben", 4.0)
    assert [fun[each] for each in ("ones", "twos", "threes", "fours", "fives")] == [1, 0, 0, 1, 1]
    for among, who in (("winners", "Ann"), ("who began", "Ann"), ("others", "Ben")):
        assert (found["fun", among]["answers"], found["fun", among]["who"]) == (1, who)
    assert found["fair", "all"]["answers"] == 1
    assert ("fair", "winners") not in found


def test_words_stand_as_they_were_said(store: Store, higher: Game) -> None:
    """A question is about the last event before it, words about a game about no event; nobody's words are nobody's."""
    assert higher
    folder = built(store("g", *WON, *SAID)).folder
    found = [(row["what"], row["who"], row["text"]) for row in ask("remarks", folder).to_pylist()]
    assert found == [("question", "Ben", "Twice?"), ("feedback", "Ann", "better than before")]
    question, words = ask("remarks", folder).to_pylist()
    assert question["on"] is not None
    assert words["on"] is None
