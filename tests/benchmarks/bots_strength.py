"""How often one bot beats another, with the seats swapped in every second game.

    python tests/benchmarks/bots_strength.py crystal --games 200 --bots search greedy

Prints wins, share and the 95 % interval (Wilson); a game without a winner counts half.
"""

import argparse
import sys
import time

from tabletape.dashboard.statistics.intervals import share_in_words
from tabletape.projector.games import game, games
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Match, Plan


def score(slug: str, bots: tuple[Bot, ...], seed: int, number: int) -> float:
    """Return the score of the first bot in a game: 1, 0, or a half if the game has no winner."""
    swapped = number % 2 == 1
    seats = bots[::-1] if swapped else bots
    plan = Plan(seed=seed, bots=seats, limit=1500)
    match = Match(game(slug), game(slug).cards, plan, number // 2 + 1).play()
    return float(match.winner == "AB"[swapped]) if match.winner else 0.5


def main() -> None:
    """Play the games, and print a line for each kind of game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("slugs", nargs="*", default=games())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further game after this many")
    parser.add_argument("--bots", nargs=2, type=Bot, default=(Bot.SEARCH, Bot.GREEDY))
    arguments = parser.parse_args()
    for slug in arguments.slugs:
        begun = time.monotonic()
        scores: list[float] = []
        while len(scores) < arguments.games and time.monotonic() - begun < arguments.seconds:
            scores.append(score(slug, tuple(arguments.bots), arguments.seed, len(scores)))
        each = (time.monotonic() - begun) / len(scores)
        one, other = arguments.bots
        sys.stdout.write(
            f"{slug}: {one} won {share_in_words(sum(scores), len(scores))} against {other}, {each:.2f} s a game\n"
        )


if __name__ == "__main__":
    main()
