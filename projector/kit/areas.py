"""The parts of a table that several games draw in the same way."""

from collections.abc import Callable, Iterator
from typing import Any

from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.areas import Area, Shown, zone_area
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.table import Table


def hand_and_piles(
    table: Table[Any, Any], player: str, draw: Callable[[Any], Shown], where: tuple[int, int]
) -> Iterator[Area]:
    """Yield the hand, the deck and the discard pile of a player, side by side; of the pile the last card lies open.

    `draw` says how a card of the hand or of the pile is shown.
    """
    line, column = where
    owner = f"{name_of(table, player)}'s"
    hand, deck, pile = (zone_of(table, kind, player) for kind in ("hand", "deck", "discard"))
    yield zone_area(hand, f"{owner} hand", map(draw, hand.cards), (line, column), shape="hand")
    yield zone_area(deck, f"{owner} deck", (), (line, column + 1), shape="pile")
    yield zone_area(pile, f"{owner} discard pile", map(draw, pile.cards[-1:]), (line, column + 2), shape="pile")
