"""The designer's own questions: read as they are written, and refused with file, line and what was expected."""

from pathlib import Path

import pytest

from tabletape.events.vocabulary.own_questions import own_questions
from tabletape.events.workspace_files import GameFileError

GOOD = """\
[[question]]
id = "theme"
ask = "How well did the theme carry the game?"
kind = "scale"
low = "not at all"

[[question]]
id = "role"
ask = "Which role next?"
kind = "choice"
options = ["Archivist", "Smuggler"]
games = ["crystal"]
"""


def test_questions_are_those_of_the_game(tmp_path: Path) -> None:
    """A question that names games is asked after those alone; without a file nothing is asked."""
    assert own_questions(tmp_path) == ()
    (tmp_path / "feedback.toml").write_text(GOOD)
    assert [each.id for each in own_questions(tmp_path)] == ["theme", "role"]
    assert [each.id for each in own_questions(tmp_path, "evolve")] == ["theme"]
    assert own_questions(tmp_path, "crystal")[1].options == ("Archivist", "Smuggler")


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('kind = "choice"', 'kind = "choise"', 10, "the kinds are scale, choice"),
        ("options =", "option =", 11, "did you mean `options`"),
        ('options = ["Archivist", "Smuggler"]\n', "", 7, "needs `options`"),
        ('id = "role"', 'id = "theme"', 8, "is there twice"),
        ('id = "role"', 'id = "The Role"', 8, "Expected `str` matching regex"),
        ('ask = "Which role next?"\n', "", 7, "the question needs `ask`"),
        ('kind = "scale"', 'kind = "scale', 4, "the quote at the end"),
        ("[[question]]", "[question]", 7, "the same key stands twice"),
    ],
)
def test_what_is_wrong_has_its_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    """A mistake in the file is named with file, line and what was expected."""
    text = GOOD.replace(old, new, 1)
    (tmp_path / "feedback.toml").write_text(text)
    with pytest.raises(GameFileError) as refused:
        own_questions(tmp_path)
    assert f"feedback.toml:{line}: " in str(refused.value)
    assert words in str(refused.value)
