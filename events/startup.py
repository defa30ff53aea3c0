"""What a program of ours says once when it begins, and what each pays.

Measured with 770 games on two cores, the same commands with and without: what is loaded kept for good, 40 to 120 ms of
each verb; pandas hidden, 220 ms of a build that has a new game and 290 ms of a question that asks scipy; a collector
that runs less often, 20 to 30 ms of an audit, and more where somebody jumps about in a game.
"""

import atexit
import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

ALLOCATIONS: Final = 50_000


def collect_less_often() -> None:
    """Run the collector after 50,000 new objects in place of the usual few hundred.

    Whoever jumps about in a game gets a new table each time, and looking through all copies that are kept for these
    jumps costs more than making one. Whoever folds many games would look through each of them once, for nothing.
    """
    gc.set_threshold(ALLOCATIONS, 20, 50)


@contextmanager
def kept_for_good() -> Iterator[None]:
    """Keep what a `with` block loads out of the search for garbage ever after, also at the end of the program.

    It is done once in a process: what waits to be thrown away at that moment would be kept, too.
    """
    yield
    _keep()


@cache
def _keep() -> None:
    gc.freeze()
    atexit.register(_release_duckdb)


def _release_duckdb() -> None:
    """Search everything at the end where DuckDB is loaded: it complains about what of it was not thrown away."""
    if "_duckdb" in sys.modules:
        gc.unfreeze()


def hide_pandas() -> None:
    """Hide pandas from Arrow, which would load it with its first array, to look whether a list is one of its series.

    Only a program that says what it runs may do so, and never for pages.
    """
    sys.meta_path.insert(0, _PANDAS)


def show_pandas() -> None:
    """Show pandas to this process again, for a library that asks for it; what has looked for it before has no use."""
    if _PANDAS in sys.meta_path:
        sys.meta_path.remove(_PANDAS)


class _NoPandas(MetaPathFinder):
    """Says of pandas that it is not installed; None in `sys.modules` would do, but Arrow takes that for pandas."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise `ModuleNotFoundError` for pandas; leave all other modules to those who come later."""
        del path, target
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not loaded here", name=fullname)
        return None


_PANDAS: Final = _NoPandas()
