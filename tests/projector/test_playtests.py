"""Whole evenings of playtests as they were handed in, of every game; only where they lie beside the project."""

from collections.abc import Callable

import pytest

from events.vocabulary import Consequence, Event
from projector.fold.folding import fold
from projector.model.game import game, games

Evening = Callable[[str, str], list[list[Event]]]

every_game = pytest.mark.parametrize("slug", games())


@every_game
@pytest.mark.parametrize("name", ["evening-1.jsonl", "evening-2-full.jsonl"])
def test_an_evening_without_mistakes_has_no_findings(slug: str, name: str, evening: Evening) -> None:
    """Nobody broke a rule, what is written down is what the rules derive, and every game comes to its end."""
    for events in evening(slug, name):
        replay = fold(game(slug), events)
        assert replay.stopped is None
        assert replay.findings == []
        assert replay.table.over


@every_game
def test_the_full_evening_without_its_consequences_ends_the_same(slug: str, evening: Evening) -> None:
    """The last table of a full log is that of the same log with decisions and chance alone."""
    for events in evening(slug, "evening-2-full.jsonl"):
        sparse = [event for event in events if not isinstance(event, Consequence)]
        assert fold(game(slug), sparse).table.state() == fold(game(slug), events).table.state()


@every_game
def test_every_mistake_of_the_third_evening_is_found(slug: str, evening: Evening) -> None:
    """Each game has its mistake, and no mistake stops a replay."""
    for events in evening(slug, "evening-3-with-mistakes.jsonl"):
        replay = fold(game(slug), events)
        assert replay.stopped is None
        assert replay.findings


@every_game
def test_lost_lines_stop_nothing(slug: str, evening: Evening) -> None:
    """Where lines could not be read the replay goes on to the end."""
    for events in evening(slug, "evening-5-spoiled.jsonl"):
        assert fold(game(slug), events).stopped is None
