"""Whole evenings of PhyloGenome playtests, where they lie beside the working folder."""

from functools import cache
from pathlib import Path

import pytest

from events.shared import GameStarted
from events.vocabulary import Consequence, Event, vocabulary
from projector.fold import fold
from projector.game import game

GAME = game("phylogenome")
EVENINGS = Path(__file__).parents[4].parent / "shared" / "playtests" / "phylogenome"
MISTAKES = [
    "card.three-types",
    "compat.event-forbids",
    "compat.generation-limit",
    "compat.genome-scale",
    "cycle.draw-three",
    "cycle.one-from-hand",
    "deck.recommended-size",
    "discard.event-pile",
    "discard.species-pile",
    "draw.from-own-deck",
    "draw.only-when-due",
    "end.nothing-after-end",
    "end.species-depleted",
    "event.as-declared",
    "event.beneath-stays",
    "event.requirement",
    "event.table-stays",
    "event.target",
    "event.used-once",
    "fix.discard-unfixed",
]
"""What somebody did wrong in each game of the third evening, seen by hand."""
pytestmark = pytest.mark.skipif(not EVENINGS.exists(), reason="the playtests lie beside the working folder only")


@cache
def games_of(name: str) -> tuple[tuple[Event, ...], ...]:
    """Give the games of an evening."""
    games: list[list[Event]] = []
    for line in (EVENINGS / name).read_text(encoding="utf-8-sig").splitlines():
        event = vocabulary("phylogenome").decode(line)
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
    """The first finding of each game is the mistake that somebody made; nothing stops."""
    first = []
    for events in games_of("evening-3-with-mistakes.jsonl"):
        replay = fold(GAME, events)
        assert replay.stopped is None
        first.append(replay.findings[0].rule.removeprefix("phylogenome."))
    assert first == MISTAKES
