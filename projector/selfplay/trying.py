"""Trying decisions out on a table, which is put back as it was."""

from collections.abc import Sequence
from typing import Any, Final

from tabletape.events.vocabulary import Event
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table

MAX_DECISIONS: Final = 120
"""How many of the legal decisions a greedy bot looks at, where the game can sample them without listing all."""

WORTH_OF_WIN: Final = 1000.0
"""What a won game is worth to a bot: far more than anything on a table."""

AnyTable = Table[Any, Any]


def offered(game: Game, table: AnyTable, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return the legal decisions of a player; where the game can pick some of them, at most `most`, each as likely."""
    return game.legal(table, player) if game.bots.sample is None else game.bots.sample(table, player, dice, most)


def worth_after(game: Game, table: AnyTable, player: str, event: Event) -> float:
    """Return how good the table would look to a player after a decision; it is put back as it was."""
    with TryOut(table):
        take(game, table, game.bots.named(table, event))
        return worth_now(game, table, player)


def worth_now(game: Game, table: AnyTable, player: str) -> float:
    """Return how good a table that is put back afterwards looks to a player once what is open has happened.

    An end counts by who has won, any other table as the game says.
    """
    for step in game.bots.settled:
        step(table)
    if table.over:
        if table.outcome.cooperative and table.outcome.score is not None:
            return table.outcome.score  # all of them want the most points, and no win is worth more
        lost = bool(table.winners) or table.outcome.cooperative
        return WORTH_OF_WIN if player in table.winners else -WORTH_OF_WIN if lost else 0.0
    return game.bots.value(table, player)


class TryOut:
    """Put a table back as it was before, whatever is tried out on it."""

    __slots__ = ("_applied", "_derived", "_length", "_table")

    def __init__(self, table: AnyTable) -> None:
        self._table = table

    def __enter__(self) -> None:
        """Remember how the table is."""
        table = self._table
        self._length, self._derived, self._applied = len(table.journal), table.derived, table.applied
        table.derived, table.applied = [], []

    def __exit__(self, *_: object) -> None:
        """Put it back."""
        table = self._table
        table.undo(self._length)
        table.derived, table.applied = self._derived, self._applied
        table.recognised.clear()


def take(game: Game, table: AnyTable, event: Event) -> None:
    """Do what a line says and what follows from it, without a word about the rules."""
    if game.before is not None:
        game.before(table, event)
    game.play[type(event)](table, event)
    game.settle(table)
