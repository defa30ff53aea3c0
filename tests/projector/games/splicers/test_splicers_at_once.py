"""Answers that all is kept, made beforehand: they say what looking at every rule by itself says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.games.splicers import TurnEnded
from projector.fold.folding import fold
from projector.fold.replay import Replay
from projector.games.splicers.rules.turns import judge_end, must_act, who_may_act
from projector.games.splicers.state import ACTION
from projector.model.game import game
from projector.model.rules import AllPassed, check_in_order

RECORDINGS = Path(__file__).parents[3] / "recordings"
NAMES = sorted(f"splicers/{path.stem}" for path in (RECORDINGS / "splicers").glob("*.jsonl"))
RULES = "projector.games.splicers.rules"
IN_ONE_LOOK = (
    *(f"{RULES}.{module}.may_act" for module in ("turns", "playing", "evolving", "splicing", "using")),
    f"{RULES}.splicing._are_ready",
    f"{RULES}.rows._all_kept_by_draw",
    f"{RULES}.preparing.is_sound_list",
)
"""What tells that nothing can be wrong with a line; without these each rule is looked at."""


def test_looking_at_every_rule_by_itself_finds_and_counts_the_same(
    recorded: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recorded games have the same findings and the same counts where no line is settled in one look."""
    replays = {name: recorded(name) for name in NAMES}
    for each in IN_ONE_LOOK:
        monkeypatch.setattr(each, lambda *_: None)
    for name, (events, _, replay) in replays.items():
        under = {"edition": replay.ruleset.edition, "rulings": replay.ruleset.options}
        slowly = fold(game("splicers"), events, library=replay.library, **under)
        assert (slowly.findings, slowly.kept, slowly.broken) == (replay.findings, replay.kept, replay.broken), name


def test_the_end_of_a_turn_is_settled_in_one_look_where_both_of_its_rules_are_kept(
    recorded: Callable[[str], Any],
) -> None:
    """Whoever is on turn and has acted may end it; nearly all turns of the recorded games end so."""
    settled = 0
    for name in NAMES:
        events, _, folded = recorded(name)
        replay = Replay(game("splicers"), folded.ruleset, folded.library)
        for event in events:
            if isinstance(event, TurnEnded):
                table: Any = replay.table
                said = judge_end(table, event)
                assert list(said) == list(check_in_order((who_may_act(table, event), must_act), table, event)), name
                settled += type(said) is AllPassed
            replay.run((event,))
    assert settled > 100


def test_somebody_is_on_turn_in_the_action_phase_and_at_no_other_time(recorded: Callable[[str], Any]) -> None:
    """Who is on turn therefore tells by itself that actions may be done, whatever mistakes a recorded game has."""
    for name in NAMES:
        events, _, folded = recorded(name)
        replay = Replay(game("splicers"), folded.ruleset, folded.library)
        for event in events:
            replay.run((event,))
            table: Any = replay.table
            assert bool(table.active) == (table.phase == ACTION), name
