"""What several rules say alike."""

from projector.games.duelyst.schema import DuelystText
from projector.model.rules import Broken, Judgement, Undecidable

Judgements = tuple[Judgement, ...]
"""Rules with their verdicts, in the order in which they are told."""


def misnamed(name: str, due: str) -> Broken:
    """Return that a unit which the game creates has not the next free name."""
    return Broken(f"the new unit is called {name}, but the next free name is {due}", due)


def told_by_people(text: DuelystText) -> Undecidable:
    """Return the verdict that only people can tell what a card does; it is reported once a game."""
    message = f"only people can tell what {text.name} does, and what follows from it: {text.manual}"
    return Undecidable(message, once=True)
