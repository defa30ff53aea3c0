"""Samples of the legal decisions: each decision is legal, and each is as likely."""

from collections import Counter
from typing import Any, Final

import pytest

from events.vocabulary import Decision
from projector.fold.replay import Replay
from projector.games import game, games
from projector.model.game import Game
from projector.selfplay.dice import SeededDice
from projector.selfplay.simulate import Plan, simulate

SAMPLING: Final = [slug for slug in games() if game(slug).sample is not None]
RULINGS: Final[dict[str, list[dict[str, str]]]] = {
    "evolve": [{}],
    "phylogenome": [{}, {"geometry": "grid8"}, {"move_check": "end_state"}, {"connect_to": "own_progress"}],
}
FEW: Final = 40
"""How many legal decisions are few enough for each of them to be drawn."""


def tables(one: Game, seed: int, rulings: dict[str, str]) -> Any:
    """Yield a table before each decision of a game of bots, and who decides."""
    (match,) = simulate(one, one.cards, Plan(seed=seed, rulings=rulings, limit=90), 1)
    replay = Replay(one, one.rulebook.ruleset(one.rulebook.editions[0].label, rulings), one.cards.library)
    for event in match.events:
        player = getattr(event, "player", "")
        if isinstance(event, Decision) and replay.events and player in one.actors(replay.table):
            yield replay.table, player
        replay.run([event])


@pytest.mark.parametrize(("slug", "rulings"), [(slug, each) for slug in SAMPLING for each in RULINGS[slug]])
def test_a_sample_is_legal_and_a_large_one_holds_all(slug: str, rulings: dict[str, str]) -> None:
    """A sample holds legal decisions, none of them twice; one that is large enough holds them all."""
    one = game(slug)
    dice = SeededDice("sample")
    for table, player in tables(one, 5, rulings):
        legal, before = one.legal(table, player), table.state()
        assert one.sample is not None
        for most in (1, 20):
            some = one.sample(table, player, dice, most)
            assert len(some) == min(most, len(legal))
            assert [each for each in some if each not in legal] == []
            assert len({str(each) for each in some}) == len(some)
        assert list(one.sample(table, player, dice, len(legal) + 1)) == list(legal)
        assert table.state() == before


@pytest.mark.parametrize("slug", SAMPLING)
def test_each_legal_decision_is_as_likely(slug: str) -> None:
    """Drawn often enough, each of a few legal decisions comes up about as often as the others (chi-squared)."""
    one = game(slug)
    dice = SeededDice("likely")
    sampled = 0
    for table, player in tables(one, 3, {}):
        legal = [str(each) for each in one.legal(table, player)]
        if not 3 < len(legal) <= FEW:
            continue
        assert one.sample is not None
        drawn = Counter(str(one.sample(table, player, dice, 1)[0]) for _ in range(60 * len(legal)))
        chi_squared = sum((drawn[each] - 60) ** 2 / 60 for each in legal)
        freedom = len(legal) - 1
        assert chi_squared < freedom + 6 * (2 * freedom) ** 0.5, (drawn, legal)
        sampled += 1
        if sampled == 6:
            break
    assert sampled
