"""Many games of bots with the cards of a workspace, in several processes where that is asked for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tabletape.projector.archive.stored import cards_of
from tabletape.projector.games import game
from tabletape.projector.parallel import in_processes
from tabletape.projector.selfplay.simulate import Match, Plan, Simulated, simulate

GAMES_A_TASK: Final = 20
"""Games that a process plays at a time."""

Chunk = tuple[Path, str, Plan, range]


def played(folder: Path, slug: str, plan: Plan, games: int, *, processes: int = 1) -> Iterator[Simulated]:
    """Play games as `simulate` does, in its order; `processes` 0 takes all cores. Raises as it does."""
    if processes == 1 or games <= GAMES_A_TASK:
        yield from simulate(game(slug), cards_of(folder, slug), plan, games)
        return
    chunks = [
        (folder, slug, plan, range(at, min(at + GAMES_A_TASK, games + 1))) for at in range(1, games + 1, GAMES_A_TASK)
    ]
    for some in in_processes(_play_chunk, chunks, processes):
        yield from some


def _play_chunk(chunk: Chunk) -> list[Simulated]:
    folder, slug, plan, numbers = chunk
    cards = cards_of(folder, slug)
    return [Match(game(slug), cards, plan, number).play() for number in numbers]
