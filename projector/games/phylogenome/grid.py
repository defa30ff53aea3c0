"""The grid: which cells lie next to each other, and where ways have to lead over a cell."""

from functools import cache, lru_cache
from typing import Final

Cell = tuple[int, int]

FOUR: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
EIGHT: Final = (*FOUR, (1, 1), (-1, 1), (1, -1), (-1, -1))


@lru_cache(maxsize=16384)
def four(cell: Cell) -> tuple[Cell, ...]:
    """Give the cells that share an edge with a cell."""
    x, y = cell
    return tuple((x + across, y + down) for across, down in FOUR)


@lru_cache(maxsize=16384)
def eight(cell: Cell) -> tuple[Cell, ...]:
    """Give the cells that touch a cell: first those that share an edge with it, then those at its corners."""
    x, y = cell
    return tuple((x + across, y + down) for across, down in EIGHT)


@lru_cache(maxsize=16384)
def homeward(cell: Cell, diagonal: bool) -> tuple[Cell, ...]:  # noqa: FBT001 - the ruling `geometry`
    """Give the neighbours of a cell, those nearest to the middle last: whoever goes on from the last is soon there."""
    around = eight(cell) if diagonal else four(cell)
    return tuple(sorted(around, key=lambda each: -abs(2 * each[0] - 1) - abs(2 * each[1])))


@cache
def divides(around: tuple[bool, ...], diagonal: bool) -> bool:  # noqa: FBT001 - the ruling `geometry`
    """Tell whether the occupied neighbours of a cell do not hang together over the other cells around it.

    `around` says which of the eight cells that touch it are occupied, in the order of `eight`.
    """
    occupied = {cell for cell, lies in zip(EIGHT, around, strict=True) if lies}
    near = occupied if diagonal else occupied & {*FOUR}
    reached = {*list(near)[:1]}
    for _ in EIGHT:
        reached |= occupied & {each for cell in reached for each in (eight(cell) if diagonal else four(cell))}
    return not near <= reached
