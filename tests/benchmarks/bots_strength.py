"""How often one bot beats another, with the seats swapped in every second game.

    python tests/benchmarks/bots_strength.py crystal --games 200 --bots search greedy

Prints wins, share and the 95 % interval (Wilson); a game without a winner counts half.
"""

import argparse
import sys
import time

from dashboard.statistics.intervals import share_in_words
from projector.games import game, games
from projector.selfplay.bots import Bot
from projector.selfplay.simulate import Match, Plan


def won(slug: str, bots: tuple[Bot, ...], seed: int, number: int) -> float:
    """Return whether the first bot won the game of a number: 1, 0, or a half where nobody did."""
    swapped = number % 2 == 1
    seats = bots[::-1] if swapped else bots
    plan = Plan(seed=seed, bots=seats, limit=1500)
    match = Match(game(slug), game(slug).cards, plan, number // 2 + 1).play()
    return float(match.winner == "AB"[swapped]) if match.winner else 0.5


def main() -> None:
    """Play and print, game by game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("slugs", nargs="*", default=games())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further game after so many")
    parser.add_argument("--bots", nargs=2, type=Bot, default=(Bot.SEARCH, Bot.GREEDY))
    asked = parser.parse_args()
    for slug in asked.slugs:
        begun = time.monotonic()
        wins: list[float] = []
        while len(wins) < asked.games and time.monotonic() - begun < asked.seconds:
            wins.append(won(slug, tuple(asked.bots), asked.seed, len(wins)))
        each = (time.monotonic() - begun) / len(wins)
        one, other = asked.bots
        sys.stdout.write(
            f"{slug}: {one} won {share_in_words(sum(wins), len(wins))} against {other}, {each:.2f} s a game\n"
        )


if __name__ == "__main__":
    main()
