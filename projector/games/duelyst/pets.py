"""Battle Pets: what a pet may do (rulebook, Battle pet; catalogue 5.2).

A choice is a tile, or None where the pet stays, and the name of the unit that it attacks, or None. Luck picks one of
the permitted choices; a log is judged by whether it names one of them.
"""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from typing import Any, Final

import msgspec

from tabletape.projector.games.duelyst import tiles
from tabletape.projector.games.duelyst.state import Duelyst, DuelystCard, Tile
from tabletape.projector.kit.memo import Memo

ADJACENT: Final = "duelyst.pet.adjacent-first"
NEAREST: Final = "duelyst.pet.fewest-tiles"
TOWARD: Final = "duelyst.pet.toward-closest"

Choice = tuple[Tile | None, str | None]
NOTHING: Final[Choice] = (None, None)


class Choices(msgspec.Struct, frozen=True):
    """The permitted choices of a pet, and the rule that another choice breaks."""

    rule: str
    permitted: frozenset[Choice]


IDLE: Final = Choices(TOWARD, frozenset((NOTHING,)))
"""What a pet may do that can do nothing, or has no enemies: stay."""


def choices_of(table: Duelyst, pet: DuelystCard, *, around: bool = True) -> Choices:
    """Return what a pet may do now, without the ways around what is before it where `around` is false."""
    here: Any = pet.place
    player = pet.owner
    near = tiles.WITHIN_RANGE.get(here) or tiles.WITHIN_RANGE[here]
    enemies = []
    adjacent = []
    for unit in table.units:
        if unit.owner != player:
            enemies.append(unit)
            if unit.place in near:
                adjacent.append(unit)
    if not enemies or _is_idle(table, pet):
        return IDLE
    if adjacent:
        targets = _first(table, here, _provoking(table, adjacent) or adjacent)
        return Choices(ADJACENT, frozenset([(None, unit.name) for unit in targets]))
    spots = tiles.reach(table, pet)
    places = {unit.place for unit in enemies}
    fit = [tile for tile in spots if not tiles.NEAR[tile].isdisjoint(places)]
    if fit:
        return Choices(NEAREST, _attacks_from(table, pet, _closest(table, here, fit), enemies))
    return Choices(TOWARD, _toward(table, pet, spots, enemies, around=around))


def keyword_ignored(table: Duelyst, name: str, chosen: Choice, choices: Choices) -> str:
    """Return the rule behind the permitted choices that a choice which is none of them leaves out, or nothing.

    A pet that could go on although it is surrounded is a flyer.
    """
    pet = table.cards[name]
    tile, _ = chosen
    if choices.rule == ADJACENT or choices.permitted == {NOTHING}:
        return ""
    if tiles.has(table, pet, "flying"):
        stays = tile is None and tiles.is_surrounded(table, pet)
        return "duelyst.flying.surrounded-moves" if stays else "duelyst.pet.flying"
    if choices.rule == NEAREST:
        return ""
    is_where_it_goes = tile in {where for where, _ in choices.permitted}
    return "" if tile is None or is_where_it_goes else "duelyst.pet.shortest-path"


def _is_idle(table: Duelyst, pet: DuelystCard) -> bool:
    """Return whether a pet cannot act: exhausted, stunned, a Structure (or without attack, ruling `zero_attack`)."""
    if pet.stunned or tiles.is_structure(pet) or tiles.is_exhausted(table, pet):
        return True
    return table.options["zero_attack"] == "forbidden" and tiles.attack_of(table, pet) == 0


@lru_cache(maxsize=256)
def _steps_from(here: Tile, far: Callable[[Tile, Tile], int]) -> Memo:
    """Return how far the tiles are from one of them by a way of counting, also those beyond the edge."""
    return Memo(partial(far, here), tiles.TILES)


def _steps(table: Duelyst, here: Tile) -> Memo:
    """Return how far the tiles are from one of them for a pet (ruling `pet_distance`)."""
    return _steps_from(here, tiles.king_steps if table.options["pet_distance"] == "king_step" else tiles.distance)


def _nearest(table: Duelyst, tile: Tile, units: Sequence[DuelystCard]) -> Sequence[DuelystCard]:
    """Return the units at the smallest distance from a tile."""
    if len(units) < 2:
        return units
    closest = _closest(table, tile, [unit.place for unit in units])
    return [unit for unit in units if unit.place in closest]


def _first(table: Duelyst, tile: Tile, units: Sequence[DuelystCard]) -> Sequence[DuelystCard]:
    """Return the units that are attacked first from a tile: the closest; of these those in its row or column.

    Where rows and columns are added, one beside the tile but diagonal to it is as close as one in line two tiles away:
    the text orders the two in both ways, so both may be attacked.
    """
    nearest = _nearest(table, tile, units)
    if len(nearest) < 2:
        return nearest
    row, column = tile
    places: list[Any] = [unit.place for unit in nearest]
    in_line = {place for place in places if place[0] == row or place[1] == column}
    beside = tiles.WITHIN_RANGE[tile]
    if not in_line:
        return nearest
    if in_line.isdisjoint(beside):
        in_line.update(place for place in places if place in beside)
    return [unit for unit in nearest if unit.place in in_line]


def _closest(table: Duelyst, here: Any, spots: Sequence[Any]) -> Sequence[Tile]:
    """Return the tiles at the smallest distance from another one."""
    if len(spots) < 2:
        return spots
    steps = _steps(table, here)
    least = None
    closest = []
    for tile in spots:
        way = steps.get(tile) or steps[tile]
        if least is None or way < least:
            least = way
            closest = [tile]
        elif way == least:
            closest.append(tile)
    return closest


def _may_attack(table: Duelyst, pet: DuelystCard, tile: Tile, enemies: list[DuelystCard]) -> list[DuelystCard]:
    """Return the enemies that a pet may attack from a tile: provokers beside it, else whoever is in range."""
    near = tiles.WITHIN_RANGE[tile]
    adjacent = [unit for unit in enemies if unit.place in near]
    return _provoking(table, adjacent) or (enemies if tiles.has(table, pet, "ranged") else adjacent)


def _provoking(table: Duelyst, units: list[DuelystCard]) -> list[DuelystCard]:
    return [unit for unit in units if tiles.has(table, unit, "provoke")] if table.provoking or table.granting else []


def _attacks_from(
    table: Duelyst, pet: DuelystCard, spots: Sequence[Tile], enemies: list[DuelystCard]
) -> frozenset[Choice]:
    attacks: set[Choice] = set()
    for tile in spots:
        for unit in _first(table, tile, _may_attack(table, pet, tile, enemies)):
            attacks.add((tile, unit.name))
    return frozenset(attacks)


def _toward(
    table: Duelyst, pet: DuelystCard, spots: list[Tile], enemies: list[DuelystCard], *, around: bool
) -> frozenset[Choice]:
    """Return the choices of a pet that cannot attack even after moving: nearer to a closest enemy.

    A Ranged one attacks a closest enemy from there: rows and columns come first only within immediate attacking range.
    """
    here: Any = pet.place
    choices: set[Choice] = set()
    goes_around = (
        around and table.options["pet_approach"] == "nearest_tile_or_path" and not tiles.has(table, pet, "flying")
    )
    for enemy in _nearest(table, here, enemies):
        goal: Any = enemy.place
        steps = _steps(table, goal)
        closest = _closest(table, goal, spots)
        choices.update([(tile, None) for tile in closest])
        if goes_around:
            choices.update([(tile, None) for tile in farthest_around(table, pet, spots, goal)])
        if not closest or steps[closest[0]] >= steps[here]:
            choices.add(NOTHING)
    if not tiles.has(table, pet, "ranged"):
        return frozenset(choices)
    return frozenset(
        (tile, unit.name)
        for tile, _ in choices
        for unit in _nearest(table, tile or here, _may_attack(table, pet, tile or here, enemies))
    )


# -- the shortest way around what stands in between (L208, ruling `pet_approach`) --------------------------------------

Steps = dict[Any, frozenset[Tile]]

ADDED_STEPS: Final[tuple[Steps, Steps]] = (
    tiles.BESIDE,
    {tile: tiles.NEAR[tile] - tiles.BESIDE[tile] for tile in tiles.TILES},
)
"""The tiles one and two away from each tile by a single step, where rows and columns are added."""
KING_STEPS: Final[tuple[Steps, Steps]] = (tiles.NEAR, {})
"""The same where a diagonal step counts one."""


def farthest_around(table: Duelyst, pet: DuelystCard, spots: Sequence[Tile], goal: Tile) -> list[Tile]:
    """Return those of the tiles in a pet's reach that lie farthest along a shortest way around what is before a goal.

    The length of a way is counted as the ruling `pet_distance` says: a diagonal step is two tiles, or one.
    """
    here: Any = pet.place
    is_king = table.options["pet_distance"] == "king_step"
    if not is_king and _is_clear(table, here, goal):
        return []  # Straight ahead is a shortest way, and each tile on one is among the nearest.
    left = _lengths(KING_STEPS if is_king else ADDED_STEPS, tiles.walls(table, pet), goal, here)
    if here not in left:
        return []
    far = tiles.king_steps if is_king else tiles.distance
    on_way = [tile for tile in spots if tile in left and far(here, tile) + left[tile] == left[here]]
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
    left = {goal, here, *tiles.BOARD_TILES.difference(taken)}
    now, soon, later = {goal}, set[Tile](), set[Tile]()  # reached with this length, with one more, with two more
    length = 0
    while (now or soon or later) and here in left:
        for tile in now & left:
            lengths[tile] = length
            soon |= one.get(tile, tiles.NO_TILES) & left
            later |= two.get(tile, tiles.NO_TILES) & left
        left -= now
        now, soon, later = soon, later, set()
        length += 1
    return lengths
