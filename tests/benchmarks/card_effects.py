"""Whether what `card-effects` says holds what it promises: games with known effects, many times.

Two sides draw 9 to 13 of 16 cards each, half of the time from the same deck; who wins draws up to three cards more
where cards do nothing. All 32 cards count, also those whose interval the answer does not show. Printed with the Monte
Carlo error of each mean (a standard error over the runs):

    python tests/benchmarks/card_effects.py --runs 100
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from scipy.special import expit

from tabletape.dashboard.questions.lab import DISAGREE
from tabletape.dashboard.questions.methods.card_effects import TOP, estimated, worded
from tabletape.dashboard.statistics.many_effects import Before

CARDS: Final = 32
LONE: Final = 0.8
"""The effect of a lone strong card: 19 points at one half."""

WORLDS: Final[dict[str, Callable[[np.random.Generator], np.ndarray]]] = {
    "no effects, winners see more": lambda _rng: np.zeros(CARDS),
    "deviation 0.05": lambda rng: rng.normal(0, 0.05, CARDS),
    "deviation 0.15": lambda rng: rng.normal(0, 0.15, CARDS),
    "deviation 0.3": lambda rng: rng.normal(0, 0.3, CARDS),
    "deviation 0.6": lambda rng: rng.normal(0, 0.6, CARDS),
    "heavy tails": lambda rng: 0.3 * rng.standard_t(3, CARDS),
    "a lone card of 19 points": lambda _rng: np.array([LONE] + [0.0] * (CARDS - 1)),
    "one of 19 points among 0.3": lambda rng: np.array([LONE, *rng.normal(0, 0.3, CARDS - 1)]),
}


LAB: Final[dict[str, Callable[[np.random.Generator, np.ndarray], np.ndarray]]] = {
    "right": lambda _rng, true: true,
    "partly wrong": lambda rng, true: true + rng.normal(0, 0.4, len(true)),
    "wholly wrong": lambda rng, true: rng.permutation(true),
    "wrong of strong cards": lambda rng, true: true + rng.choice([-1, 1], len(true)),
}
"""What bots say of all cards (logits), each with a standard error of `LAB_ERROR`, in a world of deviation 0.3."""

LAB_ERROR: Final = 0.15


def with_lab(bots: str, games: int, runs: int) -> dict[str, tuple[float, float]]:
    """Return means over the runs of what is said where bots were asked before, each with its standard error."""
    rng = np.random.default_rng(games)
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(runs):
        effects = WORLDS["deviation 0.3"](rng)
        told = estimated(evening(rng, games, effects, more=0))
        assert told is not None
        true = effects[[int(card[5:]) for card in told.names]]
        said = LAB[bots](rng, true) + rng.normal(0, LAB_ERROR, len(true))
        lab = Before(said, np.full(len(true), np.hypot(LAB_ERROR, DISAGREE)))
        ends = [told.told.alone.quantile(level) for level in (0.025, 0.975)]
        found.setdefault("held by the interval, 95 %", []).append((((ends[0] <= true) & (true <= ends[1])).sum(), 32))
        for words, each in (("with bots", told.told.after(lab)), ("without", told.told.weighed)):
            held = (each.quantile(0.025) <= true) & (true <= each.quantile(0.975))
            error = np.abs((each.weights * each.means).sum(axis=0) - true)
            helps = 1 - each.below(0.0)
            sure = helps >= 0.9
            found.setdefault(f"held by what is thought, {words}", []).append((held.sum(), len(true)))
            found.setdefault(f"error (points), {words}", []).append((25 * error.sum(), len(true)))
            found.setdefault(f"helps: said, {words}", []).append((helps[sure].sum(), sure.sum()))
            found.setdefault(f"helps: true, {words}", []).append(((true > 0)[sure].sum(), sure.sum()))
    return {key: _ratio(np.array(each)) for key, each in found.items()}


def evening(rng: np.random.Generator, games: int, effects: np.ndarray, more: int) -> pa.Table:
    """Return the sides of some games; the winner draws up to `more` cards that the loser does not."""
    sides = []
    for number in range(games):
        decks = [0, 0] if rng.random() < 0.25 else [0, 1] if rng.random() < 2 / 3 else [1, 1]
        hands = [rng.permutation(16) + 16 * deck for deck in decks]
        held = [hand[: rng.integers(9, 14)] for hand in hands]
        chance = expit(effects[held[0]].sum() - effects[held[1]].sum())
        winner = 0 if rng.random() < chance else 1
        held[winner] = hands[winner][: len(held[winner]) + (rng.integers(0, more + 1) if more else 0)]
        for seat in (0, 1):
            cards = [f"card-{card:02}" for card in sorted(held[seat])]
            sides.append(
                {"game": "higher", "ruleset": "first", "ruleset_id": "1", "game_id": f"g{number:04}",
                 "player": "AB"[seat], "deck": str(decks[seat]), "name": "AB"[seat], "first": seat == 0,
                 "won": seat == winner, "hand_known": True, "cards": cards, "card_names": cards}
            )  # fmt: skip
    return pa.Table.from_pylist(sides)


def run(name: str, games: int, runs: int) -> dict[str, tuple[float, float]]:
    """Return the means over the runs of a world, each with its standard error."""
    rng = np.random.default_rng(games)
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(runs):
        effects = WORLDS[name](rng)
        sides = evening(rng, games, effects, more=3 if name.startswith("no effects") else 0)
        for key, hits, n in _said(sides, effects):
            found.setdefault(key, []).append((hits, n))
    return {key: _ratio(np.array(each)) for key, each in found.items()}


def _said(sides: pa.Table, effects: np.ndarray) -> Iterator[tuple[str, float, float]]:
    """Yield what an answer says against the truth: a name, how much of it, and of how many."""
    found = estimated(sides)
    assert found is not None
    true = effects[[int(card[5:]) for card in found.names]]
    rows = list(worded(found.told, found.games >= 0))
    has_strong = effects[0] == LONE and next(iter(found.names)) == "card-00"
    for words, end, levels in (("held by 95 %", "", (0.025, 0.975)), ("held by 80 %", "_80", (0.1, 0.9))):
        # What is printed, and where no interval is, the one that was left out.
        hidden = [expit(found.told.alone.quantile(level)) - 0.5 for level in levels]
        printed = np.array([[row[name + end] for name in ("low", "high")] for row in rows], float)
        low, high = np.where(np.isnan(printed.T), hidden, printed.T)
        held = (low <= expit(true) - 0.5) & (expit(true) - 0.5 <= high)
        yield words, held.sum(), len(true)
        if has_strong:
            yield f"the strong card {words}", held[0], 1
    shown = [100 * (row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None]
    yield "shown", len(shown), len(true)
    yield "half of a shown interval (points)", sum(shown), len(shown)
    yield "stand out", sum(row["stands_out"] for row in rows), 1
    yield "by luck, as said", rows[0]["by_luck"], 1
    yield "mean effect (points)", 100 * sum(row["effect"] for row in rows), len(rows)
    alone = expit(found.told.alone.quantile(0.5)) - 0.5
    yield "mean by the games alone (points)", 100 * alone.sum(), len(rows)
    yield from _said_of_ranks(rows, true)
    if has_strong:
        yield "P(top 3) of the strong card, at least", rows[0]["top_3_low"], 1
        yield "P(top 3) of the strong card, at most", rows[0]["top_3_high"], 1
    if not effects.any():
        return
    sure = [(row["helps"], each) for row, each in zip(rows, true, strict=True) if row["helps"] >= 0.9 and each]
    yield "helps: said", sum(helps for helps, _ in sure), len(sure)
    yield "helps: true", sum(each > 0 for _, each in sure), len(sure)


def _said_of_ranks(rows: Sequence[dict[str, Any]], true: np.ndarray) -> Iterator[tuple[str, float, float]]:
    """Yield what is said of the chance to be among the highest: its ends and what is true, by the middle of both.

    Equal effects are among the highest by lot, the same each time.
    """
    lot = np.random.default_rng(len(true)).random(len(true))
    best = set(np.lexsort((lot, -true))[:TOP].tolist())
    said = [(row["top_3_low"], row["top_3_high"], place in best) for place, row in enumerate(rows)]
    for low, high in ((0, 0.1), (0.1, 0.2), (0.2, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 1.01)):
        mine = [each for each in said if low <= (each[0] + each[1]) / 2 < high]
        for what, place in (("at least", 0), ("at most", 1), ("true", 2)):
            yield f"top 3 around {low} to {min(high, 1)}: {what}", sum(each[place] for each in mine), len(mine)
        yield f"top 3 around {low} to {min(high, 1)}: cards a run", len(mine), 1


Found = dict[str, tuple[float, float]]
"""Means over runs, each with its standard error."""


def _held(level: int) -> Callable[[Found], bool]:
    """Return the check that intervals hold the truth as often as they say, within what 92 to 97 is for 95 %."""
    return lambda found: level - 3 <= 100 * found[f"held by {level} %"][0] <= level + 2


def _helps(found: Found) -> bool:
    said, (true, error) = found["helps: said"][0], found["helps: true"]
    return abs(said - true) <= ERRORS * error


def _luck(found: Found) -> bool:
    """Return whether, where no card does anything, as many stand out as is said to by luck."""
    (raised, error), said = found["stand out"], found["by luck, as said"][0]
    return abs(raised - said) <= ERRORS * max(error, float(np.sqrt(said / FEW)))


def _top(found: Found) -> bool:
    """Return whether cards are among the highest as often as was said, from the least to the greatest."""
    for key in [each.removesuffix(": true") for each in found if each.startswith("top") and each.endswith(": true")]:
        (true, error), many = found[f"{key}: true"], found[f"{key}: cards a run"][0] >= 1
        low, high = found[f"{key}: at least"][0], found[f"{key}: at most"][0]
        if many and not low - ERRORS * error <= true <= high + ERRORS * error:
            return False
    return True


ERRORS: Final = 2.5
"""So many Monte Carlo errors may lie between what is said and what is true."""

FEW: Final = 24
"""So many runs bear a promise out."""

OF_CARDS: Final[dict[str, Callable[[Found], bool]]] = {
    "intervals_of_cards": _held(95),
    "narrower_intervals_of_cards": _held(80),
    "helps_of_cards": _helps,
    "top_3_of_cards": _top,
    "cards_that_stand_out": _luck,
}
"""What `card-effects` promises, and whether the means of many runs of a world bear it out."""


def _ratio(pairs: np.ndarray) -> tuple[float, float]:
    """Return the sum of the first numbers over that of the second ones, with its standard error over the runs."""
    hits, n = pairs[:, 0], pairs[:, 1]
    of = max(n.sum(), 1)
    ratio = hits.sum() / of
    return float(ratio), float(np.sqrt(((hits - ratio * n) ** 2).sum()) / of)


def main() -> None:
    """Print every world at every number of games."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--games", type=int, nargs="*", default=[20, 60, 100, 200, 400])
    parser.add_argument("--worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--lab", nargs="*", default=[], choices=LAB, help="what bots say, in place of worlds")
    asked = parser.parse_args()
    for name in asked.lab or asked.worlds:
        for games in asked.games:
            found = (with_lab if asked.lab else run)(name, games, asked.runs)
            said = "; ".join(f"{key} {mean:.3f} ± {error:.3f}" for key, (mean, error) in found.items())
            sys.stdout.write(f"{name}, {games} games, {asked.runs} runs:\n  {said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
