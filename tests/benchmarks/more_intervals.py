"""Simulations with a known truth of what is fitted, told with a probability, or forecast; `intervals` runs them.

A simulation gives whether what was promised came true, or None where nothing was said in that run.
"""

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, Final, TypeVar

import numpy as np
import pyarrow as pa
from scipy.special import expit

from tabletape.dashboard.questions.methods.learning import MEASURES
from tabletape.dashboard.questions.methods.learning import answer as learning
from tabletape.dashboard.questions.methods.pairs import answer as head_to_head
from tabletape.dashboard.questions.methods.ratings import answer as ratings
from tabletape.dashboard.statistics.comparison import detectable
from tabletape.dashboard.statistics.conditional_logit import Posterior
from tabletape.dashboard.statistics.intervals import newcombe, wilson
from tabletape.dashboard.statistics.paired import paired, share_shift
from tabletape.dashboard.statistics.ranks import rank_correlation
from tabletape.dashboard.statistics.stopping import LOOKS, REJECT, e_value, forecast, near, outlook, power, verdict
from tabletape.dashboard.statistics.tension import (
    Mean,
    Positions,
    TurningPoint,
    open_games,
    openness,
    turning_points,
    worth_of_a_lead,
)
from tests.dashboard.test_paired import pairs_of_clumps

Rng = np.random.Generator
Found = TypeVar("Found")

UNFAIR: Final = 0.75
"""What the first player wins of an unfair game."""

JUST: Final = 0.02
"""A share is called not fair only just where it may still be fair with at least this probability."""

DECKS: Final = 4
WORTH: Final = Posterior(np.array([2.0, 4.0]), np.zeros((2, 2)))
"""The true worth of a lead: of progress, and of progress times the part of the game that is over."""


# -- strengths ---------------------------------------------------------------------------------------------------------


def _games(rng: Rng, strengths: Sequence[float], games: int = 60) -> pa.Table:
    """Return the sides of games of two players with two of some decks."""
    rows = []
    for number in range(games):
        own, other = rng.choice(DECKS, 2, replace=False).tolist()
        won = rng.random() < expit(strengths[own] - strengths[other])
        rows += [
            {"game": "g", "ruleset": "r", "ruleset_id": "r", "dimension": "deck", "game_id": f"{number:03}",
             "value": str(deck), "name": "", "first": place == 0, "won": won == (place == 0)}
            for place, deck in enumerate((own, other))
        ]  # fmt: skip
    return pa.Table.from_pylist(rows)


def _tournament(rng: Rng, strengths: Sequence[float], games: int = 60) -> dict[str, dict[str, Any]]:
    """Return the ratings of decks after games of two players, by the deck."""
    return {row["value"]: row for row in ratings(_games(rng, strengths, games)).to_pylist()}


def _first_against_second(rng: Rng) -> tuple[dict[str, Any], float]:
    """Return what 60 games say of the first of four decks against the second, and how much stronger it is."""
    strengths = rng.normal(0, 0.5, DECKS)
    rows = head_to_head(_games(rng, strengths.tolist())).to_pylist()
    (row,) = [each for each in rows if (each["own"], each["other"]) == ("0", "1")]
    return row, float(strengths[0] - strengths[1])


def chance_of_two_decks(rng: Rng) -> bool:
    """60 games of four decks, strengths as thought before: how often the first beats the second."""
    row, stronger = _first_against_second(rng)
    return bool(row["low"] <= expit(stronger) <= row["high"])


def stronger_of_two_decks(rng: Rng) -> bool | None:
    """Said to be the stronger of two decks with 0.8 to 0.95: it is."""
    row, stronger = _first_against_second(rng)
    return stronger > 0 if 0.8 <= row["stronger"] <= 0.95 else None


def rating_of_a_deck(rng: Rng) -> bool:
    """60 games of four decks, strengths as thought before."""
    strengths = rng.normal(0, 0.5, DECKS)
    row = _tournament(rng, strengths.tolist())["0"]
    return bool(row["low"] <= expit(strengths[0] - strengths.mean()) <= row["high"])


def strongest_of_all(rng: Rng) -> bool | None:
    """Said to be the strongest deck with 0.5 to 0.8: it is."""
    strengths = rng.normal(0, 0.5, DECKS)
    said = [each for each in _tournament(rng, strengths.tolist()).values() if 0.5 <= each["strongest"] <= 0.8]
    return int(said[0]["value"]) == int(strengths.argmax()) if said else None


def clearly_stronger_of_equals(rng: Rng) -> bool:
    """60 games of four equal decks: the first is not called clearly stronger or weaker."""
    return not _tournament(rng, [0.0] * DECKS)["0"]["clear"]


def of_the_same_games(simulated: Callable[[Rng], Found]) -> Callable[[Rng], Found]:
    """Have two promises that are made of the same games ask for them once: same luck, same games."""
    known: dict[int, Found] = {}

    @wraps(simulated)
    def found(rng: Rng) -> Found:
        luck: int = rng.bit_generator.state["state"]["state"]
        if luck not in known:
            known[luck] = simulated(rng)
        return known[luck]

    return found


# -- tension -----------------------------------------------------------------------------------------------------------


def race(rng: Rng, games: int, turns: int = 8) -> Positions:
    """Return games of two players whose progress wanders; who wins follows from the true worth of the last lead.

    A chance at every turn that follows from the last one needs games whose end is decided as the fit assumes: the lead
    of each turn tells who won as `WORTH` says, which holds where the winner is drawn first and the lead given it.
    """
    share = np.arange(1, turns + 1) / turns
    slope = WORTH.mean[0] + WORTH.mean[1] * share
    # With a normal lead of mean ±m and deviation s, the logit of who won is 2 m/s² times the lead: s² = 2 m / slope.
    mean = 0.15 * share
    lead = mean + np.sqrt(2 * mean / slope) * _wandering(rng, games, turns)
    progress = np.stack([lead / 2, -lead / 2], axis=2).ravel()
    ends = np.arange(0, 2 * games * turns, 2)
    return Positions(progress, np.repeat(np.tile(share, games), 2), ends, np.repeat(np.arange(games), turns), ends)


def _wandering(rng: Rng, games: int, turns: int) -> np.ndarray:
    """Return standard normal numbers, those of a game from turn to turn correlated with 0.8: leads last."""
    found = rng.standard_normal((games, turns))
    for turn in range(1, turns):
        found[:, turn] = 0.8 * found[:, turn - 1] + 0.6 * found[:, turn]
    return found


@of_the_same_games
def _fitted(rng: Rng) -> tuple[list[TurningPoint], list[TurningPoint]]:
    """Return the turning points of 40 games as they are fitted, and as they are by the true worth of a lead."""
    positions = race(rng, 40)
    return turning_points(positions, worth_of_a_lead(positions)), turning_points(positions, WORTH)


def turning_point(rng: Rng) -> bool | None:
    """40 games; the turn of the first one, named with 0.5 to 0.8, is it."""
    fitted, true = _fitted(rng)
    said = [place for place, each in enumerate(fitted) if 0.5 <= each.sure <= 0.8 and each.low > 0]
    return fitted[said[0]].place == true[said[0]].place if said else None


def rise_at_a_turning_point(rng: Rng) -> bool:
    """40 games; how much the winner's chance rose at the named turn."""
    fitted, true = _fitted(rng)
    named = [(mine, its) for mine, its in zip(fitted, true, strict=True) if mine.place == its.place]
    return bool(named) and named[0][0].low <= named[0][1].after - named[0][1].before <= named[0][0].high


@cache
def _mean_openness() -> tuple[float, float]:
    """Return the mean decisiveness and uncertainty of very many games by the true worth of a lead."""
    decided, unsure = open_games(race(np.random.default_rng(1), 40_000), WORTH.mean)
    return float(decided.mean()), float(unsure.mean())


@of_the_same_games
def _means(rng: Rng) -> tuple[Mean, Mean]:
    positions = race(rng, 40)
    return openness(positions, worth_of_a_lead(positions))


def _openness(rng: Rng, which: int) -> bool:
    mean = _means(rng)[which]
    return mean.low is not None and mean.high is not None and mean.low <= _mean_openness()[which] <= mean.high


def decisiveness_of_games(rng: Rng) -> bool:
    """40 games whose leads last, the worth of a lead fitted on them."""
    return _openness(rng, 0)


def uncertainty_of_games(rng: Rng) -> bool:
    """The same, of how open it was who wins."""
    return _openness(rng, 1)


# -- people ------------------------------------------------------------------------------------------------------------


def rank_correlation_of_feelings(rng: Rng) -> bool | None:
    """8 evenings of the same 6 people, who differ, as evenings do: nothing goes with the other."""
    evening, person = np.repeat(np.arange(8), 6), np.tile(np.arange(6), 8)
    x, y = (rng.normal(size=8)[evening] + rng.normal(size=6)[person] + rng.normal(size=48) for _ in range(2))
    found = rank_correlation(x, y, evening, person)
    if found is None or found.low is None or found.high is None:
        return None
    return found.low <= 0 <= found.high


def rank_correlation_of_a_half(rng: Rng) -> bool | None:
    """20 evenings of 8 people, answers by themselves; the ranks correlate with 0.48."""
    evening, person = np.repeat(np.arange(20), 8), np.tile(np.arange(8), 20)
    x = rng.normal(size=160)
    found = rank_correlation(x, 0.5 * x + np.sqrt(0.75) * rng.normal(size=160), evening, person)
    if found is None or found.low is None or found.high is None:
        return None
    return bool(found.low <= 6 / np.pi * np.arcsin(0.25) <= found.high)


def second_play(rng: Rng) -> bool:
    """8 pairs of tables; the second play is a fifth shorter."""
    games = []
    for number in range(8):
        lengths = np.exp(rng.normal(0, 0.3, 2)) * (40, 32)
        measured = {f"{m}_{when}": n for m in MEASURES for when, n in zip(("first", "second"), lengths, strict=True)}
        head = {"game": "g", "ruleset": "r", "players": 2}
        games.append(head | {"first_game": f"{number}", "second_game": f"{number}b"} | measured)
    row = learning(pa.Table.from_pylist(games)).to_pylist()[0]
    return bool(row["low"] <= -0.2 <= row["high"])


# -- pairs and stopping ------------------------------------------------------------------------------------------------


def shift_of_a_share(rng: Rng) -> bool:
    """40 pairs of up to three copies that share their fate, ten points more."""
    found = share_shift(*pairs_of_clumps(rng, 40, 0.3, 0.4))
    return found is not None and found.low <= 0.1 <= found.high


def mcnemar_of_no_change(rng: Rng) -> bool:
    """100 pairs, no effect: P below 0.05."""
    return paired(rng.choice([-1.0, 0.0, 1.0], p=[0.15, 0.7, 0.15], size=100).tolist()).p >= 0.05


def e_value_of_pairs_at_every_look(rng: Rng) -> bool:
    """300 pairs, no effect, looked at after every tenth."""
    pairs = rng.choice([-1.0, 0.0, 1.0], p=[0.15, 0.7, 0.15], size=300).tolist()
    return all(paired(pairs[:n]).e_value < REJECT for n in range(10, 301, 10))


def verdict_fair(rng: Rng) -> bool | None:
    """Called fair after 100 games, a share as thought before: it lies near its baseline."""
    true = rng.beta(5, 5)
    low, high = near(0.5)
    is_fair = verdict(int(rng.binomial(100, true)), 100, 0.5) == "fair"
    return bool(low <= true <= high) if is_fair else None


def verdict_not_fair(rng: Rng) -> bool | None:
    """Called not fair after 100 games, but only just: a share as thought before, it does not lie near its baseline."""
    true = rng.beta(5, 5)
    low, high = near(0.5)
    hits = int(rng.binomial(100, true))
    return not low <= true <= high if _is_just_not_fair(hits) else None


@cache
def _is_just_not_fair(hits: int) -> bool:
    return verdict(hits, 100, 0.5) == "not fair" and outlook(hits, 100, 0.5).fair >= JUST


def forecast_of_one_in_ten(rng: Rng) -> bool | None:
    """20 games, a share as thought before, not decided: it is by as many more as one in ten of such tests needs."""
    return _forecast(rng, 0)


def forecast_of_half(rng: Rng) -> bool | None:
    """The same, by as many more as half of them need."""
    return _forecast(rng, 1)


def forecast_of_nine_in_ten(rng: Rng) -> bool | None:
    """The same, by as many more as nine in ten need, where that is at most 4,000."""
    return _forecast(rng, 2)


def _forecast(rng: Rng, which: int) -> bool | None:
    true = rng.beta(5, 5)
    hits = int(rng.binomial(20, true))
    if _decided(hits, 20):
        return None
    more = forecast(hits, 20, 0.5)[which]
    won = hits + np.cumsum(rng.random(more or 0) < true)
    return any(_decided(int(won[look - 1]), 20 + int(look)) for look in LOOKS if look <= len(won))


@cache
def _decided(hits: int, n: int) -> bool:
    return verdict(hits, n, 0.5) != "keep testing"


def power_of_40_games(rng: Rng) -> bool:
    """40 games at the upper end of what is fair: the interval leaves out one half."""
    found = wilson(int(rng.binomial(40, near(0.5)[1])), 40)
    return found.low > 0.5 or found.high < 0.5


POWER: Final = power(40, 0.5)


def detectable_difference(rng: Rng) -> bool:
    """100 games on each side, the smallest difference that is said to be found: it is."""
    half = detectable(0.5, 100) / 2
    a, b = (int(rng.binomial(100, share)) for share in (0.5 - half, 0.5 + half))
    return newcombe((b, 100), (a, 100)).low > 0


def clear_difference(rng: Rng) -> bool:
    """A and B equal, 40 games each: not called clear."""
    a, b = rng.binomial(40, 0.5, 2).tolist()
    return newcombe((a, 40), (b, 40)).words != "clear"


# -- what is there is found --------------------------------------------------------------------------------------------


def unfair_game_is_found(rng: Rng) -> bool:
    """The first player wins 75 %, looked at after each of 100 games: the e-value reaches what rejects one half."""
    hits = np.cumsum(rng.random(100) < UNFAIR)
    return any(e_value(int(won), n, 0.5) >= REJECT for n, won in enumerate(hits, 1))


def unfair_game_is_called_so(rng: Rng) -> bool:
    """The same: called not fair after 20, 40, 60, 80 or 100 games."""
    hits = np.cumsum(rng.random(100) < UNFAIR)
    return any(verdict(int(hits[n - 1]), n, 0.5) == "not fair" for n in range(20, 101, 20))


def stronger_deck_is_found(rng: Rng) -> bool:
    """100 games of four decks, one of which wins three in four against each other: it is called clearly stronger."""
    return bool(_tournament(rng, [1.1, 0.0, 0.0, 0.0], games=100)["0"]["clear"])


def clear_difference_is_found(rng: Rng) -> bool:
    """100 games of A with one half, 100 of B with 80 %: called clear."""
    a, b = (int(rng.binomial(100, share)) for share in (0.5, 0.8))
    return newcombe((b, 100), (a, 100)).words == "clear"


def change_is_found(rng: Rng) -> bool:
    """300 pairs that are worth 16 points, looked at after every tenth: the e-value rejects no change."""
    pairs = rng.choice([-1.0, 0.0, 1.0], p=[0.07, 0.7, 0.23], size=300).tolist()
    return any(paired(pairs[:n]).e_value >= REJECT for n in range(10, 301, 10))
