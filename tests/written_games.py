"""Lines that many tests need: whole games of bots, and a card that is played in the sixth game."""

from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate


def played(player: str, card: str, **more: Any) -> dict[str, Any]:
    """Return the line of a card that is played."""
    return {"type": "card.played", "player": player, "card": f"{player}:{card}", **more}


ANN_WINS = [played("A", "four"), played("B", "two"), played("A", "six"), played("B", "three")]
BEN_WINS = [played("A", "one"), played("B", "two"), played("B", "six"), played("A", "four")]
"""Ben takes both tricks, so Ann, who began, loses."""


@cache
def game_of_bots(slug: str, seed: int, *, full: bool = True) -> tuple[Event, ...]:
    """Return a game of two random bots, with its consequences where `full`; events have neither number nor cause."""
    one = game(slug)
    (found,) = simulate(one, one.cards, Plan(seed=seed, full=full), 1)
    return tuple(msgspec.structs.replace(event, seq=UNSET, cause=UNSET) for event in found.events)
