"""Recorded games with their expected findings: a game is two files, `x.jsonl` and `x.expected.json`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = sorted(str(path.relative_to(RECORDINGS).with_suffix("")) for path in RECORDINGS.rglob("*.jsonl"))


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_has_exactly_its_findings_and_its_end(recorded: Callable[[str], Any], name: str) -> None:
    """Nothing stops the replay; the audit says what the recording expects, in that order; winner and reason are its."""
    events, expected, replay = recorded(name)
    assert replay.stopped is None
    assert len(replay.events) == len(events)
    assert [(each.seq, each.rule, each.kind) for each in replay.findings] == [
        (each["seq"], each["rule"], each["kind"]) for each in expected["findings"]
    ]
    for finding, each in zip(replay.findings, expected["findings"], strict=True):
        assert {key: getattr(finding, key) for key in each} == each
    assert (replay.table.winner or None, replay.table.reason) == (expected["winner"], expected["reason"])
