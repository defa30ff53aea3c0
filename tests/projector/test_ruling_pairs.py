"""For every option of a ruling there is a recorded log with another outcome than under the default."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from projector.games import game, games
from projector.reading.recordings import EXPECTED, as_expected, read_recording, recordings

RECORDINGS = Path(__file__).parents[1] / "recordings"
OPTIONS = [
    (slug, ruling.key, ruling.default, option.name)
    for slug in games()
    for ruling in game(slug).rulebook.rulings
    for option in ruling.options[1:]
]


@cache
def rulings_of(slug: str) -> dict[Path, dict[str, str]]:
    """Return the rulings under which each recorded log of a game is read."""
    found: dict[Path, dict[str, str]] = {}
    for path in recordings(RECORDINGS / slug):
        with path.open(encoding="utf-8") as lines:
            head: dict[str, Any] = json.loads(next(lines))
        expected: dict[str, Any] = json.loads(path.with_suffix(EXPECTED).read_text(encoding="utf-8"))
        found[path] = {**(head.get("rulings") or {}), **expected.get("ruleset", {}).get("rulings", {})}
    return found


def outcome(path: Path, slug: str, key: str, option: str) -> Any:
    """Return what a recorded log comes to under an option: its findings, its winner, its end, what is not written."""
    return as_expected(read_recording(path, slug, {key: option}).replay)


@pytest.mark.parametrize(("slug", "key", "usual", "option"), OPTIONS)
def test_a_recorded_log_has_another_outcome_under_each_option(slug: str, key: str, usual: str, option: str) -> None:
    """One log, two readings: other findings, another winner or another end."""
    about = [path for path, rulings in rulings_of(slug).items() if rulings.get(key) in {usual, option}]
    assert any(outcome(path, slug, key, usual) != outcome(path, slug, key, option) for path in about)


@pytest.mark.parametrize("slug", games())
def test_every_option_is_explained_and_built(slug: str) -> None:
    """A designer reads in plain words what each reading means, and every one can be played by."""
    for ruling in game(slug).rulebook.rulings:
        assert "?" in ruling.question or ruling.question.endswith("."), ruling.key
        assert ruling.reason, ruling.key
        assert all(option.text and option.built for option in ruling.options), ruling.key
