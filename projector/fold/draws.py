"""Draws that a log writes in several lines: each card that is drawn may have a line of its own."""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

import msgspec
from msgspec import UNSET

from events.shared import CardsDrawn, NoteAdded
from events.vocabulary import Event, fields_of

NOTHING_MORE = NoteAdded(text="")
"""What stands in the place of a line that says the rest of an earlier one."""


def goes_on(events: Sequence[Event], index: int) -> bool:
    """Return whether the line after a draw is one by the same player for the same reason."""
    return len(_parts(events, index)) > 1


def together(events: Sequence[Event], indices: Collection[int]) -> list[Event]:
    """Return events in which each draw at one of the indices says what the draws directly behind it say as well.

    There are as many events as before: these say nothing any more.
    """
    read = list(events)
    for index in sorted(indices):
        parts = _parts(read, index)
        if len(parts) > 1:
            read[index] = _sum(parts)
            read[index + 1 : index + len(parts)] = [NOTHING_MORE] * (len(parts) - 1)
    return read


def _parts(events: Sequence[Event], index: int) -> list[CardsDrawn]:
    """Return the draw at an index with those directly behind it that say the same but for the cards."""
    first = events[index]
    return list(takewhile(lambda each: _is_alike(first, each), _draws(events[index:])))


def _draws(events: Sequence[Event]) -> Iterator[CardsDrawn]:
    for each in events:
        if not isinstance(each, CardsDrawn):
            return
        yield each


def _is_alike(one: Event, other: Event) -> bool:
    """Return whether two draws differ in the cards alone, and both name them or both count them."""
    if type(one) is not type(other) or not (getattr(one, "cards", 0) or getattr(one, "count", 0)):
        return False
    names = [field.name for field in fields_of(type(one)) if field.name not in {"cards", "count"}]
    is_counted = getattr(one, "cards", UNSET) is UNSET
    return is_counted == (getattr(other, "cards", UNSET) is UNSET) and all(
        getattr(one, name) == getattr(other, name) for name in names
    )


def _sum(parts: Sequence[CardsDrawn]) -> CardsDrawn:
    first = parts[0]
    if first.cards is UNSET:
        return msgspec.structs.replace(first, count=sum(int(each.count or 0) for each in parts))
    return msgspec.structs.replace(first, cards=tuple(name for each in parts for name in each.cards or ()))
