"""New cards, and what is the same each time that a deck list is played: its cards, and what is printed on them.

A card is made once and copied then, which takes a third of the time.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final, TypeVar

from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.projector.model.things import COPY, Card, Zone

MAX_CACHED_LISTS: Final = 128
"""Lists whose cards are kept to be copied; the same few are played again and again."""
NO_ZONE: Final = Zone(name="")

Found = TypeVar("Found")

_blank: Final[dict[type[Card], Card]] = {}
_listed: Final[dict[tuple[type[Card], tuple[str, ...], int], tuple[Mapping[str, Any], list[Card]]]] = {}


def cards_of(kind: type[Card], names: tuple[str, ...], library: Mapping[str, Any], first: int) -> list[Any]:
    """Return new cards of a kind for names, with their owners and what a library says is printed on them.

    They are numbered from `first` on, and lie nowhere yet.
    """
    known = _listed.get((kind, names, first))
    if known is None or known[0] is not library:
        if len(_listed) >= MAX_CACHED_LISTS:
            _listed.clear()
        cards = [
            kind(n=n, name=name, owner=owner_of(name), text=library.get(card_of(name)), zone=NO_ZONE)
            for n, name in enumerate(names, first)
        ]
        known = _listed[kind, names, first] = library, cards
    return [*map(COPY, known[1])]


def new_card(kind: type[Card], name: str, library: Mapping[str, Any], fields: Mapping[str, Any]) -> Any:
    """Return a new card of a kind with some fields, its owner and what a library says is printed on it."""
    blank = _blank.get(kind)
    if blank is None:
        blank = _blank[kind] = kind(name="", owner="", zone=NO_ZONE)
    card = COPY(blank)
    card.name, card.owner, card.text = name, owner_of(name), library.get(card_of(name))
    for field, value in fields.items():
        setattr(card, field, value)
    return card


def once_a_list(
    look: Callable[[Mapping[str, Any], tuple[str, ...]], Found],
) -> Callable[[Mapping[str, Any], tuple[str, ...]], Found]:
    """Return a function that looks through a list of card ids as `look` does, but only once through the same list.

    Both take the printed cards and the list, on which alone may depend what is found; nobody may change that.
    """
    known: dict[tuple[str, ...], tuple[Mapping[str, Any], Found]] = {}

    @wraps(look)
    def looked(library: Mapping[str, Any], cards: tuple[str, ...]) -> Found:
        seen = known.get(cards)
        if seen is None or seen[0] is not library:
            if len(known) >= MAX_CACHED_LISTS:
                known.clear()
            seen = known[cards] = library, look(library, cards)
        return seen[1]

    return looked


@once_a_list
def are_known(library: Mapping[str, Any], cards: tuple[str, ...]) -> bool:
    """Return whether the card files have all cards of a list."""
    return library.keys() >= {*cards}
