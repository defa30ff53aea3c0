"""What the evenings of Crystal Factions playtests show beside what holds of every game (`test_playtests`)."""

from collections.abc import Callable

from events.vocabulary import Event
from projector.fold.folding import fold
from projector.model.game import game

Evening = Callable[[str, str], list[list[Event]]]

GAME = game("crystal")


def test_hardly_anything_follows_from_a_mistake(evening: Evening) -> None:
    """A game with one mistake has few findings."""
    for events in evening("crystal", "evening-3-with-mistakes.jsonl"):
        assert 1 <= len(fold(GAME, events).findings) <= 5


def test_lost_lines_do_not_keep_a_game_from_its_end(evening: Evening) -> None:
    """Where lines could not be read the game is over all the same."""
    for events in evening("crystal", "evening-5-spoiled.jsonl"):
        assert fold(GAME, events).table.over
