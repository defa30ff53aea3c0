"""What the evenings of PhyloGenome playtests show beside what holds of every game (`test_playtests`)."""

from collections.abc import Callable

from events.vocabulary import Event
from projector.fold.folding import fold
from projector.model.game import game

Evening = Callable[[str, str], list[list[Event]]]

GAME = game("phylogenome")
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


def test_each_game_of_the_evening_with_mistakes_has_its_mistake(evening: Evening) -> None:
    """The first finding of each game is the mistake that somebody made."""
    replays = [fold(GAME, events) for events in evening("phylogenome", "evening-3-with-mistakes.jsonl")]
    assert [replay.findings[0].rule.removeprefix("phylogenome.") for replay in replays] == MISTAKES
