"""The board: its tiles, who stands where, how far a unit reaches, and what it counts for there.

Rows are counted from 1 at the top, columns from 1 at the edge of the first seat. Distance is |rows| + |columns|.
Nothing here changes the table.
"""

from collections.abc import Collection
from typing import Any, Final

from tabletape.projector.games.duelyst.abilities import Ability, Selection
from tabletape.projector.games.duelyst.state import GENERAL, PET, STRUCTURE, Duelyst, DuelystCard, Tile
from tabletape.projector.kit.memo import Memo

ROWS: Final = 5
COLUMNS: Final = 9
TILES: Final = tuple((row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1))
BOARD_TILES: Final = frozenset(TILES)
FAR_SIDE: Final = (range(6, COLUMNS + 1), range(1, 5))
"""The columns of the far side, seen from the first and the second seat."""


def _steps(tile: Tile, steps: tuple[Tile, ...]) -> tuple[Tile, ...]:
    row, column = tile
    return tuple((row + down, column + right) for down, right in steps if (row + down, column + right) in BOARD_TILES)


_EIGHT: Final = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)
_TWICE: Final = ((-2, 0), (0, -2), (0, 2), (2, 0))
_FOUR: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))

AROUND: Final[dict[Any, tuple[Tile, ...]]] = {tile: _steps(tile, _EIGHT) for tile in TILES}
BESIDE: Final[dict[Any, frozenset[Tile]]] = {tile: frozenset(_steps(tile, _FOUR)) for tile in TILES}
_TWO_AWAY: Final[dict[Any, dict[Tile, Tile]]] = {
    tile: {far: step for step in _steps(tile, _FOUR) for far in BESIDE[step] if far in _steps(tile, _TWICE)}
    for tile in TILES
}
FIRST_STEP: Final[dict[Any, dict[Tile, Tile]]] = {
    tile: {**{near: near for near in AROUND[tile]}, **_TWO_AWAY[tile]} for tile in TILES
}
"""The tiles that a unit can walk to from a tile (the twelve of the drawing), each with the first tile of the way.

Where one step is enough that is the very same tile.
"""
NEAR: Final[dict[Any, frozenset[Tile]]] = {tile: frozenset(tiles) for tile, tiles in AROUND.items()}
NO_TILES: Final[frozenset[Tile]] = frozenset()
NEAR_OR_WALK: Final[dict[Any, frozenset[Tile]]] = {tile: frozenset(steps) for tile, steps in FIRST_STEP.items()}


WITHIN_RANGE: Final[dict[Any, frozenset[Tile]]] = Memo(
    lambda tile: frozenset((tile[0] + down, tile[1] + right) for down, right in (*_EIGHT, (0, 0))), TILES
)
"""The tiles within range 1 of a tile, itself among them; also of one beyond the edge, where a wrong line may lead."""


def touches(one: Any, other: Any) -> bool:
    """Return whether two tiles are within range 1 of each other (a tile is within range of itself)."""
    return other in WITHIN_RANGE[one]


def distance(one: Any, other: Any) -> int:
    """Return the distance of two tiles, rows and columns added."""
    steps: int = abs(one[0] - other[0]) + abs(one[1] - other[1])
    return steps


def king_steps(one: Tile, other: Tile) -> int:
    """Return the distance of two tiles where a diagonal step counts one."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


# -- who stands where --------------------------------------------------------------------------------------------------


def free_beside(table: Duelyst, tile: Any) -> frozenset[Tile]:
    """Return the free tiles within range 1 of a tile."""
    return NEAR.get(tile, NO_TILES).difference(table.standing)


def own_units(table: Duelyst, player: str) -> list[DuelystCard]:
    """Return the units of a player, in the order in which they entered."""
    return [unit for unit in table.units if unit.owner == player]


# -- what a unit is ----------------------------------------------------------------------------------------------------


def is_structure(unit: DuelystCard) -> bool:
    """Return whether a unit is a Structure: by its tribe, or while it is being built."""
    return unit.text.tribe == STRUCTURE or unit.building > 0


def is_commanded(table: Duelyst, unit: DuelystCard) -> bool:
    """Return whether a player may command a unit; Battle Pets act by themselves (ruling `dispelled_pet`)."""
    if unit.text.tribe != PET:
        return True
    return unit.dispelled and table.options["dispelled_pet"] == "commanded"


def has(table: Duelyst, unit: DuelystCard, keyword: str) -> bool:
    """Return whether a unit has a keyword, by itself or because another own unit grants it to its tribe."""
    if keyword in unit.keywords:
        return True
    return bool(table.granting) and is_granted(table, unit, keyword)


def is_granted(table: Duelyst, unit: DuelystCard, keyword: str) -> bool:
    """Return whether another own unit grants a keyword to the tribe of a unit."""
    tribe = unit.text.tribe
    for name in table.granting:
        other = table.cards[name]
        if other.owner == unit.owner and other is not unit:
            for grant in other.text.says.grants:
                if grant.who == tribe and grant.word == keyword:
                    return True
    return False


def is_exhausted(table: Duelyst, unit: DuelystCard) -> bool:
    """Return whether a unit is exhausted: it entered this turn, and has no Rush to act with (ruling `rush_change`)."""
    if not unit.exhausted:
        return False
    return table.options["rush_change"] == "as_it_entered" or not has(table, unit, "rush")


def times_a_turn(table: Duelyst, unit: DuelystCard) -> int:
    """Return how often a unit moves and attacks in a turn."""
    return 2 if has(table, unit, "celerity") else 1


def provokers(table: Duelyst, unit: DuelystCard, tile: Any) -> list[DuelystCard]:
    """Return the enemies with provoke within range 1 of a unit that stands on a tile, in the order of entering."""
    owner = unit.owner
    cards = table.cards
    near = WITHIN_RANGE.get(tile) or WITHIN_RANGE[tile]
    for name in table.granting:
        if cards[name].owner != owner:
            return _provokers_by_another(table, owner, near)
    provoking = []
    for name in table.provoking:
        other = cards[name]
        if other.owner != owner and other.place in near:
            provoking.append(other)
    return provoking


def _provokers_by_another(table: Duelyst, owner: str, near: frozenset[Tile]) -> list[DuelystCard]:
    """Return the same where an enemy grants keywords: whoever has provoke by another unit is not listed."""
    enemies = [other for other in table.units if other.owner != owner and other.place in near]
    return [other for other in enemies if has(table, other, "provoke")]


def attack_of(table: Duelyst, unit: DuelystCard) -> int:
    """Return the attack of a unit now: printed, changes, zeal, infiltrate, auras and artifacts; never below 0."""
    text = unit.text
    if unit.blinded or (unit.building and table.options["while_building"] != "as_printed"):
        return 0
    attack: int = text.attack + unit.attack_change + unit.spears
    if text.tribe == STRUCTURE or unit.building:
        return max(attack, 0)
    says = text.says
    if not unit.dispelled:
        if says.zeal and _is_beside_general(table, unit):
            attack += says.zeal
        if says.infiltrate and unit.column in FAR_SIDE[table.players[unit.owner].seat]:
            attack += says.infiltrate
    if table.boosting and text.kind != GENERAL:
        attack += _from_auras(table, unit)
    artifacts = table.worn[unit.owner].cards
    if artifacts:
        attack += _from_artifacts(table, unit, artifacts)
    if attack < 0:
        return 0
    return attack


def _is_beside_general(table: Duelyst, unit: DuelystCard) -> bool:
    general = table.general_of(unit.owner)
    return general is not None and general is not unit and touches(general.place, unit.place)


def _from_auras(table: Duelyst, unit: DuelystCard) -> int:
    total = 0
    for name in table.boosting:
        other = table.cards[name]
        if other.owner == unit.owner:
            for aura in other.text.says.auras:
                if not aura.word or aura.word == unit.text.tribe:
                    total += aura.n
    return total


def _from_artifacts(table: Duelyst, unit: DuelystCard, artifacts: list[Any]) -> int:
    is_general = unit.text.kind == GENERAL
    total = 0
    for each in artifacts:
        says = each.text.says
        total += says.worn_attack if is_general else says.worn_beside
    return total if total and (is_general or _is_beside_general(table, unit)) else 0


def cost_of(table: Duelyst, player: str, card: DuelystCard) -> int:
    """Return what a card costs its player now: printed, less what own units take off the first of a kind each turn."""
    cost: int = card.text.cost
    if not table.discounting:
        return cost
    kinds = card.text.counts_as - table.players[player].played
    for name in table.discounting:
        unit = table.cards[name]
        if unit.owner == player:
            for discount in unit.text.says.discounts:
                if discount.word in kinds:
                    cost += discount.n
    return max(cost, 0)


# -- how far a unit reaches --------------------------------------------------------------------------------------------


def is_surrounded(table: Duelyst, unit: DuelystCard, free: Tile | None = None) -> bool:
    """Return whether a unit is surrounded on all sides (ruling `surrounded`); `free` is a tile where nobody stands."""
    ruling = table.options["surrounded"]
    tiles = (BESIDE if ruling == "orthogonal_four" else NEAR).get(unit.place, ())
    if free in tiles:
        return False
    standing = table.standing
    for tile in tiles:
        other = standing.get(tile)
        if other is None or (ruling == "enemies_all_eight" and other.owner == unit.owner):
            return False
    return True


def reach(table: Duelyst, unit: DuelystCard) -> list[Tile]:
    """Return the free tiles that a unit can move to: the twelve of the drawing, or all for a flyer."""
    if has(table, unit, "cannot-move"):
        return []
    taken = table.standing
    if has(table, unit, "flying"):
        return [tile for tile in TILES if tile not in taken]
    here: Any = unit.place
    if here not in AROUND:
        return []
    blocked = walls(table, unit)
    steps = FIRST_STEP[here].items()
    free = [tile for tile, step in steps if tile not in taken and (step is tile or step not in blocked)]
    return [] if not free or is_surrounded(table, unit, free[0]) else free


def walls(table: Duelyst, unit: DuelystCard) -> Collection[Any]:
    """Return the tiles over which a unit may not walk (ruling `path`)."""
    ruling = table.options["path"]
    if ruling == "straight_and_free":
        return table.standing
    if ruling == "jump":
        return ()
    return {other.place for other in table.units if other.owner != unit.owner}


def behind(table: Duelyst, unit: DuelystCard) -> Tile:
    """Return the tile behind a unit: first-seat units look toward column 9, the others toward 1 (ruling `facing`)."""
    here: Any = unit.place
    row, column = here
    looks_right = (table.players[unit.owner].seat == 0) is not (table.options["facing"] == "as_written")
    return (row, column - 1 if looks_right else column + 1)


# -- what a card text may aim at ---------------------------------------------------------------------------------------


def targeted(text: Any, trigger: str) -> Ability | None:
    """Return the ability of a printed card, with a trigger, for which its player names a target; None for none."""
    aimed: Ability | None = text.says.aims.get(trigger)
    return aimed


def candidates(table: Duelyst, wanted: Selection, player: str, tile: Any) -> list[DuelystCard]:
    """Return the units that a text may aim at, in the order of entering; `tile` is where the card itself is played."""
    return [unit for unit in table.units if fits(table, wanted, player, tile, unit)]


def fits(table: Duelyst, wanted: Selection, player: str, tile: Any, unit: DuelystCard) -> bool:  # noqa: PLR0911 - a selection has as many parts
    """Return whether a text may aim at a unit; `tile` is where the card itself is played."""
    if wanted.kind == "minion" and unit.text.kind == GENERAL:
        return False
    if wanted.whose and (unit.owner == player) != (wanted.whose == "friendly"):
        return False
    if wanted.tribe and unit.text.tribe != wanted.tribe and not (wanted.tribe == "structure" and is_structure(unit)):
        return False
    if wanted.keyword and wanted.keyword not in unit.text.says.keywords:
        return False
    if wanted.is_strengthened and is_structure(unit) and table.options["structure_buff"] == "no_target":
        return False
    if wanted.near == "self":
        return tile is not None and touches(unit.place, tile)
    if wanted.near == "general":
        general = table.general_of(player)
        return general is not None and general is not unit and touches(unit.place, general.place)
    return True
