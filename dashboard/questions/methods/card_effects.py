"""Which cards go with winning when the deck, the player, who began and how many cards were seen are allowed for."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.special import expit

from tabletape.dashboard.questions.methods.sides import column, contests, decided, game_starts, groups, indicators
from tabletape.dashboard.statistics.conditional_logit import Floats
from tabletape.dashboard.statistics.many_effects import Told, told

OTHER_PRIOR: Final = 0.5
"""How far from 0 decks, players and beginning are thought to lie before the first game, as deviations (logit scale)."""

SEEN_PRIOR: Final = 3.0
"""The same of one deviation more cards seen: who wins has mostly drawn more of them, whichever they were. Far wider, so
that this is not laid to the cards."""

MIN_GAMES: Final = 10
"""A card that fewer games have seen gets no verdict."""

NARROWED: Final = 0.2
"""An interval that the games narrowed by less is what was thought before, and is not shown."""

TOP: Final = 3

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "card": pa.string(), "card_name": pa.string(),
        "games": pa.int64(), "effect": pa.float64(), "alone": pa.float64(), "low": pa.float64(), "high": pa.float64(),
        "low_80": pa.float64(), "high_80": pa.float64(), "narrowed": pa.float64(), "helps": pa.float64(),
        "rank": pa.int64(), "top_3": pa.float64(), "stands_out": pa.bool_(), "tested": pa.int64(),
        "by_luck": pa.float64(),
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


class Estimated(msgspec.Struct, frozen=True):
    """Cards by their ids in order, with their names, the games that tell of each, and what these say."""

    names: dict[str, str]
    games: Floats
    told: Told


def estimated(sides: pa.Table) -> Estimated | None:
    """Return what games of one ruleset say of their cards (see `answer`); None where no hand is known."""
    sides = decided(sides)
    names, seen = held_cards(sides)
    if not names:
        return None
    decks, deck = indicators(sides, "deck")
    players, player = indicators(sides, "name")
    first = column(sides, "first")[:, None]
    held = filled(sides, seen)
    others = np.array([OTHER_PRIOR] * (len(decks) + len(players) + 1) + [SEEN_PRIOR])
    terms = contests(sides, np.hstack([held, deck, player, first, _standardized(held.sum(axis=1))]))
    games = (np.add.reduceat(seen, game_starts(sides)) > 0).sum(axis=0)
    return Estimated({card: names[card] for card in sorted(names)}, games, told(terms, len(names), others))


def _effects(game: str, ruleset: str, sides: pa.Table) -> Iterator[dict[str, Any]]:
    found = estimated(sides)
    if found is None:
        return
    head = {"game": game, "ruleset": ruleset}
    effects = [
        {**head, "card": card, "card_name": name, "games": int(number), **each}
        for (card, name), number, each in zip(
            found.names.items(), found.games, worded(found.told, found.games >= MIN_GAMES), strict=True
        )
    ]
    yield from sorted(effects, key=standing_out)


def standing_out(row: dict[str, Any]) -> tuple[bool, bool, float, str]:
    """Return where an effect stands among others: its bound nearest to 0 the highest first."""
    has_none = row["low"] is None
    return not row["stands_out"], has_none, 0.0 if has_none else -max(row["low"], -row["high"]), row["card"]


def _standardized(numbers: Floats) -> Floats:
    """Return numbers as deviations from their mean, in standard deviations, as a column."""
    spread = numbers.std()
    found: Floats = ((numbers - numbers.mean()) / (spread if spread > 0 else 1.0))[:, None]
    return found


def worded(found: Told, enough: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield what is said of each effect, in shares won at one half (0.05: five points).

    `enough` says of which effects enough games tell: the others get no verdict.
    """
    weighed = found.weighed
    points = expit(found.draws()) - 0.5
    ranks = 1 + (-points).argsort(axis=1).argsort(axis=1)
    alone, *ends = [expit(found.alone.quantile(level)) - 0.5 for level in (0.5, 0.025, 0.975, 0.1, 0.9)]
    shared = {"tested": int(enough.sum()), "by_luck": float(found.by_luck[enough].sum())}
    above, clear = 1 - weighed.below(0.0), found.clear & enough
    for number, narrowed in enumerate(found.narrowed):
        low, high, low_80, high_80 = (float(each[number]) if narrowed >= NARROWED else None for each in ends)
        yield {
            **shared,
            "effect": float(points[:, number].mean()), "alone": float(alone[number]) if narrowed >= NARROWED else None,
            "low": low, "high": high, "low_80": low_80, "high_80": high_80, "narrowed": float(narrowed),
            "helps": float(above[number]),
            "rank": int(np.median(ranks[:, number])), "top_3": float((ranks[:, number] <= TOP).mean()),
            "stands_out": bool(clear[number]),
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
