"""What a hostile case is: a map that was written to be slow, the lines that make it so, and how they make a file."""

import random
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple


class Form(NamedTuple):
    """How lines make a file: what stands before the first, between two, and behind the last."""

    before: str
    between: str = "\n"
    behind: str = ""

    def file(self, lines: Iterable[str]) -> bytes:
        """Return the file of some lines."""
        return f"{self.before}{self.between.join(lines)}{self.behind}".encode()


TEXT: Final = Form("a sits\na draws\n")


class Hostile(NamedTuple):
    """A map that was written to be slow, and the lines that make it so."""

    map: str
    line: Callable[[random.Random], str]
    form: Form = TEXT
