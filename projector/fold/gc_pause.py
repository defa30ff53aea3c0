"""How often Python looks for garbage."""

import atexit
import gc
import sys
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
def kept_for_good() -> Iterator[None]:
    """Keep what a `with` block loads out of the search for garbage, while it is loaded and ever after.

    That is so at the end of the program as well, which would look through all of it once more. It is done once in a
    process: what waits to be thrown away at that moment would be kept, too.
    """
    with GcPause():
        yield
    if not gc.get_freeze_count():
        gc.freeze()
        atexit.register(_release_duckdb)


def _release_duckdb() -> None:
    """Search everything at the end where DuckDB is loaded: it complains about what of it was not thrown away."""
    if "_duckdb" in sys.modules:
        gc.unfreeze()


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
