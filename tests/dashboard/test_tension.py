"""How tense games are, and where they turned: counted by hand, and simulated with a known truth."""

import numpy as np
import pyarrow as pa
import pytest

from tabletape.dashboard.questions.methods.turning_points import answer
from tabletape.dashboard.statistics.conditional_logit import Posterior
from tabletape.dashboard.statistics.tension import (
    Positions,
    decisiveness,
    drama,
    mean_with_reach,
    open_games,
    turning_points,
    uncertainty,
    worth_of_a_lead,
)


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
        found = [mean_with_reach(of_games) for of_games in many]
        held = [abs(mean - many.mean()) <= (reach or 0) for mean, reach in found]
        assert 0.93 <= np.mean(held) <= 0.97
    assert mean_with_reach(np.array([0.5])) == (0.5, None)


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
    walkover, race = [(0.1 * k, 0.0) for k in range(1, 11)], [(0.1 * k, 0.1 * k - 0.01) for k in range(1, 11)]
    decided, unsure = open_games(positions(walkover, race), lead)
    assert decided[0] > decided[1]
    assert unsure[0] < unsure[1]
