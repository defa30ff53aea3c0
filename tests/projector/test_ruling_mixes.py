"""Under any combination of rulings bots can play, and the decisions that are offered to them break no rule."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.selfplay.simulate import Plan, SimulationError, simulate

MAX_LINES = 250
"""Lines after which a game is stopped: the test is about rules, it needs no finished games."""


@pytest.mark.parametrize("slug", games())
@settings(max_examples=20, deadline=None)
@given(dice=st.randoms(use_true_random=False), seed=st.integers(0, 2**31), share=st.sampled_from((0.1, 0.3, 0.6)))
def test_offered_decisions_break_no_rule_under_any_rulings(slug: str, dice: Random, seed: int, share: float) -> None:
    """Every decision that is offered is legal under the rulings of the game."""
    one = game(slug)
    changed = [ruling for ruling in one.rulebook.rulings if len(ruling.options) > 1 and dice.random() < share]
    rulings = {ruling.key: dice.choice(ruling.options[1:]).name for ruling in changed}
    assert findings_of_a_game(one, rulings, seed) == []


def findings_of_a_game(one: Game, rulings: dict[str, str], seed: int) -> list[str]:
    """Return the findings of a game that bots play under rulings; rulings that exclude each other are left out."""
    chosen = dict(rulings)
    while True:
        try:
            plan = Plan(seed=seed, rulings=chosen, full=True, limit=MAX_LINES)
            (played,) = simulate(one, one.cards, plan, 1)
        except (RulesetError, SimulationError) as error:
            # The ruling that the error names, and no other that the game could be played under.
            del chosen[next((key for key in reversed(chosen) if f"{key}=" in str(error)), next(reversed(chosen)))]
        else:
            return [f"{each.seq} {each.rule}: {each.message} under {chosen}" for each in played.findings]
