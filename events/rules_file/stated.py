"""What a rules file says, read: its moves with their rules, what happens by itself, ends, turns."""

from collections.abc import Mapping
from typing import Any

import msgspec

from tabletape.events.rules_file.effects import FileEffect
from tabletape.events.rules_file.parser import WordScope
from tabletape.events.rules_file.scope import CounterRule, ZoneRule
from tabletape.events.rules_file.tables import RulingTable
from tabletape.events.rules_file.values import Node, constant, joined


class Stated(msgspec.Struct, frozen=True, eq=False):
    """A rule with its sentence and citation; it holds only by `ruling` (key and option) where there is one.

    It says something of the lines `of` which this holds, where it does not of all.
    """

    id: str
    section: str
    says: str
    cite: str
    ruling: tuple[str, str] | None
    node: Node
    of: Node | None = None

    @property
    def asks(self) -> Node:
        """All that it looks at, as one condition: that a line is none of those `of` which it holds, or keeps it."""
        if self.of is None:
            return self.node
        return joined(
            self.node.run, "truth", "or", msgspec.structs.replace(self.of, form="not", of=(self.of,)), self.node
        )


class FieldRule(msgspec.Struct, frozen=True, eq=False):
    """A field of a move: its kind, where its cards come from, and the values that it may have."""

    name: str
    kind: str
    source: Node | None
    optional: bool
    values: tuple[Any, ...]
    rule: Stated


class OwedMove(msgspec.Struct, frozen=True, eq=False):
    """The move that the same player owes next."""

    move: str
    times: int
    unless: Node
    rule: Stated


class MoveRules(msgspec.Struct, frozen=True, eq=False):
    """A move; `is_described`: the file says what it changes; `tells`: of which cards its properties become known.

    `called` are other words for it; `free` is None where the file does not say whether it counts as an action.
    """

    name: str
    sentence: str
    called: tuple[str, ...]
    fields: tuple[FieldRule, ...]
    one_of: tuple[str, ...]
    needs: tuple[Stated, ...]
    test: Node | None
    does: tuple[FileEffect, ...]
    otherwise: tuple[FileEffect, ...]
    is_described: bool
    tells: Node | None
    then: OwedMove | None
    owed: bool
    free: bool | None
    phase: str
    times: int


class Happening(msgspec.Struct, frozen=True, eq=False):
    """What happens by itself, or ends the game: after so many `turns`, with its `winner`.

    `keeps` says of each effect whether the words of the file that come after it are still what they were before.
    """

    name: str
    rule: Stated
    does: tuple[FileEffect, ...] = ()
    keeps: tuple[bool, ...] = ()
    turns: Node = constant(0, "number")
    winner: Node | None = None


class Rules(msgspec.Struct, frozen=True, eq=False):
    """All that a file says.

    `cards` are its kinds with their properties and how many there are, 0 where they are not `counted`; `begin` is the
    zone in which they begin; `marks`
    is what its expressions ask of a card besides its properties: `by`, `fresh`. Each turn begins with the move `first`;
    `last` is owed at its end, again and again until it is not.
    """

    slug: str
    zones: Mapping[str, ZoneRule]
    counters: Mapping[str, CounterRule]
    properties: Mapping[str, tuple[Any, ...]]
    cards: Mapping[str, tuple[Mapping[str, Any], int]]
    begin: str
    counted: bool
    options: Mapping[str, tuple[str, ...]]
    rulings: Mapping[str, RulingTable]
    scope: WordScope
    moves: Mapping[str, MoveRules]
    whens: tuple[Happening, ...]
    ends: tuple[Happening, ...]
    deal: Stated | None
    deal_zone: str
    deal_count: Mapping[str, int]
    turn: Stated | None
    leftwards: bool
    actions: int
    fewer: bool
    first: OwedMove | None
    last: OwedMove | None
    phases: tuple[str, ...]
    marks: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """The names of all zones and counters."""
        return frozenset((*self.zones, *self.counters))

    @property
    def unshown(self) -> frozenset[str]:
        """The names of the counters that only rules look at."""
        return frozenset(name for name, each in self.counters.items() if not each.shown)

    def hand_size(self, players: int) -> int:
        """Return how many cards each of so many players is dealt."""
        return self.deal_count.get(str(players), self.deal_count.get("", 0))
