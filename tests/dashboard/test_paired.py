"""The statistics of pairs: intervals cover what they promise, and one of them does so at every look."""

import numpy as np
import pytest
from scipy.stats import binom

from tabletape.dashboard.statistics.paired import Counts, mean_shift, paired, share_shift


def test_the_interval_covers_the_true_difference() -> None:
    """In 2,000 runs of 100 pairs 93 to 97 % of the intervals cover the true difference."""
    luck = np.random.default_rng(1)
    chances = [0.1, 0.8, 0.1]
    runs = luck.choice([-1.0, 0.0, 1.0], p=chances, size=(2000, 100)) + 0.0
    held = [found.low <= 0 <= found.high for found in map(paired, runs.tolist())]
    assert 0.93 <= np.mean(held) <= 0.97


def test_the_interval_that_always_holds_is_wrong_in_at_most_five_of_a_hundred_runs() -> None:
    """Checked after every tenth pair from 20 on, it misses the true difference in at most 5 % of runs."""
    luck = np.random.default_rng(2)
    missed = 0
    for run in luck.choice([-1.0, 0.0, 1.0], p=[0.15, 0.7, 0.15], size=(300, 300)).tolist():
        looks = (paired(run[:n]) for n in range(20, 301, 10))
        missed += any(abs(found.mean) > found.always for found in looks)
    assert missed / 300 <= 0.05


def test_mcnemar_is_the_exact_binomial_test_of_the_pairs_that_differ() -> None:
    """P is twice the tail of a binomial test over the pairs that differ."""
    found = paired([1.0] * 3 + [-1.0] * 9 + [0.0] * 88)
    assert (found.more, found.fewer, found.n) == (3, 9, 100)
    assert found.mean == pytest.approx(-0.06)
    assert found.p == pytest.approx(2 * binom.cdf(3, 12, 0.5))


def test_pairs_without_a_difference_have_none() -> None:
    """A control shows no difference and no evidence, but with few pairs its interval is wide."""
    few, many = paired([0.0] * 10), paired([0.0] * 300)
    assert all((found.mean, found.p, found.e_value) == (0, 1, 1) for found in (few, many))
    assert few.low == -few.high
    assert 0.1 < few.high < 0.4
    assert 0 < many.high < 0.01
    assert 0 < many.always < few.always


@pytest.mark.parametrize("pairs", [8, 20, 40])
@pytest.mark.parametrize("chances", [[0.02, 0.96, 0.02], [0.02, 0.88, 0.1], [0.1, 0.8, 0.1], [0.2, 0.5, 0.3]])
def test_the_interval_covers_with_few_pairs_of_which_few_differ(pairs: int, chances: list[float]) -> None:
    """In 1,000 runs at least 93 % of the intervals cover the true difference, even if most pairs do not differ."""
    luck = np.random.default_rng(pairs)
    runs = luck.choice([-1.0, 0.0, 1.0], p=chances, size=(1000, pairs)) + 0.0
    truth = chances[2] - chances[0]
    assert np.mean([found.low <= truth <= found.high for found in map(paired, runs.tolist())]) >= 0.93


def test_no_pairs_are_refused() -> None:
    """Statistics of no pairs raise `ValueError`."""
    with pytest.raises(ValueError, match="there are no pairs"):
        paired([])


def pairs_of_clumps(
    rng: np.random.Generator, pairs: int, before: float, after: float
) -> tuple[list[Counts], list[Counts]]:
    """Return hits and copies of paired games: up to three copies, half the time with one outcome, luck shared."""
    n = rng.integers(0, 4, pairs)
    other = np.where(rng.random(pairs) < 0.8, n, rng.integers(0, 4, pairs))
    luck, together = rng.random(pairs), rng.random((2, pairs)) < 0.5
    h = np.where(together[0], n * (luck < before), rng.binomial(n, before))
    changed = np.where(together[1], other * (luck < after), rng.binomial(other, after))
    return list(zip(h, n, strict=True)), list(zip(changed, other, strict=True))


@pytest.mark.parametrize("pairs", [20, 40, 300])
def test_the_interval_of_a_shift_covers_it_despite_clustered_copies(pairs: int) -> None:
    """95 % intervals of the shift of a share of copies cover it in 93 to 97 % of runs."""
    rng = np.random.default_rng(pairs)
    runs, held = 1500, 0
    for run in range(runs):
        before, after = ((0.5, 0.5), (0.3, 0.4), (0.6, 0.4))[run % 3]
        shift = share_shift(*pairs_of_clumps(rng, pairs, before, after))
        assert shift is not None
        held += shift.low <= after - before <= shift.high
    assert 0.93 <= held / runs <= 0.97


def test_few_pairs_that_are_all_alike_do_not_claim_to_know_the_shift() -> None:
    """If no pair differs the shift is 0 and its interval is wide; without a copy there is no shift."""
    alike = [(1.0, 1.0)] * 5
    shift = share_shift(alike, alike)
    assert shift is not None
    assert shift.value == 0
    assert -0.3 > shift.low > -1
    assert 0.3 < shift.high < 1
    assert share_shift(alike, [(0.0, 0.0)] * 5) is None


def test_what_happens_to_all_copies_of_a_game_or_to_none_is_not_known_from_games_without_it() -> None:
    """A change by which one game in fifty loses all its eight copies: 40 pairs mostly show none of them."""
    before, runs, held = [(0.0, 8.0)] * 40, 400, 0
    for lost in np.random.default_rng(2).random((runs, 40)) < 0.02:
        shift = share_shift(before, [(8.0 * each, 8.0) for each in lost])
        assert shift is not None
        held += shift.low <= 0.02 <= shift.high
    assert held / runs >= 0.95


def test_the_shift_of_a_mean_is_that_of_its_pairs() -> None:
    """It is the mean difference with Student's interval; one pair has no interval."""
    shift = mean_shift([10, 12, 14, 9], [11, 12, 17, 9])
    assert shift.value == 1
    assert (shift.low, shift.high) == pytest.approx((1 - 3.182446 * np.sqrt(2) / 2, 1 + 3.182446 * np.sqrt(2) / 2))
    assert (mean_shift([10], [12]).low, mean_shift([10], [12]).high) == (-np.inf, np.inf)


@pytest.mark.parametrize("hits", [0.0, 1.0, 4.0])
def test_the_shift_of_a_share_reaches_no_further_than_a_share_can(hits: float) -> None:
    """One pair of games says next to nothing: from all copies to none, and no further than that."""
    shift = share_shift([(4.0 - hits, 4.0)], [(hits, 4.0)])
    assert shift is not None
    assert (shift.low, shift.high) == (-1, 1)
