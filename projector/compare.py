"""Comparing a consequence that a log writes down with the one that the rules derive."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from msgspec import UNSET

from events.vocabulary import Consequence, Event, fields_of

_values: dict[type, Callable[[Any], Any]] = {}


def says_the_same(written: Event, derived: Event) -> bool:
    """Tell whether a written consequence says what the derived one of its type says, as far as it says anything."""
    kind = type(written)
    values = _values.get(kind)
    if values is None:
        names = [field.name for field in fields_of(kind)]
        values = _values[kind] = attrgetter(*names) if names else (lambda _: None)
    ours: Any = values(written)
    theirs: Any = values(derived)
    if ours == theirs:
        return True
    if not isinstance(ours, tuple) or len(fields_of(kind)) < 2:
        return ours is UNSET
    return all(our is UNSET or our == their for our, their in zip(ours, theirs, strict=True))


def is_counterpart(written: Consequence, derived: Consequence) -> bool:
    """Tell whether a derived consequence is about the same thing as a written one that differs from it."""
    if type(written) is not type(derived):
        return False
    subject: tuple[str, ...] = getattr(written, "SUBJECT", ())
    return all(getattr(written, name) == getattr(derived, name) for name in subject)
