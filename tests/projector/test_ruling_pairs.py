"""For every option of a ruling there is a recording whose result differs from that of the default."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tabletape.projector.archive.recordings import EXPECTED_SUFFIX, as_expected, read_recording, recordings
from tabletape.projector.games import game, games

RECORDINGS = Path(__file__).parents[1] / "recordings"
OPTIONS = [
    (slug, ruling.key, ruling.default, option.name)
    for slug in games()
    for ruling in game(slug).rulebook.rulings
    for option in ruling.options[1:]
]


@cache
def rulings_of(slug: str) -> dict[Path, dict[str, str]]:
    """Return the rulings of each recording of a game."""
    found: dict[Path, dict[str, str]] = {}
    for path in recordings(RECORDINGS / slug):
        with path.open(encoding="utf-8") as lines:
            head: dict[str, Any] = json.loads(next(lines))
        expected: dict[str, Any] = json.loads(path.with_suffix(EXPECTED_SUFFIX).read_text(encoding="utf-8"))
        found[path] = {**(head.get("rulings") or {}), **expected.get("ruleset", {}).get("rulings", {})}
    return found


@cache
def result(path: Path, slug: str, key: str, option: str) -> Any:
    """Return the result of a recording under an option, as the file of its expected findings has it."""
    return as_expected(read_recording(path, slug, {key: option}).replay)


@pytest.mark.parametrize(("slug", "key", "default", "option"), OPTIONS)
def test_a_recording_distinguishes_each_option_from_the_default(slug: str, key: str, default: str, option: str) -> None:
    """Under the option and under the default the same recording has other findings, another winner or another end."""
    about = [path for path, rulings in rulings_of(slug).items() if rulings.get(key) in {default, option}]
    assert any(result(path, slug, key, default) != result(path, slug, key, option) for path in about)


@pytest.mark.parametrize("slug", games())
def test_every_option_is_explained_and_implemented(slug: str) -> None:
    """Each ruling has a question and a reason, and each of its options a text and an implementation."""
    for ruling in game(slug).rulebook.rulings:
        assert "?" in ruling.question or ruling.question.endswith("."), ruling.key
        assert ruling.reason, ruling.key
        assert all(option.text and option.built for option in ruling.options), ruling.key
