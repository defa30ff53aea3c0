"""What a line is about: the cards and the spots that it names, by which a slip behind it is recognised."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from tabletape.events.vocabulary import Event, fields_of
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card

Spot = tuple[int, int]


class Clues(msgspec.Struct, frozen=True, dict=True):
    """Cards and spots that point to a slip."""

    cards: frozenset[str]
    spots: frozenset[Spot]

    def share(self, values: Sequence[str | Spot]) -> float:
        """Return the share of cards and spots, of those that a line names, that are among these; beside one is half."""
        explained = sum(each in self.cards if isinstance(each, str) else self._nearness(each) for each in values)
        return explained / len(values) if values else 0.0

    def _nearness(self, spot: Spot) -> float:
        return 1.0 if spot in self.spots else 0.5 * self.is_near(spot)

    def is_near(self, spot: Spot) -> bool:
        """Return whether a spot is one of these, or beside one."""
        return spot in self._near

    @cached_property
    def _near(self) -> frozenset[Spot]:
        return frozenset(each for spot in self.spots for each in _around(spot))


def named_by(events: Iterable[msgspec.Struct]) -> Clues:
    """Return what events name."""
    values = set(values_in(events))
    spots = frozenset(each for each in values if isinstance(each, tuple))
    return Clues(frozenset(each for each in values if isinstance(each, str)), spots)


def met_by(table: Table[Any, Any], events: Iterable[msgspec.Struct]) -> Clues:
    """Return what events name, the cards that lie on a table where they name a spot, and where their cards lay before.

    A card that lies nowhere any more has left the spot where it was.
    """
    named = named_by(events)
    lying = {card.name for card in table.cards.values() if card.place in named.spots} if named.spots else set()
    gone = [card for name in named.cards if (card := table.find(name)) is not None and card.place is None]
    left = {spot for card in gone if (spot := _last_spot(table, card)) is not None}
    return Clues(named.cards | lying, named.spots | left)


def _last_spot(table: Table[Any, Any], card: Card) -> Spot | None:
    """Return where a card that lies nowhere has lain last, None where it has not."""
    left = (before for thing, field, before, _ in reversed(table.journal) if thing is card and field == "place")
    return next((spot for spot in left if isinstance(spot, tuple)), None)


def clues_of(table: Table[Any, Any], events: Iterable[msgspec.Struct]) -> Clues:
    """Return what events name, and the cards that lie on a table where they name a spot or beside it."""
    named = named_by(events)
    beside = {each for spot in named.spots for each in _around(spot)}
    lying = {card.name for card in table.cards.values() if card.place in beside} if beside else set()
    return Clues(named.cards | lying, named.spots)


def cards_in(events: Iterable[msgspec.Struct]) -> Iterator[str]:
    """Yield the names of cards on the table that events write down, `A:reed-heron#2`, in order."""
    return (each for each in values_in(events) if isinstance(each, str))


def values_in(events: Iterable[msgspec.Struct]) -> list[str | Spot]:
    """Return the names of cards and the spots that events write down, in order."""
    values: list[str | Spot] = []
    for event in events:
        for value in map(event.__getattribute__, event.__struct_fields__):
            _add_values(value, values)
    return values


def differ_in_lists(one: Event, two: Event) -> bool:
    """Return whether two lines of a type differ only in what they list: cards of a mulligan, moves of several cards."""
    pairs = [(getattr(one, field.name), getattr(two, field.name)) for field in fields_of(type(one))]
    return all(mine == theirs or (_is_list(mine) and _is_list(theirs)) for mine, theirs in pairs)


def _is_list(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str | msgspec.Struct) for each in value)


def _add_values(value: Any, values: list[str | Spot]) -> None:
    if isinstance(value, str):
        if ":" in value:
            values.append(value)
    elif isinstance(value, tuple):
        if len(value) == 2 and type(value[0]) is type(value[1]) is int:
            values.append(value)
        else:
            for each in value:
                _add_values(each, values)
    elif isinstance(value, msgspec.Struct):
        values += values_in((value,))


def _around(spot: Spot) -> Iterator[Spot]:
    row, column = spot
    return ((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
