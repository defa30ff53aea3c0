"""Properties of the fold and of the bots of Evolve, on games that the bots play."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from events.vocabulary import Consequence, Event, vocabulary
from projector.fold import Replay, fold
from projector.game import game
from projector.simulate import Bot, Plan, simulate

GAME = game("evolve")
RULESET = GAME.rulebook.ruleset("forum-draft")
RECORDINGS = Path(__file__).parents[3] / "recordings" / "evolve"
SEEDS = 4


@cache
def played(seed: int, *, greedy: bool = False) -> tuple[Event, ...]:
    """Give a whole game of bots with all its consequences."""
    bot = Bot.GREEDY if greedy else Bot.RANDOM
    (found,) = simulate(GAME, GAME.cards, Plan(seed=seed, bots=(bot, bot), full=True), 1)
    assert not found.findings
    assert not found.abandoned
    return tuple(found.events)


@cache
def recorded() -> tuple[tuple[Event, ...], ...]:
    """Give all recorded games, without their numbers."""
    types = vocabulary("evolve")
    texts = (path.read_text(encoding="utf-8").splitlines() for path in sorted(RECORDINGS.glob("*.jsonl")))
    return tuple(tuple(msgspec.structs.replace(types.decode(line), seq=UNSET) for line in lines) for lines in texts)


def folded(events: tuple[Event, ...]) -> Replay:
    """Fold events without the steps that are due when a log ends."""
    return Replay(GAME, RULESET).run(events)


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_game_of_bots_keeps_the_rules(seed: int, greedy: bool) -> None:
    """Whatever is offered as legal is judged legal, and what follows is what the rules derive."""
    replay = fold(GAME, played(seed, greedy=greedy))
    assert not replay.findings
    assert replay.table.over


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_sparse_log_folds_to_the_same_table(seed: int) -> None:
    """Consequences may be left out."""
    full = played(seed)
    sparse = tuple(msgspec.structs.replace(event, seq=UNSET) for event in full if not isinstance(event, Consequence))
    assert fold(GAME, sparse).table.state() == fold(GAME, full).table.state()


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, SEEDS - 1), part=st.floats(0.02, 1))
def test_a_fold_can_be_interrupted(seed: int, part: float) -> None:
    """Folding a beginning and then the rest is folding all."""
    events = played(seed)
    cut = max(1, int(len(events) * part))
    replay = folded(events[:cut]).run(events[cut:])
    assert replay.table.state() == folded(events).table.state()


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, SEEDS - 1), part=st.floats(0.02, 1))
def test_stepping_back_is_folding_less(seed: int, part: float) -> None:
    """The table at any step is the table of the log that ends there."""
    events = played(seed)
    cut = max(1, int(len(events) * part))
    assert folded(events).at(cut - 1).state() == folded(events[:cut]).table.state()


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, SEEDS - 1), part=st.floats(0.05, 0.95))
def test_looking_at_what_is_legal_changes_nothing(seed: int, part: float) -> None:
    """Legal decisions, values and drawings are asked for in the middle of a game."""
    events = played(seed)
    table: Any = folded(events[: int(len(events) * part)]).table
    before = table.state()
    for player in table.players:
        GAME.legal(table, player)
        GAME.value(table, player)
        GAME.areas(table, player)
    GAME.actors(table)
    assert table.state() == before


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, SEEDS - 1), part=st.floats(0.05, 0.95))
def test_every_legal_decision_is_judged_legal(seed: int, part: float) -> None:
    """Each decision that is offered, written as the next line, breaks no rule."""
    events = played(seed)
    cut = int(len(events) * part)
    table: Any = folded(events[:cut]).table
    for player in GAME.actors(table):
        for decision in GAME.legal(table, player):
            assert not folded(events[:cut]).run([decision]).findings, decision


def _other(dice: random.Random, event: Event, names: list[str]) -> Event:
    changed: dict[str, Any] = {}
    for field in ("card", "target", "host", "food", "into"):
        if isinstance(getattr(event, field, None), str) and dice.random() < 0.3:
            changed[field] = dice.choice(names)
    if isinstance(getattr(event, "player", None), str) and dice.random() < 0.2:
        changed["player"] = dice.choice("ABC")
    for field in ("cards", "returned", "drawn"):
        if isinstance(getattr(event, field, None), tuple) and dice.random() < 0.2:
            changed[field] = tuple(dice.choice(names) for _ in range(dice.randint(0, 5)))
    return msgspec.structs.replace(event, **changed)


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**6))
def test_no_log_stops_the_fold(seed: int) -> None:
    """Lines in any order, of strangers, with cards that nobody has: the fold goes on with what the table did."""
    dice = random.Random(seed)  # noqa: S311 - a test, not a secret
    games = recorded()
    lines = [event for each in games for event in each[1:]]
    names = ["A:prochlorococcus", "B:bdellovibrio#1", "A:?1", "B:?2", "C:x", "nonsense", "A:warm-bloom#9", "A:nostoc"]
    begun = dice.choice(games)
    events = [*begun[: dice.randint(1, len(begun))], *(_other(dice, dice.choice(lines), names) for _ in range(40))]
    if dice.random() < 0.3:
        rest = events[1:]
        dice.shuffle(rest)
        events = [events[0], *rest]
    replay = fold(GAME, events)
    assert replay.stopped is None
    table = replay.table
    lying = [card.name for zone in table.zones.values() for card in zone.cards]
    assert len(lying) == len(set(lying))
    assert all(card.energy >= 0 for card in table.cards.values())
    assert all(player.dna >= 0 and player.mp >= 0 for player in table.players.values())
