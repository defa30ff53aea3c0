"""Folding a game again, with lines read otherwise, as long as that is worth the time.

In a log in which nearly every line is wrong no reading is borne out: it is taken as it stands where so much was folded.
"""

from typing import TYPE_CHECKING, Final

from tabletape.events.errors import TabletapeError
from tabletape.projector.fold.misread import Misread
from tabletape.projector.model.rules import HARD

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabletape.projector.fold.replay import Replay

LINES: Final = 40_000
"""Lines that are folded again for one log to choose its readings, and as many to tell its mistakes apart, at most."""

FEWEST: Final = 80
"""As many at least, however short a log is."""

WRONG: Final = 6
"""How many right lines take as long as one that is found wrong."""


class TooMuchFoldedError(TabletapeError):
    """The lines are used up that may be folded again for one log."""


class Refolding:
    """Folds a game again by `fold`, each time for a `price` in lines; raises `TooMuchFoldedError` where it has none."""

    def __init__(self, first: "Replay", fold: "Callable[[frozenset[Misread]], Replay]") -> None:
        self.price = _price_of(first)
        self._fold = fold
        for_each, right = first.game.slips.lines_again, len(first.events) - len(first.raw_findings)
        self._left = LINES if for_each is None else min(max(for_each * right, FEWEST), LINES)

    def __call__(self, misread: frozenset[Misread]) -> "Replay":
        """Return the fold with lines misread."""
        self.spend(self.price)
        return self._fold(misread)

    def spend(self, lines: int) -> None:
        """Take lines from those that are left."""
        self._left -= lines
        if self._left < 0:
            raise TooMuchFoldedError


def folds_worth(replay: "Replay") -> int:
    """Return how often a game may be folded again to tell its mistakes apart."""
    return LINES // _price_of(replay)


def _price_of(replay: "Replay") -> int:
    """Return how many right lines take as long as folding a game again."""
    wrong = sum(each.kind in HARD for each in replay.judge.found)
    return len(replay.events) + replay.table.lines_worth + (WRONG - 1) * wrong
