"""The simulations with a known truth of `tests/benchmarks`, by fewer runs."""

from typing import Final

import numpy as np
import pytest

from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.by_luck import standing_out
from tabletape.dashboard.statistics.intervals import wilson
from tabletape.dashboard.statistics.stopping import e_value
from tests.benchmarks import intervals, more_intervals
from tests.benchmarks.intervals import SIMULATIONS, Simulation, outcome

RUNS: Final = 1000
SLOW: Final[dict[Simulation, int]] = {
    **dict.fromkeys((more_intervals.rating_of_a_deck, more_intervals.clearly_stronger_of_equals), 400),
    **dict.fromkeys((more_intervals.stronger_deck_is_found, more_intervals.strongest_of_all), 400),
    **dict.fromkeys((more_intervals.rank_correlation_of_a_half, intervals.strength_of_a_player), 400),
    more_intervals.rise_at_a_turning_point: 150,
    more_intervals.turning_point: 120,
    more_intervals.e_value_of_pairs_at_every_look: 150,
    more_intervals.change_is_found: 150,
    intervals.what_if_at_every_look: 150,
    intervals.worth_of_keeping: 200,
}
"""Simulations that take long are run less often."""

ERRORS: Final = 2.5
"""So many Monte Carlo errors may lie between what came true and what is promised."""


@pytest.mark.parametrize("simulation", SIMULATIONS, ids=lambda each: each.__name__)
def test_what_is_promised_comes_true_and_no_more(simulation: Simulation) -> None:
    """Always the same runs: an interval that misses the truth too often fails, and so does one that is too wide."""
    found, told = outcome(simulation, SLOW.get(simulation, RUNS))
    promise = SIMULATIONS[simulation]
    assert found >= promise.low - ERRORS * np.sqrt(promise.low * (1 - promise.low) / told)
    assert found <= promise.high + ERRORS * np.sqrt(promise.high * (1 - promise.high) / told)


def test_luck_counts_each_pair_of_decks_once_and_has_one_e_value() -> None:
    """Of two pairs, each seen from both sides, one stands out: of 2 intervals 1, and the mean of two e-values."""
    rows = [
        {"dimension": "deck", "own": own, "other": other, "wins": wins, "games": 40, "baseline": 0.5}
        | dict(zip(("win_rate_low", "win_rate_high"), (wilson(wins, 40).low, wilson(wins, 40).high), strict=True))
        | {"win_rate_effective": 40.0}
        for own, other, wins in (("a", "b", 34), ("b", "a", 6), ("a", "c", 20), ("c", "a", 20))
    ]
    mean = (e_value(34, 40, 0.5) + e_value(20, 40, 0.5)) / 2
    (said,) = standing_out(question("matchups"), rows)
    assert said.startswith("By deck: of 2 intervals 1 leaves out what would be if nothing mattered; by luck alone ")
    assert said.endswith(f" would, on average. One e-value for all of them: {mean:.2g}.")


def test_a_strength_that_is_pulled_to_one_half_stands_out_less_often_by_luck() -> None:
    """Intervals that the games hardly narrowed leave out one half next to never; wholly known ones in one of twenty."""
    said = [
        standing_out(question("ratings"), [{"strength": 0.5, "low": 0.4, "high": 0.6, "narrowed": narrowed}] * 20)
        for narrowed in (0.1, 0.999)
    ]
    assert "fewer than 0.1 would" in said[0][0]
    assert "by luck alone 1.0 would" in said[1][0]


def test_a_row_with_an_e_value_of_its_own_is_given_no_other_and_no_luck_at_all_is_strong_evidence() -> None:
    """`stopping` says its own; of differences, luck of one in ten thousand is an e-value of 50."""
    own = {"win_rate": 0.5, "win_rate_low": 0.4, "win_rate_high": 0.6, "win_rate_effective": 40.0, "baseline": 0.5}
    own |= {"wins": 20, "games": 40, "e_value": 1.0}
    assert standing_out(question("stopping"), [own] * 2) == ()
    (said,) = standing_out(question("versions"), [{"difference": 9, "low": 1, "high": 17, "by_luck": 0.0001}] * 2)
    assert said.endswith("One e-value for all of them: 50.")
