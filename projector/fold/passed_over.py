"""Consequences that the log has passed over and may still write down: the order of lines is the log keeper's choice."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from events.names import owner_of
from events.shared import DeckDeclared, PlayTakenBack
from events.vocabulary import Consequence, Decision, Event
from projector.model.table import Derived


class Group(msgspec.Struct, eq=False):
    """Consequences that were passed over together; `line` is the index of the line that did."""

    line: int
    derived: list[Derived]


class PassedOver:
    """What the rules made of earlier lines and the log has not written down, in groups, the oldest first.

    A consequence stays open until a decision depends on it: the next one of the player whom it is about, or of anybody
    where it is about nobody. Chance lines depend on no consequence, nor does a deck list.
    """

    def __init__(self) -> None:
        self._groups: list[Group] = []
        self._counted = 0

    def __copy__(self) -> "PassedOver":
        copied = PassedOver()
        copied._groups = [Group(group.line, [*group.derived]) for group in self._groups]
        copied._counted = self._counted
        return copied

    def add(self, line: int, derived: Sequence[Derived]) -> None:
        """Note what the line with an index (from 0) has passed over."""
        self._groups.append(Group(line, [*derived]))

    def __iter__(self) -> Iterator[Derived]:
        """Yield all that was passed over and never written down, in order."""
        return (each for group in self._groups for each in group.derived)

    def rules(self) -> Iterator[str]:
        """Yield the rules of all that was passed over since the last time that they were asked for."""
        new, self._counted = self._groups[self._counted :], len(self._groups)
        return (each.rule for group in new for each in group.derived)

    def take(self, group: Group, derived: Derived) -> bool:
        """Take out what is written down after all; return whether its rule has been given by `rules` already."""
        group.derived.remove(derived)
        return group in self._groups[: self._counted]

    def still_open(self, events: Sequence[Event], players: Collection[str]) -> Iterator[tuple[Group, Derived]]:
        """Yield what may still be written down after some lines, the latest group first."""
        deciders: set[str] = set()
        end = len(events)
        for group in reversed(self._groups):
            since = events[group.line : end]
            end = group.line
            if any(isinstance(event, PlayTakenBack) for event in since):
                return
            deciders |= {getattr(event, "player", "") for event in since if _depends(event)}
            if deciders.issuperset(players):
                return
            for each in tuple(group.derived):
                about = player_of(each.event)
                if about not in deciders and (about or not deciders):
                    yield group, each


def _depends(event: Event) -> bool:
    return isinstance(event, Decision) and not isinstance(event, DeckDeclared)


def player_of(event: Consequence) -> str:
    """Return the player whom a consequence is about: named, or the owner of the card; empty for nobody's."""
    named = getattr(event, "player", "")
    if isinstance(named, str) and named:
        return named
    subject: tuple[str, ...] = getattr(event, "SUBJECT", ())
    said: list[Any] = [getattr(event, name) for name in subject]
    return next((owner_of(each) for each in said if isinstance(each, str) and owner_of(each)), "")
