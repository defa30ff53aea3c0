"""Through how many rooms the audit of one event goes, and how often it climbs.

    python tests/benchmarks/event_walk.py crystal duelyst

A room is a folder of the picture in docs/architecture.md. The walk climbs where a room calls one that is built on it,
as the fold does that calls the function of a game; counted is each chain of calls, since a reader follows one. For each
game is printed, of all events of a game of greedy bots: the most rooms, the most climbs of a chain, and that chain.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from types import FrameType
from typing import Any

import grimp

from tabletape.projector.fold.folding import ruleset_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

Chain = tuple[str, ...]
"""The rooms of a chain of calls, one after the other."""


@cache
def is_built_on(upper: str, lower: str) -> bool:
    """Return whether a room imports another one, itself or by way of others."""
    graph = _graph()
    return upper != lower and graph.chain_exists(f"tabletape.{upper}", f"tabletape.{lower}", as_packages=True)


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("tabletape", cache_dir=None)


@cache
def room_of(module: str) -> str:
    """Return the room of a module: two folders, or none for what is not Tabletape's."""
    parts = module.split(".")
    return ".".join(parts[1:3]) if parts[0] == "tabletape" and len(parts) > 3 else ""


def climbs(chain: Chain) -> int:
    """Return how often a chain of calls goes to a room that is built on the one where it is."""
    return sum(is_built_on(called, caller) for caller, called in pairwise(chain))


class Walk:
    """The chains of rooms through which the calls go while it is followed."""

    def __init__(self) -> None:
        """Begin nowhere."""
        self.chains: set[Chain] = set()
        self._calls: list[Chain] = []

    def follow(self, frame: FrameType, what: str, _arg: Any) -> None:
        """Note a call or a return, as `sys.setprofile` tells of it."""
        if what == "call":
            room, chain = room_of(frame.f_globals.get("__name__", "")), self._calls[-1] if self._calls else ()
            self._calls.append((*chain, room) if room and chain[-1:] != (room,) else chain)
            self.chains.add(self._calls[-1])
        elif what == "return" and self._calls:
            self._calls.pop()


def walks(slug: str) -> Iterator[set[Chain]]:
    """Yield the chains of rooms through which the audit goes, event by event of a game of greedy bots."""
    one = game(slug)
    plan = Plan(seed=7, bots=(Bot.GREEDY, Bot.GREEDY))
    events: Sequence[Any] = next(iter(simulate(one, one.cards, plan, 1))).events
    rulings: Mapping[str, str] = events[0].rulings
    replay = Replay(one, ruleset_of(one, events[0].edition, rulings, edition="", rulings={}))
    for event in events:
        walk = Walk()
        sys.setprofile(walk.follow)
        replay.run([event])
        sys.setprofile(None)
        yield walk.chains


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("slugs", nargs="*", default=games())
    for slug in parser.parse_args().slugs:
        followed = [*walks(slug)]
        rooms = max(len({room for chain in chains for room in chain}) for chains in followed)
        worst = max((chain for chains in followed for chain in chains), key=climbs)
        way = " > ".join(worst)
        sys.stdout.write(f"{slug}: {len(followed)} events, at most {rooms} rooms and {climbs(worst)} climbs ({way})\n")


if __name__ == "__main__":
    main()
