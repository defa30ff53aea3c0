"""The shortest way of a Battle Pet around what stands in between (rulebook L208, ruling `pet_approach`)."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from tabletape.projector.games.duelyst.state import Duelyst, DuelystCard, Tile
from tabletape.projector.games.duelyst.tiles import BESIDE, NEAR, NO_TILES, ON_BOARD, TILES, distance, king_steps, walls

Steps = dict[Any, frozenset[Tile]]

ADDED: Final[tuple[Steps, Steps]] = (BESIDE, {tile: NEAR[tile] - BESIDE[tile] for tile in TILES})
"""The tiles one and two away from each tile by a single step, where rows and columns are added."""
OF_A_KING: Final[tuple[Steps, Steps]] = (NEAR, {})
"""The same where a diagonal step counts one."""


def farthest_around(table: Duelyst, pet: DuelystCard, tiles: Sequence[Tile], goal: Tile) -> list[Tile]:
    """Return those of the tiles in a pet's reach that lie farthest along a shortest way around what is before a goal.

    The length of a way is counted as the ruling `pet_distance` says: a diagonal step is two tiles, or one.
    """
    here: Any = pet.place
    is_king = table.options["pet_distance"] == "king_step"
    if not is_king and _is_clear(table, here, goal):
        return []  # Straight ahead is a shortest way, and each tile on one is among the nearest.
    left = _lengths(OF_A_KING if is_king else ADDED, walls(table, pet), goal, here)
    if here not in left:
        return []
    far = king_steps if is_king else distance
    on_way = [tile for tile in tiles if tile in left and far(here, tile) + left[tile] == left[here]]
    longest = max((far(here, tile) for tile in on_way), default=0)
    return [tile for tile in on_way if far(here, tile) == longest]


def _is_clear(table: Duelyst, here: Tile, goal: Tile) -> bool:
    """Return whether nobody stands in the rectangle between a pet and its goal."""
    (top, bottom), (left, right) = (sorted(pair) for pair in zip(here, goal, strict=True))
    for row, column in table.standing:
        if top <= row <= bottom and left <= column <= right and (row, column) not in (here, goal):
            return False
    return True


def _lengths(steps: tuple[Steps, Steps], taken: Collection[Tile], goal: Tile, here: Tile) -> dict[Tile, int]:
    """Return how long the shortest way to a goal is from each tile that is no farther from it than the pet is."""
    lengths: dict[Tile, int] = {}
    one, two = steps
    left = {goal, here, *ON_BOARD.difference(taken)}
    now, soon, later = {goal}, set[Tile](), set[Tile]()  # reached with this length, with one more, with two more
    length = 0
    while (now or soon or later) and here in left:
        for tile in now & left:
            lengths[tile] = length
            soon |= one.get(tile, NO_TILES) & left
            later |= two.get(tile, NO_TILES) & left
        left -= now
        now, soon, later = soon, later, set()
        length += 1
    return lengths
