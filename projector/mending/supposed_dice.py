"""Dice that know how a log goes on: what luck probably wrote in a line that is missing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from events.names import owner_of
from events.vocabulary import Event
from projector.model.game import Dice
from projector.model.table import Table


class SupposedDice(Dice):
    """Draws the cards that the log names next and that can still lie in the deck; decides between options by number.

    `options` counts the options of the first decision that luck was asked for.
    """

    def __init__(self, table: Table[Any, Any], later: Sequence[Event], choice: int = 0) -> None:
        self._table = table
        self._later = later
        self._choice = choice
        self.options = 1

    def draw(self, player: str, count: int, deck: str = "deck") -> tuple[str, ...]:  # noqa: ARG002 - as all dice
        """Return the next cards of a player's deck that the log names, at most `count`."""
        seen: dict[str, None] = {}
        for name in cards_in(self._later):
            card = self._table.find(name)
            if card is not None and owner_of(name) == player and card.zone.role == "deck":
                seen[name] = None
            if len(seen) == count:
                break
        return tuple(seen)

    def shuffle(self, player: str, deck: str = "deck", add: Iterable[str] = ()) -> None:
        """Change nothing: the log says in which order cards come."""

    def remove(self, player: str, name: str, deck: str = "deck") -> None:
        """Change nothing, as for `shuffle`."""

    def put_under(self, player: str, names: Iterable[str], deck: str = "deck") -> None:
        """Change nothing, as for `shuffle`."""

    def choose(self, options: Sequence[Any]) -> Any:
        """Return the option with the number of these dice."""
        self.options = max(self.options, len(options))
        return options[self._choice % len(options)]


def cards_in(events: Iterable[msgspec.Struct]) -> Iterator[str]:
    """Yield the names of cards on the table that events write down, `A:reed-heron#2`, in order."""
    for event in events:
        for value in map(event.__getattribute__, event.__struct_fields__):
            yield from _cards_of(value)


def _cards_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if ":" in value:
            yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _cards_of(each)
    elif isinstance(value, msgspec.Struct):
        yield from cards_in((value,))
