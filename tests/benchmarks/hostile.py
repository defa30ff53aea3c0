"""What a hostile case is: a map that is written to be slow, lines that make it slow, and the layout of their file."""

import random
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple


class FileLayout(NamedTuple):
    """The layout of a file: what stands before the first line, between two lines and after the last one."""

    before: str
    between: str = "\n"
    after: str = ""

    def file(self, lines: Iterable[str]) -> bytes:
        """Return the content of a file with these lines."""
        return f"{self.before}{self.between.join(lines)}{self.after}".encode()


TEXT: Final = FileLayout("a sits\na draws\n")


class Hostile(NamedTuple):
    """A map that is written to be slow, and a function for the lines that make it slow."""

    map: str
    line: Callable[[random.Random], str]
    layout: FileLayout = TEXT
