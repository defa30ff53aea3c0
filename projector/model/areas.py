"""A table as it is drawn: its areas, the cells of a grid, and cards as a viewer sees them."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from tabletape.projector.model.phrases import title_of, zone_in_words
from tabletape.projector.model.table import Table

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


def areas_of_zones(table: Table[Any, Any], viewer: str) -> Sequence[Area]:
    """Return the zones of a table, each on a line of its own: what a viewer knows lies open, a deck is a pile."""
    lying = [zone for zone in table.zones.values() if zone.role != "nowhere"]
    return [
        Area(
            name=zone.name,
            title=zone_in_words(table, zone),
            owner=zone.owner,
            shape="pile" if zone.role == "deck" else "hand" if zone.role == "hand" else "row",
            line=line,
            count=zone.size,
            cards=() if zone.role == "deck" else tuple(_shown(table, card, viewer) for card in zone.cards),
        )
        for line, zone in enumerate(lying)
    ]


def _shown(table: Table[Any, Any], card: Any, viewer: str) -> Shown:
    is_known = card.text is not None and (viewer == EVERYTHING or table.knows(viewer, card))
    return Shown(name=card.name, title=title_of(card) if is_known else "card", owner=card.owner, face_up=is_known)
