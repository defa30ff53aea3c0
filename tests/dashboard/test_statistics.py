"""The statistics keep their promises: each is tested on many simulated games with a known truth."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import binom

from tabletape.dashboard.questions.by_luck import chance_by_luck
from tabletape.dashboard.statistics.clusters import clumps, clustered, design_effect
from tabletape.dashboard.statistics.comparison import detectable, larger, middle_difference, permutation, slope
from tabletape.dashboard.statistics.conditional_logit import Contests, fit
from tabletape.dashboard.statistics.intervals import newcombe, wilson
from tabletape.dashboard.statistics.stopping import REJECT, e_value, family_e_value, near, outlook, power
from tabletape.dashboard.statistics.survival import duration

RUNS = 5000

Counts = tuple[np.ndarray, np.ndarray]


def copies_of_a_card(rng: np.random.Generator, games: int, share: float) -> Counts:
    """Return won and all copies by game: one to three copies of a side, which all win or lose together."""
    n = rng.integers(1, 4, games)
    return n * (rng.random(games) < share), n


def decisions_of_a_game(rng: np.random.Generator, games: int, share: float) -> Counts:
    """Return hits and decisions by game: tables differ in their habits."""
    n = rng.integers(5, 30, games)
    return rng.binomial(n, rng.beta(share * 8, (1 - share) * 8, games)), n


@pytest.mark.parametrize("clumped", [copies_of_a_card, decisions_of_a_game])
@pytest.mark.parametrize("games", [8, 40])
def test_intervals_cover_despite_clusters(
    clumped: Callable[[np.random.Generator, int, float], Counts], games: int
) -> None:
    """95 % intervals of shares between 30 and 70 % cover the truth in 93 to 97 % of runs; naive ones in far fewer."""
    rng = np.random.default_rng(games)
    held = naive = 0
    for run in range(RUNS):
        share = (0.3, 0.4, 0.5, 0.6, 0.7)[run % 5]
        h, n = clumped(rng, games, share)
        interval = clustered(h.sum(), n.sum(), clumps(zip(h, n, strict=True)))
        held += interval.low <= share <= interval.high
        simple = wilson(h.sum(), n.sum())
        naive += simple.low <= share <= simple.high
    assert 0.93 <= held / RUNS <= 0.97
    assert naive / RUNS < 0.9


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20))
def test_clusters_never_narrow_an_interval(counts: list[tuple[int, int]]) -> None:
    """The design effect is at least 1, and the interval covers the share."""
    pairs = [(min(pair), max(pair)) for pair in counts]
    h, n = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    assert design_effect(h, n, clumps(pairs)) >= 1
    interval = clustered(h, n, clumps(pairs))
    assert interval.low <= (h / n if n else 0.5) <= interval.high


def test_one_observation_a_game_is_no_cluster() -> None:
    """One observation a game has Wilson's interval; three copies that win together count as one.

    The factor k/(k-1) corrects the variance between games; a design effect that exceeds 1 only by rounding
    widens no interval.
    """
    assert clustered(5, 5, clumps([(1, 1)] * 5)) == wilson(5, 5)
    assert clustered(6, 10, clumps([(1, 1)] * 6 + [(0, 1)] * 4)) == wilson(6, 10)
    rounded = clustered(8, 10, clumps([(2, 2), (1, 2), (1, 1), (3, 3), (1, 2)]))
    assert rounded.low == pytest.approx(wilson(8, 10).low)
    assert design_effect(18, 30, clumps([(3, 3)] * 6 + [(0, 3)] * 4)) == pytest.approx(3 * 10 / 9)


# -- stopping ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_looking_after_every_game_rejects_a_fair_game_in_at_most_one_of_twenty_runs(players: int) -> None:
    """In 2,000 runs of 200 fair games, checked after each game, the e-value reaches 20 in at most 5 %."""
    rng = np.random.default_rng(5)
    values = {(hits, n): e_value(hits, n, 1 / players) for n in range(1, 201) for hits in range(n + 1)}
    wrong = 0
    for _ in range(2000):
        hits = np.cumsum(rng.random(200) < 1 / players)
        wrong += any(values[int(won), n] >= REJECT for n, won in enumerate(hits, 1))
    assert wrong / 2000 <= 0.05


def test_an_unfair_game_is_detected() -> None:
    """At a true share of 70 % most runs of 200 games reach an e-value of 20."""
    rng = np.random.default_rng(6)
    found = sum(e_value(int((rng.random(200) < 0.7).sum()), 200, 0.5) >= REJECT for _ in range(200))
    assert found > 190


def test_the_outlook_says_fair_not_fair_or_how_many_more() -> None:
    """47 of 93 is fair, 18 of 20 is not, 11 of 20 needs more games; nothing is known before the first."""
    assert outlook(47, 93, 0.5).verdict == "fair"
    assert outlook(18, 20, 0.5).verdict == "not fair"
    undecided = outlook(11, 20, 0.5)
    assert undecided.verdict == "keep testing"
    assert undecided.soon is not None
    assert undecided.more is not None
    assert undecided.soon < undecided.more
    assert (outlook(0, 0, 1 / 3).verdict, outlook(0, 0, 1 / 3).e_value) == ("keep testing", 1.0)
    with pytest.raises(ValueError, match="some of all"):
        outlook(3, 2, 0.5)


def test_half_of_the_tests_are_decided_by_when_the_forecast_says() -> None:
    """Of 600 tests that go on from 11 of 20, their share drawn from what that leaves open, about half are decided then.

    They are looked at after every game up to there, which can only decide more of them than the forecast's own looks.
    """
    rng = np.random.default_rng(8)
    found = outlook(11, 20, 0.5)
    decided = dict.fromkeys(("soon", "more"), 0)
    for share in rng.beta(5 + 11, 5 + 9, 600):
        won = 11 + np.cumsum(rng.random(found.more or 0) < share)
        ended = next(
            (number for number, hits in enumerate(won, 1) if outlook_verdict(int(hits), 20 + number) != "keep testing"),
            None,
        )
        for name in decided:
            decided[name] += ended is not None and ended <= getattr(found, name)
    assert 0.45 < decided["more"] / 600 < 0.65
    assert 0.07 < decided["soon"] / 600 < 0.2


@cache
def outlook_verdict(hits: int, n: int) -> str:
    """Return the verdict of so many games against one half."""
    a, b = 5 + hits, 5 + n - hits
    fair = float(betainc(a, b, 0.6) - betainc(a, b, 0.4))
    return "fair" if fair > 0.9 else "not fair" if fair < 0.05 else "keep testing"


def test_near_a_quarter_is_as_near_by_the_odds_as_near_one_half() -> None:
    """40 to 60 % is near one half, 18 to 33 % near a quarter: ten points to each side would be 15 to 35 %."""
    assert near(0.5) == pytest.approx((0.4, 0.6))
    assert near(0.25) == pytest.approx((2 / 11, 1 / 3))


@pytest.mark.parametrize(("n", "baseline"), [(1, 0.5), (5, 0.5), (20, 0.25), (100, 1 / 3), (400, 0.5)])
def test_the_chance_to_stand_out_by_luck_is_that_of_every_count(n: int, baseline: float) -> None:
    """It is the sum of the chances of all counts whose interval leaves out the baseline."""
    out = [hits for hits in range(n + 1) if not (each := wilson(hits, n)).low <= baseline <= each.high]
    assert chance_by_luck(n, baseline) == pytest.approx(float(binom.pmf(out, n, baseline).sum()), abs=1e-4)


def test_the_mean_of_e_values_is_evidence_against_all_rows_together() -> None:
    """In 2,000 runs with five decks, none of which is better, the mean reaches 20 in at most 5 %; no row is refused."""
    rng = np.random.default_rng(9)
    wins = rng.multinomial(60, [0.2] * 5, size=2000)
    family = [family_e_value([e_value(int(won), 60, 0.2) for won in each]) for each in wins]
    assert np.mean(np.array(family) >= REJECT) <= 0.05
    assert np.mean(family) == pytest.approx(1, abs=0.35)
    with pytest.raises(ValueError, match="no rows"):
        family_e_value([])


def test_more_evidence_of_the_same_kind_never_widens_an_interval() -> None:
    """All hits: two games with two copies each say more than one, and three copies in two more than two in one."""
    one, two, three = clumps([(2, 2)]), clumps([(2, 2), (1, 1)]), clumps([(2, 2), (2, 2)])
    lows = [clustered(2, 2, one).low, clustered(3, 3, two).low, clustered(4, 4, three).low]
    assert lows == sorted(lows)
    assert lows[1] == pytest.approx(0.319, abs=0.001)


@pytest.mark.parametrize("games", [2, 3, 5])
@pytest.mark.parametrize("alike", [True, False])
def test_few_games_with_clumps_hold_the_truth(games: int, alike: bool) -> None:
    """In 2,000 runs of few games, whose copies share their fate or do not, at least 91 % of the intervals hold it."""
    rng, share, held = np.random.default_rng(10), 0.3, 0
    for _ in range(2000):
        copies = rng.integers(1, 4, games)
        hits = copies * (rng.random(games) < share) if alike else rng.binomial(copies, share)
        pairs = list(zip(hits.tolist(), copies.tolist(), strict=True))
        found = clustered(int(hits.sum()), int(copies.sum()), clumps(pairs))
        held += found.low <= share <= found.high
    assert held / 2000 >= 0.91


def test_power_is_that_of_the_interval() -> None:
    """With 93 games a true 60 % is distinguished from 50 % in about half of all cases; without games never."""
    assert power(93, 0.5) == pytest.approx(0.53, abs=0.005)
    assert power(0, 0.5) == 0


# -- A against B -------------------------------------------------------------------------------------------------------


def test_the_probability_that_b_is_larger_is_calibrated() -> None:
    """Of cases with a stated probability of about 70 %, about 70 % are true, and likewise at every level."""
    rng = np.random.default_rng(7)
    p, q = rng.beta(5, 5, (2, 8000))
    a, b = rng.binomial(12, p), rng.binomial(20, q)
    probabilities = np.array([larger((int(x), 12), (int(y), 20)) for x, y in zip(a, b, strict=True)])
    for low in np.arange(0.0, 1.0, 0.2):
        chosen = (probabilities >= low) & (probabilities < low + 0.2)
        assert (q > p)[chosen].mean() == pytest.approx(probabilities[chosen].mean(), abs=0.035)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_one_of_two_is_the_larger(a: int, b: int, m: int, n: int) -> None:
    """P(B > A) and P(A > B) add up to one."""
    first, second = (min(a, m), m), (min(b, n), n)
    assert larger(first, second) + larger(second, first) == pytest.approx(1)


def test_the_permutation_test_has_its_stated_error_rate() -> None:
    """If A and B are equal, P is below 10 % in about one of ten runs; a difference within strata is found."""
    rng = np.random.default_rng(8)
    small = 0
    for _ in range(120):
        hits, strata = rng.random(40) < 0.5, rng.integers(0, 2, 40)
        small += permutation(hits.astype(float).tolist(), [True] * 20 + [False] * 20, strata.tolist()) < 0.1
    assert small <= 24
    assert permutation([1.0] * 15 + [0.0] * 15, [True] * 15 + [False] * 15, ["x"] * 30) < 0.001
    assert permutation([1.0, 0.0], [True, True], ["x", "x"]) == 1


@pytest.mark.parametrize(
    "rungs", [[(0, 0.5), (1, 0.5)], [(0, 0.3), (1, 0.5), (2, 0.7)], [(0, 0.4), (1, 0.8), (2, 0.9)]]
)
def test_intervals_of_a_trend_hold_it(rungs: list[tuple[int, float]]) -> None:
    """93 to 98 % of 3,000 intervals hold the trend of three kinds of bots with 20 games each."""
    rng = np.random.default_rng(3)
    places, chances = np.array(rungs).T
    true = np.polyfit(places, chances, 1)[0]
    wins = [rng.binomial(20, share, 3000) for _, share in rungs]
    found = [
        slope([(rung, hits, 20) for (rung, _), hits in zip(rungs, each, strict=True)])
        for each in zip(*wins, strict=True)
    ]
    assert 0.93 <= np.mean([each is not None and each[1] <= true <= each[2] for each in found]) <= 0.98
    assert slope([(0, 5, 10)]) is None


def test_strata_are_not_mixed() -> None:
    """A difference that only comes from the decks that were played is no difference between A and B."""
    hits = [1.0] * 20 + [0.0] * 20
    in_b = [True] * 19 + [False] + [True] + [False] * 19
    decks = ["strong"] * 20 + ["weak"] * 20
    assert permutation(hits, in_b, decks) == 1
    assert permutation(hits, in_b, ["any"] * 40) < 0.001


def test_more_games_find_smaller_differences() -> None:
    """With 50 games a side at one half, a difference of about 28 points is found in four of five cases."""
    assert detectable(0.5, 50) == pytest.approx(0.28)
    assert detectable(0.5, 0) == 1
    a, b = (binom.pmf(range(51), 50, share) for share in (0.36, 0.64))
    found = [[newcombe((y, 50), (x, 50)).words != "no evidence" for y in range(51)] for x in range(51)]
    assert a @ np.array(found) @ b == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("games", [8, 40])
def test_intervals_of_differences_of_medians_cover(games: int) -> None:
    """If A and B are equal, the interval covers 0 in 93 to 98 % of runs."""
    value, ends = middle_difference([10, 12, 14, 16, 18], [20, 22, 24, 26, 28])
    assert ends is not None
    low, high = ends
    assert middle_difference([10, 12, 14, 16], [20, 22, 24, 26, 28]) == (11, None)
    assert (value, low > 0, high < 20) == (10, True, True)
    rng = np.random.default_rng(games)
    found = [middle_difference(*rng.gamma(4, 5, (2, games)).tolist())[1] or (0.0, 0.0) for _ in range(250)]
    assert 0.93 <= np.mean([low <= 0 <= high for low, high in found]) <= 0.985


# -- lengths -----------------------------------------------------------------------------------------------------------


def test_without_unfinished_games_the_median_is_the_usual_one() -> None:
    """Without finished games there is no median."""
    assert duration([10, 12, 14, 20, 30, 40], [True] * 6).median == 17
    assert duration([10, 12, 14], [True] * 3).median == 12
    assert (duration([], []).median, duration([9], [False]).median) == (None, None)


@pytest.mark.parametrize("games", [8, 40])
def test_lengths_are_right_if_long_games_are_abandoned(games: int) -> None:
    """Leaving out abandoned games would underestimate the median of 30 rounds; the interval covers it."""
    rng = np.random.default_rng(9)
    held, left_out = 0, []
    for _ in range(400):
        lengths, patience = rng.exponential(30 / np.log(2), games), rng.exponential(60, games)
        found = duration(np.minimum(lengths, patience).tolist(), (lengths <= patience).tolist())
        held += (found.low or 0) <= 30 <= (found.high or np.inf)
        left_out.append(np.median(lengths[lengths <= patience]))
    assert 0.93 <= held / 400 <= 0.985
    assert np.mean(left_out) < 25


# -- who wins ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [2, 4])
@pytest.mark.parametrize("games", [8, 40])
def test_effects_are_covered_by_their_intervals(sides: int, games: int) -> None:
    """Effects drawn from the prior lie in their 95 % intervals, for any number of players."""
    rng = np.random.default_rng(sides)
    held = total = 0
    for _ in range(60):
        truth = rng.normal(0, 0.3, 12)
        terms = (rng.random((games * sides, 12)) < 0.4).astype(float)
        noise = rng.gumbel(size=games * sides)
        best = (terms @ truth + noise).reshape(games, sides).argmax(axis=1)
        starts = np.arange(0, games * sides, sides)
        posterior = fit(Contests(terms, starts, starts + best), np.full(12, 0.3))
        held += int((np.abs(posterior.mean - truth) <= 1.96 * posterior.deviation).sum())
        total += 12
    assert 0.93 <= held / total <= 0.97


def test_two_decks_have_the_strengths_of_their_share() -> None:
    """With many games the estimated odds of two decks are the observed ones; without games they are the prior's."""
    starts = np.arange(0, 2400, 2)
    won = np.array([0] * 900 + [1] * 300)
    posterior = fit(Contests(np.tile(np.eye(2), (1200, 1)), starts, starts + won), np.full(2, 50.0))
    assert np.exp(posterior.contrast(np.array([1.0, -1.0]))[0]) == pytest.approx(3, rel=0.01)
    nothing = np.array([], np.intp)
    assert fit(Contests(np.zeros((0, 2)), nothing, nothing), np.full(2, 0.5)).deviation == pytest.approx([0.5, 0.5])
