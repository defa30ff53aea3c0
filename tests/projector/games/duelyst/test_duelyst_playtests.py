"""Whole evenings of Duelyst-style playtests, where they lie beside the working folder."""

from functools import cache
from pathlib import Path

import pytest

from events.shared import GameStarted
from events.vocabulary import Consequence, Event, vocabulary
from projector.fold import fold
from projector.game import game

GAME = game("duelyst")
EVENINGS = Path(__file__).parents[4].parent / "shared" / "playtests" / "duelyst"
pytestmark = pytest.mark.skipif(not EVENINGS.exists(), reason="the playtests lie beside the working folder only")


@cache
def games_of(name: str) -> tuple[tuple[Event, ...], ...]:
    """Give the games of an evening."""
    games: list[list[Event]] = []
    for line in (EVENINGS / name).read_text(encoding="utf-8-sig").splitlines():
        event = vocabulary("duelyst").decode(line)
        if isinstance(event, GameStarted):
            games.append([])
        games[-1].append(event)
    return tuple(map(tuple, games))


@pytest.mark.parametrize("name", ["evening-1.jsonl", "evening-2-full.jsonl"])
def test_an_evening_without_mistakes_has_no_findings(name: str) -> None:
    """Nobody broke a rule, and every consequence that is written down is derived."""
    for events in games_of(name):
        replay = fold(GAME, events)
        assert replay.stopped is None
        assert replay.findings == []
        assert replay.table.over


def test_what_follows_may_be_left_out_of_an_evening() -> None:
    """The full evening without its consequences leads to the same tables."""
    for events in games_of("evening-2-full.jsonl"):
        sparse = [event for event in events if not isinstance(event, Consequence)]
        assert fold(GAME, sparse).table.state() == fold(GAME, events).table.state()


def test_each_game_of_the_evening_with_mistakes_has_its_mistake() -> None:
    """Every game has findings, and those that are not tainted stand on one line."""
    for events in games_of("evening-3-with-mistakes.jsonl"):
        replay = fold(GAME, events)
        assert replay.stopped is None
        firsts = {finding.seq for finding in replay.findings if not finding.tainted}
        assert len(firsts) == 1, (events[0], replay.findings)
