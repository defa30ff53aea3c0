"""For every reading of the rules that is built there is a recorded game that tells it from the usual one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from projector.model.game import game
from projector.reading.recordings import EXPECTED, read_recording, recordings

GAME = game("evolve")
RECORDINGS = recordings(Path(__file__).parents[3] / "recordings" / "evolve")
OPTIONS = [
    (ruling.key, ruling.options[0].name, option.name)
    for ruling in GAME.rulebook.rulings
    for option in ruling.options[1:]
    if option.built
]


def recorded_under(key: str, option: str) -> Iterator[Path]:
    """Yield the recordings that are read under an option."""
    for path in RECORDINGS:
        expected = json.loads(path.with_suffix(EXPECTED).read_text(encoding="utf-8"))
        head = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
        if {**head.get("rulings", {}), **expected.get("ruleset", {}).get("rulings", {})}.get(key) == option:
            yield path


def verdict(path: Path, changed: dict[str, str]) -> Any:
    """Return what is found in a recording under some changed rulings, and who wins why."""
    replay = read_recording(path, "evolve", changed).replay
    found = [(each.seq, each.rule, each.kind) for each in replay.findings]
    return found, replay.table.winner, replay.table.reason


@pytest.mark.parametrize(("key", "usual", "option"), OPTIONS)
def test_a_recorded_game_tells_each_reading_from_the_usual_one(key: str, usual: str, option: str) -> None:
    """One log under two readings has two verdicts or two ends."""
    assert any(verdict(path, {}) != verdict(path, {key: usual}) for path in recorded_under(key, option))
