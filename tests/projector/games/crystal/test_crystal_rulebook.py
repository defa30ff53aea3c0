"""The rulebook of Crystal Factions as data: rules, rulings and the edition are all there and hang together."""

from pathlib import Path

import pytest

from projector.model.game import game
from projector.reading.recordings import EXPECTED, as_expected, read_recording, recordings

GAME = game("crystal")
RECORDINGS = Path(__file__).parents[3] / "recordings" / "crystal"
ALTERNATIVES = [
    (ruling.key, ruling.default, option.name) for ruling in GAME.rulebook.rulings for option in ruling.options[1:]
]


def recorded_about(ruling: str) -> list[Path]:
    """Return the recordings that are read under a named option of a ruling."""
    texts = {path: path.read_text() + path.with_suffix(EXPECTED).read_text() for path in recordings(RECORDINGS)}
    return [path for path, text in texts.items() if f'"{ruling}"' in text]


@pytest.mark.parametrize(("ruling", "usual", "option"), ALTERNATIVES)
def test_a_recorded_log_tells_each_option_from_the_usual_one(ruling: str, usual: str, option: str) -> None:
    """Of every reading there is a log that comes out otherwise under it: other findings, winner or end."""

    def outcome(path: Path, name: str) -> object:
        return as_expected(read_recording(path, "crystal", {ruling: name}).replay)

    assert any(outcome(path, usual) != outcome(path, option) for path in recorded_about(ruling))


def test_every_option_is_explained_and_built() -> None:
    """A designer reads in plain words what each reading means, and every one can be played by."""
    for ruling in GAME.rulebook.rulings:
        assert ruling.question.endswith(("?", ".")), ruling.key
        assert all(option.text and option.built for option in ruling.options)


def test_the_rulebooks_own_mistakes_are_marked() -> None:
    """A flip that is told twice, a lane with two names, two wordings of fifty, one word for two things."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert {
        "second_flip",
        "research_lane",
        "fifty_wording",
        "turn_word",
        "tech_limit_time",
        "first_priority",
    } <= defects
