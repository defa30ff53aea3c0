"""The lines of a game as far as they are folded, and where the table's journal was after each."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event
from tabletape.events.vocabulary.shared import PlayTakenBack
from tabletape.projector.fold.consequence_match import content_of
from tabletape.projector.fold.passed_over import LATEST, decider


class Lines:
    """The events of a game, those that are still to be folded at their end.

    `journal_ends` has the journal's length after each line that is folded; `automatic_ends`, by step, its length after
    the automatic steps that the line needed first, where there were any; `after` is its length after the last decision
    or chance line. `whole` is the log that they are the beginning of, where it is folded piece by piece.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.journal_ends: list[int] = []
        self.automatic_ends: dict[int, int] = {}
        self.after = 0
        self.whole: tuple[Event, ...] = ()
        self._seqs: list[int] = []

    @property
    def here(self) -> int:
        """The index of the line that is looked at."""
        return len(self.journal_ends)

    @property
    def log(self) -> Sequence[Event]:
        """All lines, also those behind the events, as far as they are known."""
        return self.whole or self.events

    @property
    def seqs(self) -> list[int]:
        """The numbers of the events, worked out when they are asked for: a game in order asks for none."""
        known = self._seqs
        if len(known) < len(self.events):
            known += numbered(self.events[len(known) :], known[-1] if known else 0)
        return known

    @property
    def seq(self) -> int:
        """The number of the event that is looked at; one that is only tried out comes after all others."""
        here = len(self.journal_ends)
        seqs = self._seqs if here < len(self._seqs) else self.seqs
        return seqs[here] if here < len(seqs) else seqs[-1] + 1 if seqs else 0

    def drop_rest(self) -> None:
        """Forget the events that are not folded."""
        del self.events[self.here :]
        del self._seqs[self.here :]

    def place_of(self, mark: int) -> int:
        """Return the index of the line with which the journal grew beyond a length."""
        return bisect_right(self.journal_ends, mark)

    @property
    def last_act(self) -> int:
        """The index of the last decision or chance line before the one that is looked at, 0 without one."""
        return next((at for at in range(self.here - 1, 0, -1) if isinstance(self.events[at], Decision | Chance)), 0)

    def started_at(self, index: int) -> int:
        """Return the journal's length before a line, behind the automatic steps that it needed first."""
        return self.automatic_ends.get(index, self.journal_ends[index - 1] if index else 0)

    def since(self, mark: int) -> Iterator[tuple[int, Event]]:
        """Yield the lines since the journal had a length, with their numbers."""
        for place in range(self.place_of(mark), self.here):
            yield self.seqs[place], self.events[place]

    @property
    def last_begun(self) -> int:
        """The journal's length before the last decision or chance line: what follows from it may be a part of it."""
        return min(self.after, self.started_at(self.last_act))

    def said_before(self, event: Consequence, most: int = LATEST, place: int | None = None) -> int | None:
        """Return the index of the line that has said the same at most so many decisions ago, if there is one.

        `place` is the index of the line itself, which is the one that is looked at where nothing else is said.
        """
        events, kind, content = self.events, type(event), content_of(type(event))
        decisions = 0
        for here in range((self.here if place is None else place) - 1, 0, -1):
            each = events[here]
            if type(each) is kind and content(each) == content(event):
                return here
            decisions += bool(decider(each))
            # What was taken back is said anew, not again.
            if decisions > most or isinstance(each, PlayTakenBack):
                return None
        return None


# -- the numbers of events ---------------------------------------------------------------------------------------------


def numbered(events: Sequence[Event], last: int) -> list[int]:
    """Return the numbers of events that come after number `last`; those without a number of their own count on."""
    seqs: list[Any] = [event.seq for event in events]
    kinds = {*map(type, seqs)}
    if kinds == {int}:
        return seqs
    if kinds == {UnsetType}:
        return [*range(last + 1, last + 1 + len(seqs))]
    for index, seq in enumerate(seqs):
        last = seqs[index] = last + 1 if seq is UNSET else seq
    return seqs
