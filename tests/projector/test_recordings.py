"""Recorded games with their expected findings: a game is two files, `x.jsonl` and `x.expected.json`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = sorted(str(path.relative_to(RECORDINGS).with_suffix("")) for path in RECORDINGS.rglob("*.jsonl"))
Recorded = Callable[[str], Any]


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_folded_to_its_end(recorded: Recorded, name: str) -> None:
    """Nothing stops the replay of a recorded game."""
    events, _, replay = recorded(name)
    assert replay.stopped is None
    assert len(replay.events) == len(events)


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_has_exactly_its_findings(recorded: Recorded, name: str) -> None:
    """The audit says what the recording expects, in that order, and nothing else."""
    _, expected, replay = recorded(name)
    assert [(each.seq, each.rule, each.kind) for each in replay.findings] == [
        (each["seq"], each["rule"], each["kind"]) for each in expected["findings"]
    ]
    for finding, each in zip(replay.findings, expected["findings"], strict=True):
        assert {key: getattr(finding, key) for key in each} == each


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_ends_as_expected(recorded: Recorded, name: str) -> None:
    """Winner and reason are those of the recording."""
    _, expected, replay = recorded(name)
    assert (replay.table.winner or None, replay.table.reason) == (expected["winner"], expected["reason"])
