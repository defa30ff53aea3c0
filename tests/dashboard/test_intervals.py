"""Shares, intervals, differences and percentiles, compared with scipy, published values and each other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from tabletape.dashboard.statistics.intervals import (
    difference_in_words,
    games_needed,
    newcombe,
    percent,
    share_in_words,
    shrunk,
    wilson,
)

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
quick = settings(deadline=None, max_examples=100)


@quick
@given(pair=counts, confidence=st.sampled_from([0.9, 0.95, 0.99]))
def test_the_wilson_interval_is_scipys(pair: tuple[int, int], confidence: float) -> None:
    """The Wilson interval agrees with the one of scipy."""
    ours = wilson(*pair, confidence)
    theirs = binomtest(*pair).proportion_ci(confidence, method="wilson")
    assert ours.low == pytest.approx(theirs.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high, abs=1e-12)


@quick
@given(pair=counts)
def test_an_interval_holds_its_share_and_lies_between_nothing_and_all(pair: tuple[int, int]) -> None:
    """The share lies in its interval; the interval of the opposite share is its mirror image."""
    hits, n = pair
    interval, opposite = wilson(hits, n), wilson(n - hits, n)
    assert 0 <= interval.low <= hits / n <= interval.high <= 1
    assert interval.low == pytest.approx(1 - opposite.high)


def test_eight_of_twelve_is_39_to_86_percent() -> None:
    """A share in words has whole percents, the count and the interval; some of many are not none of them."""
    assert share_in_words(8, 12) == "67 % (8 of 12; 39-86 %)"
    assert share_in_words(1, 923) == "<1 % (1 of 923; 0-1 %)"
    assert share_in_words(0, 0) == "none yet (0 of 0)"


def test_without_games_the_interval_is_everything() -> None:
    """More hits than games are refused."""
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    with pytest.raises(ValueError, match="13 of 12"):
        wilson(13, 12)


@pytest.mark.parametrize(("margin", "games"), [(0.2, 21), (0.15, 39), (0.1, 93), (0.05, 381)])
def test_the_games_needed_are_those_of_the_definition(margin: float, games: int) -> None:
    """21 games give a margin of 20 points to each side, 39 of 15, 93 of 10 and 381 of 5; one game less does not."""
    assert games_needed(margin) == games
    for n, enough in ((games, True), (games - 1, False)):
        interval = wilson(n / 2, n)
        assert ((interval.high - interval.low) / 2 <= margin) is enough


@quick
@given(margin=st.floats(0.01, 0.49), share=st.floats(0, 1))
def test_the_games_needed_are_enough_for_every_share(margin: float, share: float) -> None:
    """The number is calculated for a share of one half, which needs most games."""
    n = games_needed(margin)
    interval = wilson(share * n, n) if n > 0 else wilson(0, 0)
    assert n <= 0 or (interval.high - interval.low) / 2 <= margin + 1e-9


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 20), 0.6791, 1.0),
    ],
)
def test_newcombes_interval_is_the_published_one(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    """The examples of Newcombe (1998), table II, method 10, are reproduced to four places."""
    difference = newcombe(first, second)
    assert difference.low == pytest.approx(low, abs=5e-5)
    assert difference.high == pytest.approx(high, abs=5e-5)


@quick
@given(first=counts, second=counts)
def test_a_reversed_difference_is_its_opposite(first: tuple[int, int], second: tuple[int, int]) -> None:
    """A minus B is the opposite of B minus A, with the same words."""
    there, back = newcombe(first, second), newcombe(second, first)
    assert [there.value, there.low] == pytest.approx([-back.value, -back.high])
    assert there.words == back.words
    assert -1 <= there.low <= there.value <= there.high <= 1


def test_the_words_of_a_difference_follow_the_intervals() -> None:
    """There is no evidence while the 95 % interval holds zero, weak evidence while the 99 % interval does."""
    assert newcombe((12, 20), (10, 20)).words == "no evidence"
    assert newcombe((16, 20), (9, 20)).words == "weak"
    assert newcombe((90, 100), (50, 100)).words == "clear"
    assert newcombe((3, 4), (0, 0)).words == "no evidence"
    assert difference_in_words(newcombe((56, 70), (48, 80))) == "+20 percentage points (likely +5 to +33)"


@quick
@given(pair=counts)
def test_a_small_share_is_pulled_towards_one_half(pair: tuple[int, int]) -> None:
    """Ten pseudo-games pull a share towards one half and never past it."""
    hits, n = pair
    pulled = shrunk(hits, n)
    assert min(hits / n, 0.5) <= pulled <= max(hits / n, 0.5)
    assert shrunk(0, 0) == 0.5
    assert shrunk(8, 12) == 13 / 22


def test_percents_are_whole() -> None:
    """Percents are rounded to the nearest whole one, halves up."""
    assert [percent(share) for share in (0.004, 0.005, 0.125, 0.995, 1)] == ["0", "1", "13", "100", "100"]
