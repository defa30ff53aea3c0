"""Trying decisions out on a table, which is put back as it was."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from events.vocabulary import Event
from projector.model.game import Dice, Game
from projector.model.table import Table

LOOKED_AT: Final = 120
"""Of more legal decisions a greedy bot looks at so many, where the game can pick some without making all of them."""

AnyTable = Table[Any, Any]


def offered(game: Game, table: AnyTable, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return the legal decisions of a player; where the game can pick some of them, at most `most`, each as likely."""
    return game.legal(table, player) if game.sample is None else game.sample(table, player, dice, most)


def worth_after(game: Game, table: AnyTable, player: str, event: Event) -> float:
    """Return how good the table would look to a player after a decision; it is put back as it was."""
    with tried(table):
        take(game, table, event)
        return game.value(table, player)


@contextmanager
def tried(table: AnyTable) -> Iterator[None]:
    """Put a table back as it was before, whatever is tried out on it."""
    length, derived, applied = len(table.journal), table.derived, table.applied
    table.derived, table.applied = [], []
    try:
        yield
    finally:
        table.undo(length)
        table.derived, table.applied = derived, applied
        table.recognised.clear()


def take(game: Game, table: AnyTable, event: Event) -> None:
    """Do what a line says and what follows from it, without a word about the rules."""
    if game.before is not None:
        game.before(table, event)
    game.play[type(event)](table, event)
    game.settle(table)
