"""How tense games are, and where they turned: counted by hand, and simulated with a known truth."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import stdtrit

from tabletape.dashboard.questions.methods.turning_points import answer
from tabletape.dashboard.statistics.conditional_logit import Posterior
from tabletape.dashboard.statistics.intervals import wilson_at
from tabletape.dashboard.statistics.tension import (
    Mean,
    Positions,
    decisiveness,
    drama,
    mean_of_shares,
    open_games,
    openness,
    turning_points,
    uncertainty,
    worth_of_a_lead,
)
from tests.benchmarks.more_intervals import race


def positions(*games: list[tuple[float, float]]) -> Positions:
    """Return the positions of two-player games: the progress of both at each turn's end; the first player wins."""
    turns = [
        (number, place, len(game), pair) for number, game in enumerate(games) for place, pair in enumerate(game, 1)
    ]
    return Positions(
        progress=np.array([value for *_, pair in turns for value in pair]),
        share=np.array([place / size for _, place, size, _ in turns for _ in range(2)]),
        starts=np.arange(0, 2 * len(turns), 2),
        games=np.array([number for number, *_ in turns]),
        winners=np.arange(0, 2 * len(turns), 2),
    )


def test_tension_is_calculated_from_the_chances() -> None:
    """A winner who was never behind has no drama; a game is decided after its last doubt; even chances are unsure."""
    behind = drama(np.array([-0.2, 0.0, 0.25, 0.09, -1.0]), np.array([0, 4]))
    assert behind.tolist() == pytest.approx([0.4, 0])
    sure = decisiveness(np.array([0.5, 0.9, 0.7, 0.85, 0.95, 0.9, 0.9]), np.array([0, 5]))
    assert sure.tolist() == pytest.approx([0.4, 1])
    even = uncertainty(np.array([0.5, 0.5, 1.0, 0.0]), np.array([0, 2]))
    assert even == pytest.approx([1, 0], abs=1e-6)


@pytest.mark.parametrize("games", [8, 40])
def test_intervals_of_tension_cover_the_mean_over_all_games(games: int) -> None:
    """For dramas (zero in many games) and for shares, the intervals cover the mean in 93 to 97 % of runs."""
    rng = np.random.default_rng(games)
    dramas = np.where(rng.random((3000, games)) < 0.6, np.sqrt(rng.uniform(0.01, 0.4, (3000, games))), 0.0)
    for many in (dramas, rng.beta(1.2, 2.5, (3000, games))):
        found = [mean_of_shares(of_games) for of_games in many]
        held = [(each.low or 0) <= many.mean() <= (each.high or 0) for each in found]
        assert 0.93 <= np.mean(held) <= 0.97
    assert mean_of_shares(np.array([0.5])) == Mean(0.5)


def test_games_that_are_all_alike_leave_room_for_others() -> None:
    """Ten games without drama do not say that no game has any: the interval is that of 0 in 10."""
    plain = wilson_at(0, 10, float(stdtrit(9, 0.975)))
    assert mean_of_shares(np.zeros(10)) == Mean(0.0, 0.0, plain.high)
    assert plain.high > 0.3


def test_games_asked_for_are_found_among_those_that_a_lead_was_fitted_on() -> None:
    """Means of five of forty games are those games' own, and less sure than the means of all forty."""
    every = race(np.random.default_rng(3), 40)
    lead = worth_of_a_lead(every)
    rows, ends = slice(35 * 16, None), slice(35 * 8, None)
    last = Positions(
        every.progress[rows], every.share[rows], every.starts[ends] - 35 * 16, every.games[ends],
        every.winners[ends] - 35 * 16,
    )  # fmt: skip
    means = zip(open_games(every, lead.mean), openness(last, lead), openness(every, lead), strict=True)
    for of_games, mean, all_ in means:
        assert mean.value == pytest.approx(of_games[35:].mean())
        assert all_.value == pytest.approx(of_games.mean())
        assert (mean.high or 0) - (mean.low or 0) > (all_.high or 0) - (all_.low or 0)


def test_the_turning_point_is_where_the_winners_chance_rose_most() -> None:
    """By a known worth of a lead it is recounted by hand; where no lead is worth anything surely, no turn is sure."""
    swing = [(0.1, 0.2), (0.2, 0.4), (0.8, 0.4), (1.0, 0.5)]
    sure = Posterior(np.array([4.0, 2.0]), np.diag([1e-6, 1e-6]))
    (found,) = turning_points(positions(swing), sure)
    before, after = (
        1 / (1 + np.exp(-(4 + 2 * share) * (mine - other)))
        for share, (mine, other) in ((0.5, swing[1]), (0.75, swing[2]))
    )
    assert found.place == 2
    assert [found.before, found.after] == pytest.approx([before, after])
    assert found.low <= after - before <= found.high
    assert found.sure == 1
    (at_once,) = turning_points(positions([(0.9, 0.0), (0.9, 0.0)]), sure)
    assert at_once.place == 0
    assert at_once.before == 0.5
    (vague,) = turning_points(positions(swing), Posterior(np.array([0.1, 0.0]), np.diag([4.0, 4.0])))
    assert vague.low < 0 < vague.high
    assert vague.sure < 0.9


def test_a_turning_point_is_named_only_where_games_tell_what_a_lead_is_worth() -> None:
    """Of 40 games in which a lead decides the swing is named by its turn; of 20 it says how many are missing."""
    rng = np.random.default_rng(3)
    rows = []
    for number in range(40):
        strong, lead = rng.random() < 0.9, 0.0
        for turn in range(1, 9):
            lead += rng.normal(0.0, 0.02) + 0.4 * (turn == 5) * (1 if strong else -1)
            for won, ahead in ((True, lead), (False, -lead)):
                rows.append({
                    "game": "g", "ruleset": "r", "ruleset_id": "r", "players": 2, "game_id": f"g{number:02}",
                    "turn": turn, "progress": 0.5 + ahead / 2, "ahead": ahead, "won": won, "source": "people",
                    "mine": number < 5,
                })  # fmt: skip
    found = answer(pa.Table.from_pylist(rows)).to_pylist()
    assert [row["game_id"] for row in found] == [f"g{number:02}" for number in range(5)]
    assert {row["fitted_games"] for row in found} == {40}
    known = [row for row in found if row["turn"]]
    assert known
    assert all(row["turn"] == 5 and row["before"] + row["rise_low"] < row["after"] for row in known)
    few = answer(pa.Table.from_pylist(rows[: 20 * 16])).to_pylist()
    assert {(row["turn"], row["missing"]) for row in few} == {(None, 10)}


def test_a_walkover_is_less_tense_than_a_race() -> None:
    """With the same value of a lead, a game that is soon decided is more decisive and less uncertain than a race."""
    rng = np.random.default_rng(10)
    many = [[(0.1 * k + rng.normal(0, 0.1), 0.08 * k + rng.normal(0, 0.1)) for k in range(1, 11)] for _ in range(60)]
    lead = worth_of_a_lead(positions(*many))
    walkover, close = [(0.1 * k, 0.0) for k in range(1, 11)], [(0.1 * k, 0.1 * k - 0.01) for k in range(1, 11)]
    decided, unsure = open_games(positions(walkover, close), lead.mean)
    assert decided[0] > decided[1]
    assert unsure[0] < unsure[1]
