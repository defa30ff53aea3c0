"""What it is worth to keep a card in the opening hand in place of sending it back, over all decks together."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tabletape.dashboard.questions.methods.card_effects import (
    CARD_PRIOR,
    MIN_GAMES,
    OTHER_PRIOR,
    effect_at_one_half,
    filled,
    held_cards,
)
from tabletape.dashboard.questions.methods.sides import column, contests, decided, game_starts, groups, indicators
from tabletape.dashboard.statistics.conditional_logit import Floats, fit

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "card": pa.string(), "card_name": pa.string(),
        "kept_games": pa.int64(), "mulliganed_games": pa.int64(), "effect": pa.float64(), "low": pa.float64(),
        "high": pa.float64(), "low_80": pa.float64(), "high_80": pa.float64(), "helps": pa.float64(),
        "stands_out": pa.bool_(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return what keeping each card is worth: a row a card that was kept and mulliganed, those that stand out first.

    `rows` has a row for every side of the games that somebody won: `game_id`, `won`, `deck`, `name`, `first`,
    `hand_known`, and lists of the `cards` of its first hands with their `card_names`, whether one was `kept` and
    whether one was `mulliganed`.
    """
    found = [row for (game, ruleset), sides in groups(rows, "game", "ruleset") for row in _kept(game, ruleset, sides)]
    return pa.Table.from_pylist(found, SCHEMA)


def _kept(game: str, ruleset: str, sides: pa.Table) -> Iterator[dict[str, Any]]:
    sides = decided(sides)
    names, kept = held_cards(sides, "kept")
    _, back = held_cards(sides, "mulliganed")
    if not names:
        return
    decks, deck = indicators(sides, "deck")
    players, player = indicators(sides, "name")
    first = column(sides, "first")[:, None]
    posterior = fit(
        contests(sides, np.hstack([filled(sides, kept), filled(sides, back), deck, player, first])),
        np.array([CARD_PRIOR] * 2 * len(names) + [OTHER_PRIOR] * (len(decks) + len(players) + 1)),
    )
    games = [_games(sides, held) for held in (kept, back)]
    effects = []
    for number, card in enumerate(sorted(names)):
        weights = np.zeros(len(posterior.mean))
        weights[number], weights[len(names) + number] = 1.0, -1.0
        counts = [int(each[number]) for each in games]
        if all(counts):
            head = {"game": game, "ruleset": ruleset, "card": card, "card_name": names[card]}
            worth = effect_at_one_half(*posterior.contrast(weights), enough=min(counts) >= MIN_GAMES)
            effects.append(head | {"kept_games": counts[0], "mulliganed_games": counts[1]} | worth)
    yield from sorted(effects, key=lambda row: (-max(row["low"], -row["high"]), row["card"]))


def _games(sides: pa.Table, held: Floats) -> Floats:
    """Count the games in which some side had each card."""
    found: Floats = (np.add.reduceat(held, game_starts(sides)) > 0).sum(axis=0)
    return found
