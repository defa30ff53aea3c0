"""What records its changes: a table, whose verbs write each change of a field into its journal, and back and forth."""

from collections.abc import Sequence
from typing import Any

import msgspec

from tabletape.projector.model.changes import Change
from tabletape.projector.model.things import Thing


class Recorded(Thing, eq=False, kw_only=True):
    """The thing with number 0, which changes others and itself by verbs alone and can take every change back.

    `things` are all things by their numbers, `journal` the changes in their order, `reverted` the lengths of the
    journal at which everything was again what it had been at another length.
    """

    things: list[Any] = msgspec.field(default_factory=list)
    journal: list[Change] = msgspec.field(default_factory=list)
    reverted: dict[int, int] = msgspec.field(default_factory=dict)

    # -- the verbs for any field -----------------------------------------------------------------------------------

    def set(self, thing: Thing, field: str, value: Any) -> None:
        """Set a field of a thing. Where microseconds count, the table of a game has its own verbs for it."""
        if (before := getattr(thing, field)) != value:
            setattr(thing, field, value)
            self.journal.append((thing, field, before, value))

    def record(self, thing: Thing, field: str, value: Any) -> None:
        """Set a field of a thing and record that also where nothing changes, which marks the place in the journal."""
        before = getattr(thing, field)
        setattr(thing, field, value)
        self.journal.append((thing, field, before, value))

    def change(self, thing: Thing, field: str, before: Any, value: Any) -> None:
        """Set a field to another value than the one `before`, which is known: where microseconds count."""
        setattr(thing, field, value)
        self.journal.append((thing, field, before, value))

    def update(self, thing: Thing, /, **values: Any) -> None:
        """Set several fields of a thing, in the order in which they are given."""
        for field, value in values.items():
            if (before := getattr(thing, field)) != value:
                setattr(thing, field, value)
                self.journal.append((thing, field, before, value))

    def count(self, thing: Thing, field: str, by: int) -> None:
        """Change a number by `by`."""
        if by:
            before = getattr(thing, field)
            setattr(thing, field, before + by)
            self.journal.append((thing, field, before, before + by))

    # -- back and forth --------------------------------------------------------------------------------------------

    def write(self, thing: Any, field: str, value: Any) -> None:
        """Put one side of a recorded change on this table, which may be a copy of the one that recorded it."""
        raise NotImplementedError

    def undo(self, length: int) -> list[Change]:
        """Take back all changes after the first `length` ones and give them, for `redo`, in their order."""
        undone = self.journal[length:]
        if self.reverted:
            self.reverted = {after: before for after, before in self.reverted.items() if after <= length}
        self.walk(undone, back=True)
        del self.journal[length:]
        return undone

    def walk(self, changes: Sequence[Change], *, back: bool = False) -> None:
        """Put recorded changes on this table without recording them: the values after, or back to those before."""
        things = self.things
        for thing, field, before, after in reversed(changes) if back else changes:
            value = before if back else after
            if field == "zone" or field == "made":  # noqa: PLR1714 - two comparisons of words are faster than a set
                self.write(thing, field, value)
            else:
                setattr(things[thing.n], field, value)
        self.reckon(changes)

    def reckon(self, changes: Sequence[Change]) -> None:
        """Work out anew what a game keeps besides its record because it follows from the cards; by default nothing."""

    def redo(self, changes: Sequence[Change]) -> None:
        """Make recorded changes again."""
        self.walk(changes)
        self.journal += changes

    def revert(self, length: int) -> None:
        """Put everything back as it was after the first `length` changes, as new changes: nothing is forgotten.

        What was put back before is leapt over: otherwise the journal would double with every time.
        """
        here = start = len(self.journal)
        while here > length:
            leap = self.reverted.get(here, -1)
            if leap >= length:
                here = leap
                continue
            here -= 1
            thing, field, before, after = self.journal[here]
            self.write(thing, field, before)
            own = self.things[thing.n] if thing.n < len(self.things) else thing
            self.journal.append((own, field, after, before))
        if len(self.journal) > length:
            self.reverted[len(self.journal)] = length
        self.reckon(self.journal[start:])
