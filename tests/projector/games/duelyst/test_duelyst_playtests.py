"""What the evenings of Duelyst-style playtests show beside what holds of every game (`test_playtests`)."""

from collections.abc import Callable

from events.vocabulary import Event
from projector.fold.folding import fold
from projector.model.game import game

Evening = Callable[[str, str], list[list[Event]]]

GAME = game("duelyst")


def test_each_game_of_the_evening_with_mistakes_has_one_mistake(evening: Evening) -> None:
    """Findings that are not tainted stand on one line."""
    for events in evening("duelyst", "evening-3-with-mistakes.jsonl"):
        findings = fold(GAME, events).findings
        assert len({finding.seq for finding in findings if not finding.tainted}) == 1, (events[0], findings)
