"""What is to be checked in each event type, found in its annotations."""

from typing import Any, Final, NamedTuple, get_args, get_origin

import msgspec

from events.shared import DeckDeclared, GameStarted, ResultRecorded
from events.vocabulary import CardId, CardName, Event, PlayerId


class Kind(NamedTuple):
    """What is to be checked in an event type, or in a struct within one; `special` ones are looked at by themselves.

    Exactly one of the fields in `exclusive` has to stand.
    """

    special: bool
    exclusive: tuple[str, ...]
    players: tuple[str, ...]
    cards: tuple[str, ...]
    ids: tuple[str, ...]


class _Kinds(dict[type[msgspec.Struct], Kind]):
    """The kind of each event type, found in its annotations once."""

    def __missing__(self, struct: type[msgspec.Struct]) -> Kind:
        fields = msgspec.structs.fields(struct)
        kind = self[struct] = Kind(
            issubclass(struct, GameStarted | DeckDeclared | ResultRecorded),
            getattr(struct, "EXACTLY_ONE", ()),
            # Who did it is checked where the event is put behind the others.
            tuple(field.name for field in fields if _is(field.type, PlayerId) and field.name != "player"),
            tuple(field.name for field in fields if _mentions(field.type, CardName)),
            tuple(field.name for field in fields if _mentions(field.type, CardId)),
        )
        return kind


KINDS: Final = _Kinds()


class Needs(dict[type[Event], bool]):
    """Whether events of a type are to be checked at all."""

    def __init__(self, *, cards: bool) -> None:
        super().__init__()
        self._cards = cards

    def __missing__(self, event_type: type[Event]) -> bool:
        kind = KINDS[event_type]
        named = kind.players or (self._cards and (kind.cards or kind.ids))
        needed = self[event_type] = kind.special or bool(kind.exclusive or named)
        return needed


def _is(annotation: Any, wanted: Any) -> bool:
    """Return whether an annotation is `wanted`, an option beside it or a narrowed form of it."""
    (mark,) = wanted.__metadata__
    if mark in getattr(annotation, "__metadata__", ()):
        return True
    return get_origin(annotation) not in (tuple, dict) and any(_is(each, wanted) for each in get_args(annotation))


def _mentions(annotation: Any, wanted: Any) -> bool:
    """Return whether `wanted` stands anywhere in an annotation, also within a struct; keys of a dict do not count."""
    if _is(annotation, wanted):
        return True
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return bool(KINDS[annotation].cards if wanted is CardName else KINDS[annotation].ids)
    return get_origin(annotation) is not dict and any(_mentions(each, wanted) for each in get_args(annotation))
