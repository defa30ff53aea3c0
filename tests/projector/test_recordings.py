"""Recorded games with what has to come out of them: one is dropped in as two files, `x.jsonl` and `x.expected.json`."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.vocabulary import Event, vocabulary
from projector.fold import Replay, fold
from projector.game import game

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = sorted(str(path.relative_to(RECORDINGS).with_suffix("")) for path in RECORDINGS.rglob("*.jsonl"))


def expected_of(name: str) -> dict[str, Any]:
    """Give what has to come out of a recording."""
    found: dict[str, Any] = json.loads((RECORDINGS / f"{name}.expected.json").read_text(encoding="utf-8"))
    return found


def read(name: str) -> list[Event]:
    """Give the events of a recording."""
    words = vocabulary(name.partition("/")[0])
    text = (RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [words.decode(line) for line in text.splitlines() if line.strip()]


@cache
def replayed(name: str) -> Replay:
    """Fold a recording under the ruleset that it is recorded for."""
    ruleset = expected_of(name).get("ruleset", {})
    slug = name.partition("/")[0]
    return fold(game(slug), read(name), edition=ruleset.get("edition", ""), rulings=ruleset.get("rulings"))


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_folded_to_its_end(name: str) -> None:
    """Nothing stops the replay of a recorded game."""
    replay = replayed(name)
    assert replay.stopped is None
    assert len(replay.events) == len(read(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_has_exactly_its_findings(name: str) -> None:
    """The audit says what the recording expects, in that order, and nothing else."""
    expected = expected_of(name)["findings"]
    found = replayed(name).findings
    assert [(each.seq, each.rule, each.kind) for each in found] == [
        (each["seq"], each["rule"], each["kind"]) for each in expected
    ]
    for finding, each in zip(found, expected, strict=True):
        assert {key: getattr(finding, key) for key in each} == each


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_ends_as_expected(name: str) -> None:
    """Winner and reason are those of the recording."""
    expected = expected_of(name)
    table = replayed(name).table
    assert (table.winner or None, table.reason) == (expected["winner"], expected["reason"])
