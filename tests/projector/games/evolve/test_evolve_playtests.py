"""What the evenings of Evolve playtests show beside what holds of every game (`test_playtests`)."""

from collections.abc import Callable

from events.vocabulary import Event
from projector.fold.folding import fold
from projector.model.game import game

Evening = Callable[[str, str], list[list[Event]]]

GAME = game("evolve")


def test_lost_lines_make_no_finding(evening: Evening) -> None:
    """What could not be read changes nothing that the rules look at."""
    for events in evening("evolve", "evening-5-spoiled.jsonl"):
        assert fold(GAME, events).findings == []
