"""A history on two services that are killed and paused, and its check, which finds whatever is planted."""

from pathlib import Path
from typing import Any

import pytest

from tests.attack.service_history import Sent, service_history, wrong_notes

SENT = [Sent("g", "a", "a-0.", 2), Sent("g", "b", "b-0.", 3), Sent("g", "a", "a-1.", 4), Sent("g", "a", "a-0.", 2)]
NOTES = {2: ("a", "a-0."), 3: ("b", "b-0."), 4: ("a", "a-1.")}


def test_notes_that_fit_are_right() -> None:
    """What was acknowledged twice at one place is there once."""
    assert wrong_notes(SENT, {"g": NOTES}) == []


@pytest.mark.parametrize(
    ("notes", "words"),
    [
        ({2: NOTES[2], 3: NOTES[3]}, "is not there"),
        (NOTES | {5: NOTES[3]}, "is there 2 times"),
        (NOTES | {5: ("b", "b-9.")}, "nobody has sent"),
        (NOTES | {2: ("b", "a-0.")}, "is not there"),
        ({2: NOTES[4], 3: NOTES[3], 4: NOTES[2]}, "out of order"),
    ],
    ids=["lost", "doubled", "from nobody", "another writer", "out of order"],
)
def test_what_is_planted_is_found(notes: dict[int, Any], words: str) -> None:
    """A lost, doubled, unknown, misattributed or reordered note is found."""
    assert any(words in each for each in wrong_notes(SENT, {"g": notes}))


def test_every_acknowledged_line_is_there_once(tmp_path: Path) -> None:
    """Through kills and pauses, with repeated requests and clocks that go back, on two services of one log."""
    outcome = service_history(str(tmp_path / "log.db"), tmp_path, rounds=1, seed=1)
    assert outcome.problems == []
    assert outcome.counts["acknowledged"] > 0
