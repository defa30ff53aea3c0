"""First plays and second ones: counted by hand, and by simulations with a known truth."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.exclusions import counted_games
from tabletape.dashboard.questions.methods.learning import MEASURES
from tabletape.dashboard.questions.methods.learning import answer as learning
from tests.dashboard.asking import datasets, rows
from tests.written_games import ANN_WINS, played

Store = Callable[..., Path]


def stored(store: Store, number: int, minutes: int, names: str, plays: list[dict[str, Any]]) -> Path:
    """Store a game on a day of May that takes so long."""
    day = f"2026-05-{number:02}"
    seats = [{"id": seat, "name": name} for seat, name in zip("AB", names, strict=True)]
    timed = [*plays[:-1], plays[-1] | {"at": f"{day}T10:{minutes:02}:00Z"}]
    return store(f"g{number}", *timed, players=seats, at=f"{day}T10:00:00Z")


def test_a_second_play_stands_beside_the_first_and_new_players_beside_old_ones(store: Store) -> None:
    """Ann and Ben take 40 minutes, then 32; Ann and Cat, for whom it is the first time, take 20; one game has no date.

    Only Cat breaks a rule, in her first game: she plays a card that she has just played. Ben's and Ann's second game
    is one pair, a fifth shorter. That rule troubled a table of which somebody was new, and no other.
    """
    stored(store, 1, 40, "xy", ANN_WINS)
    stored(store, 2, 32, "xy", ANN_WINS)
    stored(store, 3, 20, "xz", [*ANN_WINS[:2], played("A", "six"), played("B", "two")])
    folder = datasets(store("undated", *ANN_WINS))
    found = {row["measure"]: row for row in rows("learning", folder)}
    assert (found["minutes"]["pairs"], found["minutes"]["independent"], found["minutes"]["low"]) == (1, 1, None)
    assert found["minutes"]["difference"] == pytest.approx(-0.2)
    assert found["turns"]["difference"] == 0
    told = {row["experience"]: row for row in rows("newcomers", folder)}
    assert {each: (row["people"], row["games"], row["broken"]) for each, row in told.items()} == {
        "first": (3, 2, 1),
        "second": (2, 1, 0),
        "later": (1, 1, 0),
    }
    assert [told[each]["decisions"] for each in ("second", "later")] == [4 + 2, 2 + 1]
    by_rule = [(row["experience"], row["broken"], row["games"]) for row in rows("rules-by-experience", folder)]
    assert by_rule == [("all new", 0, 1), ("some new", 1, 1), ("all old", 0, 1)]
    said = counted_games(question("learning"), folder)
    assert said is not None
    assert said.left_out["that do not say when they began"] == 1


@pytest.mark.parametrize("pairs", [3, 8])
def test_intervals_of_the_second_play_hold_the_truth(pairs: int) -> None:
    """Second games a fifth shorter, with games that vary by a third: held in 95 % of 300 sets."""
    rng, held = np.random.default_rng(pairs), []
    for _ in range(300):
        games = []
        for number in range(pairs):
            first, second, other = np.exp(rng.normal(0, 0.3, 3)) * (40, 32, 32)
            # Two players who met at their first game play their second one at different tables.
            for place, length in enumerate((second, other)):
                each = {f"{measure}_{when}": long for measure in MEASURES
                        for when, long in (("first", first), ("second", length))}  # fmt: skip
                games.append(
                    {"game": "higher", "ruleset": "first", "players": 2, "first_game": f"{number}",
                     "second_game": f"{number}-{place}", **each}
                )  # fmt: skip
        row = learning(pa.Table.from_pylist(games)).to_pylist()[0]
        assert (row["pairs"], row["independent"]) == (2 * pairs, pairs)
        held.append(row["low"] <= -0.2 <= row["high"])
    assert 0.925 <= np.mean(held) <= 0.975
