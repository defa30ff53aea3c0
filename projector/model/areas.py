"""A table as it is drawn: its areas, the cells of a grid, and cards as a viewer sees them."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

import msgspec

from tabletape.projector.model.phrases import name_of, title_of, zone_in_words
from tabletape.projector.model.table import Table
from tabletape.projector.model.telling import in_words
from tabletape.projector.model.things import Card, Zone

EVERYTHING: Final = "*"
"""The viewer who sees all cards that the log names."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A card as it is drawn for a viewer.

    `title` is what the viewer may know ("Kelp Choir", "seed of Ann"), `value` the number that counts (or empty),
    `marks` short words on it ("exhausted", "+1", "2 tokens"), `under` the cards that lie beneath it.
    """

    name: str
    title: str
    owner: str = ""
    face_up: bool = True
    exhausted: bool = False
    value: str = ""
    marks: tuple[str, ...] = ()
    under: tuple["Shown", ...] = ()


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of a grid: row and column (both grow away from the top left), the card on it, a mark such as a range.

    `place` is the position that a log writes for it.
    """

    row: int
    column: int
    place: tuple[int, int] | None = None
    card: Shown | None = None
    mark: str = ""


MAX_BACKS: Final = 60
"""How many unseen cards of a hand are drawn at most; its count is shown in any case."""


def backs(owner: str, name: str, number: int) -> tuple[Shown, ...]:
    """Return the backs of the `number` cards that a viewer cannot see in the hand of a player, by id and name."""
    back = Shown(name="", title=f"card of {name}", owner=owner, face_up=False)
    return (back,) * min(number, MAX_BACKS)


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the table as it is drawn.

    `shape`: `row`: cards side by side; `pile`: only `count` and the top card matter; `hand`: like a row, backs for
    who may not look; `grid`: `cells` with cards and marks.
    `column` and `line` place the area on the board: `line` 0 is the far player's side, growing towards the near player;
    areas on one line stand side by side in the order of `column`. `caption` is one line of totals, `highlight` the
    player who is ahead there, `count` the size of a pile or of a hand, `place` what a log writes for it as a place.
    `grows`: more cells may come beside those of a grid; by how much a position changes from column to column and from
    row to row.
    """

    name: str
    title: str
    owner: str = ""
    shape: Literal["row", "pile", "hand", "grid"] = "row"
    line: int = 0
    column: int = 0
    caption: str = ""
    highlight: str = ""
    place: str = ""
    count: int = 0
    cards: tuple[Shown, ...] = ()
    cells: tuple[Cell, ...] = ()
    grows: tuple[int, int] | None = None


def with_room(area: Area) -> Area:
    """Return a grid that grows with the free cells around it, so that a card can be put there."""
    first = next((cell for cell in area.cells if cell.place is not None), None)
    if area.grows is None or first is None or first.place is None:
        return area
    (x, y), (right, down) = first.place, area.grows
    taken = {(cell.row, cell.column) for cell in area.cells}
    rows, columns = ([*range(min(each) - 1, max(each) + 2)] for each in zip(*taken, strict=True))
    free = [
        Cell(row=row, column=column, place=(x + right * (column - first.column), y + down * (row - first.row)))
        for row in rows
        for column in columns
        if (row, column) not in taken
    ]
    return msgspec.structs.replace(area, cells=(*area.cells, *free))


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


def areas_of_zones(table: Table[Any, Any], viewer: str) -> Sequence[Area]:
    """Return the zones as most games have them: a line for each player, the far one first, those of all above the near.

    What the viewer knows lies open, with what was told of it; a deck is a pile.
    """
    *far, near = players_around(table, viewer)[::-1] or ("",)
    areas: list[Area] = []
    for line, owner in enumerate([*far, "", near] if near else [""]):
        mine = [zone for zone in table.zones.values() if zone.owner == owner and zone.role != "nowhere"]
        for column, zone in enumerate(mine):
            shape = "pile" if zone.role in {"deck", "discard"} else "hand" if zone.role == "hand" else "row"
            cards = [_seen(table, viewer, card) for card in (() if zone.role == "deck" else zone.cards)]
            title = zone_in_words(table, zone)
            areas.append(zone_area(zone, title[:1].upper() + title[1:], cards, (line, column), shape=shape))
    return areas


def _seen(table: Table[Any, Any], viewer: str, card: Any) -> Shown:
    if is_known(table, viewer, card):
        return shown(card)
    return msgspec.structs.replace(back_of(table, card), marks=in_words(card))
