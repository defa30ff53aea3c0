"""Parts of a table as they are drawn: who sits where, and zones with the cards that a viewer may see."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.areas import EVERYTHING, Area, Shown
from tabletape.projector.model.phrases import name_of, title_of
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Zone


def players_around(table: Table[Any, Any], viewer: str) -> tuple[str, ...]:
    """Return the players as they sit around the table: the viewer, then each to the left.

    For the public and for one who sees everything the first player of the seating is the first.
    """
    players = tuple(table.players)
    start = players.index(viewer) if viewer in players else 0
    return players[start:] + players[:start]


def is_known(table: Table[Any, Any], viewer: str, card: Card) -> bool:
    """Return whether a viewer knows which card this is, and some card file has it."""
    return card.text is not None and (viewer == EVERYTHING or table.knows(viewer, card))


def shown(card: Card, value: object = "", marks: Iterable[str] = (), **more: Any) -> Shown:
    """Return a card that the viewer knows; `more` are other fields of `Shown`."""
    fields = {"name": card.name, "title": title_of(card), "owner": card.owner, "value": str(value), **more}
    return Shown(marks=tuple(marks), **fields)


def back_of(table: Table[Any, Any], card: Card) -> Shown:
    """Return a card that the viewer does not know."""
    title = f"card of {name_of(table, card.owner)}" if card.owner else "card"
    return Shown(name=card.name, title=title, owner=card.owner, face_up=False)


def zone_area(zone: Zone, title: str, cards: Iterable[Shown], where: tuple[int, int], **more: Any) -> Area:
    """Return a zone as it is drawn on a line and a column; `more` are other fields of `Area`."""
    line, column = where
    owner, size, drawn = zone.owner, zone.size, tuple(cards)
    fields = {"name": zone.name, "title": title, "owner": owner, "count": size, "cards": drawn, **more}
    return Area(line=line, column=column, **fields)


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
