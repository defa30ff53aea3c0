"""How often Python looks for garbage."""

import gc
from typing import Final

ALLOCATIONS: Final = 50_000


def collect_less_often() -> None:
    """Let the collector run after 50,000 new objects in place of the usual few hundred.

    Whoever jumps about in a game gets a new table each time, and looking through all copies that are kept for these
    jumps costs more than making one; a screen says this once when it opens.
    """
    gc.set_threshold(ALLOCATIONS, 20, 50)
