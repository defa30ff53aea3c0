"""Which cards go with winning when the deck, the player, who began and how many cards were seen are allowed for."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.special import expit

from tabletape.dashboard.questions.lab import DISAGREE, LOGITS, LabEffect
from tabletape.dashboard.questions.methods.sides import column, contests, decided, game_starts, groups, indicators
from tabletape.dashboard.statistics.conditional_logit import Floats
from tabletape.dashboard.statistics.many_effects import Before, Told, told

OTHER_PRIOR: Final = 0.5
"""How far from 0 decks, players and beginning are thought to lie before the first game, as deviations (logit scale)."""

SEEN_PRIOR: Final = 3.0
"""The same of one deviation more cards seen: who wins has mostly drawn more of them, whichever they were. Far wider, so
that this is not laid to the cards."""

MIN_GAMES: Final = 10
"""A card that fewer games have seen gets no verdict."""

NARROWED_SHARE: Final = 0.2
"""An interval that the games narrowed by less is what was thought before, and is not shown."""

TOP: Final = 3

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "card": pa.string(), "card_name": pa.string(),
        "games": pa.int64(), "effect": pa.float64(), "alone": pa.float64(), "low": pa.float64(), "high": pa.float64(),
        "low_80": pa.float64(), "high_80": pa.float64(), "narrowed": pa.float64(), "helps": pa.float64(),
        "rank": pa.int64(), "top_3_low": pa.float64(), "top_3_high": pa.float64(), "stands_out": pa.bool_(),
        "tested": pa.int64(), "by_luck": pa.float64(),
    }
)  # fmt: skip


LAB: Final = (("unaided", pa.float64()), ("lab", pa.float64()), ("lab_pairs", pa.int64()))
"""Columns beside, where bots were asked before the first game: the effect without that, what they say, their pairs."""


def answer(rows: pa.Table, lab: Sequence[LabEffect] = ()) -> pa.Table:
    """Return the effect of every card: a row a card, those that stand out most first.

    `lab` is what bots say of some cards before the first game; `effect` and what is said with it begin there.

    `rows` has a row for every side of the games that somebody won: `game_id`, `won`, `deck`, `name`, `first`,
    `hand_known`, and lists of the `cards` that were in its hand with their `card_names`.
    """
    effects = [
        row
        for (game, ruleset), sides in groups(rows, "game", "ruleset")
        for row in _effects({"game": game, "ruleset": ruleset}, sides, lab)
    ]
    return pa.Table.from_pylist(
        effects, pa.schema([*SCHEMA, *map(pa.field, *zip(*LAB, strict=True))]) if lab else SCHEMA
    )


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


def _effects(head: dict[str, Any], sides: pa.Table, lab: Sequence[LabEffect]) -> Iterator[dict[str, Any]]:
    estimate = estimated(sides)
    if estimate is None:
        return
    enough, mine = estimate.games >= MIN_GAMES, {each.card: each for each in lab if each.game == head["game"]}
    before = _before(lab, head["game"], tuple(estimate.names))
    plain, said = (list(worded(estimate.told, enough, each)) for each in (None, before))
    effects = [
        {**head, "card": card, "card_name": name, "games": int(number), **each, **_beside(mine.get(card), unaided)}
        for (card, name), number, each, unaided in zip(estimate.names.items(), estimate.games, said, plain, strict=True)
    ]
    yield from sorted(effects, key=standing_out)


def _beside(lab: LabEffect | None, unaided: dict[str, Any]) -> dict[str, Any]:
    said = {"lab": lab.effect, "lab_pairs": lab.pairs} if lab else {}
    return {"unaided": unaided["effect"], **said}


def _before(lab: Sequence[LabEffect], game: str, cards: Sequence[str]) -> Before | None:
    """Return what the lab says of the cards of a game before the first of its games; None where it says nothing."""
    mine = {each.card: each for each in lab if each.game == game and each.card in cards}
    if not mine:
        return None
    said = [mine.get(card) for card in cards]
    return Before(
        np.array([LOGITS * each.effect if each else 0.0 for each in said]),
        np.array([np.hypot(LOGITS * each.error, DISAGREE) if each else np.inf for each in said]),
    )


def standing_out(row: dict[str, Any]) -> tuple[bool, bool, float, str]:
    """Return where an effect stands among others: its bound nearest to 0 the highest first."""
    has_none = row["low"] is None
    return not row["stands_out"], has_none, 0.0 if has_none else -max(row["low"], -row["high"]), row["card"]


def _standardized(numbers: Floats) -> Floats:
    """Return numbers as deviations from their mean, in standard deviations, as a column."""
    spread = numbers.std()
    standardized: Floats = ((numbers - numbers.mean()) / (spread if spread > 0 else 1.0))[:, None]
    return standardized


def worded(known: Told, enough: np.ndarray, before: Before | None = None) -> Iterator[dict[str, Any]]:
    """Yield what is said of each effect, in shares won at one half (0.05: five points).

    `enough` says of which effects enough games tell: the others get no verdict. `before` is what somebody else has said
    of them; what stands out does so by the games.
    """
    weighed = known.weighed if before is None else known.after(before)
    points = expit(known.draws(weighed)) - 0.5
    least, most = known.among_highest(weighed, TOP)
    ranks = 1 + (-points).argsort(axis=1).argsort(axis=1)
    alone, *ends = [expit(known.alone.quantile(level)) - 0.5 for level in (0.5, 0.025, 0.975, 0.1, 0.9)]
    shared = {"tested": int(enough.sum()), "by_luck": float(known.by_luck[enough].sum())}
    above, clear = 1 - weighed.below(0.0), known.clear & enough
    for number, narrowed in enumerate(known.narrowed):
        low, high, low_80, high_80 = (float(each[number]) if narrowed >= NARROWED_SHARE else None for each in ends)
        yield {
            **shared,
            "effect": float(points[:, number].mean()),
            "alone": float(alone[number]) if narrowed >= NARROWED_SHARE else None,
            "low": low, "high": high, "low_80": low_80, "high_80": high_80, "narrowed": float(narrowed),
            "helps": float(above[number]),
            "rank": int(np.median(ranks[:, number])),
            "top_3_low": float(least[number]), "top_3_high": float(most[number]), "stands_out": bool(clear[number]),
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
