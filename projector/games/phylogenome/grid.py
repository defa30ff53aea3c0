"""The grid: which cells lie next to each other, and where ways have to lead over a cell."""

from functools import cache
from typing import Final

Cell = tuple[int, int]

EDGES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
CORNERS: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1))
MOST: Final = 16384
"""Cells of which the neighbours are remembered."""


class Around(dict[Cell, tuple[Cell, ...]]):
    """Gives the neighbours of any cell, in the order of these steps, or those nearest to the middle last.

    It is a dictionary because nothing else is asked that often.
    """

    def __init__(self, steps: tuple[Cell, ...], *, homeward: bool = False) -> None:
        super().__init__()
        self._steps = steps
        self._homeward = homeward

    def __missing__(self, cell: Cell) -> tuple[Cell, ...]:
        """Work the neighbours of a cell out."""
        if len(self) >= MOST:
            self.clear()
        found = [(cell[0] + across, cell[1] + down) for across, down in self._steps]
        if self._homeward:
            found.sort(key=lambda each: -abs(2 * each[0] - 1) - abs(2 * each[1]))
        self[cell] = around = tuple(found)
        return around


FOUR: Final = Around(EDGES)
"""The cells that share an edge with a cell."""
EIGHT: Final = Around(EDGES + CORNERS)
"""The cells that touch a cell: first those that share an edge with it, then those at its corners."""
FOUR_HOMEWARD: Final = Around(EDGES, homeward=True)
EIGHT_HOMEWARD: Final = Around(EDGES + CORNERS, homeward=True)
"""The same neighbours for whoever looks for a way to a progress card and goes on from the last one first."""


@cache
def divides(around: tuple[bool, ...], diagonal: bool) -> bool:  # noqa: FBT001 - the ruling `geometry`
    """Tell whether the occupied neighbours of a cell do not hang together over the other cells around it.

    `around` says which of the eight cells that touch it are occupied, in the order of `EIGHT`.
    """
    occupied = {cell for cell, lies in zip(EDGES + CORNERS, around, strict=True) if lies}
    near = occupied if diagonal else occupied & {*EDGES}
    reached = {*list(near)[:1]}
    for _ in around:
        reached |= occupied & {each for cell in reached for each in (EIGHT if diagonal else FOUR)[cell]}
    return not near <= reached
