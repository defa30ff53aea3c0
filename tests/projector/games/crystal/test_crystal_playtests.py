"""Evenings of playtests as they were handed in; only where they lie beside the project."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from events.shared import GameStarted
from events.vocabulary import Consequence, Event, vocabulary
from projector.fold import fold
from projector.game import game

EVENINGS = Path(__file__).parents[4].parent / "shared" / "playtests" / "crystal"
GAME = game("crystal")

pytestmark = pytest.mark.skipif(not EVENINGS.is_dir(), reason="the playtests are not beside the project")


def games(name: str) -> Iterator[list[Event]]:
    """Give the games of an evening; lines that cannot be read are left out."""
    found: list[list[Event]] = []
    for line in (EVENINGS / name).read_text(encoding="utf-8-sig").splitlines():
        try:
            event = vocabulary("crystal").decode(line)
        except msgspec.DecodeError:
            continue
        if isinstance(event, GameStarted):
            found.append([])
        found[-1].append(event)
    yield from found


@pytest.mark.parametrize("name", ["evening-1.jsonl", "evening-2-full.jsonl"])
def test_an_evening_without_mistakes_has_no_findings(name: str) -> None:
    """Nobody broke a rule, and what is written down is what the rules derive."""
    for events in games(name):
        replay = fold(GAME, events)
        assert replay.stopped is None
        assert replay.findings == []


def test_the_full_evening_without_its_consequences_ends_the_same() -> None:
    """The last table of a full log is that of the same log with decisions and chance alone."""
    for events in games("evening-2-full.jsonl"):
        sparse = [event for event in events if not isinstance(event, Consequence)]
        assert fold(GAME, sparse).table.state() == fold(GAME, events).table.state()


def test_every_mistake_of_the_third_evening_is_found() -> None:
    """Each game has its mistake, nothing stops a replay, and hardly anything follows from a mistake."""
    for events in games("evening-3-with-mistakes.jsonl"):
        replay = fold(GAME, events)
        assert replay.stopped is None
        assert 1 <= len(replay.findings) <= 5


def test_lost_lines_stop_nothing() -> None:
    """Where lines could not be read the replay goes on to the end."""
    for events in games("evening-5-spoiled.jsonl"):
        replay = fold(GAME, events)
        assert replay.stopped is None
        assert replay.table.over
