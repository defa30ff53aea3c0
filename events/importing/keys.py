"""Keys that stand twice in a line: JSON readers take the last one in silence, so that one of two facts is lost."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET

from events.importing.checks import BadLineError
from events.vocabulary import Event, Vocabulary


def each_key_once(vocabulary: Vocabulary, is_loose: Callable[[], bool]) -> Callable[[bytes], Event]:
    """Return the decoder of a vocabulary, which raises `BadLineError` where a key stands twice in a line.

    A line with just as many keys as its event has fields that were written down has each of them once; only others are
    looked at. The number and the time of an event, which many lines have, are counted before the other optional fields.
    `is_loose` says whether blanks stand before colons somewhere near, so that no keys can be counted.
    """
    decode: Callable[[bytes], Event] = vocabulary.decoder.decode
    required, optional = _keys_of(vocabulary)

    def decode_once(line: bytes) -> Event:
        event = decode(line)
        keys = line.count(b'":') - required[type(event)]
        if (keys and keys != (event.at is not UNSET) + (event.seq is not UNSET)) or is_loose():
            written = sum(getattr(event, name) is not UNSET for name in optional[type(event)])
            if keys != written or is_loose():
                json.loads(line, object_pairs_hook=_once, parse_int=str)
        return event

    return decode_once


@cache
def _keys_of(vocabulary: Vocabulary) -> tuple[dict[type[Event], int], dict[type[Event], list[str]]]:
    """Return how many keys each event type requires, and the names of its other fields; a vocabulary is asked once."""
    fields = {each: msgspec.structs.fields(each) for each in vocabulary.types.values()}
    required = {each: 1 + sum(field.required for field in mine) for each, mine in fields.items()}
    return required, {each: [field.name for field in mine if not field.required] for each, mine in fields.items()}


def _once(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    """Return the pairs of an object as a mapping, or raise `BadLineError` where two have the same key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadLineError("doubled-key", (twice,), f"`{twice}` stands twice in the line: which one is meant?")
    return found
