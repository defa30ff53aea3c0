"""How a game came out where that is more than one winner: several, all together, points, places."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

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

    @property
    def teams(self) -> Mapping[str, str]:
        """The team of each player; empty where there are none."""
        return {}


NO_MORE: Final = Outcome()


class TeamOutcome(Outcome, frozen=True, kw_only=True):
    """How a game of teams came out: of a team that has won, all have."""

    teams: Mapping[str, str] = {}


def ended_with(ended: Any) -> tuple[str, Outcome]:
    """Return the only winner that an end or a result names (empty: none), and what more it says."""
    if not hasattr(ended, "winners"):  # as of most games: nobody else can have won, and no points count
        return ended.winner or "", NO_MORE

    def said(field: str, otherwise: Any) -> Any:
        value = getattr(ended, field, UNSET)
        return otherwise if value is UNSET or value is None else value

    winner = said("winner", "")
    teams = said("teams", {})
    winners = _with_their_teams(said("winners", ()) or ((winner,) if winner else ()), teams)
    cooperative = said("cooperative", otherwise=False)
    alone = len(winners) == 1 and not cooperative
    fields: dict[str, Any] = {"teams": teams} if teams else {}
    outcome = (TeamOutcome if teams else Outcome)(
        winners=() if alone else tuple(winners),
        cooperative=cooperative,
        score=said("score", None),
        scores=said("scores", {}),
        places=said("places", {}),
        **fields,
    )
    return ("".join(winners) if alone else ""), outcome


def all_winners(ended: Any) -> tuple[str, ...]:
    """Return everybody who has won by an end or a result, with the teams of those whom it names."""
    winner, outcome = ended_with(ended)
    return (winner,) if winner else outcome.winners


def _with_their_teams(winners: Iterable[str], teams: Mapping[str, str]) -> tuple[str, ...]:
    """Return the winners and all who are in a team with one of them, in the order of the teams."""
    won = {teams[each] for each in winners if each in teams}
    return tuple(dict.fromkeys((*winners, *(player for player, team in teams.items() if team in won))))
