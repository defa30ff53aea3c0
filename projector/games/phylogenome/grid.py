"""The grid: which cells lie next to each other."""

from typing import Final

Cell = tuple[int, int]

EDGES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
CORNERS: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1))
MOST: Final = 16384
"""Cells of which the neighbours are remembered."""


class Around(dict[Cell, tuple[Cell, ...]]):
    """The neighbours of any cell, in the order of these steps.

    It is a dictionary because nothing else is asked that often.
    """

    def __init__(self, steps: tuple[Cell, ...]) -> None:
        super().__init__()
        self._steps = steps

    def __missing__(self, cell: Cell) -> tuple[Cell, ...]:
        """Work the neighbours of a cell out."""
        if len(self) >= MOST:
            self.clear()
        self[cell] = around = tuple([(cell[0] + across, cell[1] + down) for across, down in self._steps])
        return around


FOUR: Final = Around(EDGES)
"""The cells that share an edge with a cell."""
EIGHT: Final = Around(EDGES + CORNERS)
"""The cells that touch a cell: first those that share an edge with it, then those at its corners."""
