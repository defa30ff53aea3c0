"""Edits of one kind: what they write differs only in where something lies, so that one shows what all can explain."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from operator import itemgetter
from typing import Final

from tabletape.projector.mending.clues import Clues, cards_in, values_in
from tabletape.projector.mending.edits import Edit

MAX_TRIED_SINGLY: Final = 8
"""Edits that write lines of one type at one place which are all tried, each for itself."""


def in_kinds(edits: Iterable[Edit], clues: Clues) -> list[list[Edit]]:
    """Return the edits of one place in kinds, in order of their first ones.

    Of a kind are those that write lines of one type with the same cards; what names a spot that `clues` point to is a
    kind of its own, and so is each edit where there are few.
    """
    listed = [*edits]
    numbers = Counter(map(_type_of, listed))
    kinds: dict[object, list[Edit]] = {}
    for number, each in enumerate(listed):
        key = number if numbers[_type_of(each)] <= MAX_TRIED_SINGLY else _kind_of(each, clues)
        kinds.setdefault(key, []).append(each)
    return [*kinds.values()]


def coming_up_again(edits: Iterable[Edit], times: Mapping[str, int]) -> list[Edit]:
    """Return the edits whose cards all come up several times, those first that come up most; of these the shortest."""
    named = [(each, [*cards_in(each.events)]) for each in edits]
    ranked = [(min((times.get(card, 0) for card in cards), default=0), -len(cards), each) for each, cards in named]
    return [each for most, _, each in sorted(ranked, key=itemgetter(0, 1), reverse=True) if most > 1]


def in_turns(kinds: Iterable[list[Edit]]) -> Iterator[Edit]:
    """Yield the first edit of each kind, then the second of each, and so on."""
    return (each for row in zip_longest(*kinds) for each in row if each is not None)


def _type_of(edit: Edit) -> object:
    return edit.change, *map(type, edit.events)


def _kind_of(edit: Edit, clues: Clues) -> object:
    named = tuple(value for value in values_in(edit.events) if isinstance(value, str) or clues.is_near(value))
    return _type_of(edit), tuple(getattr(each, "player", "") for each in edit.events), named
