"""How many events bots write in a second, and how long 300 pairs of what-if take.

    python -m tests.benchmarks.bots_speed phylogenome --games 20

Prints processor time of one process, and how much that is in the time in which python-chess checks and makes a move
before and behind it: what slows one slows the other. With each kind of bots stands a digest of all that they have
written, which does not change where bots only become faster. A pair is two games of greedy bots, so 300 pairs are 600.
"""

import argparse
import hashlib
import sys
import time

import msgspec

from tabletape.projector.games import game, games
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.benchmarks.replay_speed import check_chess, chess_games, seconds

PAIRS = 300


def measured(slug: str, bot: Bot, number: int) -> tuple[float, float, str]:
    """Return the events a second, the seconds a game and a digest of games of equal bots."""
    one = game(slug)
    begun, events, digest = time.process_time(), 0, hashlib.sha256()
    for match in simulate(one, one.cards, Plan(seed=5, bots=(bot, bot), limit=2000), number):
        events += len(match.events)
        digest.update(msgspec.json.encode((match.events, match.winners, match.reason, match.abandoned)))
    seconds = time.process_time() - begun
    return events / seconds, seconds / number, digest.hexdigest()[:12]


def main() -> None:
    """Play the games, and print a line for each game and kind of bot."""
    parser = argparse.ArgumentParser()
    parser.add_argument("slugs", nargs="*", default=games())
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--bots", nargs="+", type=Bot, default=(Bot.RANDOM, Bot.GREEDY))
    arguments = parser.parse_args()
    chess = chess_games(100)
    moves = sum(map(len, chess))
    for slug in arguments.slugs:
        for bot in arguments.bots:
            chess_seconds = seconds(lambda: check_chess(chess))
            speed, of_game, digest = measured(slug, bot, arguments.games)
            chess_seconds += seconds(lambda: check_chess(chess))
            pairs = f", {PAIRS} pairs in {2 * PAIRS * of_game:.0f} s" if bot is Bot.GREEDY else ""
            rate = f"{speed:,.0f} events/s, {speed * chess_seconds / moves / 2:.3f} a chess move"
            sys.stdout.write(f"{slug}, {bot}: {rate}{pairs} ({digest})\n")


if __name__ == "__main__":
    main()
