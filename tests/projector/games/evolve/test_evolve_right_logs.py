"""Right logs of Evolve that are written another way: consequences in another order, and totals read at any time."""

import random
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.games.evolve import StateObserved
from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

GAME = game("evolve")
SEEDS = 6


@cache
def game_of_bots(seed: int, *, full: bool) -> tuple[Event, ...]:
    """Return a legal game of greedy bots, with or without consequences; its lines have no numbers."""
    (found,) = simulate(GAME, GAME.cards, Plan(seed=seed, bots=(Bot.GREEDY, Bot.GREEDY), full=full), 1)
    return tuple(msgspec.structs.replace(event, seq=UNSET, cause=UNSET) for event in found.events)


def with_consequences(events: tuple[Event, ...]) -> list[list[Event]]:
    """Return each decision or chance line with the consequences that stand behind it."""
    starts = [index for index, event in enumerate(events) if not isinstance(event, Consequence)]
    return [list(events[start:end]) for start, end in pairwise([*starts, len(events)])]


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, SEEDS), shuffling=st.integers(0, 10**6))
def test_consequences_may_stand_in_any_order(seed: int, shuffling: int) -> None:
    """A legal game has no findings if the consequences between two other lines change places."""
    dice = random.Random(shuffling)  # noqa: S311 - a test, not a secret
    shuffled: list[Event] = []
    for first, *rest in with_consequences(game_of_bots(seed, full=True)):
        dice.shuffle(rest)
        shuffled += [first, *rest]
    assert [(each.seq, each.message) for each in fold(GAME, shuffled).findings] == []


def totals_read(table: Any, dice: random.Random) -> StateObserved:
    """Return the totals of a player, and of an organism of that player in play, as read off the table."""
    player = dice.choice(list(table.players.values()))
    organisms = table.zones[player.play].cards
    card: Any = dice.choice(organisms) if organisms else None
    about: dict[str, Any] = (
        {} if card is None else {"card": card.name, "energy": card.energy, "stressed": card.stressed}
    )
    sizes: dict[str, Any] = {"hand": table.zones[player.hand].size, "discard": table.zones[player.discard].size}
    return StateObserved(player=player.id, dna=player.dna, mp=player.mp, **sizes, **about)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, SEEDS), place=st.integers(0, 10**6), steps=st.integers(0, 4), full=st.booleans())
def test_right_totals_are_no_drift_at_any_time(seed: int, place: int, steps: int, full: bool) -> None:
    """Totals that are right after a line, or after some of the automatic steps that follow it, have no finding."""
    events = game_of_bots(seed, full=full)
    at = 7 + place % (len(events) - 7)
    replay = Replay(GAME, GAME.rulebook.ruleset("forum-draft")).run(events[:at])
    if replay.table.over:
        return
    table: Any = replay.table
    for _ in range(steps):
        table.TURN.advance(table)
    observed = totals_read(replay.table, random.Random(place))  # noqa: S311 - a test, not a secret
    assert [(each.seq, each.message) for each in fold(GAME, [*events[:at], observed, *events[at:]]).findings] == []


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_wrong_total_is_one_drift(seed: int) -> None:
    """A wrong total has one finding, and later lines that go on from it have none."""
    events = game_of_bots(seed, full=False)
    at = len(events) // 2
    table = Replay(GAME, GAME.rulebook.ruleset("forum-draft")).run(events[:at]).table
    observed = StateObserved(player="A", mp=table.players["A"].mp + 50)
    found = fold(GAME, [*events[:at], observed, *events[at:]]).findings
    assert [(each.seq, each.rule, each.kind) for each in found] == [(at + 1, "evolve.state.observed", "drift")]
