"""Changes of printed cards: `cost=+1`, `cost=2`, `evolve.energy=-1`, several as `cost=+1,mining=2`."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.suggestions import nearest, unknown

CARD_CHANGE: Final = re.compile(r"\s*([a-z_][a-z_.]*)\s*=\s*([+-]?)(\d+(?:\.\d+)?)\s*")
FILE_CHANGE: Final = re.compile(r"\s*([A-Za-z_][\w.-]*)\s*=\s*([+-]?)(\d{1,9})\s*")


class CardChangeError(TabletapeError):
    """A change that no card can take; the message says why and what can be changed."""


class CardChange(msgspec.Struct, frozen=True):
    """What is different about a card: a number of its text (`cost`, `evolve.energy`) by an amount, or to one."""

    card: str
    field: str
    number: float
    relative: bool

    @property
    def words(self) -> str:
        """The change as it is written: `cost=+1`."""
        sign = "+" if self.relative and self.number >= 0 else ""
        return f"{self.field}={sign}{self.number:g}"

    def made(self, cards: Cards[Any]) -> Cards[Any]:
        """Return cards with the changed one in place of the printed one.

        Raises `CardChangeError` where there is no such card or number, or it would fall below 0.
        """
        text = _text(cards, self.card)
        changed = _replaced(text, self.field.split("."), self, text)
        return Cards({**cards.library, self.card: changed}, cards.decks)


class FileNumber(msgspec.Struct, frozen=True):
    """What is different in the file of an own game: the number at a path (`tables.price.silver`), by or to one."""

    path: str
    number: float
    relative: bool

    @property
    def words(self) -> str:
        """The change as it is written: `tables.price.silver=+1`."""
        return f"{self.path}={'+' if self.relative and self.number >= 0 else ''}{self.number:g}"


def parse_numbers(written: Iterable[str]) -> tuple[FileNumber, ...]:
    """Return changes of a file as they are written: `tables.price.silver=+1`, several with commas.

    Raises `CardChangeError` where they are written otherwise.
    """
    numbers = []
    for each in ",".join(written).split(","):
        match = FILE_CHANGE.fullmatch(each)
        if match is None:
            raise CardChangeError(f"write tables.price.silver=+1 or tables.price.silver=2, not {each!r}")
        path, sign, number = match.groups()
        numbers.append(FileNumber(path, float(number) * (-1 if sign == "-" else 1), bool(sign)))
    return tuple(numbers)


def parse_changes(card: str, written: str, cards: Cards[Any]) -> tuple[CardChange, ...]:
    """Return the changes of a card as they are written: `cost=+1` (by one), `cost=2` (to two), with commas.

    Raises `CardChangeError` where they are written otherwise, or the card cannot take them.
    """
    changes = tuple(_parsed(card, each) for each in written.split(","))
    changed(cards, changes)
    return changes


def changed(cards: Cards[Any], changes: Iterable[CardChange]) -> Cards[Any]:
    """Return cards with changes made one after the other.

    Raises `CardChangeError` where one cannot be made, or a number is changed twice.
    """
    seen: set[tuple[str, str]] = set()
    for change in changes:
        if (change.card, change.field) in seen:
            raise CardChangeError(f"{change.field} of {change.card} is changed twice")
        seen.add((change.card, change.field))
        cards = change.made(cards)
    return cards


def _parsed(card: str, written: str) -> CardChange:
    match = CARD_CHANGE.fullmatch(written)
    if match is None:
        raise CardChangeError(f"a change is written FIELD=+1, FIELD=-1 or FIELD=2, not {written!r}")
    field, sign, digits = match.groups()
    return CardChange(card, field, float(digits) * (-1 if sign == "-" else 1), bool(sign))


def numbers_of(text: Any) -> Iterator[tuple[str, float]]:
    """Yield the numbers that are printed on a card, by name; those of a part of it as `evolve.energy`."""
    for name in text.__struct_fields__:
        value = getattr(text, name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value
        elif isinstance(value, msgspec.Struct) and name != "says":
            yield from ((f"{name}.{inner}", number) for inner, number in numbers_of(value))


def _text(cards: Cards[Any], card: str) -> Any:
    if card not in cards.library:
        close = nearest(card, cards.library)
        hint = f"; did you mean {close}?" if close else ""
        raise CardChangeError(f"there is no card {card!r}{hint}")
    return cards.library[card]


def _replaced(part: Any, path: list[str], change: CardChange, text: Any) -> Any:
    """Return a text, or a part of it, with the number at the end of a path changed."""
    name, *rest = path
    before = getattr(part, name, None) if name in part.__struct_fields__ else None
    if rest and isinstance(before, msgspec.Struct):
        return msgspec.structs.replace(part, **{name: _replaced(before, rest, change, text)})
    if rest or not isinstance(before, int | float) or isinstance(before, bool):
        there = [each for each, _ in numbers_of(text)]
        raise CardChangeError(unknown(f"number on {text.name}", change.field, there))
    after = before + change.number if change.relative else change.number
    if after < 0:
        raise CardChangeError(f"{change.field} of {text.name} is {before:g}; {change.words} would make it {after:g}")
    whole = isinstance(before, int)
    if whole and after != int(after):
        raise CardChangeError(f"{change.field} of {text.name} is a whole number, and {change.words} makes it {after:g}")
    return msgspec.structs.replace(part, **{name: int(after) if whole else after})
