"""Consequences that are written down after the next decision of their player: late writing accuses nobody."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.events.vocabulary.shared import DeckDeclared, GameEnded, PhaseStarted, TurnStarted
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
    """At most that line is a finding, and it accuses nobody; the table is the same."""
    events = game_of_bots(slug, seed)
    places = [here for here, event in enumerate(events) if isinstance(event, Consequence) and player_of(event)]
    here = Random(order).choice(places)  # noqa: S311 - which line is moved is no secret
    lines = behind_the_next_decision(events, here)
    there = next((index for index in range(here, len(lines)) if lines[index] is events[here]), here)
    replay = fold(game(slug), lines)
    assert replay.stopped is None
    assert [(found.seq, found.kind) for found in replay.findings] in ([], [(there + 1, "info")])
    assert cards_of(replay) == cards_of(fold(game(slug), events))


def end_of_reach(events: tuple[Event, ...], here: int) -> int:
    """Return the index before the third decision behind a line, up to which what follows from it is written down."""
    decisions = (
        index
        for index in range(here + 1, len(events))
        if isinstance(events[index], Decision) and not isinstance(events[index], DeckDeclared)
    )
    return next(islice(decisions, 2, None), len(events)) - 1


def written_late(events: tuple[Event, ...], share: float, rng: Random, *, kept: float = 1.0) -> list[Event]:
    """Return a log in which a share of the consequences stands anywhere within the two decisions that follow.

    Of all consequences only the share that is `kept` is written at all.
    """
    places = [
        (rng.randint(here, end_of_reach(events, here)) + rng.uniform(0.1, 0.9), here)
        if isinstance(event, Consequence) and rng.random() < share
        else (float(here), here)
        for here, event in enumerate(events)
        if kept == 1 or not isinstance(event, Consequence) or rng.random() < kept
    ]
    return [events[here] for _, here in sorted(places)]


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(1, 40), share=st.sampled_from([0.02, 0.1, 0.5, 1.0]), order=st.integers(0, 9999))
def test_who_writes_consequences_within_two_decisions_accuses_nobody(
    slug: str, seed: int, share: float, order: int
) -> None:
    """Any share of what follows may be written late, in any order: nothing is wrong, and the table is the same."""
    events = game_of_bots(slug, seed)
    replay = fold(game(slug), written_late(events, share, Random(order)))  # noqa: S311 - the order is no secret
    assert replay.stopped is None
    assert [(found.seq, found.message) for found in replay.findings if found.kind != "info"] == []
    assert cards_of(replay) == cards_of(fold(game(slug), events))


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(1, 40), kept=st.sampled_from([0.05, 0.1, 0.2]), order=st.integers(0, 9999))
def test_who_writes_hardly_anything_and_that_late_accuses_nobody(slug: str, seed: int, kept: float, order: int) -> None:
    """Where one line may be late or wrong the log cannot tell: neither it nor what comes after it is accused."""
    rng = Random(order)  # noqa: S311 - the order is no secret
    replay = fold(game(slug), written_late(game_of_bots(slug, seed), 1.0, rng, kept=kept))
    assert replay.stopped is None
    assert [(found.seq, found.message) for found in replay.findings if found.kind in HARD] == []


@pytest.mark.parametrize("slug", games())
def test_who_writes_everything_behind_the_next_decision_accuses_nobody(slug: str) -> None:
    """A log in which each consequence comes after the next decision, as people keep it, is right throughout."""
    for seed in range(1, 5):
        events = game_of_bots(slug, seed)
        places = [
            (end_of_next_decision(events, here) + 0.5, here) if isinstance(event, Consequence) else (float(here), here)
            for here, event in enumerate(events)
        ]
        findings = fold(game(slug), [events[here] for _, here in sorted(places)]).findings
        assert [(found.seq, found.message) for found in findings if found.kind != "info"] == []


def at_the_end_of_the_turn(events: tuple[Event, ...], *, again: bool = False) -> Iterator[Event]:
    """Yield a log in which all that follows from the plays of a turn stands behind them, in its order, or `again`."""
    started = next(here for here, event in enumerate(events) if isinstance(event, TurnStarted))
    yield from events[:started]
    held: list[Event] = []
    has_begun = False
    for event in events[started:]:
        if isinstance(event, TurnStarted | PhaseStarted | GameEnded):
            yield from held
            held, has_begun = [], False
        has_begun = has_begun or isinstance(event, Decision)
        if has_begun and isinstance(event, Consequence):
            held.append(event)
        if again or not (has_begun and isinstance(event, Consequence)):
            yield event
    yield from held


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("again", [False, True])
def test_who_writes_what_followed_when_the_turn_is_over_accuses_nobody(slug: str, *, again: bool) -> None:
    """However many decisions a turn has: its consequences may stand behind all of them, also a second time."""
    for seed in range(1, 7):
        findings = fold(game(slug), [*at_the_end_of_the_turn(game_of_bots(slug, seed), again=again)]).findings
        assert [(found.seq, found.message) for found in findings if found.kind != "info"] == []


def end_of_next_decision(events: tuple[Event, ...], here: int) -> int:
    """Return the index of the next decision behind a line, or its own."""
    later = range(here + 1, len(events))
    return next((index for index in later if isinstance(events[index], Decision)), here)


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
