"""A process without libraries that Arrow looks for, though they are installed.

Arrow loads pandas with its first array, to look whether a list is one of its series: a quarter of a second, as long as
all the rest of a build that has one new game. NumPy it loads with itself, which takes a tenth of the start of a build.
"""

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from tabletape.events.interrupts import interrupts_held


def hide_pandas() -> None:
    """Hide pandas from this process. Only a program that says what it runs may do so, and never for pages."""
    sys.meta_path.insert(0, _Hidden("pandas"))


def show_pandas() -> None:
    """Show pandas to this process again, for a library that asks for it; what has looked for it before has no use."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Hidden)]


def load_arrow_alone() -> None:
    """Load Arrow without NumPy, which is hidden from nobody else: a process that hands no arrays of NumPy to Arrow."""
    hidden = _Hidden("numpy")
    with interrupts_held():  # A library in C++ that is stopped while it is loaded takes Python down with it.
        sys.meta_path.insert(0, hidden)
        try:
            for part in ("pyarrow.compute", "pyarrow.parquet"):
                importlib.import_module(part)
        finally:
            sys.meta_path.remove(hidden)


class _Hidden(MetaPathFinder):
    """Says of a library that it is not installed."""

    def __init__(self, library: str) -> None:
        self._library = library

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise `ModuleNotFoundError` for the library; leave all other modules to those who come later."""
        del path, target
        if fullname == self._library:
            raise ModuleNotFoundError(f"{fullname} is not loaded here", name=fullname)
        return None
