"""Properties of all rules, messages, games of bots and logs of Evolve."""

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.shared import PlayTakenBack
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

GAME = game("evolve")
RECORDINGS = Path(__file__).parents[3] / "recordings" / "evolve"


@cache
def recorded_games() -> tuple[tuple[Event, ...], ...]:
    """Return all recorded games without numbers of lines, and so without `play.taken-back`, which needs them."""
    types = vocabulary("evolve")
    texts = (recorded_lines(path) for path in sorted(RECORDINGS.glob("*.jsonl")))
    games = ([types.decode(line) for line in lines] for lines in texts)
    return tuple(
        tuple(msgspec.structs.replace(event, seq=UNSET) for event in each if not isinstance(event, PlayTakenBack))
        for each in games
    )


def test_every_rule_has_a_sentence_of_its_own() -> None:
    """Every rule has a sentence, and no two have the same."""
    texts = [rule.text for rule in GAME.rules]
    assert all(texts)
    assert len(set(texts)) == len(texts)


def test_numbers_and_nouns_agree_in_every_message() -> None:
    """No message in a recorded game has `1 cards` or the like, or repeats the sentence of the log as the right one."""
    for events in recorded_games():
        for finding in fold(GAME, events).findings:
            assert not re.search(r"\b1 (cards|copies|players|times)\b", finding.message), finding.message
            logged, _, expected = finding.message.partition("; the rules say ")
            assert logged.removeprefix("the log says that ") != expected.removeprefix("that "), finding.message


@pytest.mark.parametrize("seed", range(4))
def test_a_game_of_greedy_bots_has_no_findings(seed: int) -> None:
    """The audit finds nothing in a game of greedy bots, and the game comes to its end."""
    plan = Plan(seed=seed, bots=(Bot.GREEDY, Bot.GREEDY), full=True)
    (found,) = simulate(GAME, GAME.cards, plan, 1)
    assert not found.abandoned
    replay = fold(GAME, found.events)
    assert not replay.findings
    assert replay.table.over


def _mutated(dice: random.Random, event: Event, names: list[str]) -> Event:
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


def _has_negative_total(event: Event) -> bool:
    """Return whether an event has a total below 0, as the ruling `dna_negative` allows."""
    totals = (getattr(event, name, 0) for name in ("to", "dna", "mp"))
    return any(isinstance(total, int) and total < 0 for total in totals)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_no_log_stops_the_fold(seed: int) -> None:
    """Lines in any order, with unknown players and cards, do not stop the fold, and the table stays consistent."""
    dice = random.Random(seed)  # noqa: S311 - a test, not a secret
    games = [each for each in recorded_games() if not any(map(_has_negative_total, each))]
    lines = [event for each in games for event in each[1:]]
    names = ["A:prochlorococcus", "B:bdellovibrio#1", "A:?1", "B:?2", "C:x", "nonsense", "A:warm-bloom#9", "A:nostoc"]
    start = dice.choice(games)
    events = [*start[: dice.randint(1, len(start))], *(_mutated(dice, dice.choice(lines), names) for _ in range(40))]
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
