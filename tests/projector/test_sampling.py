"""What bots look at: samples of the legal decisions, those that look alike, and how good one looks at most."""

from collections import Counter, deque
from typing import Final

import pytest

from tabletape.projector.games import game, games
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan
from tests.projector.decisions import misjudged, tables_before_decisions

SAMPLING: Final = [slug for slug in games() if game(slug).bots.sample is not None]
RULINGS: Final[dict[str, list[dict[str, str]]]] = {
    "evolve": [{}],
    "phylogenome": [{}, {"geometry": "grid8"}, {"move_check": "end_state"}, {"connect_to": "own_progress"}],
}
FEW: Final = 40
"""Up to so many legal decisions each of them is drawn often enough to be counted."""


@pytest.mark.parametrize(("slug", "rulings"), [(slug, each) for slug in SAMPLING for each in RULINGS[slug]])
def test_a_sample_is_legal_and_a_large_one_holds_all(slug: str, rulings: dict[str, str]) -> None:
    """A sample holds legal decisions, none of them twice; one that is large enough holds them all."""
    one = game(slug)
    dice = SeededDice("sample")
    for table, player in tables_before_decisions(one, Plan(seed=5, rulings=rulings, limit=90)):
        legal, before = one.legal(table, player), table.state()
        assert one.bots.sample is not None
        for size in (1, 20):
            sample = one.bots.sample(table, player, dice, size)
            assert len(sample) == min(size, len(legal))
            assert [each for each in sample if each not in legal] == []
            assert len({str(each) for each in sample}) == len(sample)
        assert list(one.bots.sample(table, player, dice, len(legal) + 1)) == list(legal)
        assert table.state() == before


@pytest.mark.parametrize("slug", SAMPLING)
def test_each_legal_decision_is_equally_likely(slug: str) -> None:
    """Drawn often enough, each of a few legal decisions comes up about as often as the others (chi-squared)."""
    one = game(slug)
    dice = SeededDice("likely")
    sampled = 0
    for table, player in tables_before_decisions(one, Plan(seed=3, limit=90)):
        legal = [str(each) for each in one.legal(table, player)]
        if not 3 < len(legal) <= FEW:
            continue
        assert one.bots.sample is not None
        drawn = Counter(str(one.bots.sample(table, player, dice, 1)[0]) for _ in range(60 * len(legal)))
        chi_squared = sum((drawn[each] - 60) ** 2 / 60 for each in legal)
        degrees = len(legal) - 1
        assert chi_squared < degrees + 6 * (2 * degrees) ** 0.5, (drawn, legal)
        sampled += 1
        if sampled == 6:
            break
    assert sampled


LOOKED_AT: Final[dict[str, list[Plan]]] = {
    "duelyst": [Plan(seed=seed, limit=220) for seed in (5, 6, 7)],
    "evolve": [Plan(seed=seed, limit=200) for seed in (5, 6)],
    "phylogenome": [Plan(seed=5, rulings=each, limit=90) for each in RULINGS["phylogenome"]],
}


@pytest.mark.parametrize(("slug", "plan"), [(slug, each) for slug, plans in LOOKED_AT.items() for each in plans])
def test_decisions_are_worth_what_is_seen_of_them(slug: str, plan: Plan) -> None:
    """Decisions that a game says look alike lead to tables of the same worth, and none to more than it says at most."""
    one = game(slug)
    for table, player in tables_before_decisions(one, plan):
        assert misjudged(one, table, player, one.legal(table, player)) == []


ENDING: Final[list[tuple[str, dict[str, str]]]] = [
    *((slug, {}) for slug in LOOKED_AT),
    ("phylogenome", {"deck_out": "lose"}),
    ("phylogenome", {"stall_guard": "score_after_six_idle_turns"}),
]


@pytest.mark.parametrize(("slug", "rulings"), ENDING)
def test_the_last_decisions_of_a_game_are_worth_what_is_seen_of_them(slug: str, rulings: dict[str, str]) -> None:
    """A decision that wins the game is worth a win, and no game says that it comes to less at most."""
    one = game(slug)
    for seed in (5, 6):
        plan = Plan(seed=seed, bots=(Bot.GREEDY, Bot.GREEDY), rulings=rulings, limit=900)
        last = deque(((table.copy(), player) for table, player in tables_before_decisions(one, plan)), maxlen=3)
        for table, player in last:
            assert misjudged(one, table, player, one.legal(table, player)) == []
