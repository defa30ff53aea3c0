"""Who is on turn tells by itself that actions may be done."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from projector.fold.replay import Replay
from projector.games import game
from projector.games.splicers.state import ACTION

RECORDINGS = Path(__file__).parents[3] / "recordings"
NAMES = sorted(f"splicers/{path.stem}" for path in (RECORDINGS / "splicers").glob("*.jsonl"))


def test_somebody_is_on_turn_in_the_action_phase_and_at_no_other_time(recorded: Callable[[str], Any]) -> None:
    """Whoever is on turn may act, whatever mistakes a recorded game has: the glance at an action rests on that."""
    for name in NAMES:
        events, _, folded = recorded(name)
        replay = Replay(game("splicers"), folded.ruleset, folded.library)
        for event in events:
            replay.run((event,))
            table: Any = replay.table
            assert bool(table.active) == (table.phase == ACTION), name
