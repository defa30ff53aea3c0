"""What is worked out once for each key, and kept in a dictionary because nothing else is asked that often."""

from collections.abc import Callable, Iterable
from typing import Any, Final

MOST: Final = 16384
"""Values that are kept; then a memo begins anew."""


class Memo(dict[Any, Any]):
    """A dictionary that works out what it lacks, by a function of the key.

    Where every microsecond counts `get` is asked first: for `[]` CPython goes a long way where a class is a kind of
    dict.
    """

    def __init__(self, work_out: Callable[[Any], Any], keys: Iterable[Any] = ()) -> None:
        """Begin with the values of some keys."""
        super().__init__((key, work_out(key)) for key in keys)
        self._work_out = work_out

    def __missing__(self, key: Any) -> Any:
        """Work out the value of a key, and keep it."""
        if len(self) >= MOST:
            self.clear()
        self[key] = value = self._work_out(key)
        return value
