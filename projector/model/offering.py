"""What may be decided now, found by the rules alone: every way to fill in a line that breaks none of them.

The fields of a line say by their types what can stand there: a card of the player's, a card that lies open, another
player, a word of a few, a cell beside what lies there. A game may narrow that; it never decides a second time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, UnsetType

from tabletape.events.vocabulary import CardId, CardName, CardNames, Event, Place, PlayerId, fields_of, note_of
from tabletape.projector.model.legality import keeps_all
from tabletape.projector.model.rules import Test
from tabletape.projector.model.table import Table

MOST: Final = 2000
"""The ways to fill in one line that are looked at; a game with more of them narrows them itself."""
STEPS: Final = (-1, 0, 1)


def offered_by_rules(
    rows: Mapping[type[Event], Sequence[Test]], gate: Callable[[Any, Any], object], table: Table[Any, Any], player: str
) -> list[Event]:
    """Return the decisions of a player against which nothing stands: neither the gate nor a rule of their row."""
    return [
        event
        for kind, tests in rows.items()
        for event in islice(fillings(kind, table, player), MOST)
        if gate(table, event) is None and keeps_all(tests, table, event)
    ]


def fillings(kind: type[Event], table: Table[Any, Any], player: str) -> Iterator[Event]:
    """Yield a line with everything that can stand in its fields; nothing where a field may hold anything at all.

    What luck fills in afterwards is left open.
    """
    fields = [field for field in fields_of(kind) if field.name not in kind.ASKED_AFTER]
    if not any(field.name == "player" for field in fields):
        return
    choices = [(player,) if field.name == "player" else _choices(field, table, player) for field in fields]
    for values in product(*choices):
        yield kind(**{field.name: value for field, value in zip(fields, values, strict=True) if value is not UNSET})


def _choices(field: msgspec.structs.FieldInfo, table: Table[Any, Any], player: str) -> tuple[Any, ...]:
    """Return what can stand in a field, that it is left out first."""
    choices = tuple(dict.fromkeys(_values(field.type, table, player)))
    if field.required:
        return choices
    has_own = field.default is not msgspec.NODEFAULT
    left_out = (field.default,) if has_own else (UNSET,)  # what a factory makes is made when it is left out
    return tuple(dict.fromkeys((*left_out, *choices)))


def _values(kind: Any, table: Table[Any, Any], player: str) -> Iterable[Any]:
    """Return what can stand in a field of a type; nothing where that may be anything at all."""
    if get_origin(kind) in {Union, UnionType}:
        return [value for each in get_args(kind) if each is not UnsetType for value in _values(each, table, player)]
    if get_origin(kind) is Literal:
        return get_args(kind)
    if note_of(kind, "whose") == "anybody":
        return [*_own_cards(table, player), *_open_cards(table, player)]
    enumerate_values = next((values for known, values in VALUES_BY_TYPE if kind == known), None)
    return () if enumerate_values is None else enumerate_values(table, player)


def _own_cards(table: Table[Any, Any], player: str) -> Iterator[str]:
    """Yield the cards of a player's hand, also of one that only the others see, and those of the own ones in sight."""
    for zone in table.zones.values():
        if zone.role in {"nowhere", "deck"}:
            continue
        for card in zone.cards:
            is_in_hand = zone.role == "hand" and zone.owner == player
            if is_in_hand or (player in {card.owner, zone.owner} and table.knows(player, card)):
                yield card.name


def _open_cards(table: Table[Any, Any], player: str) -> Iterator[str]:
    """Yield all cards that a player may look at."""
    zones = [zone for zone in table.zones.values() if zone.role not in {"nowhere", "deck"}]
    return (card.name for zone in zones for card in zone.cards if table.knows(player, card))


def _cells(table: Table[Any, Any]) -> list[tuple[int, int]]:
    """Return the cells on which something lies, and those beside them."""
    places = {place for card in table.cards.values() if (place := getattr(card, "place", None)) is not None}
    return sorted({(x + right, y + down) for x, y in places for right in STEPS for down in STEPS})


VALUES_BY_TYPE: Final[tuple[tuple[Any, Callable[[Table[Any, Any], str], Iterable[Any]]], ...]] = (
    (bool, lambda _table, _player: (False, True)),
    (type(None), lambda _table, _player: (None,)),
    (PlayerId, lambda table, _player: table.players),
    (CardId, lambda table, _player: table.library),
    (CardName, _own_cards),
    (CardNames, lambda table, player: [(), *((name,) for name in _own_cards(table, player))]),
    (Place, lambda table, _player: _cells(table)),
)
"""What can stand in a field, by its type."""
