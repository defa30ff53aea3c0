"""Comparing a consequence that a log writes down with the one that the rules derive."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec import UNSET

from events.vocabulary import Consequence, Event, fields_of


@cache
def values_of(kind: type[Event]) -> Callable[[Any], tuple[Any, ...]]:
    """Give a function that gives all that an event of a type says, as a tuple to compare."""
    names = [field.name for field in fields_of(kind)]
    return attrgetter(names[0], *names) if names else lambda _: ()  # Of one name alone it would give no tuple.


def says_the_same(written: Event, derived: Event) -> bool:
    """Tell whether a written consequence says what the derived one of its type says, as far as it says anything."""
    values = values_of(type(written))
    ours, theirs = values(written), values(derived)
    return ours == theirs or (
        UNSET in ours and all(mine is UNSET or mine == other for mine, other in zip(ours, theirs, strict=True))
    )


def is_counterpart(written: Consequence, derived: Consequence) -> bool:
    """Tell whether a derived consequence is about the same thing as a written one that differs from it."""
    if type(written) is not type(derived):
        return False
    subject: tuple[str, ...] = getattr(written, "SUBJECT", ())
    return all(getattr(written, name) == getattr(derived, name) for name in subject)
