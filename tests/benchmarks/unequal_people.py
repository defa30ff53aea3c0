"""Simulations with a known truth of people who are not alike: in strength, in speed, in trouble with the rules.

As in `more_intervals` each gives whether what was promised came true, or None where nothing was said.
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa
from scipy.special import expit

from tabletape.dashboard.questions.methods.adjusted import answer as adjusted
from tabletape.dashboard.questions.methods.learning import MEASURES
from tabletape.dashboard.questions.methods.learning import answer as learning
from tabletape.dashboard.statistics.clusters import clumps, clustered
from tabletape.dashboard.statistics.tension import Mean, Positions, open_games, openness, worth_of_a_lead
from tests.benchmarks.more_intervals import of_the_same_games, race

Rng = np.random.Generator

PEOPLE: Final = 6
UNEQUAL: Final = 0.8
"""The deviation of people's strengths (logit scale): of two the stronger one wins two games of three."""

VERY_MANY: Final = 3000
"""So many games of the same people tell what is true of them."""


def first_player_among_unequal_people(rng: Rng) -> bool:
    """40 games of six people, the stronger of two of whom wins two of three; beginning is worth what is thought."""
    skill, worth = rng.normal(0, UNEQUAL, PEOPLE), rng.normal(0, 0.5)
    row = _adjusted(rng, skill, worth)["first player", ""]
    return bool(row["low"] <= expit(worth) <= row["high"])


def deck_of_unequal_people(rng: Rng) -> bool:
    """The same: a deck that the strongest of them mostly has, worth what is thought."""
    skill, worth = rng.normal(0, UNEQUAL, PEOPLE), rng.normal(0, 0.5)
    row = _adjusted(rng, skill, 0.0, worth)["deck", "loud"]
    return bool(row["low"] <= expit(worth / 2) <= row["high"])


def _adjusted(rng: Rng, skill: np.ndarray, first: float, deck: float = 0.0) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the strengths after games of unequal people, of whom the strongest mostly has the deck "loud"."""
    best, sides = int(skill.argmax()), []
    for number in range(40):
        both = rng.choice(PEOPLE, 2, replace=False).tolist()
        loud = [bool(rng.random() < (0.8 if who == best else 0.2)) for who in both]
        worth = [skill[who] + deck * has for who, has in zip(both, loud, strict=True)]
        winner = 0 if rng.random() < expit(worth[0] - worth[1] + first) else 1
        sides += [
            {"game": "g", "ruleset": "r", "ruleset_id": "r", "game_id": f"{number:03}", "player": "AB"[seat],
             "name": f"P{who}", "deck": "loud" if has else "quiet", "seat": str(seat + 1), "first": seat == 0,
             "won": seat == winner}
            for seat, (who, has) in enumerate(zip(both, loud, strict=True))
        ]  # fmt: skip
    return {(row["measure"], row["value"]): row for row in adjusted(pa.Table.from_pylist(sides)).to_pylist()}


def second_play_of_unequal_people(rng: Rng) -> bool:
    """8 evenings of four people, slow and fast ones, who change partners; the second play is a fifth shorter."""
    games = []
    for evening in range(8):
        slow = rng.normal(0, 0.4, 4)
        first, second = [(0, 1), (2, 3)], [(0, 2), (1, 3)]
        lengths = [
            [float(np.exp(slow[list(pair)].mean() + rng.normal(0, 0.2)) * n) for pair in pairs]
            for pairs, n in ((first, 40), (second, 32))
        ]
        for person in range(4):
            one, two = (next(n for n, pair in enumerate(pairs) if person in pair) for pairs in (first, second))
            measured = {f"{m}_first": lengths[0][one] for m in MEASURES} | {
                f"{m}_second": lengths[1][two] for m in MEASURES
            }
            head = {"game": "g", "ruleset": "r", "players": 2}
            games.append(head | {"first_game": f"{evening}.{one}", "second_game": f"{evening}.{two}b"} | measured)
    row = learning(pa.Table.from_pylist(games)).to_pylist()[0]
    return bool(row["low"] <= -0.2 <= row["high"])


def trouble_of_newcomers(rng: Rng) -> bool:
    """20 games with one to three newcomers, each with a share of broken rules of their own, 4 % on average."""
    counts = []
    for _ in range(20):
        decisions = rng.integers(10, 40, rng.integers(1, 4))
        broken = rng.binomial(decisions, rng.beta(2, 48, len(decisions)))
        counts.append((int(broken.sum()), int(decisions.sum())))
    found = clustered(sum(h for h, _ in counts), sum(n for _, n in counts), clumps(counts))
    return bool(found.low <= 0.04 <= found.high)


def _uneven_race(rng: Rng, games: int, skill: np.ndarray) -> Positions:
    """Return games of two of some people, in which leads are the larger, the less equal the two are."""
    played = race(rng, games)
    both = np.array([rng.choice(PEOPLE, 2, replace=False) for _ in range(games)])
    gap = 1 + np.abs(skill[both[:, 0]] - skill[both[:, 1]])
    turns = len(played.starts) // games
    return Positions(
        played.progress * np.repeat(gap, 2 * turns), played.share, played.starts, played.games, played.winners
    )


@of_the_same_games
def _open_among_unequal_people(rng: Rng) -> tuple[tuple[Mean, Mean], tuple[float, float]]:
    """Return what 40 games say of decisiveness and uncertainty, and what very many games of the same people are."""
    skill = rng.normal(0, UNEQUAL, PEOPLE)
    many, few = _uneven_race(rng, VERY_MANY, skill), _uneven_race(rng, 40, skill)
    decided, unsure = open_games(many, worth_of_a_lead(many).mean)
    return openness(few, worth_of_a_lead(few)), (float(decided.mean()), float(unsure.mean()))


def decisiveness_among_unequal_people(rng: Rng) -> bool:
    """40 games of six people; the less equal two are, the larger are their leads."""
    found, true = _open_among_unequal_people(rng)
    return _holds(found[0], true[0])


def uncertainty_among_unequal_people(rng: Rng) -> bool:
    """The same, of how open it was who wins."""
    found, true = _open_among_unequal_people(rng)
    return _holds(found[1], true[1])


def _holds(mean: Mean, true: float) -> bool:
    return mean.low is not None and mean.high is not None and mean.low <= true <= mean.high
