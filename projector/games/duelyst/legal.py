"""The legal decisions of a player, from what that player may see, and the lines that luck has to write."""

from collections.abc import Callable, Mapping
from typing import Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst.chapters import drawing, mulligan, pets, tribes
from tabletape.projector.games.duelyst.moves import MOVES
from tabletape.projector.games.duelyst.owed import owed_now
from tabletape.projector.games.duelyst.state import Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Owed
from tabletape.projector.model.due import Due

OFFERS: Final = {move.line: move.offers for move in MOVES if move.offers is not None}


def actors(table: Duelyst) -> tuple[str, ...]:
    """Return the players who may decide something now."""
    if table.over:
        return ()
    if table.turn:
        return () if table.owed else (table.active,)
    if not all(player.opened for player in table.players.values()):
        return ()
    return tuple(player.id for player in table.players.values() if not player.mulliganed)


def legal(table: Duelyst, player: str) -> list[Event]:
    """Return the legal decisions of a player: card by card, then unit by unit.

    A mulligan draws cards that are still unseen; which ones these are is luck (see `mulligan.fill_in_chance`).
    """
    if player not in actors(table):
        return []
    if not table.turn:
        return [*OFFERS[ev.MulliganTaken](table, player)]
    hand, units = table.hands[player].cards, table.units
    played = [[*OFFERS[line](table, player)] for line in (ev.MinionSummoned, ev.SpellCast, ev.ArtifactEquipped)]
    commanded = [[*OFFERS[line](table, player)] for line in (ev.UnitMoved, ev.UnitAttacked)]
    return [
        *_in_order("card", hand, played),
        *OFFERS[ev.BloodboundSpellCast](table, player),
        *OFFERS[ev.MechSummoned](table, player),
        *_in_order("unit", units, commanded),
        *OFFERS[ev.CardReplaced](table, player),
        *OFFERS[ev.TurnEnded](table, player),
    ]


def _in_order(field: str, cards: list[DuelystCard], offered: list[list[Event]]) -> list[Event]:
    """Return decisions in the order of the cards that one of their fields names."""
    every = [event for events in offered for event in events]
    if len(every) in map(len, offered):
        return every
    places = {card.name: place for place, card in enumerate(cards)}
    return sorted(every, key=lambda event: places[getattr(event, field)])


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
