"""Whether the intervals of `card-effects` hold what they promise: games with known effects, many times.

Two sides draw 9 to 13 of 16 cards each, half of the time from the same deck; who wins more draws more where that is
asked for. Printed with the Monte Carlo error of each share (a standard error over the runs):

    python tests/benchmarks/card_effects.py --runs 40
"""

import argparse
import sys
from collections.abc import Callable

import numpy as np
import pyarrow as pa
from scipy.special import expit

from tabletape.dashboard.questions.methods.card_effects import answer

CARDS = 32
WORLDS: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "no effects, winners see more": lambda _rng: np.zeros(CARDS),
    "deviation 0.3": lambda rng: rng.normal(0, 0.3, CARDS),
    "deviation 0.6": lambda rng: rng.normal(0, 0.6, CARDS),
    "one card of 19 points": lambda _rng: np.array([0.8] + [0.0] * (CARDS - 1)),
}


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
    found: dict[str, list[float]] = {}
    for _ in range(runs):
        effects = WORLDS[name](rng)
        rows = answer(evening(rng, games, effects, more=3 if name.startswith("no effects") else 0)).to_pylist()
        true = {row["card"]: expit(effects[int(row["card"][5:])]) - 0.5 for row in rows}
        shown = [row for row in rows if row["low"] is not None]
        said = {
            "held by 95 %": sum(row["low"] <= true[row["card"]] <= row["high"] for row in shown),
            "held by 80 %": sum(row["low_80"] <= true[row["card"]] <= row["high_80"] for row in shown),
            "shown": len(shown),
            "stand out": sum(row["stands_out"] for row in rows),
            "by luck": rows[0]["by_luck"],
            "narrowed": np.mean([row["narrowed"] for row in rows]),
            "mean effect (points)": 100 * np.mean([row["effect"] for row in rows]),
        }
        if name.startswith("one card"):
            card = next(row for row in rows if row["card"] == "card-00")
            low, high = (-0.5, 0.5) if card["low"] is None else (card["low"], card["high"])
            said["the card is held"] = low <= true["card-00"] <= high
            said["its P(top 3)"] = card["top_3"]
        for key, value in said.items():
            found.setdefault(key, []).append(float(value))
    intervals = np.array(found.pop("shown"))
    found["shown"] = list(intervals / CARDS)
    means = {key: (float(np.mean(each)), float(np.std(each) / np.sqrt(runs))) for key, each in found.items()}
    for key in ("held by 95 %", "held by 80 %"):  # of the intervals that are shown, however many a run shows
        held = np.array(found[key])
        share = held.sum() / max(intervals.sum(), 1)
        error = np.sqrt(((held - share * intervals) ** 2).sum()) / max(intervals.sum(), 1)
        means[key] = (float(share), float(error))
    return means


def main() -> None:
    """Print every world at every number of games."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--games", type=int, nargs="*", default=[20, 50, 100, 200])
    asked = parser.parse_args()
    for name in WORLDS:
        for games in asked.games:
            found = run(name, games, asked.runs)
            said = "; ".join(f"{key} {mean:.3f} ± {error:.3f}" for key, (mean, error) in found.items())
            sys.stdout.write(f"{name}, {games} games, {asked.runs} runs:\n  {said}\n")


if __name__ == "__main__":
    main()
