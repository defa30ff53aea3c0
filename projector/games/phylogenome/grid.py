"""The grid: which cells lie next to each other."""

from typing import Final

from tabletape.projector.kit.memo import Memo

Cell = tuple[int, int]

EDGES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
CORNERS: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1))


def _around(steps: tuple[Cell, ...]) -> dict[Cell, tuple[Cell, ...]]:
    """Return the neighbours of any cell, in the order of these steps."""
    return Memo(lambda cell: tuple([(cell[0] + across, cell[1] + down) for across, down in steps]))


FOUR: Final = _around(EDGES)
"""The cells that share an edge with a cell."""
EIGHT: Final = _around(EDGES + CORNERS)
"""The cells that touch a cell: first those that share an edge with it, then those at its corners."""
