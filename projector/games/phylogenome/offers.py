"""The legal decisions of a player, from what that player may see: the tableau and the own hand.

Of moves those of one Species are given, and those of two where both are cut off or incompatible: all pairs together
would be hundreds of thousands, and a pair is what two single moves are.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.chapters.events import offer_kept
from tabletape.projector.games.phylogenome.chapters.moving import movable, moves_of_one, moves_of_two
from tabletape.projector.games.phylogenome.chapters.turns import TURN_ENDED
from tabletape.projector.games.phylogenome.state import CLEARED_STAGE, Phylo
from tabletape.projector.games.phylogenome.turn import MOVES
from tabletape.projector.kit.moves import Move, offered

ORDER: Final = (ev.SpeciesPlayed, ev.SpeciesMoved, ev.CardsCycled, ev.EventPlayed)
"""What an action may be, in the order in which it is offered."""
OFFERED_MOVES: Final = sorted((move for move in MOVES if move.line in ORDER), key=lambda move: ORDER.index(move.line))
WITHOUT_PAIRS: Final = [
    msgspec.structs.replace(move, offers=moves_of_one) if move.line is ev.SpeciesMoved else move
    for move in OFFERED_MOVES
]


def legal(table: Phylo, player: str) -> list[Event]:
    """Return the legal decisions of a player."""
    return _legal(table, player, OFFERED_MOVES)


def offers(table: Phylo, player: str) -> list[Event]:
    """Return the legal decisions of a player but for moves of two Species, which go on from those of one (`more`)."""
    return _legal(table, player, WITHOUT_PAIRS)


def _legal(table: Phylo, player: str, actions: list[Move]) -> list[Event]:
    if player not in table.TURN.actors(table):
        return []
    if table.owed:
        return offer_kept(table, player)
    has_actions = table.phase != CLEARED_STAGE and table.players[player].actions > 0
    return [*offered([*actions, TURN_ENDED] if has_actions else [TURN_ENDED], table, player)]


def more(table: Phylo, event: Event) -> Iterator[Event]:
    """Return the moves of two Species that begin with the move of one; other than `legal` of sound Species, too."""
    if not isinstance(event, ev.SpeciesMoved) or len(event.moves) != 1 or table.phase == CLEARED_STAGE:
        return
    moved = table.card(event.moves[0].card)
    for other in movable(table, event.player):
        if other is not moved:
            yield from moves_of_two(table, event.player, moved, other, event.moves[0].to)
