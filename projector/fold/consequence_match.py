"""Comparing a consequence that a log writes down with the one that the rules derive."""

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec import UNSET

from events.names import card_of
from events.vocabulary import Consequence, Event, fields_of


@cache
def _said_by(kind: type[Event]) -> tuple[str, ...]:
    return tuple(field.name for field in fields_of(kind))


@cache
def saying_of(kind: type[Event]) -> Callable[[Any], Any]:
    """Return a function that gives all that an event of a type says, in a form that can be compared."""
    names = _said_by(kind)
    return attrgetter(*names) if names else lambda _: None


def says_the_same(written: Event, derived: Event) -> bool:
    """Return whether a written consequence says what the derived one of its type says, as far as it says anything."""
    kind = type(written)
    say = saying_of(kind)
    if say(written) == say(derived):
        return True
    return _says_no_other(written, derived, _said_by(kind))


def _says_no_other(written: Event, derived: Event, names: Iterable[str]) -> bool:
    return all((mine := getattr(written, name)) is UNSET or is_same(mine, getattr(derived, name)) for name in names)


def is_same(written: Any, derived: Any) -> bool:
    """Return whether a written value is the derived one, or names only the card where that one names the copy."""
    return written == derived or (type(written) is str and type(derived) is str and written == card_of(derived))


def is_counterpart(written: Consequence, derived: Consequence) -> bool:
    """Return whether a derived consequence is about the same thing as a written one that differs from it."""
    if type(written) is not type(derived):
        return False
    subject: tuple[str, ...] = getattr(written, "SUBJECT", ())
    return all(is_same(getattr(written, name), getattr(derived, name)) for name in subject)
