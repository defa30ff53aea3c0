"""What the fields of an event type hold, also within lists, objects and parts of an event: found in its annotations."""

import re
from collections.abc import Mapping
from enum import Enum, auto
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from tabletape.events.importing.lines.words import Words, is_tile, words_of_field
from tabletape.events.vocabulary import CardId, CardName, Place, PlayerId, note_of


class Holds(Enum):
    """What a value is: a `CHOICE` is one of a few words, a `WORD` may be another one, for the audit to judge."""

    PLAYER = auto()
    COPY = auto()
    CARD = auto()
    CHOICE = auto()
    WORD = auto()
    PRINTED = auto()
    NUMBER = auto()
    TRUTH = auto()
    PLACE = auto()
    LIST = auto()
    PAIRS = auto()
    PART = auto()
    TEXT = auto()


class Shape(NamedTuple):
    """What a value holds, and by what words it is meant.

    A list has one shape `inside`, pairs have that of their keys and that of their values, a part of an event those of
    its `fields`. Of a text that is `printed` on a card this is where it stands there. A place may be `a_tile`.
    A card may be `anybodys`, or one that is `made` with the line. A part may be written as its `sentence`.
    """

    holds: Holds
    words: Words
    inside: tuple["Shape", ...] = ()
    fields: Mapping[str, "Shape"] = {}
    printed: str = ""
    a_tile: bool = False
    anybodys: bool = False
    made: bool = False
    sentence: re.Pattern[str] | None = None

    @property
    def names(self) -> bool:
        """Whether a value may be or contain a name that can be written in several ways, or one that does not exist."""
        return self.holds in _NAMING_SHAPES or any(each.names for each in (*self.inside, *self.fields.values()))

    def mentions(self, holds: Holds) -> bool:
        """Return whether a value is or contains something of a kind."""
        return self.holds is holds or any(each.mentions(holds) for each in (*self.inside, *self.fields.values()))


_NAMING_SHAPES: Final = frozenset({Holds.PLAYER, Holds.COPY, Holds.CARD, Holds.WORD, Holds.PRINTED})
_MARKED_SHAPES: Final = {PlayerId: Holds.PLAYER, CardName: Holds.COPY, CardId: Holds.CARD}


@cache
def shapes_of(struct: type[msgspec.Struct]) -> Mapping[str, Shape]:
    """Return the shape of each field of an event type, or of a part of one, by the names in a log."""
    shapes = {}
    for field in msgspec.structs.fields(struct):
        shape = _shape(field.type, words_of_field(struct, field))
        shapes[field.encode_name] = shape._replace(a_tile=is_tile(struct, field))
    return shapes


def _shape(annotation: Any, words: Words) -> Shape:
    marks = getattr(annotation, "__metadata__", ())
    holds = next((each for known, each in _MARKED_SHAPES.items() if get_args(known)[1] in marks), None)
    if holds is None and note_of(annotation, "words") is not None:
        holds = Holds.WORD
    printed = note_of(annotation, "printed in") or ""
    if holds is not None or printed:
        anybodys, made = bool(note_of(annotation, "whose")), bool(note_of(annotation, "made"))
        return Shape(holds or Holds.PRINTED, words, printed=printed, anybodys=anybodys, made=made)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _shape(arguments[0], words)
    if origin is Union or origin is UnionType:
        options = [_shape(each, words) for each in arguments]
        return next((each for each in options if each.holds is not Holds.TEXT), options[0])
    return _unmarked(annotation, origin, words)


def _unmarked(annotation: Any, origin: Any, words: Words) -> Shape:
    """Return the shape of a type as it is: a list, pairs, a part of an event, a single value."""
    inside = [_shape(each, words) for each in get_args(annotation)] if origin in {tuple, dict} else []
    if origin is dict:
        return Shape(Holds.PAIRS, words, tuple(inside))
    if inside and annotation != Place:
        return Shape(Holds.LIST, words, (inside[0],))
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return Shape(Holds.PART, words, fields=shapes_of(annotation), sentence=_sentence(annotation))
    single = {Place: Holds.PLACE, bool: Holds.TRUTH, int: Holds.NUMBER, float: Holds.NUMBER}
    return Shape(Holds.CHOICE if origin is Literal else single.get(annotation, Holds.TEXT), words)


def _sentence(part: type[msgspec.Struct]) -> re.Pattern[str] | None:
    """Return what a part of an event looks like in words, `{card} to {to}`; None where nothing says it."""
    text = getattr(part, "SENTENCE", "")
    if not isinstance(text, str) or not text or "[" in text:
        return None
    fields = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(text)).replace(r"\ ", r"\s+")
    return re.compile(fields, re.IGNORECASE)
