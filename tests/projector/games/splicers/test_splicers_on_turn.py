"""A player is on turn exactly in the action phase."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.games.splicers.state import ACTION

RECORDINGS = Path(__file__).parents[3] / "recordings"
NAMES = sorted(f"splicers/{path.stem}" for path in (RECORDINGS / "splicers").glob("*.jsonl"))


def test_a_player_is_on_turn_in_the_action_phase_only(recorded: Callable[[str], Any]) -> None:
    """After each line of a recorded game, mistakes included, a player is on turn if and only if actions may be taken.

    The gate of the game relies on it.
    """
    for name in NAMES:
        events, _, recorded_replay = recorded(name)
        replay = Replay(game("splicers"), recorded_replay.ruleset, recorded_replay.library)
        for event in events:
            replay.run((event,))
            table: Any = replay.table
            assert bool(table.active) == (table.phase == ACTION), name
