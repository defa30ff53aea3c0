"""What people said: whose feedback counts, what a remark is about, and what takes it back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.projector.counting import built, one, rows
from tests.written_games import ANN_WINS

Store = Callable[..., Path]

OPENING = 5
"""The lines of a stored game before the first trick."""


def remark(tag: str, **fields: Any) -> dict[str, Any]:
    """Return a remark as it is written."""
    return {"type": tag, **fields}


def test_what_a_player_answers_again_counts_as_it_was_answered_last(store: Store) -> None:
    """Ann says fun 2 and fair 5, later fun 4: her row has fun 4 and fair 5; two answers of nobody known stay two."""
    said = [
        remark("feedback.given", player="A", fun=2, fair=5, answers={"theme": "1", "role": "Smuggler"}),
        remark("feedback.given", fun=1),
        remark("feedback.given", fun=1),
        remark("feedback.given", player="A", fun=4, length="right", again=True, answers={"theme": "3"}),
    ]
    place = store("g", *ANN_WINS, *said)
    built(place)
    names = ("player", "fun", "fair", "length", "again")
    found = [tuple(each[name] for name in names) for each in rows(place, "feedback")]
    assert found == [("A", 4, 5, "right", True), (None, 1, None, None, None), (None, 1, None, None, None)]
    answers = {(each["player"], each["question"], each["answer"]) for each in rows(place, "answers")}
    assert answers == {("A", "theme", "3"), ("A", "role", "Smuggler")}


def test_a_remark_is_about_the_event_that_it_names_or_the_last_that_was_played(store: Store) -> None:
    """A question names the first trick, a moment the line before it, feedback the whole game."""
    first, *others = ANN_WINS
    said = [
        remark("moment.marked", felt="confused"),
        remark("question.raised", text="Twice?", on=OPENING + 1),
        remark("feedback.given", player="B", text="long", answers={"fun-of-10": "7"}),
    ]
    place = store("g", first, said[0], *others, *said[1:])
    built(place)
    found = rows(place, "remarks")
    moment, question, words = (one(found, what=what) for what in ("moment", "question", "feedback"))
    assert (moment["on"], moment["felt"], moment["card"]) == (OPENING + 1, "confused", "four")
    assert (moment["player"], moment["text"]) == (None, None)
    assert (question["on"], question["text"], question["rule"]) == (OPENING + 1, "Twice?", None)
    assert (words["on"], words["text"], words["player"], words["turn"]) == (None, "long", "B", None)


def test_only_a_take_back_of_nothing_but_remarks_takes_remarks_back(store: Store) -> None:
    """A slip of the keeper goes; what was said before the table took a play back stays."""
    begin = OPENING
    slip = [*ANN_WINS[:1], remark("moment.marked", felt="bad"), remark("play.taken-back", to=begin + 1), *ANN_WINS[1:]]
    kept = [*ANN_WINS[:1], remark("moment.marked", felt="bad"), remark("play.taken-back", to=begin), *ANN_WINS]
    for lines, number in ((slip, 0), (kept, 1)):
        place = store("g", *lines)
        built(place, fresh=True)
        assert len(rows(place, "remarks")) == number
        place.unlink()
