"""A against B: what differs between the games of two rulesets, or of two versions of the cards."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import median
from typing import Any, Final

import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import first_seen, groups
from tabletape.dashboard.statistics.comparison import detectable, larger, middle_difference, permutation
from tabletape.dashboard.statistics.intervals import newcombe

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset_a": pa.string(), "ruleset_b": pa.string(), "measure": pa.string(),
        "value": pa.string(), "players": pa.int64(), "wins_a": pa.int64(), "games_a": pa.int64(),
        "wins_b": pa.int64(), "games_b": pa.int64(), "days_a": pa.int64(), "days_b": pa.int64(),
        "days_in_both": pa.int64(), "larger_in_b": pa.float64(), "by_luck": pa.float64(), "detectable": pa.float64(),
        "unit": pa.string(), "middle_a": pa.float64(), "middle_b": pa.float64(), "difference": pa.float64(),
        "low": pa.float64(), "high": pa.float64(),
    }
)  # fmt: skip

ENDS: Final = {"difference": "value", "low": "low", "high": "high"}
"""The columns of a difference of shares, and what they are called where it is counted."""

Sides = list[dict[str, Any]]


def answer(rows: pa.Table) -> pa.Table:
    """Return a row for every pair of rulesets and everything that both have: the first player, decks, lengths.

    `rows` has a row a side: `game_id`, `players`, `deck`, `first`, `won` (none where nobody did), the `day`, and
    `rounds`, `turns` and `minutes` of finished games. Whatever is compared is so among equal numbers of players: with
    more of them games have more turns, and each wins fewer.
    """
    differences: list[dict[str, Any]] = []
    for (game,), of_game in groups(rows, "game"):
        versions = {ruleset: sides.to_pylist() for (ruleset,), sides in first_seen(of_game, "ruleset")}
        for a, b in combinations(versions, 2):
            head = {"game": game, "ruleset_a": a, "ruleset_b": b}
            sides = versions[a], versions[b]
            for players in sorted(set.intersection(*({row["players"] for row in each} for each in sides))):
                mine = [[row for row in each if row["players"] == players] for each in sides]
                differences += [head | {"players": players} | row for row in (*_shares(*mine), *_lengths(*mine))]
    return pa.Table.from_pylist(differences, SCHEMA)


def _shares(a: Sides, b: Sides) -> Iterator[dict[str, Any]]:
    """Compare who wins: the one who began, and every deck that both versions have."""
    decided = [[row for row in sides if row["won"] is not None] for sides in (a, b)]
    first, second = ([row for row in sides if row["first"]] for sides in decided)
    yield from _compared("first player", "", (first, second), "deck")
    pairs = [[row for row in sides if not row["mirror"]] for sides in decided]
    for deck in sorted(set.intersection(*({row["deck"] for row in sides if row["deck"]} for sides in pairs))):
        mine, theirs = ([row for row in sides if row["deck"] == deck] for sides in pairs)
        yield from _compared("deck", deck, (mine, theirs), "first")


def _compared(measure: str, value: str, sides: tuple[Sides, Sides], stratum: str) -> Iterator[dict[str, Any]]:
    a, b = sides
    if not (a and b):
        return
    wins, games = zip(*((sum(row["won"] for row in each), len(each)) for each in sides), strict=True)
    both = [*a, *b]
    difference = newcombe((wins[1], games[1]), (wins[0], games[0]))
    yield {
        "measure": measure, "value": value, **_days(sides),
        "wins_a": wins[0], "games_a": games[0], "wins_b": wins[1], "games_b": games[1],
        "larger_in_b": larger((wins[0], games[0]), (wins[1], games[1])),
        "by_luck": permutation(
            [row["won"] for row in both], [False] * len(a) + [True] * len(b), [row[stratum] for row in both]
        ),
        "detectable": detectable(sum(wins) / sum(games), min(games)), "unit": "points",
        **{name: 100 * getattr(difference, field) for name, field in ENDS.items()},
    }  # fmt: skip


def _lengths(a: Sides, b: Sides) -> Iterator[dict[str, Any]]:
    """Compare how long finished games take: the difference of the medians."""
    for measure in ("rounds", "turns", "minutes"):
        sides = [[row for row in each if row[measure] is not None] for each in (a, b)]
        lengths = [list({row["game_id"]: row[measure] for row in each}.values()) for each in sides]
        if all(lengths):
            difference, ends = middle_difference(lengths[0], lengths[1])
            low, high = ends or (None, None)
            both, in_b = [*lengths[0], *lengths[1]], [False] * len(lengths[0]) + [True] * len(lengths[1])
            yield {
                "measure": measure, "value": "median", **_days(sides),
                "games_a": len(lengths[0]), "games_b": len(lengths[1]),
                "by_luck": permutation(both, in_b, [""] * len(both)),
                "unit": measure, "middle_a": median(lengths[0]), "middle_b": median(lengths[1]),
                "difference": difference, "low": low, "high": high,
            }  # fmt: skip


def _days(sides: Sequence[Sides]) -> dict[str, int]:
    """Count the days on which the games of A and of B were played, and those on which some of both were."""
    a, b = ({row["day"] for row in each if row["day"] is not None} for each in sides)
    return {"days_a": len(a), "days_b": len(b), "days_in_both": len(a & b)}
