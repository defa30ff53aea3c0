"""A list of the cards of a game as designers keep it: a table with a card a row, its types and the numbers on it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.messages import TAKEN_WORDS
from tabletape.events.errors import RefusedError
from tabletape.events.importing.files.sources import NotALogError
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.documents.tables import table_rows
from tabletape.events.importing.maps.documents.trees import ForeignError, text_of
from tabletape.events.rules_file.cards import MOST_CARDS

_NAMES: Final = ("name", "card", "card name", "cardname", "title", "karte", "kartenname", "titel")
"""What designers write above the names of cards."""

_COPIES: Final = frozenset(
    ["copies", "count", "qty", "quantity", "amount", "number of copies", "anzahl", "menge", "#", "x", "id", "no", "nr"]
)
"""What they write above how many there are of each, and above running numbers: neither is printed on a card."""

_KINDS: Final = ("kind", "suit", "colour", "color", "type", "farbe", "sorte")
_VALUES: Final = ("number", "value", "rank", "zahl", "wert")
"""What they write above the kinds of cards that have no names but their numbers."""

MOST_TYPES: Final = 12
"""So many different words in a column are types of cards; more are texts."""

LONGEST_TYPE: Final = 3
"""Words of a type."""

Printed = Mapping[str, Mapping[str, str | int]]
"""What is printed on cards, by what the list calls it: for each card its type, or its number."""


_NUMBERED: Final = re.compile(r"(?P<kind>.*[^\W\d_].*?)[ -]+(?P<number>\d{1,3})")
"""The name of a card that is the fourth of its kind: `Brie 4`."""

MOST_NUMBERED: Final = 2 / 3
"""So large a part of a list has such names where the cards are kinds with numbers on them."""


class CardList(NamedTuple):
    """The names of the cards in small letters, what is printed on them, and the columns that are neither.

    Cards such as `Brie 4` are the kinds with their numbers, as one says them: they are `numbered`, `brie 1-9, mouse`.
    """

    names: tuple[str, ...]
    printed: Printed
    left_out: tuple[str, ...] = ()
    numbered: str = ""

    @property
    def in_words(self) -> str:
        """What was read of a list, as one says it: `42 cards; type: knight 20, spell 22; strength 1 to 6`."""
        said = [self.numbered or f"{len(self.names)} cards"]
        for column, values in self.printed.items():
            numbers = [each for each in values.values() if isinstance(each, int)]
            texts = [each for each in values.values() if isinstance(each, str)]
            if numbers:
                said.append(f"{column} {min(numbers)} to {max(numbers)}")
            else:
                said.append(f"{column}: {', '.join(f'{each} {texts.count(each)}' for each in dict.fromkeys(texts))}")
        return "; ".join(said) + (f"; not read: {', '.join(self.left_out)}" if self.left_out else "")


def read_card_list(content: bytes, name: str) -> CardList:
    """Return the cards of a list: CSV, a workbook, or a table in a text; the first row says what stands in the columns.

    `name` is that of the file. Raises `RefusedError` for what is no such list, with the line.
    """
    lines, heads, columns = _with_names(*_table(content, name))
    at = _names_at(heads, columns)
    if at is None:
        raise RefusedError(f"{name}:{lines[0]}: no column has the names of cards; write `name` above them")
    if missing := next((line for line, card in zip(lines[1:], columns[at], strict=True) if not card), 0):
        raise RefusedError(f"{name}:{missing}: no name stands in this row, in the column `{heads[at]}`")
    names = [plain_name(each) for each in columns[at]]
    if len({*names}) > MOST_CARDS:
        raise RefusedError(f"{name}: these are more than {MOST_CARDS:,} cards")
    if kinds := _kinds_with_numbers(names):
        parts = {word for each in names for word in (each, *each.rsplit(" ", 1))}
        told = ((head, column) for place, (head, column) in enumerate(zip(heads, columns, strict=True)) if place != at)
        left = [head for head, column in told if head not in _COPIES and {*map(plain_name, column)} - parts - {""}]
        return CardList(tuple(dict.fromkeys(names)), {}, tuple(left), kinds)
    others = {heads[place]: column for place, column in enumerate(columns) if place != at}
    others = {heading: column for heading, column in others.items() if heading and heading not in _COPIES}
    if (twice := _said_otherwise(names, [*others.values()])) is not None:
        first, again = (lines[place + 1] for place in twice)
        raise RefusedError(f"{name}:{again}: `{columns[at][twice[1]]}` stands in line {first} already, and otherwise")
    keys = {heading: _key(heading) for heading in others}
    printed = {
        keys[heading]: said for heading, column in others.items() if keys[heading] and (said := _printed(names, column))
    }
    left_out = tuple(heading for heading, column in others.items() if any(column) and keys[heading] not in printed)
    return CardList(tuple(dict.fromkeys(names)), printed, left_out)


def _table(content: bytes, name: str) -> tuple[list[int], list[str], list[list[str]]]:
    """Return the lines of the rows of a list, its headings in small letters, and its columns below them.

    Raises `RefusedError` for what is no table of at least two cards.
    """
    try:
        rows = [*table_rows(text_of(sheet_of(content)))]
    except (ForeignError, NotALogError) as error:
        raise RefusedError(f"{name}: {error}") from None
    if len(rows) < 3:
        raise RefusedError(f"{name}: a list of cards has a row of headings and a card a row, such as `name,type,cost`")
    heads = [re.sub(r"\s+", " ", cell.casefold().strip()) for cell in rows[0][1]]
    columns = [[row[at].strip() if at < len(row) else "" for _, row in rows[1:]] for at in range(len(heads))]
    return [line for line, _ in rows], heads, columns


def _with_names(
    lines: list[int], heads: list[str], columns: list[list[str]]
) -> tuple[list[int], list[str], list[list[str]]]:
    """Return a table with a column of names, where it has kinds and numbers and no names: `brie` and 4 are `brie 4`."""
    kind, value = (next((each for each in words if each in heads), "") for words in (_KINDS, _VALUES))
    if not kind or not value or _names_at(heads, columns) is not None:
        return lines, heads, columns
    named = zip(columns[heads.index(kind)], columns[heads.index(value)], strict=True)
    return lines, [_NAMES[0], *heads], [[f"{one} {number}".strip() for one, number in named], *columns]


def plain_name(text: str) -> str:
    """Return the name of a card as a chat is searched for it: small letters, no *the* before it."""
    return re.sub(r"\s+", " ", text.replace("\u2019", "'").casefold().strip()).removeprefix("the ")


def _kinds_with_numbers(names: Sequence[str]) -> str:
    """Return the kinds of cards that names with numbers say, `brie 1-9, mouse`; empty for a list of other names."""
    kinds: dict[str, list[int]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        kinds.setdefault(match["kind"] if match else name, []).extend([int(match["number"])] if match else [])
    several = [numbers for numbers in kinds.values() if len(numbers) > 1]
    if sum(map(len, several)) < MOST_NUMBERED * len(names):
        return ""
    return ", ".join(f"{kind} {min(numbers)}-{max(numbers)}" if numbers else kind for kind, numbers in kinds.items())


def _said_otherwise(names: Sequence[str], columns: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Return the places of two rows about one card that differ; None where each copy has a row like the others."""
    first: dict[str, int] = {}
    for place, card in enumerate(names):
        before = first.setdefault(card, place)
        if any(column[before] != column[place] for column in columns):
            return before, place
    return None


def _names_at(headings: Sequence[str], columns: Sequence[Sequence[str]]) -> int | None:
    """Return which column has the names: the one that says so, else the first of mostly different texts."""
    named = next((headings.index(each) for each in _NAMES if each in headings), None)
    if named is not None:
        return named
    own = (place for place, column in enumerate(columns) if _is_of_names(column))
    return next(own, None)


def _is_of_names(column: Sequence[str]) -> bool:
    texts = [each for each in column if re.search(r"[^\W\d_]", each)]
    return len(texts) == len(column) and len({*texts}) * 10 >= len(texts) * 9


def _key(heading: str) -> str:
    """Return what a file calls a column; empty where that cannot be one word of its own.

    A `number` may be that of a card in the list, or how many there are, as well as one that is printed.
    """
    key = re.sub(r"\W+", "_", heading).strip("_")
    return key if key.isidentifier() and key not in TAKEN_WORDS | {"kind", "number", "copies", "by", "fresh"} else ""


def _printed(names: Sequence[str], column: Sequence[str]) -> dict[str, str | int]:
    """Return what a column says of each card: a number, or one of a few types; nothing where it says neither."""
    said = {name: cell for name, cell in zip(names, column, strict=True) if cell}
    if said and all(re.fullmatch(r"\d{1,4}", cell) for cell in said.values()):
        return {name: int(cell) for name, cell in said.items()}
    types = {name: cell.casefold() for name, cell in said.items()}
    few = 1 < len({*types.values()}) <= min(MOST_TYPES, len(names) // 2)
    short = all(len(each.split()) <= LONGEST_TYPE for each in types.values())
    return {**types} if few and short else {}
