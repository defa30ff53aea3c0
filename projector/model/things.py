"""The things of a card table: whatever has state, and the cards as they are printed.

A game subclasses `Card`, `Player` and `CardText` with typed fields of its own. Fields of things hold immutable values
and change only through the verbs of the table (`projector.model.table`), which records every change.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal

import msgspec

from tabletape.projector.model.slots import Internal, Slotted

COPY: Final[Callable[[Any], Any]] = msgspec.Struct.__copy__  # type: ignore[attr-defined]  # it has one
"""Copies a thing, field by field: the copy shares what the fields refer to."""

Place = str | tuple[int, int] | None

Role = Literal["", "hand", "deck", "discard", "out", "nowhere"]


class Thing(msgspec.Struct, metaclass=Slotted, eq=False, kw_only=True):
    """Whatever has state; `n` is its number on its table, the same on every copy of the table.

    `INTERNAL_FIELDS` are the names of its fields that are declared as `Internal`.
    """

    INTERNAL_FIELDS: ClassVar[frozenset[str]]

    n: int = -1


class Zone(Thing, eq=False, kw_only=True):
    """A place for cards. `owner` is a player id, or empty where the zone belongs to the table.

    `role` says what it is to its owner's cards: `hand`, `deck`, `discard`, `out` (of the game), `nowhere`, or empty for
    all other places.
    `seen_by`: `all`, `owner`, `others` (all but the owner) or `nobody` may look at cards that lie face down here.
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


def zones_among(things: Sequence[Any], zones: Mapping[str, Any]) -> dict[str, Any]:
    """Return the zones of the players, by player or by kind and player, as they are among the things of a copy."""
    return {of: things[each.n] if isinstance(each, Zone) else zones_among(things, each) for of, each in zones.items()}


def as_plain(value: Any) -> Any:
    """Return what a field holds with things by their numbers, to be compared with that of a copy."""
    if isinstance(value, Thing):
        return value.n
    if isinstance(value, dict):
        return {key: as_plain(each) for key, each in value.items()}
    return [as_plain(each) for each in value] if isinstance(value, list) else value


# -- the cards as they are printed -------------------------------------------------------------------------------------


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

    @property
    def words(self) -> str:
        """What the card says to people: its text, or its ability lines where it has none."""
        return self.text or "; ".join(self.abilities)

    @staticmethod
    def aloud(ability: str) -> str:
        """Return a line of the card-text vocabulary as it is read aloud."""
        return ability

    def printed(self, field: str) -> Any:
        """Return the value of a field that the card has, as a clue about it would name it."""
        return getattr(self, field)
