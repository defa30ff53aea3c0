"""Consequences that are written down after the next decision of their player: late writing accuses nobody."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.marks import go_back, mark
from tabletape.projector.fold.passed_over import player_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.model.rules import HARD
from tests.projector.test_consequence_order import depends_on
from tests.written_games import game_of_bots


def behind_the_next_decision(events: tuple[Event, ...], here: int) -> tuple[Event, ...]:
    """Return a log with the consequence at an index moved behind the decision that depends on it, if there is one."""
    consequence: Any = events[here]
    later = range(here + 1, len(events))
    there = next((index for index in later if depends_on(events[index], consequence)), here)
    return (*events[:here], *events[here + 1 : there + 1], consequence, *events[there + 1 :])


def cards_of(replay: Replay) -> dict[str, Any]:
    """Return all that is on a table, without what the game notes about the lines that may come next."""
    return {key: thing for key, thing in replay.table.state().items() if key != "0"}


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=12)
@given(seed=st.integers(1, 12), order=st.integers(0, 9999))
def test_a_consequence_behind_the_next_decision_is_reported_as_late(slug: str, seed: int, order: int) -> None:
    """At most that line is a finding, and only where a rule says when the consequence happens."""
    events = game_of_bots(slug, seed)
    places = [here for here, event in enumerate(events) if isinstance(event, Consequence) and player_of(event)]
    here = Random(order).choice(places)  # noqa: S311 - which line is moved is no secret
    lines = behind_the_next_decision(events, here)
    there = next((index for index in range(here, len(lines)) if lines[index] is events[here]), here)
    replay = fold(game(slug), lines)
    hard = [found for found in replay.findings if found.kind in HARD]
    assert replay.stopped is None
    assert [found.seq for found in hard] in ([], [there + 1])
    assert all(game(slug).by_id[found.rule].says_when for found in hard)
    assert hard or cards_of(replay) == cards_of(fold(game(slug), events))


def test_a_payment_beside_the_one_that_is_due_is_late() -> None:
    """A payment that is right for the play before, and is followed by the one that is due, is late and not wrong."""
    events = game_of_bots("crystal", 3)
    paid = [here for here, event in enumerate(events) if type(event).__name__ == "CrystalsPaid"]
    here = next(each for each in paid if isinstance(events[each - 1], Decision) and each + 2 in paid)
    replay = fold(game("crystal"), behind_the_next_decision(events, here))
    (found,) = replay.findings
    assert (found.kind, found.seq) == ("info", here + 2)
    assert found.message.endswith(f"it belongs before event {here + 1}")


def test_a_payment_in_the_place_of_the_one_that_is_due_is_wrong() -> None:
    """Without the payment that is due nobody can tell whether the line is late or names a wrong number."""
    events = game_of_bots("crystal", 3)
    paid = [here for here, event in enumerate(events) if type(event).__name__ == "CrystalsPaid"]
    here = next(each for each in paid if isinstance(events[each - 1], Decision) and each + 2 in paid)
    lines = behind_the_next_decision(events, here)
    (found,) = fold(game("crystal"), (*lines[: here + 2], *lines[here + 3 :])).findings
    assert (found.kind, found.seq) == ("mismatch", here + 2)


def test_a_late_line_may_be_tried_twice() -> None:
    """Going back in a replay gives back what a late line has taken."""
    one, events = game("crystal"), game_of_bots("crystal", 3)
    here = next(each for each, event in enumerate(events) if type(event).__name__ == "CrystalsGained")
    lines = behind_the_next_decision(events, here)
    late = lines.index(events[here])
    replay = Replay(one, one.rulebook.ruleset(one.rulebook.editions[0].label)).run(lines[:late])
    start = mark(replay)
    found = []
    for _ in range(2):
        found.append([msgspec.structs.asdict(each) for each in replay.run(lines[late:]).findings])
        go_back(replay, start)
    assert found[0] == found[1]
    assert [each["kind"] for each in found[0]] == ["info"]
