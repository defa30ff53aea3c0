"""Bots play under every reading of the rules: what is offered is legal, and what is legal breaks no rule."""

import random
from pathlib import Path

import pytest

from events.games.evolve import MulliganTaken
from projector.fold.folding import fold
from projector.games import game
from projector.selfplay.bots import Bot
from projector.selfplay.branch import branches, stem_of
from projector.selfplay.simulate import Plan, simulate

GAME = game("evolve")
RECORDINGS = Path(__file__).parents[3] / "recordings"
WITHOUT_DECKS = {"deck_limits"}
"""The decks that are built in are smaller than these readings allow."""
OPTIONS = [
    (ruling.key, option.name)
    for ruling in GAME.rulebook.rulings
    for option in ruling.options[1:]
    if option.built and ruling.key not in WITHOUT_DECKS
]


def plays_cleanly(seed: int, rulings: dict[str, str]) -> None:
    """Play a game of two bots under some rulings, and audit it."""
    plan = Plan(seed=seed, bots=(Bot.GREEDY, Bot.RANDOM), full=True, rulings=rulings, limit=400)
    (found,) = simulate(GAME, GAME.cards, plan, 1)
    assert [(each.seq, each.rule, each.kind, each.message) for each in fold(GAME, found.events).findings] == [], rulings


@pytest.mark.parametrize(("key", "option"), OPTIONS)
def test_bots_play_under_every_option(key: str, option: str) -> None:
    """A game under one other reading is clean."""
    plays_cleanly(len(key), {key: option})


@pytest.mark.parametrize("seed", range(6))
def test_bots_play_under_any_options_together(seed: int) -> None:
    """A game under several other readings is clean."""
    dice = random.Random(seed)  # noqa: S311 - a test, not a secret
    chosen = {key: option for key, option in OPTIONS if dice.random() < 0.4}
    plays_cleanly(seed, chosen)


def test_a_branch_draws_last_what_lies_under_a_deck() -> None:
    """Going on from a game with a free mulligan, nobody draws the returned cards early or holds them unseen."""
    log = RECORDINGS / "evolve" / "free-mulligan.jsonl"
    events = [GAME.vocabulary.decode(line) for line in log.read_text(encoding="utf-8").splitlines()]
    under = next(each.returned for each in events if isinstance(each, MulliganTaken))
    played = fold(GAME, events)
    assert set(under) == set(played.table.players["A"].bottom)
    for (branch,) in branches([stem_of(played, len(events), Plan(limit=80))], 6):
        assert branch.findings == []
