"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst.chapters import drawing, mulligan, pets, tribes
from tabletape.projector.games.duelyst.owed import owed_now
from tabletape.projector.games.duelyst.state import GENERAL, Duelyst, general_of
from tabletape.projector.games.duelyst.tasks import Owed
from tabletape.projector.games.duelyst.tiles import attack_of, distance
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import Dice

DUE: Final[Mapping[type[Event], Callable[[Duelyst, Owed], list[Due]]]] = {
    ev.CardsDrawn: drawing.due_draw,
    ev.TokenSummoned: tribes.due_token,
    ev.TargetPicked: tribes.due_target,
    ev.PetActed: pets.due_act,
}


def due(table: Duelyst) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up in any order."""
    if table.over:
        return []
    if not table.turn:
        return list(mulligan.due_in_setup(table))
    owed = owed_now(table)
    return [] if owed is None else DUE[owed.line](table, owed)


def fill_in_chance(_table: Duelyst, event: Event, dice: Dice) -> Event:
    """Return a mulligan with the cards that are drawn for it; the cards put back are shuffled in after that."""
    if not isinstance(event, ev.MulliganTaken) or not event.returned:
        return event
    drawn = dice.draw(event.player, len(event.returned))
    dice.shuffle(event.player, add=event.returned)
    return msgspec.structs.replace(event, drawn=drawn)


# -- value -------------------------------------------------------------------------------------------------------------

HAND_WORTH: Final = 0.3
"""What a card in the hand is worth."""
MINION: Final = 0.6
"""What the health of a minion is worth; that of a general is worth 1, and so is all attack."""
NEARER: Final = 0.1
"""What it is worth that a minion stands a tile nearer to the other general."""


def value(table: Duelyst, player: str) -> float:
    """Return how good a table is for a player: the generals, what stands on the board and how near, cards and mana."""
    other = table.players[player].opponent
    enemies = {player: general_of(table, other), other: general_of(table, player)}
    worth = {each: HAND_WORTH * table.hands[each].size + 0.5 * len(table.worn[each].cards) for each in enemies}
    for unit in table.units:
        text, owner = unit.text, unit.owner
        health = text.health + unit.health_change - unit.damage
        if text.kind == GENERAL:
            worth[owner] += health + attack_of(table, unit)
            continue
        worth[owner] += MINION * health + attack_of(table, unit)
        goal = enemies[owner]
        if goal is not None:
            worth[owner] -= NEARER * distance(unit.place, goal.place)
    return worth[player] - worth[other]
