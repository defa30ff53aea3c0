"""What is to be checked in each event type, found in its annotations."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from tabletape.events.importing.lines.shapes import Holds, Shape, shapes_of
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted


class Kind(NamedTuple):
    """What is to be checked in an event type; `special` ones are looked at by themselves.

    Exactly one of the fields in `exclusive` has to stand. `players` are fields with a player, `cards` and `ids` those
    with one or several cards of the table or of the game; whatever else has names in it stands in `others`.
    """

    special: bool
    exclusive: tuple[str, ...]
    players: tuple[str, ...]
    cards: tuple[str, ...]
    ids: tuple[str, ...]
    others: Mapping[str, Shape]


class _Kinds(dict[type[msgspec.Struct], Kind]):
    """The kind of each event type, found in its annotations once."""

    def __missing__(self, struct: type[msgspec.Struct]) -> Kind:
        shapes = shapes_of(struct)
        named = {field.name: shapes[field.encode_name] for field in msgspec.structs.fields(struct)}
        # Who did it is checked where the event is put behind the others.
        players = tuple(name for name, shape in named.items() if shape.holds is Holds.PLAYER and name != "player")
        cards = tuple(name for name, shape in named.items() if Holds.COPY in {shape.holds, _listed(shape)})
        ids = tuple(name for name, shape in named.items() if Holds.CARD in {shape.holds, _listed(shape)})
        rest = named.keys() - {"player", *players, *cards, *ids}
        others = {name: shape for name, shape in named.items() if name in rest and shape.names}
        special = issubclass(struct, GameStarted | DeckDeclared)
        kind = self[struct] = Kind(special, getattr(struct, "EXACTLY_ONE", ()), players, cards, ids, others)
        return kind


KINDS: Final = _Kinds()


class Needs(dict[type[Event], bool]):
    """Whether events of a type are to be checked at all."""

    def __init__(self, *, cards: bool) -> None:
        super().__init__()
        self._cards = cards

    def __missing__(self, event_type: type[Event]) -> bool:
        kind = KINDS[event_type]
        named = kind.players or kind.others or (self._cards and (kind.cards or kind.ids))
        needed = self[event_type] = kind.special or bool(kind.exclusive or named)
        return needed


def _listed(shape: Shape) -> Holds | None:
    """Return what the elements of a list hold, None for what is no list."""
    return shape.inside[0].holds if shape.holds is Holds.LIST else None
