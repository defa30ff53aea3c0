"""The things of a card table: whatever has state, and the cards as they are printed.

A game subclasses `Card`, `Player` and `CardText` with typed fields of its own. Fields of things hold immutable values
and change only through the verbs of the table (`projector.model.table`), which records every change.
"""

from inspect import get_annotations
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar, get_origin

import msgspec

AnyType = TypeVar("AnyType")
INTERNAL: Final = "only the fold needs it"
Internal = Annotated[AnyType, INTERNAL]
"""The type of a field that only the fold needs: nobody is told that it changed."""

Place = str | tuple[int, int] | None

Role = Literal["", "hand", "deck", "discard", "nowhere"]


class CardText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A card as it is printed; a game adds its own fields. `abilities` are lines of the game's card-text vocabulary."""

    id: str
    name: str
    kind: str
    abilities: tuple[str, ...] = ()
    text: str = ""
    flavor: str = ""
    designer: str = ""
    manual: str = ""


STORES: Final = ("__setattr__", "__delattr__")
COMPARISONS: Final = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__")
"""All of them, and the hash: Python looks at them together."""


class Slotted(msgspec.StructMeta):
    """The kind of class of things: their fields are set as Python sets slots, three times as fast as msgspec does.

    All that msgspec does besides is to tell the search for garbage of a struct that held nothing but words and numbers
    until then. A thing that refers to others does so from the beginning. A thing is equal to itself alone, which Python
    also tells faster.
    """

    def __init__(cls, name: str, bases: tuple[type, ...], fields: dict[str, Any], **options: Any) -> None:  # noqa: N805 - the instance of a metaclass is a class
        super().__init__(name, bases, fields, **options)
        inherited: list[frozenset[str]] = [getattr(base, "INTERNAL_FIELDS", frozenset()) for base in bases]
        own = {name for name, kind in get_annotations(cls).items() if _is_internal(kind)}
        type.__setattr__(cls, "INTERNAL_FIELDS", frozenset(own).union(*inherited))
        for method in (*STORES, *COMPARISONS):
            type.__setattr__(cls, method, getattr(object, method))


def _is_internal(kind: Any) -> bool:
    return get_origin(kind) is Annotated and INTERNAL in kind.__metadata__


class Thing(msgspec.Struct, metaclass=Slotted, eq=False, kw_only=True):
    """Whatever has state; `n` is its number on its table, the same on every copy of the table.

    `INTERNAL_FIELDS` are the names of its fields that are declared as `Internal`.
    """

    INTERNAL_FIELDS: ClassVar[frozenset[str]]

    n: int = -1


class Zone(Thing, eq=False, kw_only=True):
    """A place for cards. `owner` is a player id, or empty where the zone belongs to the table.

    `role` says what it is to its owner's cards: `hand`, `deck`, `discard`, `nowhere`, or empty for all other places.
    `seen_by`: `all`, `owner` or `nobody` may look at cards that lie face down here.
    """

    name: str
    owner: str = ""
    role: Role = ""
    seen_by: str = "all"
    cards: list[Any] = msgspec.field(default_factory=list)
    unseen: int = 0

    @property
    def size(self) -> int:
        """The number of cards that lie here, named or not."""
        return len(self.cards) + self.unseen


class Card(Thing, eq=False, kw_only=True):
    """A card on the table. `text` is what is printed on it, or None while the card is unknown.

    `known_to` holds players who know a face-down card although its zone does not show it to them; `renamed_to` is the
    name that a card goes by after it was recognised (its old name stays valid in a log).
    """

    name: str
    owner: str
    text: Any = None
    zone: Zone
    controller: str = ""
    place: Place = None
    face_up: bool = False
    exhausted: bool = False
    host: str = ""
    known_to: Internal[frozenset[str]] = frozenset()
    renamed_to: Internal[str] = ""


class Player(Thing, eq=False, kw_only=True):
    """A player; `name` is what people call them, `id` what the log calls them, `deck` the name of the deck.

    `seat` is the number in the order of seating, from 0, `opponent` the id of the first other player.
    `hand_guessed`: a card came from the hand that the log had not seen go there, so the hand was never fully known.
    """

    id: str
    name: str
    deck: str = ""
    seat: int = 0
    opponent: str = ""
    hand_guessed: Internal[bool] = False
