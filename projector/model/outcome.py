"""How a game came out where that is more than one winner: several, all together, points, places."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to an end beside its only winner; `winners` are given where they are several or play together.

    `cooperative`: all players win or lose together. `scores` and `places` are by player, `score` is the whole table's.
    """

    winners: tuple[str, ...] = ()
    cooperative: bool = False
    score: float | None = None
    scores: Mapping[str, float] = {}
    places: Mapping[str, int] = {}


def ended_with(ended: Any) -> tuple[str, Outcome]:
    """Return the only winner that an end or a result names (empty: none), and what more it says."""

    def said(field: str, otherwise: Any) -> Any:
        value = getattr(ended, field, UNSET)
        return otherwise if value is UNSET or value is None else value

    winner = said("winner", "")
    winners = said("winners", ()) or ((winner,) if winner else ())
    cooperative = said("cooperative", otherwise=False)
    alone = len(winners) == 1 and not cooperative
    outcome = Outcome(
        winners=() if alone else tuple(winners),
        cooperative=cooperative,
        score=said("score", None),
        scores=said("scores", {}),
        places=said("places", {}),
    )
    return ("".join(winners) if alone else ""), outcome
