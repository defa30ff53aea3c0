"""A against B: what differs between the games of two rulesets, or of two versions of the cards."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import pyarrow as pa

from tabletape.dashboard.questions.methods.sides import first_seen, groups
from tabletape.dashboard.statistics.comparison import detectable, larger, median_difference, permutation
from tabletape.dashboard.statistics.intervals import newcombe

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset_a": pa.string(), "ruleset_b": pa.string(), "measure": pa.string(),
        "value": pa.string(), "wins_a": pa.int64(), "games_a": pa.int64(), "wins_b": pa.int64(), "games_b": pa.int64(),
        "larger_in_b": pa.float64(), "by_luck": pa.float64(), "detectable": pa.float64(),
        "difference": pa.float64(), "low": pa.float64(), "high": pa.float64(),
    }
)  # fmt: skip

Sides = list[dict[str, Any]]


def answer(rows: pa.Table) -> pa.Table:
    """Return a row for every pair of rulesets and everything that both have: the first player, decks, lengths.

    `rows` has a row a side: `game_id`, `players`, `deck`, `first`, `won` (none where nobody did), `turns` and `minutes`
    of finished games.
    """
    found: list[dict[str, Any]] = []
    for (game,), of_game in groups(rows, "game"):
        versions = {ruleset: sides.to_pylist() for (ruleset,), sides in first_seen(of_game, "ruleset")}
        for a, b in combinations(versions, 2):
            head = {"game": game, "ruleset_a": a, "ruleset_b": b}
            found += [head | row for row in (*_shares(versions[a], versions[b]), *_lengths(versions[a], versions[b]))]
    return pa.Table.from_pylist(found, SCHEMA)


def _shares(a: Sides, b: Sides) -> Iterator[dict[str, Any]]:
    """Compare who wins, by number of players: the one who began, and every deck that both versions have."""
    decided = [[row for row in sides if row["won"] is not None] for sides in (a, b)]
    sizes = sorted(set.intersection(*({row["players"] for row in sides} for sides in decided)))
    for players in sizes:
        mine = [[row for row in sides if row["first"] and row["players"] == players] for sides in decided]
        yield from _compared("first player", f"of {players}", mine[0], mine[1], "deck")
    for players in sizes:
        # A share of wins among four is none that could be set beside one among two.
        pairs = [[row for row in sides if row["players"] == players and not row["mirror"]] for sides in decided]
        for deck in sorted(set.intersection(*({row["deck"] for row in sides if row["deck"]} for sides in pairs))):
            mine = [[row for row in sides if row["deck"] == deck] for sides in pairs]
            yield from _compared("deck", deck if players == 2 else f"{deck}, of {players}", mine[0], mine[1], "first")


def _compared(measure: str, value: str, a: Sides, b: Sides, stratum: str) -> Iterator[dict[str, Any]]:
    if not (a and b):
        return
    wins, games = zip(*((sum(row["won"] for row in sides), len(sides)) for sides in (a, b)), strict=True)
    both = [*a, *b]
    share = sum(wins) / sum(games)
    difference = newcombe((wins[1], games[1]), (wins[0], games[0]))
    yield {
        "measure": measure, "value": value,
        "wins_a": wins[0], "games_a": games[0], "wins_b": wins[1], "games_b": games[1],
        "larger_in_b": larger((wins[0], games[0]), (wins[1], games[1])),
        "by_luck": permutation(
            [row["won"] for row in both], [False] * len(a) + [True] * len(b), [row[stratum] for row in both]
        ),
        "detectable": detectable(share, min(games)),
        "difference": difference.value, "low": difference.low, "high": difference.high,
    }  # fmt: skip


def _lengths(a: Sides, b: Sides) -> Iterator[dict[str, Any]]:
    """Compare how long finished games take: the difference of the medians."""
    for measure in ("turns", "minutes"):
        lengths = [
            list({row["game_id"]: row[measure] for row in sides if row[measure] is not None}.values())
            for sides in (a, b)
        ]
        if all(lengths):
            difference, low, high = median_difference(*lengths)
            yield {
                "measure": measure, "value": "median", "games_a": len(lengths[0]), "games_b": len(lengths[1]),
                "difference": difference, "low": low, "high": high,
            }  # fmt: skip
