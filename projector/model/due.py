"""What is due: the lines that luck or hidden information has to write next, as a set, and how dice answer them.

A game says with `due(table)` what may come next. Who keeps a log is asked for it, a simulation answers it with dice.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import UNSET

from events.shared import DeckShuffled
from events.vocabulary import Event
from projector.model.table import Table
from projector.model.things import Zone

if TYPE_CHECKING:
    from projector.model.game import Dice, Game


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

    @property
    def player(self) -> str:
        """Whose line it is; empty where the table's."""
        return str(self.known.get("player", ""))


def draw_due(table: Table[Any, Any], line: type[Event], zone: str, count: int, rule: str = "", **known: Any) -> Due:
    """Return that a player draws `count` cards of a zone, as far as it has them."""
    number = max(min(count, table.zones[zone].size), 0)
    asked = Asked(kind="cards", field="cards", zones=(zone,), least=number, most=number)
    return Due(line=line, known=known, rule=rule, asked=asked)


def chance(game: "Game", table: Table[Any, Any], dice: "Dice") -> Event | None:
    """Return the line that luck has to write now, answered by dice; None where none is due.

    Where a card may come from several decks luck chooses the deck. Of what may be left out only draws are thought of,
    as often as not.
    """
    found = [due for due in game.due(table) if not due.later and (due.asked is not None or not due.optional)]
    if not found:
        return None
    first = found[0]
    if first.optional and not dice.choose((True, False)):
        return None
    alike = [due for due in found if due.line is first.line and due.player == first.player]
    return answered(table, first if len(alike) == 1 else dice.choose(alike), dice)


def answered(table: Table[Any, Any], due: Due, dice: "Dice") -> Event:
    """Return a line that is due with what dice say to what it asks."""
    asked = due.asked
    if asked is None:
        if issubclass(due.line, DeckShuffled):
            dice.shuffle(due.player, add=[card.name for zone in _hidden_decks(table, due) for card in zone.cards])
        return due.event()
    if asked.kind == "option":
        return due.event(**dice.choose(asked.options))
    if asked.kind == "order":
        left, order = list(asked.names), []
        while left:
            order.append(dice.choose(left))
            left.remove(order[-1])
        return due.event(**{asked.field: tuple(order)})
    if asked.put_back and asked.put_back_first:
        dice.shuffle(due.player, add=asked.put_back)
    cards = _drawn(table, asked, due.player, dice)
    if asked.put_back and not asked.put_back_first:
        dice.shuffle(due.player, add=asked.put_back)
    return due.event(**{asked.field: cards})


def _hidden_decks(table: Table[Any, Any], due: Due) -> Iterator[Zone]:
    zones = table.zones.values()
    return (zone for zone in zones if zone.role == "deck" and zone.owner == due.player and zone.seen_by == "nobody")


def _drawn(table: Table[Any, Any], asked: Asked, player: str, dice: "Dice") -> tuple[str, ...]:
    """Return drawn cards: of two decks some from the open one, and what is missing from it, too."""
    zones = [table.zones[name] for name in asked.zones]
    lying_open = [card.name for zone in zones if zone.seen_by == "all" for card in zone.cards]
    hidden = any(zone.seen_by != "all" for zone in zones)
    if not hidden:
        return tuple(lying_open[: asked.most])
    some = dice.choose(range(asked.most // 2 + 1)) if len(zones) > 1 else 0
    taken = lying_open[:some]
    drawn = dice.draw(player, asked.most - len(taken))
    return (*drawn, *lying_open[: asked.most - len(drawn)])


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
