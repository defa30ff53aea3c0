"""Totals that somebody reads off the table: what they are called, what the fold has there, how they are taken over."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.game import Drift
from tabletape.projector.model.rules import Rule
from tabletape.projector.model.table import Table

Change = Callable[[Any, Any, int], object]
"""Changes a total of a player at a table by a difference."""


class Total(msgspec.Struct, frozen=True):
    """A total of a player: its noun with a place for the name, its value, and what changes it by a difference.

    It is changed by as much as what was read differed then: the table may have gone on since.
    """

    noun: str
    value: Callable[[Any, Any], Any]
    change: Change | None = None


def counter(noun: str, field: str, change: Change | None = None) -> Total:
    """Return a total that is a field of the player, changed there unless `change` says otherwise."""
    value = attrgetter(field)
    return Total(
        noun, lambda _table, player: value(player), change or (lambda table, player, by: table.count(player, field, by))
    )


def size(kind: str, noun: str = "") -> Total:
    """Return a total that is the size of the player's zone `kind`, which people call `noun` (or by that word).

    What was read beyond its cards are unseen cards.
    """
    return Total(
        f"the size of the {noun or kind} of {{}}",
        lambda table, player: zone_of(table, kind, player.id).size,
        lambda table, player, by: table.count(zone_of(table, kind, player.id), "unseen", by),
    )


def read_totals(
    of: Rule, totals: Mapping[str, Total], table: Table[Any, Any], event: Any
) -> Iterator[tuple[Any, str, Drift]]:
    """Yield the totals that a line has read of its player, if it names one at this table.

    Each is the player, the field of the line, and what was read beside what the fold has there.
    """
    player: Any = table.players.get(event.player)
    for field, total in totals.items() if player is not None else ():
        seen = getattr(event, field)
        if seen is not UNSET:
            folded = total.value(table, player)
            adopt = None if total.change is None else partial(total.change, table, player, seen - folded)
            yield player, field, Drift(of, total.noun.format(player.name), folded, seen, adopt)
