"""Bots play under every reading of the rules: what is offered is legal, and what is legal breaks no rule."""

import random

import pytest

from projector.fold.folding import fold
from projector.model.game import game
from projector.selfplay.bots import Bot
from projector.selfplay.simulate import Plan, simulate

GAME = game("evolve")
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
