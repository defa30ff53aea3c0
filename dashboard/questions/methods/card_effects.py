"""What a card is worth when its deck, the player and who began are allowed for."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.special import expit, ndtr

from tabletape.dashboard.questions.methods.sides import column, contests, decided, game_starts, groups, indicators
from tabletape.dashboard.statistics.conditional_logit import Floats, fit
from tabletape.dashboard.statistics.intervals import CONFIDENCE, z_of

CARD_PRIOR: Final = 0.3
OTHER_PRIOR: Final = 0.5
"""How far from 0 effects are thought to lie before the first game, as standard deviations on the logit scale."""

MIN_GAMES: Final = 10
"""A card that fewer games have seen gets no verdict."""

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "card": pa.string(), "card_name": pa.string(),
        "games": pa.int64(), "effect": pa.float64(), "low": pa.float64(), "high": pa.float64(),
        "low_80": pa.float64(), "high_80": pa.float64(), "helps": pa.float64(), "stands_out": pa.bool_(),
        "tested": pa.int64(), "by_luck": pa.float64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return the effect of every card: a row a card, those that stand out most first.

    `rows` has a row for every side of the games that somebody won: `game_id`, `won`, `deck`, `name`, `first`,
    `hand_known`, and lists of the `cards` that were in its hand with their `card_names`.
    """
    found = [
        row for (game, ruleset), sides in groups(rows, "game", "ruleset") for row in _effects(game, ruleset, sides)
    ]
    return pa.Table.from_pylist(found, SCHEMA)


def _effects(game: str, ruleset: str, sides: pa.Table) -> Iterator[dict[str, Any]]:
    sides = decided(sides)
    names, seen = held_cards(sides)
    cards = sorted(names)
    if not cards:
        return
    decks, deck = indicators(sides, "deck")
    players, player = indicators(sides, "name")
    first = column(sides, "first")[:, None]
    counted = np.add.reduceat(seen, game_starts(sides)) > 0
    posterior = fit(
        contests(sides, np.hstack([filled(sides, seen), deck, player, first])),
        np.array([CARD_PRIOR] * len(cards) + [OTHER_PRIOR] * (len(decks) + len(players) + 1)),
    )
    games = counted.sum(axis=0)
    enough = games >= MIN_GAMES
    by_luck = _by_luck(posterior.deviation[: len(cards)][enough])
    effects = [
        {"game": game, "ruleset": ruleset, "card": card, "card_name": names[card], "games": int(number),
         "tested": int(enough.sum()), "by_luck": by_luck, **effect_at_one_half(mean, deviation, enough=fits)}
        for card, number, fits, mean, deviation in zip(
            cards, games, enough, posterior.mean, posterior.deviation, strict=False
        )
    ]  # fmt: skip
    yield from sorted(effects, key=lambda row: (row["games"] < MIN_GAMES, -max(row["low"], -row["high"]), row["card"]))


def _by_luck(deviations: Floats) -> float:
    """Return how many cards would stand out if none mattered, from the deviations that their effects have.

    What is thought before the games pulls an effect towards 0: of n games that tell I about it the mean has the
    variance I / (I + P)², and its deviation is that of 1 / (I + P). So few games let hardly any card stand out.
    """
    information_share = np.clip(1 - (deviations / CARD_PRIOR) ** 2, 1e-12, 1.0)
    return float((2 * ndtr(-z_of(CONFIDENCE) / np.sqrt(information_share))).sum())


def effect_at_one_half(mean: float, deviation: float, *, enough: bool) -> dict[str, Any]:
    """Return an effect in shares won at one half (0.05: five points), with its intervals.

    It stands out where `enough` games tell of it and its 95 % interval leaves out 0.
    """
    low, high, low_80, high_80 = (
        float(expit(mean + sign * z_of(confidence) * deviation) - 0.5) for confidence in (0.95, 0.8) for sign in (-1, 1)
    )
    return {
        "effect": float(expit(mean) - 0.5),
        "low": low, "high": high, "low_80": low_80, "high_80": high_80,
        "helps": float(ndtr(mean / deviation)),
        "stands_out": bool(enough and not low <= 0 <= high),
    }  # fmt: skip


def held_cards(sides: pa.Table, flag: str = "") -> tuple[dict[str, str], Floats]:
    """Return the cards that known hands have held, with their names, and which side (a row) has held which (a column).

    The columns are in the order of the cards' ids. With a `flag`, a list beside `cards`, only held cards that have it
    count as held; the columns stay those of all cards.
    """
    hands = pc.if_else(sides["hand_known"], sides["cards"], None).combine_chunks()
    rows = pc.list_parent_indices(hands).to_numpy()
    cards = pc.list_flatten(hands).dictionary_encode()
    called = pc.list_flatten(pc.if_else(sides["hand_known"], sides["card_names"], None).combine_chunks())
    ids = cards.dictionary.to_pylist()
    which = cards.indices.to_numpy()
    last = np.zeros(len(ids), np.intp)
    last[which] = np.arange(len(which))
    names = dict(zip(ids, called.take(pa.array(last)).to_pylist(), strict=True))
    place = np.argsort(np.argsort(np.array(ids, object)))
    fits = np.ones(len(which), bool)
    if flag:
        flags = pc.list_flatten(pc.if_else(sides["hand_known"], sides[flag], None).combine_chunks())
        fits = flags.to_numpy(zero_copy_only=False).astype(bool)
    seen = np.zeros((sides.num_rows, len(ids)))
    seen[rows[fits], place[which[fits]]] = 1.0
    return names, seen


def filled(sides: pa.Table, seen: Floats) -> Floats:
    """Put the average of the known hands in place of those that are not known."""
    known = column(sides, "hand_known").astype(bool)
    full = seen.copy()
    full[~known] = seen[known].mean(axis=0)
    return full
