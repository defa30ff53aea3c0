"""Comparing a consequence that a log writes down with the one that the rules derive."""

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec import UNSET

from tabletape.events.vocabulary import Consequence, Event, fields_of
from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.shared import PhaseStarted
from tabletape.projector.model.changes import Derived


@cache
def _field_names(kind: type[Event]) -> tuple[str, ...]:
    return tuple(field.name for field in fields_of(kind))


@cache
def content_of(kind: type[Event]) -> Callable[[Any], Any]:
    """Return a function that gives all that an event of a type says, in a form that can be compared."""
    names = _field_names(kind)
    return attrgetter(*names) if names else lambda _: None


def has_same_content(written: Event, derived: Event) -> bool:
    """Return whether a written consequence says what the derived one of its type says, as far as it says anything."""
    kind = type(written)
    content = content_of(kind)
    if content(written) == content(derived):
        return True
    return _contradicts_nothing(written, derived, _field_names(kind))


def says(written: Event, derived: Derived) -> bool:
    """Return whether a written line says what a derived one does."""
    return type(derived.event) is type(written) and has_same_content(written, derived.event)


def _contradicts_nothing(written: Event, derived: Event, names: Iterable[str]) -> bool:
    return all((mine := getattr(written, name)) is UNSET or is_same(mine, getattr(derived, name)) for name in names)


def is_same(written: Any, derived: Any) -> bool:
    """Return whether a written value is the derived one, or names only the card where that one names the copy."""
    if written == derived:
        return True
    if type(written) is tuple and type(derived) is tuple:
        return len(written) == len(derived) and all(map(is_same, written, derived))
    return type(written) is str and type(derived) is str and written in (card_of(derived), derived.partition("#")[0])


def is_counterpart(written: Consequence, derived: Consequence) -> bool:
    """Return whether a derived consequence is about the same thing as a written one that differs from it."""
    if type(written) is not type(derived):
        return False
    subject: tuple[str, ...] = getattr(written, "SUBJECT", ())
    return all(is_same(getattr(written, name), getattr(derived, name)) for name in subject)


def differs_in_a_word(written: Consequence, derived: Consequence) -> bool:
    """Return whether a written consequence is a derived one of its type but for one word: whom or what it is about."""
    if type(written) is not type(derived):
        return False
    return sum(not is_same(getattr(written, name), getattr(derived, name)) for name in _field_names(type(written))) == 1


def nearest(written: Consequence, derived: Iterable[Derived]) -> Derived | None:
    """Return the derived consequence that a written one which differs from all of them is most likely about.

    That is one about the same thing, with a change in the same direction if there is any, that agrees in most fields;
    the first one of several. None where the rules have made nothing about that thing.
    """
    alike = [each for each in derived if is_counterpart(written, each.event)]
    return max(alike, key=lambda each: _agreement(written, each.event), default=None)


def first_phase(derived: Iterable[Derived]) -> Derived | None:
    """Return the first phase that begins among derived consequences."""
    return next((each for each in derived if isinstance(each.event, PhaseStarted)), None)


def _agreement(written: Consequence, derived: Consequence) -> tuple[bool, int]:
    agreeing = sum(getattr(written, name) == getattr(derived, name) for name in _field_names(type(written)))
    return goes_the_same_way(written, derived), agreeing


def goes_the_same_way(written: Consequence, derived: Consequence) -> bool:
    """Return whether two consequences of a type change a number in the same direction, or neither changes one."""
    by, right = getattr(written, "by", 0), getattr(derived, "by", 0)
    return not isinstance(by, int) or not isinstance(right, int) or (by > 0) == (right > 0)
