"""How often Python looks for garbage."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ALLOCATIONS: Final = 50_000


def collect_less_often() -> None:
    """Run the collector after 50,000 new objects in place of the usual few hundred.

    Whoever jumps about in a game gets a new table each time, and looking through all copies that are kept for these
    jumps costs more than making one. Whoever folds many games would look through each of them once, for nothing. A
    program says this once when it begins.
    """
    gc.set_threshold(ALLOCATIONS, 20, 50)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection for a `with` block that throws nothing away: collecting costs time and finds none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
