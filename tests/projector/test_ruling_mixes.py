"""Bots can play under any mix of rulings, and no decision that is offered breaks a rule."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projector.games import game, games
from projector.model.game import Game
from projector.model.rulebook import RulesetError
from projector.selfplay.simulate import Plan, SimulationError, simulate

ENOUGH = 400
"""Lines after which a game is broken off: it is the rules that are tried, not the ends."""


@pytest.mark.parametrize("slug", games())
@settings(max_examples=8, deadline=None)
@given(dice=st.randoms(use_true_random=False), seed=st.integers(0, 2**31), share=st.sampled_from((0.1, 0.3, 0.6)))
def test_what_is_offered_breaks_no_rule_under_any_mix(slug: str, dice: Random, seed: int, share: float) -> None:
    """Every decision that is offered is legal under the readings that the game is played by."""
    one = game(slug)
    others = [ruling for ruling in one.rulebook.rulings if len(ruling.options) > 1 and dice.random() < share]
    rulings = {ruling.key: dice.choice(ruling.options[1:]).name for ruling in others}
    assert mistakes(one, rulings, seed) == []


def mistakes(one: Game, rulings: dict[str, str], seed: int) -> list[str]:
    """Play a game under rulings and return what is found in it; rulings that exclude each other are left out."""
    chosen = dict(rulings)
    while True:
        try:
            plan = Plan(seed=seed, rulings=chosen, full=True, limit=ENOUGH)
            (played,) = simulate(one, one.cards, plan, 1)
        except (RulesetError, SimulationError):
            chosen.popitem()
        else:
            return [f"{each.seq} {each.rule}: {each.message} under {chosen}" for each in played.findings]
