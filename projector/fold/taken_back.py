"""What a take-back leaves behind: the lines that still stand, and what may still be written down about them."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event
from tabletape.events.vocabulary.shared import GameEnded, PlayTakenBack
from tabletape.projector.fold.passed_over import PassedOverGroup, player_of

MAX_RECALLS: Final = 100
"""How often a game is folded again to know what a take-back has left to be written down: each fold takes time."""


class TakenBack(msgspec.Struct):
    """A take-back: its line and the one to which the table was put back, as indices from 0."""

    line: int
    to: int
    _deciders: PassedOverGroup | None = None

    def comes_next(self, events: Sequence[Event], here: int) -> bool:
        """Return whether nothing has been played since, so that the line `here` may belong to what was before."""
        return not any(isinstance(each, Decision | Chance) for each in events[self.line + 1 : here])

    def may_be_late(self, event: Consequence, events: Sequence[Event], here: int, players: Collection[str]) -> bool:
        """Return whether a consequence may have been left to be written down before the take-back.

        It may, as one that was passed over, until the player whom it is about decides something.
        """
        since = self._deciders = self._deciders or PassedOverGroup(self.line, [], set(), self.line + 1)
        if isinstance(event, GameEnded) or since.closes(events, here, players):
            return False
        about = player_of(event)
        return about not in since.deciders and bool(about or not since.deciders)


def standing(events: Sequence[Event], seqs: Sequence[int]) -> dict[int, Event]:
    """Return the lines that were not taken back, by their numbers, in order, without the take-backs."""
    found: dict[int, Event] = {}
    for seq, event in zip(seqs, events, strict=True):
        if isinstance(event, PlayTakenBack):
            while found and next(reversed(found)) > event.to:
                found.popitem()
        else:
            found[seq] = event
    return found
