"""Whether intervals, flags and stopping rules hold what they promise: simulations with a known truth.

Each line is a simulation that is run many times with another seed; printed is how often what is promised came true,
with its Monte Carlo error (a standard error over the runs in which something was said), and what was promised:

    python -m tests.benchmarks.intervals --runs 2000
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np
from scipy.special import expit

from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.bots_apart import RUNGS, said_of_kinds
from tabletape.dashboard.questions.methods.adjusted import answer as adjusted
from tabletape.dashboard.questions.methods.keeping import estimated as kept
from tabletape.dashboard.statistics.clusters import clumps, clustered
from tabletape.dashboard.statistics.comparison import larger, middle_difference, permutation, slope
from tabletape.dashboard.statistics.intervals import newcombe, wilson
from tabletape.dashboard.statistics.paired import mean_shift, paired
from tabletape.dashboard.statistics.stopping import REJECT, e_value, family_e_value
from tabletape.dashboard.statistics.survival import duration
from tabletape.dashboard.statistics.tension import mean_of_shares
from tabletape.dashboard.what_if import kinds_in_words
from tabletape.projector.selfplay.kinds import Bot
from tests.benchmarks.more_intervals import (
    POWER,
    chance_of_two_decks,
    change_is_found,
    clear_difference,
    clear_difference_is_found,
    clearly_stronger_of_equals,
    decisiveness_of_games,
    detectable_difference,
    e_value_of_pairs_at_every_look,
    forecast_of_half,
    forecast_of_nine_in_ten,
    forecast_of_one_in_ten,
    mcnemar_of_no_change,
    power_of_40_games,
    rank_correlation_of_a_half,
    rank_correlation_of_feelings,
    rating_of_a_deck,
    rise_at_a_turning_point,
    second_play,
    shift_of_a_share,
    stronger_deck_is_found,
    stronger_of_two_decks,
    strongest_of_all,
    turning_point,
    uncertainty_of_games,
    unfair_game_is_called_so,
    unfair_game_is_found,
    verdict_fair,
    verdict_not_fair,
)
from tests.benchmarks.unequal_people import (
    decisiveness_among_unequal_people,
    deck_of_unequal_people,
    first_player_among_unequal_people,
    second_play_of_unequal_people,
    trouble_of_newcomers,
    uncertainty_among_unequal_people,
)
from tests.dashboard.test_card_questions import openings, played_unevenly
from tests.dashboard.test_statistics import copies_of_a_card, decisions_of_a_game

Rng = np.random.Generator


def share(rng: Rng) -> bool:
    """20 games, a share of 30 to 70 %."""
    true = rng.uniform(0.3, 0.7)
    found = wilson(int(rng.binomial(20, true)), 20)
    return bool(found.low <= true <= found.high)


def _clumped(rng: Rng, counted: Callable[[Rng, int, float], tuple[np.ndarray, np.ndarray]]) -> bool:
    true = rng.uniform(0.3, 0.7)
    h, n = counted(rng, 20, true)
    found = clustered(h.sum(), n.sum(), clumps(zip(h, n, strict=True)))
    return bool(found.low <= true <= found.high)


def share_of_copies(rng: Rng) -> bool:
    """20 games of up to three copies, which win together."""
    return _clumped(rng, copies_of_a_card)


def share_of_decisions(rng: Rng) -> bool:
    """20 games of 5 to 29 decisions; tables differ in their habits."""
    return _clumped(rng, decisions_of_a_game)


def difference_of_shares(rng: Rng) -> bool:
    """20 games of A, 20 of B."""
    a, b = rng.uniform(0.3, 0.7, 2)
    found = newcombe((int(rng.binomial(20, b)), 20), (int(rng.binomial(20, a)), 20))
    return bool(found.low <= b - a <= found.high)


def difference_of_medians(rng: Rng) -> bool:
    """20 games of A, 20 of B, equally long."""
    low, high = middle_difference(*rng.gamma(4, 5, (2, 20)).tolist())[1] or (0.0, 0.0)
    return low <= 0 <= high


def median_with_abandoned_games(rng: Rng) -> bool:
    """20 games, long ones abandoned."""
    lengths, patience = rng.exponential(30 / np.log(2), 20), rng.exponential(60, 20)
    found = duration(np.minimum(lengths, patience).tolist(), (lengths <= patience).tolist())
    return (found.low or 0) <= 30 <= (found.high or np.inf)


def mean_of_games(rng: Rng) -> bool:
    """20 games of a number between 0 and 1 (drama, uncertainty)."""
    mean = mean_of_shares(rng.beta(2, 4, 20))
    return mean.low is not None and mean.high is not None and mean.low <= 1 / 3 <= mean.high


def trend_of_bots(rng: Rng) -> bool:
    """Three kinds of bots, 20 games each."""
    shares = rng.uniform(0.3, 0.5) + np.arange(3) * 0.15
    found = slope([(rung, int(rng.binomial(20, each)), 20) for rung, each in enumerate(shares)])
    return found is not None and found[1] <= 0.15 <= found[2]


def strength_of_a_player(rng: Rng) -> bool:
    """20 games of four players, strengths as thought before."""
    skill = {name: float(rng.normal(0, 0.5)) for name in ("Ann", "Ben", "Cat", "Dan")}
    rows = {row["value"]: row for row in adjusted(played_unevenly(rng, 20, skill)).to_pylist()}
    name = str(rng.choice(sorted(skill.keys() & rows.keys())))
    true = expit(skill[name] - np.mean(list(skill.values())))
    return bool(rows[name]["low"] <= true <= rows[name]["high"])


def worth_of_keeping(rng: Rng) -> bool:
    """40 games, keeping worth 0 to 23 points."""
    worth = rng.uniform(0, 1)
    found = kept(openings(rng, 40, worth, strong=rng.normal(0, 0.5)))
    assert found is not None
    low, high = (found[2].alone.quantile(level)[0] for level in (0.025, 0.975))
    return bool(low <= worth <= high)


def _pairs(rng: Rng, n: int) -> list[float]:
    found: list[float] = rng.choice([-1.0, 0.0, 1.0], p=[0.12, 0.7, 0.18], size=n).tolist()
    return found


def what_if(rng: Rng) -> bool:
    """100 pairs, six points."""
    found = paired(_pairs(rng, 100))
    return found.low <= 0.06 <= found.high


def what_if_at_every_look(rng: Rng) -> bool:
    """300 pairs, looked at after every tenth from 20 on."""
    pairs = _pairs(rng, 300)
    return all(abs(each.mean - 0.06) <= each.always for each in (paired(pairs[:n]) for n in range(20, 301, 10)))


def shift_of_lengths(rng: Rng) -> bool:
    """40 pairs of lengths, half a turn longer."""
    before = rng.gamma(4, 3, 40)
    found = mean_shift(before.tolist(), (before + rng.normal(0.5, 2, 40)).tolist())
    return found.low <= 0.5 <= found.high


def luck_in_versions(rng: Rng) -> bool:
    """A and B equal, 20 games each: P below 0.05."""
    hits = (rng.random(40) < 0.5).astype(float).tolist()
    return permutation(hits, [False] * 20 + [True] * 20, [""] * 40) >= 0.05


def larger_in_b(rng: Rng) -> bool:
    """Said to be larger in B with 0.8 to 0.95: it is."""
    while True:
        a, b = rng.beta(5, 5, 2)
        chance = larger((int(rng.binomial(20, a)), 20), (int(rng.binomial(20, b)), 20))
        if 0.8 <= chance <= 0.95:
            return bool(b > a)


def e_value_at_every_look(rng: Rng) -> bool:
    """A fair game of three players, looked at after each of 200 games."""
    hits = np.cumsum(rng.random(200) < 1 / 3)
    return all(e_value(int(won), n, 1 / 3) < REJECT for n, won in enumerate(hits, 1))


def e_value_of_a_family(rng: Rng) -> bool:
    """Two equal decks, looked at after every fifth of 200 games: their one e-value never rejects that."""
    hits = np.cumsum(rng.random(200) < 0.5)
    looks = ((n, int(hits[n - 1])) for n in range(10, 201, 5))
    return all(family_e_value([e_value(won, n, 0.5), e_value(n - won, n, 0.5)]) < REJECT for n, won in looks)


def kinds_that_play_alike(rng: Rng) -> bool:
    """Three kinds of bots with one share, 40 games each: not said to depend on play."""
    kinds = [
        {"played_by": who, "wins": wins, "games": 40, "win_rate": wins / 40, "win_rate_effective": 40, "baseline": 0.5}
        for who, wins in zip(RUNGS, rng.binomial(40, 0.5, 3).tolist(), strict=True)
    ]
    return bool(said_of_kinds(question("seats"), kinds)[0]["bots_say"] != "depends on play")


def kinds_of_pairs_that_are_alike(rng: Rng) -> bool:
    """Two kinds of bots to which a change is worth the same six points, 300 pairs each: not said to depend on play."""
    return not _say_that_it_depends(_pairs(rng, 300), _pairs(rng, 300))


def kinds_of_pairs_that_differ_are_found(rng: Rng) -> bool:
    """To one kind it is worth six points, to the other one eighteen less, 300 pairs each: said to depend on play."""
    worse = rng.choice([-1.0, 0.0, 1.0], p=[0.21, 0.7, 0.09], size=300).tolist()
    return _say_that_it_depends(_pairs(rng, 300), worse)


def _say_that_it_depends(*pairs: list[float]) -> bool:
    reach = [(100 * each.mean, 100 * each.low, 100 * each.high) for each in map(paired, pairs)]
    return kinds_in_words(list(zip(Bot, reach, strict=False))).startswith("It depends on play")


def kinds_that_differ_are_found(rng: Rng) -> bool:
    """Two kinds of bots with 40 and 70 %, 200 games each: said to depend on play."""
    kinds = [
        {"played_by": who, "wins": wins, "games": 200, "win_rate": wins / 200, "win_rate_effective": 200}
        | {"baseline": 0.5}
        for who, wins in zip(RUNGS, rng.binomial(200, [0.4, 0.7]).tolist(), strict=False)
    ]
    return bool(said_of_kinds(question("seats"), kinds)[0]["bots_say"] == "depends on play")


Simulation = Callable[[Rng], bool | None]


class Promise(NamedTuple):
    """How often what is said comes true: at least and at most, as shares of the runs, and in words."""

    low: float
    high: float
    words: str


INTERVAL: Final = Promise(0.92, 0.97, "95 %")
"""An interval that is too wide breaks its promise as well."""

AT_LEAST: Final = Promise(0.95, 0.995, "at least 95 %")
SELDOM: Final = Promise(0.95, 0.99, "at least 95 %")
"""What is said next to never by luck, but not never: that it is said where it is true is a promise of its own."""

FOUND: Final = Promise(0.8, 1.0, "at least 80 %")

SIMULATIONS: Final[dict[Simulation, Promise]] = {
    **dict.fromkeys((share, share_of_copies, share_of_decisions, difference_of_shares), INTERVAL),
    **dict.fromkeys((difference_of_medians, median_with_abandoned_games, mean_of_games, trend_of_bots), INTERVAL),
    **dict.fromkeys((strength_of_a_player, worth_of_keeping, what_if, shift_of_lengths, shift_of_a_share), INTERVAL),
    **dict.fromkeys((rating_of_a_deck, second_play, rise_at_a_turning_point), INTERVAL),
    **dict.fromkeys((decisiveness_of_games, uncertainty_of_games, rank_correlation_of_feelings), INTERVAL),
    rank_correlation_of_a_half: Promise(0.95, 0.985, "95 to 98 %"),
    luck_in_versions: Promise(0.95, 0.97, "at least 95 %"),
    mcnemar_of_no_change: Promise(0.95, 0.98, "at least 95 %"),
    **dict.fromkeys((what_if_at_every_look, e_value_at_every_look, e_value_of_pairs_at_every_look), AT_LEAST),
    **dict.fromkeys((e_value_of_a_family, clearly_stronger_of_equals), SELDOM),
    **dict.fromkeys((first_player_among_unequal_people, deck_of_unequal_people, trouble_of_newcomers), INTERVAL),
    **dict.fromkeys((decisiveness_among_unequal_people, uncertainty_among_unequal_people), INTERVAL),
    **dict.fromkeys((second_play_of_unequal_people, chance_of_two_decks), INTERVAL),
    verdict_not_fair: Promise(0.95, 0.98, "95 to 98 %"),
    stronger_of_two_decks: Promise(0.8, 0.95, "80 to 95 %"),
    forecast_of_one_in_ten: Promise(0.1, 0.2, "at least 10 %"),
    forecast_of_nine_in_ten: Promise(0.9, 0.95, "at least 90 %"),
    **dict.fromkeys((unfair_game_is_found, unfair_game_is_called_so, change_is_found), FOUND),
    **dict.fromkeys((stronger_deck_is_found, clear_difference_is_found, kinds_that_differ_are_found), FOUND),
    kinds_of_pairs_that_differ_are_found: FOUND,
    larger_in_b: Promise(0.8, 0.95, "80 to 95 %"),
    strongest_of_all: Promise(0.5, 0.8, "50 to 80 %"),
    turning_point: Promise(0.5, 0.8, "50 to 80 %"),
    verdict_fair: Promise(0.9, 0.99, "at least 90 %"),
    forecast_of_half: Promise(0.5, 0.6, "at least 50 %"),
    power_of_40_games: Promise(POWER, POWER, f"{100 * POWER:.1f} %"),
    detectable_difference: Promise(0.79, 0.81, "80 %"),
    clear_difference: Promise(0.99, 0.995, "at least 99 %"),
    kinds_that_play_alike: Promise(0.97, 0.99, "at least 97 %"),
    kinds_of_pairs_that_are_alike: Promise(0.98, 0.99, "at least 98 %"),
}


def outcome(simulation: Simulation, runs: int) -> tuple[float, int]:
    """Return in which share of the runs in which something was said it came true, and in how many that was."""
    every = (simulation(np.random.default_rng(seed)) for seed in range(runs))
    told = [each for each in every if each is not None]
    return float(np.mean(told)), len(told)


def rows(runs: int, simulations: Iterable[Simulation]) -> Iterable[str]:
    """Yield for each simulation a row: what it is, how often it came true with its Monte Carlo error, the promise."""
    for simulation in simulations:
        found, told = outcome(simulation, runs)
        error = np.sqrt(found * (1 - found) / told)
        what = f"{simulation.__name__.replace('_', ' ')}: {(simulation.__doc__ or '').rstrip('.')}"
        yield f"| {what} | {100 * found:.1f} ± {100 * error:.1f} % | {SIMULATIONS[simulation].words} |"


def main() -> None:
    """Print every simulation as a row of a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--only", nargs="*", default=[], help="names of simulations (default: all)")
    asked = parser.parse_args()
    chosen = [each for each in SIMULATIONS if not asked.only or each.__name__ in asked.only]
    for row in rows(asked.runs, chosen):
        sys.stdout.write(f"{row}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
