"""Keys that stand twice in a line: JSON readers take the last one in silence, so that one of two facts is lost."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from events.importing.checks import BadLineError
from events.vocabulary import Event, Vocabulary


def each_key_once(vocabulary: Vocabulary) -> Callable[[bytes], Event]:
    """Return the decoder of a vocabulary, which raises `BadLineError` where a key stands twice in a line.

    A line with just as many keys as its event type requires has each of them once; only others are looked at.
    """
    decode: Callable[[bytes], Event] = vocabulary.decoder.decode
    required = {each: 1 + sum(field.required for field in _fields(each)) for each in vocabulary.types.values()}

    def decode_once(line: bytes) -> Event:
        event = decode(line)
        if line.count(b'":') != required[type(event)] or b'" :' in line:
            _look(line, event, required[type(event)])
        return event

    return decode_once


def _fields(event_type: type[Event]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(event_type)


def _look(line: bytes, event: Event, required: int) -> None:
    """Raise `BadLineError` where a key stands twice."""
    optional = (field.name for field in _fields(type(event)) if not field.required)
    written = sum(getattr(event, name) is not msgspec.UNSET for name in optional)
    if line.count(b'":') != required + written or b'" :' in line:
        json.loads(line, object_pairs_hook=_once, parse_int=str)


def _once(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    """Return the pairs of an object as a mapping, or raise `BadLineError` where two have the same key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadLineError("doubled-key", (twice,), f"`{twice}` stands twice in the line: which one is meant?")
    return found
