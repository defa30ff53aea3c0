"""Keys that stand twice in a line: JSON readers take the last one in silence, so that one of two facts is lost."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import FieldInfo, astuple, fields

from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.vocabulary import Event, Vocabulary

_BLANKS: Final = (b" ", b"\t", b"\r")
"""What may stand between a key and its colon."""

_NO_COUNT: Final = -1_000_000


class Spacing:
    """Whether keys can be counted by what follows them, `":`, in the lines that are read at the moment."""

    __slots__ = ("_is_loose", "_lines")

    def __init__(self) -> None:
        self._lines = b""
        self._is_loose: bool | None = False

    def look_at(self, lines: bytes) -> None:
        """Take the next lines; how they are written is found out when somebody asks."""
        self._lines, self._is_loose = lines, None

    @property
    def is_loose(self) -> bool:
        """Whether blanks stand between keys and colons, so that keys cannot be counted."""
        if self._is_loose is None:
            self._is_loose = any(blank in self._lines and blank + b":" in self._lines for blank in _BLANKS)
        return self._is_loose


def each_key_once(vocabulary: Vocabulary, spacing: Spacing) -> Callable[[bytes], Event]:
    """Return the decoder of a vocabulary, which raises `BadLineError` where a key stands twice in a line.

    A line with just as many keys as its event has fields that were written down has each of them once; only others are
    looked at. This is done for millions of lines: the time and the number, which many have, are asked for before all
    the optional fields are.
    """
    decode: Callable[[bytes], Event] = vocabulary.decoder.decode
    required, optional = _keys_of(vocabulary)

    def decode_once(line: bytes) -> Event:
        event = decode(line)
        more = line.count(b'":') - required[type(event)]
        if (more and more != (event.at is not UNSET) + (event.seq is not UNSET)) or spacing.is_loose:
            written = optional[type(event)] - astuple(event).count(UNSET)
            # A line in canonical form is written back as it stands, and nothing stands twice there.
            if (more != written or spacing.is_loose) and vocabulary.encode(event) != line:
                _ALL_KEYS.decode(line.decode())
        return event

    return decode_once


@cache
def uncounted(vocabulary: Vocabulary) -> frozenset[type[Event]]:
    """Return the event types whose keys cannot be counted: fields of them have values without being written down."""
    required, _ = _keys_of(vocabulary)
    return frozenset(each for each, count in required.items() if count < 0)


@cache
def _keys_of(vocabulary: Vocabulary) -> tuple[dict[type[Event], int], dict[type[Event], int]]:
    """Return how many keys each event type requires, its tag among them, and how many more it may have."""
    known = {each: fields(each) for each in vocabulary.types.values()}
    required = {each: _least(mine) for each, mine in known.items()}
    return required, {each: sum(not field.required for field in mine) for each, mine in known.items()}


def _least(known: tuple[FieldInfo, ...]) -> int:
    """Return how many keys an event with these fields has at least.

    Fewer than nothing where a field has a value without being written down: then the keys cannot be counted, and every
    such line is looked at.
    """
    if any(not field.required and field.default is not UNSET for field in known):
        return _NO_COUNT
    return 1 + sum(field.required for field in known)


def _once(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    """Return the pairs of an object as a mapping, or raise `BadLineError` where two have the same key."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadLineError("doubled-key", (twice,), f"`{twice}` stands twice in the line: which one is meant?")
    return mapping


_ALL_KEYS: Final = json.JSONDecoder(object_pairs_hook=_once, parse_int=str)
