"""Reads the cards of a rules file: what is printed on them, which kinds there are, and how many of each."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from tabletape.events.rules_file.mistakes import Mistakes
from tabletape.events.rules_file.scope import card_id

MOST_CARDS: Final = 2_000
"""The cards of a file: more lie on no table."""

UNCOUNTED: Final = "any"
"""The `copies` of cards of which nobody says how many there are."""

_NO_PROPERTIES: Final = frozenset({"copies", "begin", "bare", "list"})

Properties = Mapping[str, tuple[Any, ...]]
"""What is printed on cards, with the values of each; the first is what a card is called by."""

Kinds = Mapping[str, tuple[dict[str, Any], int]]
"""What is printed on each kind of card, and how many there are of it."""


def read_cards(raw: Any, mistakes: Mistakes) -> tuple[Properties, Kinds]:
    """Return the properties of cards, and their kinds; none where the table is wrong, which `mistakes` notes."""
    if not isinstance(raw, dict):
        mistakes.add(("cards",), 'has to be a table, such as `[cards]` and `rank = ["low", "high"]`')
        return {}, {}
    if "list" in raw:
        return _listed(raw, mistakes)
    properties = _properties(raw, mistakes)
    first, bare = next(iter(properties), ""), raw.get("bare", [])
    if not isinstance(bare, list) or not {*map(str, bare)} <= {*map(str, properties.get(first, ()))}:
        mistakes.add(("cards", "bare"), f"has to be a list of some of {first}: they have nothing else on them")
        return {}, {}
    numbers = _numbers(raw.get("copies", 1), [*properties.values()][-1], mistakes) if properties else []
    return properties, _kinds(properties, bare, numbers, mistakes) if numbers else {}


def properties_in(raw: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return what is printed on the cards of a table `[cards]` that has no mistakes, with the values of each."""
    listed: dict[str, list[Any]] = {}
    for card in raw.get("list", ()):
        for name, value in card.items():
            listed.setdefault(name, []).append(value)
    return listed or {name: [*values] for name, values in raw.items() if isinstance(values, list)}


def printed_name(card: str, properties: Mapping[str, Any]) -> str:
    """Return how a card is said: what is printed first where it is called by that alone, else all that is printed."""
    said = [str(value) for value in properties.values()]
    return said[0] if card_id(*said[:1]) == card else " ".join(said)


def _listed(raw: Mapping[str, Any], mistakes: Mistakes) -> tuple[Properties, Kinds]:
    """Return the properties and kinds of cards of which each says what is printed on it; all have the first one."""
    listed, copies = raw["list"], 0 if raw.get("copies", 1) == UNCOUNTED else raw.get("copies", 1)
    if not (isinstance(listed, list) and listed and all(isinstance(each, dict) and each for each in listed)):
        mistakes.add(("cards", "list"), 'has to be a list of cards, such as `{ name = "Old Wolf", strength = 3 }`')
        return {}, {}
    if type(copies) is not int or not 0 <= copies * len(listed) <= MOST_CARDS:
        mistakes.add(
            ("cards", "copies"), f"has to be a number, for at most {MOST_CARDS:,} cards in all, or `{UNCOUNTED}`"
        )
        return {}, {}
    values, first = properties_in(raw), next(iter(listed[0]))
    for name, said in values.items():
        if not name.isidentifier() or {type(each) for each in said} not in ({int}, {str}):
            mistakes.add(("cards", "list"), f"{name} has to be a number on all cards that have it, or a text on all")
            return {}, {}
    kinds: dict[str, tuple[dict[str, Any], int]] = {}
    for number, card in enumerate(listed, 1):
        called = card_id(card.get(first, ""))
        if first not in card or called in kinds:
            wrong = f"is there already as `{called}`" if first in card else f"has no {first}"
            mistakes.add(("cards", "list"), f"card {number} {wrong}: each card has a {first} of its own")
            return {}, {}
        kinds[called] = {first: card[first], **card}, copies
    return {name: tuple(dict.fromkeys(said)) for name, said in values.items()}, kinds


def _properties(raw: Mapping[str, Any], mistakes: Mistakes) -> Properties:
    properties: dict[str, tuple[Any, ...]] = {}
    for name, values in raw.items():
        if name in _NO_PROPERTIES:
            continue
        types = {type(each) for each in values} if isinstance(values, list) else set()
        if types not in ({int}, {str}) or not name.isidentifier():
            mistakes.add(("cards", name), f"has to be a list of numbers or of texts, not {values!r}")
        else:
            properties[name] = tuple(dict.fromkeys(values))
    return properties


def _numbers(copies: Any, last: Sequence[Any], mistakes: Mistakes) -> Sequence[int]:
    """Return how many cards there are with each value of the last property; none where that is no number."""
    copies = 0 if copies == UNCOUNTED else copies
    numbers = copies if isinstance(copies, list) else [copies] * len(last)
    if len(numbers) != len(last) or not all(type(each) is int and 0 <= each <= MOST_CARDS for each in numbers):
        say = f"has to be a number, {len(last)} of them, one for each {last}, or `{UNCOUNTED}`"
        mistakes.add(("cards", "copies"), say)
        return []
    return numbers


def _kinds(properties: Properties, bare: Collection[Any], numbers: Sequence[int], mistakes: Mistakes) -> Kinds:
    """Return the kinds of cards: one for all values together, one alone for a first value that has nothing else."""
    if len([*itertools.islice(itertools.product(*properties.values()), MOST_CARDS + 1)]) > MOST_CARDS:
        mistakes.add(("cards",), f"these are more than {MOST_CARDS:,} kinds of cards")
        return {}
    kinds: dict[str, tuple[dict[str, Any], int]] = {}
    first, last = next(iter(properties)), [*properties.values()][-1]
    for values in itertools.product(*properties.values()):
        if values[0] in bare:
            kinds[card_id(values[0])] = {first: values[0]}, numbers[0]
            continue
        number, card = numbers[last.index(values[-1])], card_id(*values)
        if card in kinds:
            other = kinds[card][0]
            name = next(name for name, value in zip(properties, values, strict=True) if other.get(name) != value)
            also, this = (" ".join(map(str, each)) for each in (other.values(), values))
            mistakes.add(("cards", name), f"`{also}` and `{this}` are both called `{card}`")
            return {}
        kinds[card] = dict(zip(properties, values, strict=True)), number
    if sum(number for _, number in kinds.values()) > MOST_CARDS:
        mistakes.add(("cards", "copies"), f"these are more than {MOST_CARDS:,} cards")
        return {}
    return kinds
