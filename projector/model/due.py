"""What is due: the lines that luck or hidden information has to write next, as a set.

A game says with `due(table)` what may come next. Who keeps a log is asked for it, a simulation answers it with dice
(see `projector.model.dice`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.projector.model.table import Table


class Asked(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What nobody but the table can say of a line that is due.

    * `cards`: from `least` to `most` cards that lie in the zones `zones`, as `field`; of a zone that lies open they are
      the first ones.
    * `option`: one of `options`, each with the fields that it stands for.
    * `order`: the names `names`, all of them in some order, as `field`.
    `put_back` are cards that are shuffled into the deck after the draw, or before it where `put_back_first`.
    """

    kind: Literal["cards", "option", "order"]
    field: str = ""
    zones: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    options: tuple[Mapping[str, Any], ...] = ()
    names: tuple[str, ...] = ()
    put_back: tuple[str, ...] = ()
    put_back_first: bool = False


class Due(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A line that is due: its type, the fields that are known, what is asked, and the rule that says so (or none).

    Of several that are due each may come first. `optional`: a log may leave it out. `later`: somebody may decide
    something before it comes.
    """

    line: type[Event]
    known: Mapping[str, Any]
    rule: str = ""
    asked: Asked | None = None
    optional: bool = False
    later: bool = False

    def event(self, **answer: Any) -> Event:
        """Return the line with what was asked."""
        return self.line(**self.known, **answer)

    def unnamed(self) -> Event | None:
        """Return the line of a deal or a draw that says only how many cards it is; None where it cannot say that."""
        is_deal = self.asked is not None and self.asked.kind == "cards" and "count" in self.line.__struct_fields__
        return self.event(count=self.asked.most) if is_deal and self.asked is not None else None

    @property
    def player(self) -> str:
        """Whose line it is; empty where the table's."""
        return str(self.known.get("player", ""))


def draw_due(table: Table[Any, Any], line: type[Event], zone: str, count: int, rule: str = "", **known: Any) -> Due:
    """Return what is due: a player draws `count` cards of a zone, as far as it has them."""
    number = max(min(count, table.zones[zone].size), 0)
    asked = Asked(kind="cards", field="cards", zones=(zone,), least=number, most=number)
    return Due(line=line, known=known, rule=rule, asked=asked)


def option_due(line: type[Event], field: str, values: Sequence[Any], rule: str = "", **known: Any) -> Due:
    """Return a line of which luck or the table says one of several values of a field."""
    return Due(line=line, known=known, rule=rule, asked=Asked(kind="option", options=options_of(field, values)))


def covers(due: Due, event: Event) -> bool:
    """Return whether a line is one that answers what is due, whatever it answers: its type and what is known fit."""
    if type(event) is not due.line:
        return False
    free = FREE_TEXT & due.known.keys()
    if any(getattr(event, name) != value for name, value in due.known.items() if name not in free):
        return False
    asked = due.asked
    if asked is None:
        return True
    if asked.kind == "option":
        return any(all(getattr(event, name) == value for name, value in each.items()) for each in asked.options)
    if asked.kind == "order":
        return sorted(getattr(event, asked.field)) == sorted(asked.names)
    return asked.least <= number_of_cards(event, asked.field) <= asked.most


FREE_TEXT: Final = frozenset({"method"})
"""Fields that a log words as it likes."""


def number_of_cards(event: Event, field: str = "cards") -> int:
    """Return how many cards a line names in a field, or counts in its place."""
    cards = getattr(event, field)
    if cards is not UNSET:
        return len(cards or ())
    count = getattr(event, "count", UNSET)
    return 0 if count is UNSET else int(count or 0)


def options_of(field: str, values: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """Return values of one field as options."""
    return tuple({field: value} for value in values)
