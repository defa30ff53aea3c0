"""Card data: TOML files with `[[card]]`, `[[product]]` and `[[deck]]` entries, read into printed cards and deck lists.

A card is data; a designer adds one without touching code. What cannot be read is refused with its file, line and card.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from itertools import product
from math import prod
from typing import Any, Final, Generic, TypeVar

import msgspec

from tabletape.events.plans import planned
from tabletape.events.toml_text import TomlError, toml_of
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.model.suggestions import nearest, unknown
from tabletape.projector.model.things import CardText

AnyText = TypeVar("AnyText", bound=CardText)

MAX_PRODUCT: Final = 10_000
"""How many cards one product may be."""

_PATTERNS: Final = ("id", "name", "kind")

_FIELD: Final = re.compile(r"\{(\w+)\}")


class CardError(GameFileError):
    """A card file that cannot be read; the message begins with file, line and card.

    `line` is that of the entry which is refused, 0 where it is the file; `card` is its id, empty where it is none.
    """

    def __init__(self, message: str, line: int = 0, card: str = "") -> None:
        """Take the message, the line of the entry and the id of the card."""
        super().__init__(message)
        self.line, self.card = line, card


@planned
class Deck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck list of card ids, one that is in twice stands twice; `extra` is what the game keeps beside it."""

    id: str
    name: str
    cards: tuple[str, ...]
    extra: dict[str, Any] = msgspec.field(default_factory=dict)

    def brings(self, card: str) -> bool:
        """Return whether a card is in the list, or is named beside it (a general, another deck)."""
        return card in self.cards or any(
            card == each or (not isinstance(each, str) and isinstance(each, Sequence) and card in each)
            for each in self.extra.values()
        )


class Cards(msgspec.Struct, Generic[AnyText], frozen=True):
    """The printed cards of a game and its sample deck lists, both by id, and what else a game says of its cards.

    `read(source, name)` reads a designer's own card file as the game's is read. `makes` are the kinds of cards that are
    in no deck and come into being in a game, each copy with a number. `keywords(text)` are the rulebook's words that a
    printed card uses, so that one can ask which no game has tried.
    """

    library: Mapping[str, AnyText] = {}
    decks: Mapping[str, Deck] = {}
    read: "Callable[[str, str], Cards[Any]]" = msgspec.field(default_factory=lambda: _read_plain)
    makes: tuple[str, ...] = ()
    keywords: Callable[[Any], Iterable[str]] = lambda _text: ()

    def unused(self, kind: str) -> frozenset[str]:
        """Return the fields that no card of a kind fills in: what they say otherwise does not apply to such a card."""
        texts = [text for text in self.library.values() if text.kind == kind]
        fields = msgspec.structs.fields(texts[0]) if texts else ()
        optional = [(each.name, each.default) for each in fields if not each.required]
        return frozenset(name for name, value in optional if all(getattr(text, name) == value for text in texts))

    def plus(self, more: "Cards[AnyText]") -> "Cards[AnyText]":
        """Return these cards with a designer's own beside them; an own card with a known id takes its place."""
        library, decks = {**self.library, **more.library}, {**self.decks, **more.decks}
        return msgspec.structs.replace(self, library=library, decks=decks)

    def without(self, ids: Container[str]) -> "Cards[AnyText]":
        """Return the cards but some; deck lists go on to name these."""
        library = {key: card for key, card in self.library.items() if key not in ids}
        return msgspec.structs.replace(self, library=library)


def read_cards(
    package: str,
    text_type: type[AnyText],
    check: Callable[[AnyText], object] = lambda _card: None,
    *,
    makes: tuple[str, ...] = (),
    keywords: Callable[[Any], Iterable[str]] = lambda _text: (),
) -> Cards[AnyText]:
    """Read `cards.toml` of a game's package (see `parse_cards`); `makes` and `keywords` are kept (see `Cards`)."""
    resource = files(package).joinpath("cards.toml")
    cards = parse_cards(resource.read_text(encoding="utf-8"), f"{package}/cards.toml", text_type, check)
    read = partial(parse_cards, text_type=text_type, check=check)
    return msgspec.structs.replace(cards, read=read, makes=makes, keywords=keywords)


def parse_cards(source: str, name: str, text_type: type[AnyText], check: Callable[[AnyText], object]) -> Cards[AnyText]:
    """Read the TOML of a card file called `name`.

    `check` parses what a card says (its ability lines) and raises `ValueError` for a word that it does not know.
    Raises `CardError` with file, line and card for whatever cannot be read.
    """
    try:
        data = toml_of(source)
    except TomlError as error:
        place = f"{name}:{error.line}:{error.column}" if error.column else f"{name}:{error.line}"
        raise CardError(f"{place}: {error}") from None
    library: dict[str, AnyText] = {}
    for line, entry in _card_entries(data, source, name):
        try:
            card = msgspec.convert(entry, planned(text_type))
            check(card)
        except (msgspec.ValidationError, ValueError) as error:
            raise refused(_reason(error, text_type), source, name, entry, line=line) from None
        if card.id in library:
            again = line or _last_line(source, card.id)
            raise refused("there are two cards with this id", source, name, entry, line=again)
        library[card.id] = card
    decks = [_deck(entry, source, name) for entry in _entries(data, "deck", name)]
    if data and not (library or decks):
        raise CardError(
            f"{name}:1: there is no card in it: each begins with a line [[card]], many at once with [[product]], "
            "a deck list with [[deck]]"
        )
    return Cards(library, {deck.id: deck for deck in decks})


def _read_plain(source: str, name: str) -> Cards[Any]:
    """Read the cards of a game of which nothing more is known than that cards have an id and a name."""
    return parse_cards(source, name, CardText, lambda _card: None)


def require_known(more: Cards[AnyText], all_cards: Cards[AnyText], source: str, name: str) -> None:
    """Raise `CardError` where a deck list of the file called `name` names a card that is not among all cards."""
    for deck in more.decks.values():
        for card in deck.cards:
            if card not in all_cards.library:
                raise refused(unknown("card", card, all_cards.library), source, name, {"id": deck.id}, "deck")


def unknown_cards(ids: Iterable[str], library: Mapping[str, Any]) -> str:
    """Return a sentence about the card ids that a library lacks, each with the nearest one it has; empty if none."""
    cards = []
    for each in dict.fromkeys(ids):
        if each not in library:
            best = nearest(each, library)
            cards.append(f"unknown card {each}" + (f"; did you mean {best}?" if best else ""))
    return ", ".join(cards)


def _entries(data: dict[str, Any], kind: str, name: str) -> list[dict[str, Any]]:
    """Return the `[[card]]` or `[[deck]]` entries of a file."""
    entries = data.get(kind, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise CardError(f"{name}:1: every {kind} begins with a line [[{kind}]], in two brackets")
    return entries


def _card_entries(data: dict[str, Any], source: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the cards of a file one by one, those of its products with the line where the product begins, else 0."""
    begins = _beginnings(source, "card")
    for number, entry in enumerate(_entries(data, "card", name)):
        yield 0 if "id" in entry or number >= len(begins) else begins[number], entry
    begins = _beginnings(source, "product")
    for number, entry in enumerate(_entries(data, "product", name)):
        line = begins[number] if number < len(begins) else 1
        try:
            yield from ((line, card) for card in cards_of_product(entry))
        except ValueError as error:
            raise CardError(f"{name}:{line}: product: {error}", line) from None


def _beginnings(source: str, kind: str) -> list[int]:
    """Return the lines in which the entries of a kind begin."""
    begun = re.compile(rf"[ \t]*\[\[[ \t]*{kind}[ \t]*\]\]")
    return [number for number, line in enumerate(source.split("\n"), 1) if begun.match(line)]


def _last_line(source: str, id_: str) -> int:
    """Return the last line in which an entry has an id, 0 where none is found."""
    named = re.compile(rf'\s*id\s*=\s*["\']{re.escape(id_)}["\']')
    return max((number for number, line in enumerate(source.split("\n"), 1) if named.match(line)), default=0)


def _deck(entry: dict[str, Any], source: str, name: str) -> Deck:
    extra = {key: value for key, value in entry.items() if key not in {"id", "name", "cards"}}
    fields = {"name": entry.get("id"), **entry, "extra": extra}
    try:
        return msgspec.convert({key: fields[key] for key in Deck.__struct_fields__ if key in fields}, Deck)
    except msgspec.ValidationError as error:
        raise refused(_reason(error, Deck), source, name, entry, "deck") from None


def _reason(error: Exception, kind: type[msgspec.Struct]) -> str:
    """Return what is wrong with an entry, and which field was probably meant."""
    field = re.search(r"unknown field `(.*?)`", str(error))
    if field is None:
        return str(error).replace("Object missing required field", "it needs the field")
    return unknown("field", field[1], [each.encode_name for each in msgspec.structs.fields(kind)])


def refused(  # noqa: PLR0913, PLR0917 - what is wrong, and all that says where
    why: str, source: str, name: str, entry: dict[str, Any], kind: str = "card", line: int = 0
) -> CardError:
    """Return the error that an entry of the file called `name` cannot be read, with its line (0: to be found)."""
    called = entry.get("id", "?")
    match = re.search(rf'^\s*id\s*=\s*["\']{re.escape(str(called))}["\']', source, re.MULTILINE)
    line = line or (source.count("\n", 0, match.start()) + 1 if match else 1)
    card = str(entry.get("id", "")) if kind == "card" else ""
    return CardError(f"{name}:{line}: {kind} {called!r}: {why}", line, card)


def cards_of_product(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the cards of a `[[product]]`: one for each choice of a value from each of its lists.

    All other values are those of every card. `id`, `name` and `kind` may name values, as in `{rank} of {suit}`; by
    default the values make up the id and the name, and the first one is the kind. `copies` is a number, or a list with
    one for each value of the last list. Raises `ValueError` where no cards can be made of it.
    """
    lists = {field: value for field, value in entry.items() if isinstance(value, list) and field != "copies"}
    if not lists or not all(lists.values()):
        raise ValueError("a product needs lists with values, as in rank = [1, 2, 3]")
    if prod(map(len, lists.values())) > MAX_PRODUCT:
        raise ValueError(f"a product has at most {MAX_PRODUCT:,} cards")
    copies = _copies(entry.get("copies"), *reversed(lists.items()))
    rest = {field: value for field, value in entry.items() if field not in {*lists, *_PATTERNS, "copies"}}
    for values in product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        words = [str(value) for value in values]
        card = {
            **rest,
            **chosen,
            "id": "-".join(words).lower().replace(" ", "-"),
            "name": " ".join(words).capitalize(),
            "kind": words[0],
        }
        card |= {field: _filled(entry[field], chosen) for field in _PATTERNS if field in entry}
        yield card | ({"copies": copies[values[-1]]} if copies else {})


def _copies(written: Any, last: tuple[str, list[Any]], *_others: Any) -> dict[Any, Any]:
    """Return how many copies there are, by the values of the last list; nothing where the file does not say."""
    field, values = last
    if written is None:
        return {}
    if not isinstance(written, list):
        return dict.fromkeys(values, written)
    if len(written) != len(values):
        raise ValueError(f"`copies` has {len(written)} numbers for {len(values)} values of `{field}`")
    return dict(zip(values, written, strict=True))


def _filled(pattern: Any, chosen: Mapping[str, Any]) -> str:
    unknown = [field for field in _FIELD.findall(str(pattern)) if field not in chosen]
    if unknown:
        raise ValueError(f"{pattern!r} names {unknown[0]!r}, which is none of its lists: {', '.join(chosen)}")
    return _FIELD.sub(lambda match: str(chosen[match[1]]), str(pattern))
