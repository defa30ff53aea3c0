"""How often Python looks for garbage."""

import gc
from typing import Final

ALLOCATIONS: Final = 50_000


def collect_less_often() -> None:
    """Run the collector after 50,000 new objects in place of the usual few hundred.

    Whoever jumps about in a game gets a new table each time, and looking through all copies that are kept for these
    jumps costs more than making one. Whoever folds many games would look through each of them once, for nothing. A
    program says this once when it begins.
    """
    gc.set_threshold(ALLOCATIONS, 20, 50)


class GcPause:
    """Pause garbage collection for a `with` block that throws nothing away: collecting costs time and finds none."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        """Stop collecting."""
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        """Collect again, if anybody did before."""
        if self._was_on:
            gc.enable()
