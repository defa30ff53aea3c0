"""The simulations with a known truth of `tests/benchmarks`: that none is missing, and a few runs of some."""

import re
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tabletape.dashboard import statistics
from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.by_luck import standing_out
from tabletape.dashboard.statistics.intervals import wilson
from tabletape.dashboard.statistics.stopping import e_value
from tests.benchmarks.intervals import Simulation, kinds_that_play_alike
from tests.benchmarks.more_intervals import (
    forecast_of_half,
    rank_correlation_of_a_half,
    shift_of_a_share,
    uncertainty_of_games,
)

WORKED_OUT: Final[dict[str, set[str]]] = {
    "clusters": {"clumps", "design_effect"},
    "comparison": set(),
    "conditional_logit": {"fit", "averaged", "log_likelihood", "chances"},
    "intervals": {
        "wilson_at", "z_of", "games_needed", "shrunk", "spread", "percent", "percentage_in_words", "share_in_words",
        "difference_in_words",
    },
    "many_effects": {"told"},
    "paired": set(),
    "ranks": set(),
    "stopping": set(),
    "survival": set(),
    "tension": {"drama", "decisiveness", "uncertainty"},
}  # fmt: skip
"""Functions that promise nothing about luck: sums, words, and the fits by which the others are worked out."""


def test_all_that_promises_something_about_luck_is_simulated() -> None:
    """Every interval, flag, e-value, forecast and chance is run against a known truth in `tests/benchmarks`."""
    folder = Path(__file__).parents[1] / "benchmarks"
    names = ("intervals", "more_intervals", "card_effects")
    text = "".join(folder.joinpath(f"{name}.py").read_text(encoding="utf-8") for name in names)
    modules = {each.stem for each in Path(str(statistics.__path__[0])).glob("[a-z]*.py")}
    assert modules == WORKED_OUT.keys()
    for name in sorted(modules):
        module = import_module(f"{statistics.__name__}.{name}")
        here = [
            function for function, each in vars(module).items()
            if getattr(each, "__module__", "") == module.__name__ and callable(each) and function.islower()
        ]  # fmt: skip
        promising = {function for function in here if not function.startswith("_")} - WORKED_OUT[name]
        assert {function for function in promising if not re.search(rf"\b{function}\(", text)} == set(), name


@pytest.mark.parametrize(
    ("simulation", "runs", "least"),
    [
        (uncertainty_of_games, 60, 0.8),
        (kinds_that_play_alike, 200, 0.95),
        (shift_of_a_share, 200, 0.89),
        (rank_correlation_of_a_half, 60, 0.9),
        (forecast_of_half, 100, 0.4),
    ],
)
def test_what_is_promised_comes_true(simulation: Simulation, runs: int, least: float) -> None:
    """A few runs of the simulations of `tests/benchmarks`, always the same ones."""
    told = [simulation(np.random.default_rng(seed)) for seed in range(runs)]
    assert np.mean([each for each in told if each is not None]) >= least


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
