"""Draws that a log writes in several lines: each card that is drawn may have a line of its own."""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event, fields_of
from tabletape.events.vocabulary.shared import CardsDrawn, NoteAdded

NOTHING_MORE = NoteAdded(text="")
"""What stands in place of a line that says the rest of an earlier one."""


def places_of_parts(events: Sequence[Event], index: int) -> list[int]:
    """Return from where on the draw at an index may be one with its neighbours: itself, or the first one like it.

    Nowhere where it has no neighbour that says the same but for the cards. What stands before it is a part of it only
    where each card has a line: else the lines tell which draw is which.
    """
    first = index
    while first and len(_parts(events[first - 1 : first + 1], 0)) > 1:
        first -= 1
    if any(_number(each) != 1 for each in _parts(events, first)):
        first = index
    return [place for place in dict.fromkeys((index, first)) if len(_parts(events, place)) > 1]


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
    """Return whether two draws differ in the cards alone, which a line may name or count."""
    if type(one) is not type(other) or not (getattr(one, "cards", 0) or getattr(one, "count", 0)):
        return False
    names = [field.name for field in fields_of(type(one)) if field.name not in {"cards", "count"}]
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _sum(parts: Sequence[CardsDrawn]) -> CardsDrawn:
    """Return one draw for several; where a part only counts its cards it is unknown which of them are named."""
    first = parts[0]
    if all(each.count is UNSET for each in parts):
        return msgspec.structs.replace(first, cards=tuple(name for each in parts for name in each.cards or ()))
    return msgspec.structs.replace(first, cards=UNSET, count=sum(map(_number, parts)))


def _number(draw: CardsDrawn) -> int:
    """Return how many cards a line draws."""
    return len(draw.cards or ()) if draw.count is UNSET else int(draw.count or 0)
