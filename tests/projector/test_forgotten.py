"""A decision that is missing from the log is one finding, where later lines show that it was made."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.rules import HARD
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate


def evolve(seed: int) -> list[Event]:
    """Return a game of Evolve between two random bots, with only its decisions and chance events."""
    one = game("evolve")
    (found,) = simulate(one, one.cards, Plan(seed=seed, bots=(Bot.RANDOM, Bot.RANDOM)), 1)
    return [msgspec.structs.replace(event, seq=UNSET, cause=UNSET) for event in found.events]


@settings(deadline=None, max_examples=12)
@given(seed=st.sampled_from([2, 8, 10, 11]), choice=st.integers(0, 99))
def test_a_forgotten_unstressing_is_at_most_one_finding(seed: int, choice: int) -> None:
    """However often the organism acts afterwards, there is at most one finding, and it comes after the lost line."""
    events: Any = evolve(seed)
    places = [here for here, event in enumerate(events) if isinstance(event, ev.OrganismUnstressed)]
    here = places[choice % len(places)]
    replay = fold(game("evolve"), [*events[:here], *events[here + 1 :]])
    causes = [each for each in replay.findings if each.kind in HARD and not each.follows]
    assert len(causes) <= 1
    assert all(each.seq > here for each in causes)


def test_a_stressed_organism_that_acts_once_has_broken_a_rule(recorded: Any) -> None:
    """If no later line shows that a decision was forgotten, the play stays illegal."""
    replay = recorded("evolve/stressed-duplicates").replay
    assert [each.kind for each in replay.findings if each.kind in HARD][:1] == ["illegal"]


def test_no_decision_is_added_to_a_legal_game() -> None:
    """In a legal game no line is read as following a forgotten decision."""
    assert fold(game("evolve"), evolve(2)).misread == frozenset()
