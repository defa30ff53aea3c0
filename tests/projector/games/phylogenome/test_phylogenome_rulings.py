"""Every reading of an unclear sentence that PhyloGenome offers decides some recorded game otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest

from projector.model.game import game
from projector.reading.recordings import EXPECTED, read_recording, recordings

RECORDED = recordings(Path(__file__).parents[3] / "recordings" / "phylogenome")
OTHERS = [
    (ruling.key, option.name, ruling.options[0].name)
    for ruling in game("phylogenome").rulebook.rulings
    for option in ruling.options[1:]
    if option.built
]


def rulings_of(path: Path) -> dict[str, str]:
    """Return the rulings under which a recording is read."""
    head: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    expected: dict[str, Any] = json.loads(path.with_suffix(EXPECTED).read_text(encoding="utf-8"))
    return {**head.get("rulings", {}), **expected.get("ruleset", {}).get("rulings", {})}


def told(path: Path, key: str, option: str) -> tuple[Any, ...]:
    """Return the verdicts and the end of a recording under an option."""
    replay = read_recording(path, "phylogenome", {key: option}).replay
    return [(each.seq, each.rule, each.kind) for each in replay.findings], replay.table.winner, replay.table.reason


@pytest.mark.parametrize(("key", "option", "usual"), OTHERS)
def test_every_option_tells_a_recorded_game_otherwise(key: str, option: str, usual: str) -> None:
    """One log, two readings: verdicts, winner or the end differ in a game that is recorded under the option."""
    under_it = [path for path in RECORDED if rulings_of(path).get(key) == option]
    assert any(told(path, key, option) != told(path, key, usual) for path in under_it)
