"""How often Python looks for garbage."""

import gc
from types import TracebackType
from typing import Final

ALLOCATIONS: Final = 50_000


def collect_less_often() -> None:
    """Let the collector run after 50,000 new objects in place of the usual few hundred.

    Whoever jumps about in a game gets a new table each time, and looking through all copies that are kept for these
    jumps costs more than making one; a screen says this once when it opens.
    """
    gc.set_threshold(ALLOCATIONS, 20, 50)


class Keeping:
    """While a `with` block runs that throws nothing away, looking for garbage costs time and finds none."""

    def __enter__(self) -> None:
        """Stop looking for garbage."""
        self._collects = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Look for garbage again, if somebody did so before."""
        if self._collects:
            gc.enable()
