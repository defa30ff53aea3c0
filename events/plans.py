"""Types that are read from outside, whose plans are made one at a time.

msgspec makes the plan by which it reads a type at the first use, and games and files share types: where one thread
reads by a plan that another has not finished, msgspec ends the process. So what is read is `planned` where it is
defined.
"""

import threading
from typing import Any, Final, TypeVar

import msgspec

Kind = TypeVar("Kind")

PLANNED_TYPES: Final[set[Any]] = set()
"""The types whose plans are made."""

_PLANS_LOCK: Final = threading.Lock()


def planned(kind: type[Kind]) -> type[Kind]:
    """Make the plan by which a type is read, and return the type: a decorator, or for one that comes from elsewhere."""
    if kind not in PLANNED_TYPES:
        decoder_of(kind)
        PLANNED_TYPES.add(kind)
    return kind


def decoder_of(kind: Any) -> "msgspec.json.Decoder[Any]":
    """Return a decoder of a type, or of a union of types."""
    with _PLANS_LOCK:
        return msgspec.json.Decoder(kind)
