"""What is told about a card that its player cannot see: a clue makes known what it says, and nobody knows more."""

from collections.abc import Iterable
from typing import Any

from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card

Told = tuple[str, Any, bool]
"""A field of the printed card, a value, and whether the card has it."""


class ToldCard(Card, eq=False, kw_only=True):
    """A card of which something may be told; everybody hears it."""

    told: Internal[frozenset[Told]] = frozenset()


def tell(table: Table[Any, Any], cards: Iterable[Any], field: str, value: Any) -> None:
    """Record of each of some cards whether its printed `field` has this value, as a clue says it.

    Of a card that no line has named nothing is told.
    """
    for card in cards:
        if card.text is not None:
            has = card.text.printed(field) == value
            table.set(card, "told", card.told | {(field, value, has)})


def fits(card: Any, text: Any) -> bool:
    """Return whether a card may be the one with a printed text, by all that was told of it."""
    return all((text.printed(field) == value) is has for field, value, has in getattr(card, "told", ()))


def in_words(card: Any) -> tuple[str, ...]:
    """Return what was told of a card in words, to stand on its back: `red`, `not 3`."""
    told = sorted(getattr(card, "told", ()), key=lambda each: (not each[2], each[0], str(each[1])))
    known = {field for field, _, has in told if has}
    return tuple(str(value) if has else f"not {value}" for field, value, has in told if has or field not in known)
