"""What expressions do when they are asked: closures over the parts that the parser has read."""

from collections.abc import Callable, Mapping
from typing import Any

from tabletape.events.rules_file.values import (
    UNKNOWN,
    Hidden,
    Node,
    Run,
    are_same,
    is_among,
    negated,
    split,
    split_same,
)


def decided(t: Any, condition: Node) -> Any:
    """Return whether a condition holds; None where only a comparison with nothing would decide it.

    A card without a number is neither more nor less than another, and before the first card lies none. What holds
    whatever were there is decided all the same.
    """
    t.nothing = UNKNOWN
    try:
        value = condition.run(t)
    finally:
        t.nothing = None
    return None if value is UNKNOWN and condition.run(t) is not UNKNOWN else value


def combined(truths: tuple[Run, ...], *, so: bool) -> Run:
    """Return what `or` says of truths, or (not `so`) `and`; the next is asked only where none before it decides."""

    def run(t: Any) -> Any:
        answer: Any = not so
        for each in truths:
            value = each(t)
            if value is so:
                return so
            if value is UNKNOWN:
                answer = UNKNOWN
        return answer

    return run


def among(one: Run, other: Run) -> Run:
    """Return whether something is in a list."""
    return lambda t: is_among(t, one(t), other(t))


def equal(left: Node, right: Node, *, same: bool) -> Run:
    """Return whether two values are the same, or (not `same`) are not."""
    one, other = left.run, right.run
    if left.form == "field" and right.form == "constant" and other(None) is None:
        one = _known_to_be_nothing(one)  # It asks whether a line says it.
    if {left.kind, right.kind} <= {"number", "text", "player"}:
        if right.form == "constant":
            value = other(None)
            return lambda t: UNKNOWN if (x := one(t)) is UNKNOWN else (x == value) is same

        def run(t: Any) -> Any:
            x, y = one(t), other(t)
            return UNKNOWN if x is UNKNOWN or y is UNKNOWN else (x == y) is same

        return run
    if same:
        return lambda t: are_same(one(t), other(t))
    return lambda t: negated(are_same(one(t), other(t)))


def ordered(how: Callable[[Any, Any], Any], one: Run, right: Node, order: Mapping[str, int]) -> Run:
    """Return whether one value is less or more than another; `order` says how texts are ordered."""
    other = right.run
    if right.form == "constant" and type(number := other(None)) is int:

        def run_on_number(t: Any) -> Any:
            x = one(t)
            if x is UNKNOWN:
                return UNKNOWN
            if x is None:
                return t.nothing or False
            return how(x, number) if type(x) is not str else False

        return run_on_number

    def run(t: Any) -> Any:
        x, y = one(t), other(t)
        if x is UNKNOWN or y is UNKNOWN:
            return UNKNOWN
        if x is None or y is None:
            return t.nothing or False  # nothing is neither more nor less
        x, y = order.get(x, x), order.get(y, y)
        return how(x, y) if isinstance(x, str) is isinstance(y, str) else False

    return run


def reckoned(how: Callable[[int, int], int], one: Run, other: Run) -> Run:
    """Return a sum, difference or product; what nobody knows makes it unknown."""

    def run(t: Any) -> Any:
        x, y = one(t), other(t)
        return UNKNOWN if x is UNKNOWN or y is UNKNOWN else how(x or 0, y or 0)

    return run


def or_else(one: Run, other: Run) -> Run:
    """Return a value, or another where it is nothing."""
    said = _known_to_be_nothing(one)
    return lambda t: other(t) if (x := said(t)) is None else x


def _known_to_be_nothing(asked: Run) -> Run:
    """Return what an expression comes to where nothing is a value as any other."""

    def run(t: Any) -> Any:
        before, t.nothing = t.nothing, None
        value = asked(t)
        t.nothing = before
        return value

    return run


def passing(over: Run, test: Node) -> Run:
    """Return who of a list passes a test."""
    asked, parts, same = test.run, test.parts, test.same
    if same is not None:
        return lambda t: split_same(t, over(t), same, parts)
    return lambda t: split(t, over(t), asked, parts)


def chosen(test: Run, one: Run, other: Run) -> Run:
    """Return one of two values by a truth."""
    return lambda t: UNKNOWN if (x := test(t)) is UNKNOWN else one(t) if x else other(t)


def property_of(card: Run, name: str) -> Run:
    """Return what is printed on a card, or (`by`, `fresh`) what happened to it."""

    def marked(t: Any) -> Any:
        value = card(t)
        return value if value is None or value is UNKNOWN else t.of_card(value, name)

    def printed(t: Any) -> Any:
        value = card(t)
        if value is None:
            return t.nothing
        if value is UNKNOWN or type(value) is Hidden or value.text is None:
            return UNKNOWN
        return value.text.properties.get(name, t.nothing)

    return marked if name in {"by", "fresh"} else printed
