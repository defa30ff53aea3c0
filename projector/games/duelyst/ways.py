"""The shortest way of a Battle Pet around what stands in between (rulebook L208, ruling `pet_approach`)."""

from collections.abc import Sequence
from heapq import heappop, heappush

from projector.games.duelyst.state import Duelyst, DuelystCard, Tile
from projector.games.duelyst.tiles import BESIDE, NEAR, distance, is_blocked, king_steps


def farthest_around(table: Duelyst, pet: DuelystCard, tiles: Sequence[Tile], goal: Tile) -> list[Tile]:
    """Return those of the tiles in a pet's reach that lie farthest along a shortest way to a goal, if there is a way.

    The length of a way is counted as the ruling `pet_distance` says: a diagonal step is two tiles, or one.
    """
    here = pet.place
    left = _lengths_to(table, pet, goal)
    if here is None or here not in left:
        return []
    far = king_steps if table.options["pet_distance"] == "king_step" else distance
    on_way = [tile for tile in tiles if tile in left and far(here, tile) + left[tile] == left[here]]
    longest = max((far(here, tile) for tile in on_way), default=0)
    return [tile for tile in on_way if far(here, tile) == longest]


def _lengths_to(table: Duelyst, pet: DuelystCard, goal: Tile) -> dict[Tile, int]:
    """Return how long the shortest way to a goal is from each tile from which there is one."""
    diagonal = 1 if table.options["pet_distance"] == "king_step" else 2
    lengths: dict[Tile, int] = {}
    queue = [(0, goal)]
    while queue:
        length, tile = heappop(queue)
        if tile in lengths:
            continue
        lengths[tile] = length
        for other in NEAR.get(tile, ()):
            unit = table.standing.get(other)
            if other not in lengths and (unit is pet or not is_blocked(table, pet, unit)):
                heappush(queue, (length + (1 if other in BESIDE[tile] else diagonal), other))
    return lengths
