"""How long a game was: counted where its actions are known, else as its result says."""

import msgspec
from msgspec import UnsetType

from tabletape.projector.datasets.rows.game_context import GameContext


class Length(msgspec.Struct, frozen=True):
    """How long a game was; None where nobody wrote it down."""

    minutes: float | None
    decisions: int | None
    rounds: int | None
    turns: int | None


def length_of(context: GameContext) -> Length:
    """Return how long a game was. Its result says it where there are no actions, or no times, to tell it by."""
    times = [*filter(None, context.times)]
    minutes = (times[-1] - times[0]).total_seconds() / 60 if len(times) > 1 else None
    result = context.result
    if minutes is None and result is not None and not isinstance(result.minutes, UnsetType):
        minutes = result.minutes
    if context.detail == "results" and result is not None:
        return Length(minutes, None, result.rounds or None, result.turns or None)
    turns, positions = context.timeline.turns, context.timeline.positions
    # Of a game in which nobody wrote whose turn it was the rounds are those that were written.
    steps = [turn.step for turn in turns] or context.timeline.steps
    rounds = max((positions[step].round for step in steps), default=0)
    # A game that counts no rounds, or no turns, had none that are known, not nought of them.
    return Length(minutes, context.decisions.total(), rounds or None, len(turns) or None)
