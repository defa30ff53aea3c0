"""Two rulesets beside each other, counted again from the lines: by formulas, and by draws of our own."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from tests.recounted.conftest import Rebuilt
from tests.recounted.games import Game
from tests.recounted.intervals import assert_share, wilson
from tests.recounted.lines import Read
from tests.recounted.referee import Higher, refereed

Rows = list[dict[str, Any]]
Asked = Callable[..., Rows]
DRAWS = 4000


def in_b_is_larger(a: tuple[int, int], b: tuple[int, int]) -> float:
    """Return the chance that the share of B is larger, each Beta(5, 5) before its games: an integral over that of A."""
    ours, theirs = (beta(5 + wins, 5 + games - wins) for wins, games in (a, b))
    return float(quad(lambda share: ours.pdf(share) * theirs.sf(share), 0, 1)[0])


def by_luck(rows: Sequence[tuple[bool, bool, object]]) -> float:
    """Return how often luck makes such a difference; rows: whether it is won, is of B, and its stratum."""
    won, in_b, strata = (np.array(each) for each in zip(*rows, strict=True))
    rng, found, strata = np.random.default_rng(3), [], np.array([str(each) for each in strata])
    for _ in range(DRAWS):
        mixed = in_b.copy()
        for stratum in np.unique(strata):
            mixed[strata == stratum] = rng.permutation(in_b[strata == stratum])
        found.append(abs(won[mixed].mean() - won[~mixed].mean()))
    return float(np.mean(np.array(found) >= abs(won[in_b].mean() - won[~in_b].mean()) - 1e-9))


def assert_shares(row: dict[str, Any], sides: list[tuple[bool, bool, object]]) -> None:
    """Hold the comparison of two shares of wins against the sides that it is about."""
    (wins_a, games_a), (wins_b, games_b) = counts = [
        (sum(won for won, in_b, _ in sides if in_b is which), sum(in_b is which for _, in_b, _ in sides))
        for which in (False, True)
    ]
    assert [row[name] for name in ("wins_a", "games_a", "wins_b", "games_b")] == [wins_a, games_a, wins_b, games_b]
    assert row["larger_in_b"] == pytest.approx(in_b_is_larger(*counts), abs=1e-6)
    p, q = wins_b / games_b, wins_a / games_a
    (p_low, p_high), (q_low, q_high) = wilson(wins_b, games_b), wilson(wins_a, games_a)
    low, high = p - q - np.hypot(p - p_low, q_high - q), p - q + np.hypot(p_high - p, q - q_low)
    assert [row[name] for name in ("difference", "low", "high")] == pytest.approx(
        [100 * each for each in (p - q, low, high)]
    )
    share = (wins_a + wins_b) / (games_a + games_b)
    spread = 2.8 * np.sqrt(2 * share * (1 - share) / min(games_a, games_b))
    assert row["detectable"] == pytest.approx(min(spread, 1.0))
    assert row["by_luck"] == pytest.approx(by_luck(sides), abs=0.04)


def test_editions_differ_by_what_their_games_say(asked: Asked, reads: list[Read]) -> None:
    """Who wins and how long games take, among equal numbers of players, with the days on which either was played."""
    for game in ("higher", "berries"):
        rows = {(row["players"], row["measure"], row["value"]): row for row in asked("versions") if row["game"] == game}
        editions = [next(iter(rows.values()))[f"ruleset_{which}"].split()[0] for which in "ab"]
        played = [read for read in reads if read.game == game and read.edition in editions]
        told = defaultdict[tuple[int, str, str], list[tuple[Read, Any]]](list)
        for read in played:
            size, decks = len(read.names), [*read.decks.values()]
            if read.winner and read.beginner:
                told[size, "first player", ""].append((read, (read.beginner, read.decks[read.beginner])))
            if read.winner and len({*decks}) == len(decks):
                for player, deck in read.decks.items():
                    told[size, "deck", deck].append((read, (player, player == read.beginner)))
            for measure in ("rounds", "turns", "minutes") if read.over else ():
                if read.length(measure):
                    told[size, measure, "median"].append((read, read.length(measure)))
        both = {key: each for key, each in told.items() if len({read.edition for read, _ in each}) == 2}
        assert rows.keys() == both.keys()
        for key, row in rows.items():
            days = [{read.day for read, _ in both[key] if read.edition == edition and read.day} for edition in editions]
            counted = len(days[0]), len(days[1]), len(days[0] & days[1])
            assert tuple(row[name] for name in ("days_a", "days_b", "days_in_both")) == counted
            if key[1] in {"first player", "deck"}:
                sides = [
                    (read.winner == who, read.edition == editions[1], stratum) for read, (who, stratum) in both[key]
                ]
                assert_shares(row, sides)
            else:
                a, b = ([each for read, each in both[key] if read.edition == edition] for edition in editions)
                assert_lengths(row, a, b)


def assert_lengths(row: dict[str, Any], a: list[float], b: list[float]) -> None:
    """Hold the comparison of two medians against the lengths of the games."""
    assert (row["games_a"], row["games_b"], row["unit"]) == (len(a), len(b), row["measure"])
    assert row["difference"] == pytest.approx(np.median(b) - np.median(a))
    # The averages of sides that are exchanged, in place of wins.
    of_both: Any = [*((each, False, "") for each in a), *((each, True, "") for each in b)]
    assert row["by_luck"] == pytest.approx(by_luck(of_both), abs=0.04)
    if min(len(a), len(b)) < 5:
        assert (row["low"], row["high"]) == (None, None)
        return
    rng = np.random.default_rng(4)
    drawn = np.median(rng.choice(b, (DRAWS, len(b))), axis=1) - np.median(rng.choice(a, (DRAWS, len(a))), axis=1)
    for name, part in (("low", 0.025), ("high", 0.975)):
        around = np.quantile(drawn, (part - 0.012, part + 0.012))
        assert around[0] - 1e-9 <= row[name] <= around[1] + 1e-9, row


def test_another_edition_makes_other_winners(rebuilt: Rebuilt, reads: list[Read]) -> None:
    """The games of the first edition of Higher, refereed by the second one, in which ties and the One are otherwise."""
    found = []
    for read in (each for each in reads if each.game == "higher" and each.edition == "first"):
        head, *others = read.sparse
        found.append((_ended(read.sparse), _ended([head | {"edition": "second"}, *others])))
    (row,) = rebuilt("rulesets", "--edition", "second")
    assert (row["ruleset_a"], row["ruleset_b"].split()[0], row["games"]) == ("first", "second", len(found))
    assert row["other_winner"] == sum(a.winner != b.winner for a, b in found)
    assert row["other_length"] == sum(a.turns != b.turns for a, b in found)
    for name, place in (("a", 0), ("b", 1)):
        assert row[f"first_player_{name}"] == sum(each[place].winner == "A" for each in found)
        assert row[f"illegal_{name}"] == sum(each[place].wrong for each in found)
    assert_share(row, "winner_rate", row["other_winner"], len(found))
    assert row["other_winner"] > 3


class Ended(NamedTuple):
    """How a game ended: who won, after how many turns, and whether anything in it was wrong."""

    winner: str
    turns: int
    wrong: bool


def _ended(game: Game) -> Ended:
    """Return how a game of Higher ended by the referee."""
    said = [*refereed(game)]
    table = said[-1][1]
    assert isinstance(table, Higher)
    return Ended(table.winner, table.turns, any(found and found.broken for found, _ in said))
