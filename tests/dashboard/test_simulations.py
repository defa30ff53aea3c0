"""The simulations with a known truth of `tests/benchmarks`, by fewer runs."""

from importlib import import_module
from typing import Final

import numpy as np
import pyarrow as pa
import pytest

from tabletape.dashboard.questions import Question, question, questions
from tabletape.dashboard.questions.by_luck import standing_out
from tabletape.dashboard.statistics.intervals import wilson
from tabletape.dashboard.statistics.paired import Paired
from tabletape.dashboard.statistics.stopping import e_value
from tests.benchmarks import intervals, more_intervals, unequal_people
from tests.benchmarks.card_effects import OF_CARDS
from tests.benchmarks.intervals import SELDOM, SIMULATIONS, Simulation, outcome
from tests.benchmarks.unequal_people import decisiveness_among_unequal_people, uncertainty_among_unequal_people

RUNS: Final = 1000
SLOW: Final[dict[Simulation, int]] = {
    more_intervals.rating_of_a_deck: 400,
    more_intervals.clearly_stronger_of_equals: 700,
    **dict.fromkeys((more_intervals.chance_of_two_decks, more_intervals.stronger_of_two_decks), 400),
    **dict.fromkeys((unequal_people.first_player_among_unequal_people, unequal_people.deck_of_unequal_people), 400),
    **dict.fromkeys((decisiveness_among_unequal_people, uncertainty_among_unequal_people), 210),
    more_intervals.verdict_not_fair: 10_000,
    **dict.fromkeys((more_intervals.stronger_deck_is_found, more_intervals.strongest_of_all), 400),
    **dict.fromkeys((more_intervals.rank_correlation_of_a_half, intervals.strength_of_a_player), 400),
    more_intervals.rise_at_a_turning_point: 150,
    more_intervals.turning_point: 120,
    more_intervals.e_value_of_pairs_at_every_look: 150,
    more_intervals.change_is_found: 150,
    intervals.what_if_at_every_look: 150,
    intervals.worth_of_keeping: 200,
}
"""Simulations that take long are run less often, one that says something only now and then more often."""

ERRORS: Final = 2.5
"""So many Monte Carlo errors may lie between what came true and what is promised."""


@pytest.mark.parametrize("simulation", SIMULATIONS, ids=lambda each: each.__name__)
def test_what_is_promised_comes_true_and_no_more(simulation: Simulation) -> None:
    """Always the same runs: an interval that misses the truth too often fails, and so does one that is too wide."""
    found, told = outcome(simulation, SLOW.get(simulation, RUNS))
    promise = SIMULATIONS[simulation]
    assert found >= promise.low - ERRORS * np.sqrt(promise.low * (1 - promise.low) / told)
    assert found <= promise.high + ERRORS * np.sqrt(promise.high * (1 - promise.high) / told)


OF_PAIRS: Final = {
    "low": "what_if",
    "high": "what_if",
    "always": "what_if_at_every_look",
    "p": "mcnemar_of_no_change",
    "e_value": "e_value_of_pairs_at_every_look",
}
"""What `whatif` promises of pairs, and the simulation of each."""

COUNTED: Final = {"n", "mean", "more", "fewer"}
"""What it only counts."""

ELSEWHERE: Final = {
    *("share", "share_of_copies", "share_of_decisions"),  # every `share` line of a question
    *("shift_of_lengths", "shift_of_a_share", "change_is_found"),  # the measures beside what pairs say
    *("kinds_of_pairs_that_are_alike", "kinds_of_pairs_that_differ_are_found"),  # what kinds of bots say together
    *("clear_difference", "clear_difference_is_found"),  # words of a difference of shares
}

DESCRIBED: Final = {
    *("strength", "chance", "narrowed", "effect", "alone", "rho", "difference", "median", "before", "after"),
    *("drama", "decisiveness", "uncertainty", "middle_a", "middle_b"),
}
"""Numbers of questions that say what was seen or estimated; their interval is the promise."""


def test_every_promise_of_a_question_has_a_simulation_and_every_simulation_a_promise() -> None:
    """Each number of an answer that is none of the described ones is named with a simulation of its truth."""
    simulated = {each.__name__ for each in SIMULATIONS} | OF_CARDS.keys()
    promised = {name for each in questions() for name in each.promises}
    assert promised | set(OF_PAIRS.values()) | ELSEWHERE == simulated
    assert set(Paired.__struct_fields__) == OF_PAIRS.keys() | COUNTED
    for each in questions():
        shares = {share.name + end for share in (*each.shares, *each.shrunk) for end in ("", "_low", "_high")}
        named = {column for columns in each.promises.values() for column in columns}
        for column in _told(each):
            assert column.name in named | DESCRIBED, (each.name, column.name)
        assert named <= {column.name for column in _told(each)} | set(each.columns) | shares, each.name


def _told(asked: Question) -> list[pa.Field]:
    """Return the columns of a method that are no counts and no words."""
    if not asked.method:
        return []
    method = import_module(f"tabletape.dashboard.questions.methods.{asked.method}")
    schemas = [each for each in vars(method).values() if isinstance(each, pa.Schema)]
    return [field for schema in schemas for field in schema if pa.types.is_floating(field.type) or field.type == "bool"]


def test_every_flag_that_is_seldom_raised_by_luck_can_be_seen_to_be_raised() -> None:
    """An upper bound that so few runs could never exceed would be none."""
    for simulation in [each for each, promise in SIMULATIONS.items() if promise is SELDOM]:
        runs, high = SLOW.get(simulation, RUNS), SELDOM.high
        assert high + ERRORS * np.sqrt(high * (1 - high) / runs) < 1


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
