"""A process without pandas, though it is installed.

Arrow loads pandas with its first array, to look whether a list is one of its series: a quarter of a second, as long as
all the rest of a build that has one new game.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def hide_pandas() -> None:
    """Hide pandas from this process. Only a program that says what it runs may do so, and never for pages."""
    sys.meta_path.insert(0, _NoPandas())


def show_pandas() -> None:
    """Show pandas to this process again, for a library that asks for it; what has looked for it before has no use."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _NoPandas)]


class _NoPandas(MetaPathFinder):
    """Says of pandas that it is not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise `ModuleNotFoundError` for pandas; leave all other modules to those who come later."""
        del path, target
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not loaded here", name=fullname)
        return None
