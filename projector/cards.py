"""Card data: TOML files with `[[card]]` and `[[deck]]` entries, read into printed cards and deck lists.

A card is data; a designer adds one without touching code. What cannot be read is refused with its file, line and card.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, Generic, TypeVar

import msgspec

from projector.table import CardText

AnyText = TypeVar("AnyText", bound=CardText)


class CardError(Exception):
    """A card file that cannot be read; the message begins with file, line and card."""


class Deck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck list of card ids, one that is in twice stands twice; `extra` is what the game keeps beside it."""

    id: str
    name: str
    cards: tuple[str, ...]
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


class Cards(msgspec.Struct, Generic[AnyText], frozen=True):
    """The printed cards of a game and its sample deck lists, both by id."""

    library: Mapping[str, AnyText]
    decks: Mapping[str, Deck]

    def plus(self, more: "Cards[AnyText]") -> "Cards[AnyText]":
        """Give these cards with a designer's own beside them; an own card with a known id takes its place."""
        return Cards({**self.library, **more.library}, {**self.decks, **more.decks})


def read_cards(package: str, text_type: type[AnyText], check: Callable[[AnyText], object]) -> Cards[AnyText]:
    """Read `cards.toml` of a game's package (see `parse_cards`)."""
    resource = files(package).joinpath("cards.toml")
    return parse_cards(resource.read_text(encoding="utf-8"), f"{package}/cards.toml", text_type, check)


def parse_cards(source: str, name: str, text_type: type[AnyText], check: Callable[[AnyText], object]) -> Cards[AnyText]:
    """Read the TOML of a card file called `name`.

    `check` parses what a card says (its ability lines) and raises `ValueError` for a word that it does not know.
    Raises `CardError` with file, line and card for whatever cannot be read.
    """
    try:
        data = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise CardError(f"{name}: {error}") from None
    library = {}
    for entry in data.get("card", []):
        try:
            card = msgspec.convert(entry, text_type)
            check(card)
        except (msgspec.ValidationError, ValueError) as error:
            raise CardError(f"{_place(source, name, entry)}: {error}") from None
        if card.id in library:
            raise CardError(f"{_place(source, name, entry)}: there are two cards with this id")
        library[card.id] = card
    return Cards(library, {deck.id: deck for deck in map(_deck, data.get("deck", []))})


def _deck(entry: dict[str, Any]) -> Deck:
    extra = {key: value for key, value in entry.items() if key not in {"id", "name", "cards"}}
    return Deck(id=entry["id"], name=entry.get("name", entry["id"]), cards=tuple(entry["cards"]), extra=extra)


def _place(source: str, name: str, entry: dict[str, Any]) -> str:
    card = entry.get("id", "?")
    found = re.search(rf'^\s*id\s*=\s*["\']{re.escape(str(card))}["\']', source, re.MULTILINE)
    line = source.count("\n", 0, found.start()) + 1 if found else 1
    return f"{name}:{line}: card {card!r}"
