"""The rows of the datasets `turns` and `totals`, and what the leads of a game say about it."""

from bisect import bisect_right
from collections import Counter
from itertools import pairwise
from typing import Any, Final

import msgspec

from tabletape.projector.datasets.rows.game_context import SAID, GameContext, Row
from tabletape.projector.datasets.rows.timeline import Turn, tables_back
from tabletape.projector.model.game import Game

UNDER_WAY: Final = 0.2
"""The share of their final progress that all players together need before a deficit counts."""


class Leads(msgspec.Struct, frozen=True):
    """How the lead went: `changes` and `last_change` are None where nobody ever led alone.

    `last_change` is the turn of the last change (0: none), `deepest_deficit` how far the winner was behind at worst
    once the game was under way, `half_time` the sole leader at the end of the turn at half of the turns, rounded down.
    """

    changes: int | None = None
    last_change: int | None = None
    half_time: str | None = None
    deepest_deficit: float | None = None


class TurnRows(msgspec.Struct, frozen=True):
    """The rows of `turns` and `totals`, and the leads."""

    turns: list[Row]
    totals: list[Row]
    leads: Leads


class TurnRow(msgspec.Struct, frozen=True):
    """A turn, and what there was at its end: the round, progress by player and together, the player's own totals."""

    turn: Turn
    round: int
    progress: dict[str, float | None]
    together: float
    totals: dict[str, int]


def turn_rows(context: GameContext) -> TurnRows:
    """Go through the ends of the turns: a row for every player, and one for each total of the player on turn."""
    clock = _Clock(context)
    own: Counter[str] = Counter()
    ahead: list[dict[str, float | None]] = []
    turns: list[Row] = []
    totals: list[Row] = []
    ends = _turn_ends(context)
    for end in ends:
        number, whose = end.turn.number, end.turn.player
        own[whose] += 1
        seconds, waited = clock.stop(end.turn)
        ahead.append({player: _ahead(end.progress, player) for player in end.progress})
        for player, value in end.progress.items():
            mine = (player, player == whose, own[player])
            won = context.winner == player, context.decisive
            taken = context.decisions[number, player]
            time = seconds, waited if player == whose else None
            turns.append((number, end.round, *mine, value, ahead[-1][player], *won, taken, *time))
        which = number, whose, own[whose]
        totals += [(*which, name, total) for name, total in end.totals.items()]
    return TurnRows(turns, totals, _leads(context, ahead, [end.together for end in ends]))


def _turn_ends(context: GameContext) -> list[TurnRow]:
    """Return the ends of the turns in order; they are read from the last one back."""
    game = context.replay.game
    ends = []
    for turn, table in tables_back(context.replay, context.timeline):
        ends.append(_turn_end(game, turn, table))
    return ends[::-1]


def _turn_end(game: Game, turn: Turn, table: Any) -> TurnRow:
    """Return what there is at the end of a turn; players have got as far as their points where progress is a share.

    Points are counted once for all players and for the totals.
    """
    player = turn.player
    if game.scoreboard.points_and_totals is None:
        progress = {each: game.scoreboard.progress(table, each) for each in table.players}
        totals = dict(game.scoreboard.totals(table, player)) if player in progress else {}
        return TurnRow(turn, table.round, progress, sum(filter(None, progress.values())), totals)
    points, totals = game.scoreboard.points_and_totals(table, player)
    whole = sum(points.values())
    shares: dict[str, float | None] = {each: mine / whole if whole else 0.0 for each, mine in points.items()}
    return TurnRow(turn, table.round, shares, whole, totals)


def _ahead(progress: dict[str, float | None], player: str) -> float | None:
    """Return a player's progress minus the best of the others; None where a game measures none."""
    mine = progress[player]
    others = [value for other, value in progress.items() if other != player and value is not None]
    return mine - max(others) if mine is not None and others else None


def _leads(context: GameContext, ahead: list[dict[str, float | None]], together: list[float]) -> Leads:
    """Return how the lead went; `together` is the progress of all players at the end of every turn."""
    leaders = [next((player for player, value in each.items() if value and value > 0), None) for each in ahead]
    taken = [(number, leader) for number, leader in enumerate(leaders) if leader]
    changed = [place for (_, before), (place, after) in pairwise(taken) if before != after]
    # Before the players have got anywhere, one step is a deficit of everything.
    whole = together[-1] if together else 0.0
    courses = [(each.get(context.winner), now) for each, now in zip(ahead, together, strict=True)]
    under_way = [(gap, now) for gap, now in courses if gap is not None and now >= UNDER_WAY * whole]
    # A share of the points so far is all or nothing while there are few: what is missing is a part of all at the end.
    of_points = context.replay.game.scoreboard.points_and_totals is not None
    deficits = [-gap * min(now / whole, 1.0) if of_points and whole else -gap for gap, now in under_way]
    half = len(ahead) // 2
    return Leads(
        changes=len(changed) if taken else None,
        last_change=(context.timeline.turns[changed[-1]].number if changed else 0) if taken else None,
        half_time=leaders[half - 1] if half else None,
        deepest_deficit=max(0.0, *deficits) if deficits else None,
    )


class _Clock:
    """How long turns took, and how long players waited for theirs, where times were written down."""

    def __init__(self, context: GameContext) -> None:
        events, positions = context.replay.events, context.timeline.positions
        self._played = [step for step in context.timeline.steps if type(events[step]) not in SAID]
        before = [step for step in self._played if not positions[step].turn]
        self._times = context.times
        self._began = context.times[before[-1] if before else 0]
        self._waits: dict[str, float | None] = {}

    def stop(self, turn: Turn) -> tuple[float | None, float | None]:
        """Return the seconds of a turn, and of the others' turns since the player's turn before; None: not known."""
        ended = self._times[self._played[bisect_right(self._played, turn.step) - 1]]
        seconds = (ended - self._began).total_seconds() if self._began and ended else None
        self._began = ended
        waited = self._waits.get(turn.player)
        self._waits = {
            player: None if wait is None or seconds is None else wait + seconds for player, wait in self._waits.items()
        }
        self._waits[turn.player] = 0.0
        return seconds, waited
