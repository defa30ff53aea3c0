"""How a log is usually written: which line follows which, to say which of several repairs reads most like the rest."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log

from tabletape.events.vocabulary import Event
from tabletape.projector.mending.edits import Edit

Step = tuple[type[Event], type[Event], bool]
"""The types of a line and of the next one, and whether one player is named in both."""

NEVER_SEEN = 0.5
"""How often a step counts that a log never takes."""


class Habits:
    """The steps from line to line of one log, counted."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._steps = Counter(_steps(events))
        self._lines = Counter(map(type, events))

    def of(self, edit: Edit) -> float:
        """Return how much more usual the log's steps are with an edit than without: a difference of logarithms."""
        end = edit.start + edit.length
        before, after = self._events[max(0, edit.start - 1) : edit.start], self._events[end : end + 1]
        edited = [*before, *edit.events, *after]
        return self._usual(edited) - self._usual([*before, *self._events[edit.start : end], *after])

    def _usual(self, events: Sequence[Event]) -> float:
        return sum(log((self._steps[step] + NEVER_SEEN) / (self._lines[step[0]] + 1)) for step in _steps(events))


def _steps(events: Sequence[Event]) -> Iterator[Step]:
    for one, other in pairwise(events):
        yield type(one), type(other), getattr(one, "player", "") == getattr(other, "player", "")
