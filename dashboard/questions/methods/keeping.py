"""What it is worth to keep a card in the opening hand in place of sending it back, over all decks together."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tabletape.dashboard.questions.methods.card_effects import (
    MIN_GAMES,
    OTHER_PRIOR,
    filled,
    held_cards,
    standing_out,
    worded,
)
from tabletape.dashboard.questions.methods.sides import column, contests, decided, game_starts, groups, indicators
from tabletape.dashboard.statistics.conditional_logit import Floats
from tabletape.dashboard.statistics.many_effects import Told, told

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "card": pa.string(), "card_name": pa.string(),
        "kept_games": pa.int64(), "mulliganed_games": pa.int64(), "effect": pa.float64(), "alone": pa.float64(),
        "low": pa.float64(), "high": pa.float64(), "low_80": pa.float64(), "high_80": pa.float64(),
        "narrowed": pa.float64(), "helps": pa.float64(), "stands_out": pa.bool_(), "tested": pa.int64(),
        "by_luck": pa.float64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return what keeping each card is worth: a row a card that was kept and mulliganed, those that stand out first.

    `rows` has a row for every side of the games that somebody won: `game_id`, `won`, `deck`, `name`, `first`,
    `hand_known`, and lists of the `cards` of its first hands with their `card_names`, whether one was `kept` and
    whether one was `mulliganed`.
    """
    worths = [row for (game, ruleset), sides in groups(rows, "game", "ruleset") for row in _kept(game, ruleset, sides)]
    return pa.Table.from_pylist(worths, SCHEMA)


def estimated(sides: pa.Table) -> tuple[dict[str, str], list[Floats], Told] | None:
    """Return the cards of one ruleset, the games in which each was kept and sent back, and what keeping it is worth.

    None where no card of a known hand was kept or sent back.
    """
    sides = decided(sides)
    names, kept_cards = held_cards(sides, "kept")
    _, back = held_cards(sides, "mulliganed")
    if not names:
        return None
    _, deck = indicators(sides, "deck")
    _, player = indicators(sides, "name")
    first = column(sides, "first")[:, None]
    # A card kept, against the same card sent back, and beside it that it was dealt at all.
    known = [filled(sides, held) for held in (kept_cards, back)]
    terms = np.hstack([(known[0] - known[1]) / 2, known[0] + known[1], deck, player, first])
    worth = told(contests(sides, terms), len(names), np.full(terms.shape[1] - len(names), OTHER_PRIOR))
    return {card: names[card] for card in sorted(names)}, [_games(sides, held) for held in (kept_cards, back)], worth


def _kept(game: str, ruleset: str, sides: pa.Table) -> Iterator[dict[str, Any]]:
    estimate = estimated(sides)
    if estimate is None:
        return
    names, games, says = estimate
    effects = []
    for (card, name), worth, *counts in zip(
        names.items(), worded(says, np.minimum(*games) >= MIN_GAMES), *games, strict=True
    ):
        if all(counts):
            head = {"game": game, "ruleset": ruleset, "card": card, "card_name": name}
            numbers = {"kept_games": int(counts[0]), "mulliganed_games": int(counts[1])}
            effects.append({**head, **numbers, **worth})
    yield from sorted(effects, key=standing_out)


def _games(sides: pa.Table, held: Floats) -> Floats:
    """Count the games in which some side had each card."""
    games: Floats = (np.add.reduceat(held, game_starts(sides)) > 0).sum(axis=0)
    return games
