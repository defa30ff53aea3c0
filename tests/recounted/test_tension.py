"""How tense games are, and where they turned, counted again from tricks, and from crystals and damage."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import t

from tests.recounted.crystal import turn_ends
from tests.recounted.intervals import wilson
from tests.recounted.lines import Read, kind_of

Rows = list[dict[str, Any]]
Asked = Callable[..., Rows]
Array = np.ndarray


class Course(NamedTuple):
    """The course of a game: the progress of all players at the end of each turn, a row a turn, the winner's first."""

    game: str
    progress: Array


Kind = tuple[str, str, int]


@pytest.fixture(scope="module")
def courses(reads: list[Read]) -> dict[Kind, list[Course]]:
    """Return the courses of decided games, by what is asked about together."""
    found = defaultdict[Kind, list[Course]](list)
    for read in reads:
        if not read.winner or read.game not in {"higher", "crystal"}:
            continue
        order = sorted(read.names, key=lambda player: player != read.winner)
        if read.game == "crystal":
            ends = [{each: end.progress(each) for each in order} for end in turn_ends(read.lines)]
        else:
            tricks = [line["player"] for _, line in read.played if line["type"] == "trick.taken"]
            ends = [{each: tricks[: turn + 1].count(each) / 2 for each in "AB"} for turn in range(len(read.turns))]
        rows = np.array([[end[player] for player in order] for end in ends])
        found[(*read.kind, len(order))].append(Course(read.id, rows))
    return dict(found)


def chances(course: Array, worth: Array) -> Array:
    """Return the chance of each player at the end of each turn: a lead is worth so much, and more the later it is."""
    share = np.arange(1, len(course) + 1)[:, None] / len(course)
    value = course * (worth[0] + worth[1] * share)
    raised = np.exp(value - value.max(axis=1, keepdims=True))
    found: Array = raised / raised.sum(axis=1, keepdims=True)
    return found


def fitted(courses: list[Course]) -> Array:
    """Return what a lead is worth, where likelihood and a prior of deviation 5 are highest."""

    def unlikely(worth: Array) -> float:
        lost = -sum(np.log(chances(course.progress, worth)[:, 0]).sum() for course in courses)
        return float(lost + (worth @ worth) / 50)

    found: Array = minimize(unlikely, np.zeros(2), method="BFGS", options={"gtol": 1e-7}).x
    return found


def drama(course: Array) -> float:
    """Return the mean of the roots of the winner's deficits at the ends of turns behind."""
    behind = course[:, 1:].max(axis=1) - course[:, 0]
    return float(np.sqrt(behind[behind > 0]).mean()) if (behind > 0).any() else 0.0


def decisiveness(course: Array, worth: Array) -> float:
    """Return the part of the game, at its end, in which the winner's chance stayed above 0.8."""
    open_ = np.flatnonzero(chances(course, worth)[:, 0] <= 0.8)
    return float(1 - (open_[-1] + 1) / len(course)) if len(open_) else 1.0


def uncertainty(course: Array, worth: Array) -> float:
    """Return the mean over the turns of the entropy of who wins, 1 where all are equally likely."""
    chance = chances(course, worth)
    return float((-(chance * np.log(chance)).sum(axis=1) / np.log(chance.shape[1])).mean())


def as_shares(mean: float, parts: Array) -> tuple[float, float]:
    """Return Wilson's interval for as many hits and misses as vary as much, with Student's quantile.

    `parts` is what each game adds to the error: the fewer games make up most of it, the less is known of it.
    """
    n, variance, fourth = len(parts), (parts**2).sum(), (parts**4).sum()
    alike = mean * (1 - mean) / n
    effective = n * alike / variance if variance > 0 and alike > 0 else n
    known = 2 / (fourth / variance**2 - 1 / n) if variance > 0 and fourth * n > variance**2 else n - 1
    return wilson(mean * effective, effective, float(t.ppf(0.975, min(max(known, 1), n - 1))))


def test_tension_is_what_the_courses_of_the_games_say(asked: Asked, courses: dict[Kind, list[Course]]) -> None:
    """Drama with its interval; how decisive and uncertain games are by a fit of our own, where thirty games tell it."""
    told = (row for row in asked("tension") if row["game"] in {"higher", "crystal"})
    rows = {(*kind_of(row), row["players"]): row for row in told}
    assert rows.keys() == courses.keys()
    assert {players for *_, players in rows} == {2, 3, 4}
    for key, row in rows.items():
        mine = [course.progress for course in courses[key]]
        dramas = np.array([drama(course) for course in mine])
        assert (row["games"], row["drama"]) == (len(mine), pytest.approx(dramas.mean())), key
        ends = as_shares(dramas.mean(), (dramas - dramas.mean()) / np.sqrt(len(mine) * (len(mine) - 1)))
        assert (row["drama_low"], row["drama_high"]) == pytest.approx(ends)
        if len(mine) < 30:
            assert (row["decisiveness"], row["missing"]) == (None, 30 - len(mine))
            continue
        worth, left_out = fitted(courses[key]), np.array(_left_out(courses[key]))
        assert (row["fitted_games"], row["fitted_on"]) == (len(mine), "people")
        for name, of_game in (("decisiveness", decisiveness), ("uncertainty", uncertainty)):
            assert row[name] == pytest.approx(np.mean([of_game(course, worth) for course in mine]), abs=1e-4), key
            ends = as_varied(mine, of_game, worth, left_out)
            assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(ends, abs=0.04), (key, name)


def as_varied(
    courses: list[Array], of_game: Callable[[Array, Array], float], worth: Array, left_out: Array
) -> tuple[float, float]:
    """Return the interval of a mean: what each game adds to its error, by itself and by what a lead is worth.

    What a lead is worth is fitted anew without each game (the jackknife); how the mean goes with it is seen two
    standard deviations away, downwards for the lower end and upwards for the upper one.
    """
    k, of_games = len(courses), np.array([of_game(course, worth) for course in courses])
    errors = np.sqrt((k - 1) / k) * (left_out.mean(axis=0) - left_out)
    root = np.linalg.cholesky(errors.T @ errors)
    own, mean = (of_games - of_games.mean()) / np.sqrt(k * (k - 1)), of_games.mean()
    below, above = (
        np.array([np.mean([of_game(course, worth + far * step) for course in courses]) for step in root.T])
        for far in (-2, 2)
    )
    falls, rises = (mean - below) / 2, (above - mean) / 2
    down, up = np.where(above > below, (falls, rises), (rises, falls))
    alone = np.linalg.solve(root, errors.T)
    return as_shares(mean, down @ alone + own)[0], as_shares(mean, up @ alone + own)[1]


def _left_out(courses: list[Course]) -> list[Array]:
    """Return what a lead is worth without each of the games in turn."""
    return [fitted([*courses[:place], *courses[place + 1 :]]) for place in range(len(courses))]


def test_games_turn_where_the_winners_chance_rose_most(asked: Asked, courses: dict[Kind, list[Course]]) -> None:
    """The turn and the chance before and after it, by a fit of our own; before the first turn all are equal."""
    rows = {row["game_id"]: row for row in asked("turning-points") if row["game"] in {"higher", "crystal"}}
    assert rows.keys() == {course.game for each in courses.values() for course in each}
    named = 0
    for each in courses.values():
        if len(each) < 30:
            assert {rows[course.game]["missing"] for course in each} == {30 - len(each)}
            continue
        worth = fitted(each)
        for course in each:
            chance = [1 / course.progress.shape[1], *chances(course.progress, worth)[:, 0]]
            row, turn = rows[course.game], int(np.argmax(np.diff(chance)))
            if row["turn"] is not None:
                named += 1
                assert row["turn"] == turn + 1
                assert (row["before"], row["after"]) == pytest.approx((chance[turn], chance[turn + 1]), abs=1e-4)
                assert 0 < row["rise_low"] <= chance[turn + 1] - chance[turn] + 1e-9
                assert row["sure"] >= 0.5
    assert named > 20
