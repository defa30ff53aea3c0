"""Consequences that the log has passed over and may still write down: the order of lines is the log keeper's choice."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from copy import copy
from itertools import islice
from typing import Any, Final

import msgspec

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.events.vocabulary.names import owner_of
from tabletape.events.vocabulary.shared import DeckDeclared, PlayTakenBack
from tabletape.projector.model.changes import Derived

LATEST: Final = 2
"""How many decisions may stand before a consequence that is still taken for one written late."""


class PassedOverGroup(msgspec.Struct, eq=False):
    """Consequences that were passed over together; `line` is the index of the line that did.

    `deciders` are the players who have decided something after it, as far as the line with the index `seen`; `by` is
    who has decided that line itself, if it is a decision.
    """

    line: int
    derived: list[Derived]
    deciders: set[str]
    seen: int
    by: frozenset[str] = frozenset()

    def __copy__(self) -> "PassedOverGroup":
        return PassedOverGroup(self.line, [*self.derived], {*self.deciders}, self.seen, self.by)

    def closes(self, events: Sequence[Event], end: int, players: Collection[str]) -> bool:
        """Take in the lines up to the index `end`; return whether none of the group can be written down any more."""
        for index, event in enumerate(islice(events, self.seen, end), self.seen):
            if isinstance(event, PlayTakenBack):
                return True
            if isinstance(event, Decision) and not isinstance(event, DeckDeclared):
                player = getattr(event, "player", "")
                if index == self.line:
                    self.by = frozenset((player,))
                else:
                    self.deciders.add(player)
        self.seen = end
        return self.deciders.issuperset(players)

    def still_open(self, ends: Sequence[int]) -> Iterator[Derived]:
        """Yield what may still be written down; `ends` are the journal's lengths after the lines.

        What the line itself has set off, as what happens at the end of a turn, does not wait for that line.
        """
        before = self.deciders | self.by
        start = ends[self.line - 1] if self.line else 0
        for each in tuple(self.derived):
            deciders = self.deciders if each.mark > start else before
            about = player_of(each.event)
            if about not in deciders and (about or not deciders):
                yield each


class PassedOver:
    """What the rules made of earlier lines and the log has not written down, in groups, the oldest first.

    A consequence stays open until a decision depends on it: the next one of the player whom it is about, or of anybody
    where it is about nobody. Chance lines depend on no consequence, nor does a deck list.

    `new` takes the index (from 0) of a line that passes something over, with the list of that.
    """

    def __init__(self) -> None:
        self.new: list[tuple[int, list[Derived]]] = []
        self._known: list[PassedOverGroup] = []
        self._counted = 0
        self._closed = 0
        self._left = 0

    def __copy__(self) -> "PassedOver":
        copied = PassedOver()
        groups, closed = self._groups, self._closed
        # What is closed stays so: both can have it until something is taken out of it.
        copied._known = groups[:closed] + [copy(group) for group in groups[closed:]]
        copied._counted, copied._closed, copied._left = self._counted, self._closed, self._left
        return copied

    def add(self, line: int, derived: list[Derived]) -> None:
        """Take what the line with an index passes over out of a list; the fold does so by itself, once a decision."""
        self.new.append((line, [*derived]))
        derived.clear()

    @property
    def _groups(self) -> list[PassedOverGroup]:
        """The groups, made when somebody asks for them: a log that is in order asks for none."""
        if self.new:
            self._known += [PassedOverGroup(line, derived, set(), line) for line, derived in self.new]
            self._left += sum(len(derived) for _, derived in self.new)
            self.new.clear()
        return self._known

    def left(self) -> int:
        """Return how much was passed over and never written down."""
        return self._left if not self.new else self._left + sum(len(derived) for _, derived in self.new)

    def __iter__(self) -> Iterator[Derived]:
        """Yield all that was passed over and never written down, in order."""
        return (each for group in self._groups for each in group.derived)

    def rules(self) -> Iterator[str]:
        """Yield the rules of all that was passed over since the last time that they were asked for."""
        groups = self._groups
        new, self._counted = groups[self._counted :], len(groups)
        return (each.rule for group in new for each in group.derived)

    def since(self, line: int) -> Iterator[PassedOverGroup]:
        """Yield the groups that lines behind the one with an index have passed over."""
        return (group for group in self._groups if group.line > line)

    def take(self, group: PassedOverGroup, derived: Derived) -> bool:
        """Take out what is written down after all; return whether its rule has been given by `rules` already."""
        groups = self._groups
        number = groups.index(group)
        if number < self._closed:  # a copy of this may have it as well
            group = groups[number] = copy(group)
        group.derived.remove(derived)
        self._left -= 1
        return number < self._counted

    def still_open(
        self, events: Sequence[Event], ends: Sequence[int], players: Collection[str]
    ) -> Iterator[tuple[PassedOverGroup, Derived]]:
        """Yield what may still be written down, the latest group first.

        `ends` are the journal's lengths after the lines so far, which are the first of `events`.
        """
        groups = self._groups
        for number in range(len(groups) - 1, self._closed - 1, -1):
            group = groups[number]
            if group.closes(events, len(ends), players):
                # Whoever has decided stays so: what came before this group is closed as well, for ever.
                self._closed = number + 1
                return
            yield from ((group, each) for each in group.still_open(ends))

    def latest(self, most: int) -> Iterator[tuple[PassedOverGroup, Derived]]:
        """Yield what the last groups, at most so many, still hold, the latest first."""
        groups = self._groups
        for group in islice(reversed(groups), most):
            yield from ((group, each) for each in tuple(group.derived))

    def closed_lately(
        self, events: Sequence[Event], ends: Sequence[int], players: Collection[str]
    ) -> Iterator[tuple[PassedOverGroup, Derived]]:
        """Yield what no more than `LATEST` decisions have closed, the latest group first: so late do people write.

        `ends` are the journal's lengths after the lines so far, which are the first of `events`; a take-back ends the
        search.
        """
        decided: Counter[str] = Counter()
        here = len(ends)
        for group in reversed(self._groups):
            for at in range(here - 1, group.line, -1):
                if isinstance(events[at], PlayTakenBack):
                    return
                if who := decider(events[at]):
                    decided[who] += 1
                    if decided[who] > LATEST and all(decided[player] > LATEST for player in players):
                        return  # whoever a line is about has decided too often since
            by, start = decider(events[group.line]), ends[group.line - 1] if group.line else 0
            for each in tuple(group.derived):
                about = player_of(each.event)
                is_first = each.mark <= start and bool(by) and about in {"", by}
                if 0 < (decided[about] if about else decided.total()) + is_first <= LATEST:
                    yield group, each
            here = group.line
            decided.update(filter(None, (by,)))
            if all(decided[player] > LATEST for player in players):
                return


def decider(event: Event) -> str:
    """Return the player of a line if it is a decision before which a consequence is written, else an empty string."""
    is_decision = isinstance(event, Decision) and not isinstance(event, DeckDeclared)
    return getattr(event, "player", "") if is_decision else ""


def player_of(event: Consequence) -> str:
    """Return the player whom a consequence is about: named, or the owner of the card; empty for nobody's."""
    named = getattr(event, "player", "")
    if isinstance(named, str) and named:
        return named
    subject: tuple[str, ...] = getattr(event, "SUBJECT", ())
    values: list[Any] = [getattr(event, name) for name in subject]
    return next((owner_of(each) for each in values if isinstance(each, str) and owner_of(each)), "")
