"""Measure whether one wrong value is one accusation, in games of bots that are written in full.

    PYTHONPATH=. python tests/benchmarks/wrong_values.py [--games 240] [--seed 1] [--game NAME] [--show]

In each game one consequence says another number, or another word of those that can stand there. The log goes on as
derived (a slip of the pen) or as written (the table took it over, and the bots play on from there). Counted are the
games in which exactly that line is accused; those with nothing but a remark, with nothing at all, in which it is
another line, and in which there are several causes.
"""

import argparse
from collections import Counter
from random import Random

from rich.console import Console
from rich.table import Table

from tabletape.projector.games import game, games
from tests.wrong_values import GoesOn, Slip, accusations, slips

CONSOLE = Console(width=100)
GOES_ON: tuple[GoesOn, ...] = ("derived", "written")


def verdict(slip: Slip, accused: list[int], remarked: list[int]) -> str:
    """Return which column of the table a game is counted in."""
    if not accused:
        return "remark" if remarked else "nothing"
    if len(accused) > 1:
        return "several"
    return "that line" if accused == [slip.seq] else "another"


def measure(slug: str, goes_on: GoesOn, number: int, seed: int, *, show: bool) -> Counter[str]:
    """Return in how many games which lines are accused."""
    found: Counter[str] = Counter()
    for each in range(seed, seed + number):
        rng = Random(f"{slug} {goes_on} {each}")  # noqa: S311 - which line is wrong is no secret
        slip = next(slips(slug, each, rng, goes_on))
        accused, remarked = accusations(slug, slip)
        column = verdict(slip, accused, remarked)
        found[column] += 1
        if show and column != "that line":
            CONSOLE.print(
                f"{slug} {goes_on} seed {each}: line {slip.seq} {slip.wrong} for {slip.right}: {accused} {remarked}",
                soft_wrap=True,
            )
    return found


def main() -> None:
    """Measure all games, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=games())
    parser.add_argument("--show", action="store_true", help="print each game in which it is not that line")
    arguments = parser.parse_args()
    table = Table(title=f"One wrong value in each of {arguments.games} games")
    columns = ("that line", "remark", "nothing", "another", "several")
    for heading in ("game", "goes on", *columns, "share"):
        table.add_column(heading, justify="left" if heading in {"game", "goes on"} else "right")
    for slug in [arguments.game] if arguments.game else games():
        for goes_on in GOES_ON:
            found = measure(slug, goes_on, arguments.games, arguments.seed, show=arguments.show)
            share = f"{found['that line'] / found.total():.1%}"
            table.add_row(game(slug).title, goes_on, *(str(found[each]) for each in columns), share)
    CONSOLE.print(table)


if __name__ == "__main__":
    main()
