"""The legal decisions of a player, from what that player may see."""

from typing import Any, Final

from events.games import duelyst as ev
from events.vocabulary import Event
from projector.games.duelyst.moves import MOVES
from projector.games.duelyst.state import BOARD, Duelyst
from projector.kit.moves import offered

BEFORE_TURNS: Final = [move for move in MOVES if move.line is ev.MulliganTaken]
IN_TURN: Final = [move for move in MOVES if move.line is not ev.MulliganTaken]
LATER: Final[dict[type, int]] = {
    ev.BloodboundSpellCast: 1,
    ev.MechSummoned: 2,
    ev.UnitMoved: 3,
    ev.UnitAttacked: 3,
    ev.CardReplaced: 4,
    ev.TurnEnded: 5,
}
"""What is offered after the cards that are played, in this order."""


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

    A mulligan draws cards that are still unseen; which ones these are is luck (see `luck`).
    """
    if player not in actors(table):
        return []
    if not table.turn:
        return list(offered(BEFORE_TURNS, table, player))
    lying = (*table.hands[player].cards, *table.zones[BOARD].cards)
    places = {card.name: place for place, card in enumerate(lying)}

    def order(event: Any) -> tuple[int, int]:
        name = getattr(event, "card", "") or getattr(event, "unit", "")
        return LATER.get(type(event), 0), places.get(name, 0)

    return sorted(offered(IN_TURN, table, player), key=order)
