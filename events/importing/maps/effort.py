"""How much reading a file through a map may take: maps and lines are untrusted, and some of them fit badly on purpose.

The steps are counted, not timed, so that the same file is always read in the same way. Each line brings some, most need
few, and what they leave the difficult ones may take; a line for which none are left is left over.
"""

from typing import Final

from tabletape.events.errors import TabletapeError

FIRST_STEPS: Final = 150_000
"""How many steps there are before the first line, a sixth of a second or so: a short file may be difficult."""

A_LINE: Final = 40
"""How many steps each line brings when it is read, and whenever an entry is looked for that it fits: ten thousand lines
come to a second or so. A usual line takes twenty-five, a row of JSON with lists of cards fifty."""


class EffortError(TabletapeError):
    """No steps are left for what is to be done."""


class Effort:
    """The steps that are left for a file."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = FIRST_STEPS

    def begin_line(self, times: int = 1) -> None:
        """Count the steps that a line brings, or what is read like so many lines."""
        self.left += times * A_LINE

    def allows(self, steps: int) -> bool:
        """Take steps, and return whether there were so many left."""
        try:
            self.take(steps)
        except EffortError:
            return False
        return True

    def take(self, steps: int) -> None:
        """Take steps. Raises `EffortError` where there are not so many left."""
        self.left -= steps
        if self.left < 0:
            self.left = 0
            raise EffortError
