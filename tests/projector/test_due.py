"""Owed lines: every chance event was due before it was written, and any order of the due lines is legal."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Chance, Event
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.model.due import Due, covers
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.simulate import Plan, simulate


def chance_lines_not_due(one: Game, events: Sequence[Event], ruleset: Any, library: Any) -> tuple[int, list[str]]:
    """Return how many chance events a log has, and those that were not due."""
    replay = Replay(one, ruleset, library)
    lines, not_due = 0, []
    for event in events:
        if isinstance(event, Chance) and replay.events:
            lines += 1
            due = one.due(replay.table)
            assert {each.rule for each in due} <= one.by_id.keys()
            if not any(covers(each, event) for each in due):
                not_due.append(str(event))
        replay.run([event])
    return lines, not_due


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=4)
@given(seed=st.integers(0, 10_000), full=st.booleans())
def test_every_chance_event_is_due_and_any_order_is_legal(slug: str, seed: int, full: bool) -> None:
    """Games in which the due lines, optional ones too, are written in random order have no findings."""
    one = game(slug)
    dice = SeededDice(f"order {seed}")

    def shuffled(table: Table[Any, Any]) -> list[Due]:
        due = one.due(table)
        required = [msgspec.structs.replace(each, optional=False) for each in due]
        return dice.sample(required, len(required)) if len(due) > 1 else list(due)

    mixed = msgspec.structs.replace(one, due=shuffled)
    (match,) = simulate(mixed, one.cards, Plan(seed=seed, full=full, limit=300), 1)
    assert match.findings == []
    ruleset = one.rulebook.ruleset(one.rulebook.editions[0].label, {})
    lines, not_due = chance_lines_not_due(one, match.events, ruleset, one.cards.library)
    assert lines
    assert not_due == []
