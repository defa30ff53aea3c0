"""Dice that know how a log goes on: what luck probably wrote in a line that is missing."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count as counted
from itertools import islice
from typing import Any

from tabletape.events.vocabulary import Chance, Event
from tabletape.events.vocabulary.names import is_unseen, owner_of
from tabletape.projector.mending.clues import cards_in
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.table import Table


class SupposedDice(Dice):
    """Draws the cards that a log goes on to use and that can still lie in the deck, and unseen ones for the rest.

    Between options it decides by number (`decide_by`); `options` counts the ways to answer what it was asked since.
    """

    def __init__(self, table: Table[Any, Any], later: Sequence[Event]) -> None:
        self._table = table
        self._later = later
        self.decide_by(0)

    def decide_by(self, choice: int) -> None:
        """Answer from now on in another of the ways in which luck can."""
        self._choice = choice
        self.options = 1

    @cached_property
    def _used(self) -> list[str]:
        return _used_undrawn(self._later)

    def draw(self, player: str, count: int, deck: str = "deck") -> tuple[str, ...]:  # noqa: ARG002 - as all dice
        """Return as many cards as the deck has, at most `count`: those that are used before they are drawn, first."""
        there = [zone for zone in self._table.zones.values() if zone.role == "deck" and zone.owner == player]
        count = min(count, sum(zone.size for zone in there))
        used = [name for name in self._used if owner_of(name) == player and self._may_lie_there(name)]
        return (*used[:count], *self._unseen(player, count - len(used)))

    def shuffle(self, player: str, deck: str = "deck", add: Iterable[str] = ()) -> None:
        """Change nothing: the log says in which order cards come."""

    def lay_out(self, player: str, deck: str, names: Iterable[str]) -> None:
        """Do nothing: what a deck has is supposed from the log."""

    def remove(self, player: str, name: str, deck: str = "deck") -> None:
        """Change nothing, as for `shuffle`."""

    def put_under(self, player: str, names: Iterable[str], deck: str = "deck") -> None:
        """Change nothing, as for `shuffle`."""

    def choose(self, options: Sequence[Any]) -> Any:
        """Return the option with the number of these dice."""
        self.options *= len(options)
        self._choice, number = divmod(self._choice, len(options))
        return options[number]

    def _may_lie_there(self, name: str) -> bool:
        card = self._table.find(name)
        return card.zone.role == "deck" if card is not None else is_unseen(name)

    def _unseen(self, player: str, number: int) -> Iterator[str]:
        """Yield names for unseen cards, which neither the table nor the log uses."""
        taken = {name for name in cards_in(self._later) if is_unseen(name)}
        names = (f"{player}:?{number}" for number in counted(1))
        return islice((name for name in names if name not in taken and self._table.find(name) is None), max(0, number))


def _used_undrawn(later: Iterable[Event]) -> list[str]:
    """Return the cards that lines name, in order, but for those that a line draws before another uses them."""
    used: dict[str, bool] = {}
    for event in later:
        drawn: Any = getattr(event, "cards" if isinstance(event, Chance) else "drawn", None) or ()
        for name in cards_in((event,)):
            used.setdefault(name, name not in drawn)
    return [name for name, is_used in used.items() if is_used]
