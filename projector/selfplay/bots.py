"""How bots decide: any legal decision, or the one after which the table looks best to them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, Final

from events.vocabulary import Event
from projector.model.game import Dice, Game
from projector.model.table import Table


class Bot(StrEnum):
    """How a bot decides."""

    RANDOM = "random"
    GREEDY = "greedy"


LOOKED_AT: Final = 120
"""Of more legal decisions a greedy bot looks at so many, where the game can pick some without making all of them."""

AnyTable = Table[Any, Any]


def offered(game: Game, table: AnyTable, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return the legal decisions of a player; where the game can pick some of them, at most `most`, each as likely."""
    return game.legal(table, player) if game.sample is None else game.sample(table, player, dice, most)


def decide(game: Game, table: AnyTable, player: str, bot: Bot, dice: Dice) -> Event | None:
    """Return the decision of a bot, or None where it has none."""
    if bot is Bot.RANDOM:
        best = offered(game, table, player, dice, 1)
    else:
        best = looking_best(game, table, player, offered(game, table, player, dice, LOOKED_AT))
    chosen: Event | None = dice.choose(best) if best else None
    return chosen


def looking_best(game: Game, table: AnyTable, player: str, events: Sequence[Event]) -> Sequence[Event]:
    """Return those decisions after which a table looks best to a player."""
    worths = [worth_after(game, table, player, event) for event in events]
    highest = max(worths, default=0.0)
    return [event for event, worth in zip(events, worths, strict=True) if worth == highest]


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
