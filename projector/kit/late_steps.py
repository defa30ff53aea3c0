"""The steps of a turn that a log need not write down: each is taken as late as a line needs it, or shows it."""

from collections.abc import Callable
from typing import Any

import msgspec

from tabletape.events.vocabulary import Event
from tabletape.projector.model.changes import Derived

Place = tuple[int, int, int]
"""How far a table has come: the lengths of its journal and of what the rules made and applied."""


class LateStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step that happens by itself in the phase `at`, where `is_due(table)` or always, and what it `does(table)`.

    `shown_by(table, event)`: a line that tells of what the table has not come to yet may tell of this step, as any may.
    """

    at: str
    does: Callable[[Any], object]
    is_due: Callable[[Any], bool] | None = None
    shown_by: Callable[[Any, Any], bool] | None = None


class LateSteps:
    """The steps that follow by themselves, in the order of the rulebook, and behind what players have declared."""

    def __init__(self, *steps: LateStep, resolves: Callable[[Any], bool]) -> None:
        """Keep the steps, none of which is taken while a line is owed (`table.owed`).

        `resolves(table)` lets the last thing happen that was declared, and says whether there was one.
        """
        self._resolves = resolves
        self._at = {step.at: [each for each in steps if each.at == step.at] for step in steps}

    def advance(self, table: Any, event: Event | None = None) -> bool:
        """Take the next step, or the next one that a line may show; return whether there was one."""
        resolves = self._resolves
        if resolves(table):
            return True
        if table.owed is not None or table.over:
            return False
        for step in self._at.get(table.phase, ()):
            is_due, shown_by = step.is_due, step.shown_by
            if (is_due is None or is_due(table)) and (event is None or shown_by is None or shown_by(table, event)):
                step.does(table)
                return True
        return False

    def until(self, table: Any, event: Event, reached: Callable[[Any], Any]) -> Any:
        """Take the steps that a line may show until something is `reached`, and return that; else take none."""
        place = place_of(table)
        while not (there := reached(table)):
            if not self.advance(table, event):
                go_back(table, place)
                return None
        return there

    def until_made(
        self, table: Any, event: Event, fits: Callable[[Any, Derived], bool], seen: int | None = None
    ) -> Derived | None:
        """Take steps until one makes a consequence that `fits` a written one, and return that; else take none.

        The first `seen` ones do not fit; where it is left out, none of those does that have been made already.
        """
        derived = table.derived
        place = len(table.journal), len(derived), len(table.applied)  # nearly every line comes through here
        at = place[1] if seen is None else seen
        while True:
            while at < len(derived):
                if fits(event, derived[at]):
                    return derived[at]  # type: ignore[no-any-return]  # what a table derives
                at += 1
            if not self.advance(table, event):
                go_back(table, place)
                return None


def place_of(table: Any) -> Place:
    """Return how far a table has come."""
    return len(table.journal), len(table.derived), len(table.applied)


def go_back(table: Any, place: Place) -> None:
    """Take back steps that lead nowhere."""
    journal, derived, applied = place
    table.undo(journal)
    del table.derived[derived:]
    del table.applied[applied:]
