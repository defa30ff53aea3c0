"""The tableau: cells and their neighbours, what hangs together, what fits where, and what is broken."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from events.games import phylogenome as ev
from projector.games.phylogenome.state import SPECIES, TABLEAU, Cell, Phylo, PhyloCard, scale_of

UNTIL: Final = "phylogenome.fix.until-end-of-next-turn"
GENERATIONS: Final = ("", "first_generation", "second_generation", "third_generation")
CUT_OFF: Final = "disconnected"
CLASHING: Final = "incompatible"
FIELDS: Final = {CUT_OFF: "cut_off", CLASHING: "clashing"}


@lru_cache(maxsize=16384)
def _four(cell: Cell) -> tuple[Cell, ...]:
    x, y = cell
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


@lru_cache(maxsize=16384)
def _eight(cell: Cell) -> tuple[Cell, ...]:
    x, y = cell
    return (*_four(cell), (x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1))


def neighbours(table: Phylo, cell: Cell) -> tuple[Cell, ...]:
    """Give the cells next to a cell (ruling `geometry`)."""
    return _eight(cell) if table.diagonal else _four(cell)


def out_of_reach(table: Phylo, cells: Mapping[Cell, str], player: str) -> dict[Cell, str]:
    """Give the occupied cells from which no way over occupied cells leads to a progress card.

    Under the ruling `connect_to: own_progress` it is the progress card of `player`; the other one is no way, and is
    given too.
    """
    around = _eight if table.diagonal else _four
    left = dict(cells)
    starts = [table.players[player].cell] if table.own_anchor and player in table.players else [*table.anchors]
    beside = dict.fromkeys(set(table.anchors) - set(starts), "") if table.own_anchor else {}
    take, add = starts.pop, starts.append
    while starts:
        for cell in around(take()):
            if cell in left:
                del left[cell]
                add(cell)
    return left | beside if beside else left


def is_joined(table: Phylo, cells: Mapping[Cell, str], start: Iterable[Cell], player: str) -> bool:
    """Tell whether a way over occupied cells leads from one of some cells to a progress card (see `out_of_reach`)."""
    around = _eight if table.diagonal else _four
    goals = (table.players[player].cell,) if table.own_anchor and player in table.players else table.anchors
    left = dict(cells)
    ahead = []
    for cell in start:
        if cell in goals:
            return True
        if left.pop(cell, None) is not None:
            ahead.append(cell)
    take, add = ahead.pop, ahead.append
    while ahead:
        for cell in around(take()):
            if cell in left:
                del left[cell]
                add(cell)
            elif cell in goals:
                return True
    return False


# -- laying and lifting ------------------------------------------------------------------------------------------------


def lay(table: Phylo, card: PhyloCard, player: str, cell: Cell) -> None:
    """Lay a Species on a cell, facing a player. Where another one lies already the cell stays that one's."""
    if card.zone.name != TABLEAU:
        table.move(card, table.zones[TABLEAU])
        table.set(card, "controller", player)
        _count(table, card, 1)
    table.set(card, "place", cell)
    _renew(table, card)
    if cell in table.cells or cell in table.anchors:
        table.loose = True
    else:
        table.set(table, "cells", {**table.cells, cell: card.name})


def lift(table: Phylo, card: PhyloCard) -> None:
    """Take a Species from its cell; whatever lay there as well takes the cell over."""
    cell = card.place
    if cell is None or table.cells.get(cell) != card.name:
        return
    rest = dict(table.cells)
    del rest[cell]
    lying = table.zones[TABLEAU].cards
    if len(lying) > len(table.cells):
        rest.update((cell, other.name) for other in lying if other.place == cell and other is not card)
    table.set(table, "cells", rest)
    table.touched += (cell,)
    if cell in rest or at_crossing(table, card):
        table.loose = True


def at_crossing(table: Phylo, card: PhyloCard) -> bool:
    """Tell whether ways may lead over a Species in play: it has more than one occupied neighbour."""
    cells, anchors = table.cells, table.anchors
    number = 0
    for cell in neighbours(table, card.place or (0, 0)):
        if cell in cells or cell in anchors:
            number += 1
    return number > 1


def leave(table: Phylo, card: PhyloCard) -> None:
    """Take a Species out of the tableau; where it goes is the caller's business."""
    lift(table, card)
    _count(table, card, -1)
    for field, value in (("place", None), ("raised", 0), ("cut_off", 0), ("clashing", 0), ("beneath", ())):
        table.set(card, field, value)


def raise_scale(table: Phylo, card: PhyloCard, by: int) -> None:
    """Change the effective genome scale of a Species in play."""
    if by:
        table.count(card, "raised", by)
        _renew(table, card)


def _renew(table: Phylo, card: PhyloCard) -> None:
    """Note that a Species is the one that changed last."""
    changes = table.changes + 1
    table.set(table, "changes", changes)
    table.set(card, "changed", changes)
    if card.place is not None:
        table.touched += (card.place,)


def _count(table: Phylo, card: PhyloCard, by: int) -> None:
    player = table.players.get(card.controller)
    if player is not None and card.text is not None and card.text.kind == SPECIES:
        table.count(player, GENERATIONS[card.text.sequencing_generation], by)


# -- what fits where ---------------------------------------------------------------------------------------------------


def misfits(table: Phylo, card: PhyloCard, player: str, cell: Cell, cells: Mapping[Cell, str]) -> list[PhyloCard]:
    """Give the neighbours of a cell whose genome scale differs by more than one from that of a card laid there.

    Under the ruling `compat_scope: own_only` only those that face the same player are looked at.
    """
    text = card.text
    found: list[PhyloCard] = []
    if text is None or text.genome_scale is None:
        return found
    scale = text.genome_scale + card.raised
    for near in neighbours(table, cell):
        name = cells.get(near)
        if name is not None and name != card.name:
            other = table.cards[name]
            theirs = scale_of(other)
            if (
                theirs is not None
                and not -1 <= scale - theirs <= 1
                and (not table.own_only or other.controller == player)
            ):
                found.append(other)
    return found


# -- what is broken ----------------------------------------------------------------------------------------------------

Change = tuple[PhyloCard, str, bool]
"""A Species, what is wrong with it, and whether that is so now."""


def look(table: Phylo) -> None:
    """Find what has become cut off or incompatible, or is so no longer, and say so in the order of coming into play."""
    touched, loose = table.touched, table.loose
    table.touched, table.loose = (), False
    changes = _all_ways(table) if loose or table.own_anchor else _ways(table, touched)
    changes += _fits(table, touched)
    if len(changes) > 1:
        order = table.zones[TABLEAU].cards
        changes.sort(key=lambda change: (change[2], order.index(change[0])))
    for card, kind, broken in changes:
        table.set(card, FIELDS[kind], table.turn if broken else 0)
        says = ev.InconsistencyArisen if broken else ev.InconsistencyFixed
        table.derive(says(card=card.name, kind=kind), UNTIL)  # type: ignore[arg-type]  # one of the two words


def _all_ways(table: Phylo) -> list[Change]:
    """Find the Species that are cut off now or are so no longer, among all."""
    lost = out_of_reach(table, table.cells, "")
    found: list[Change] = []
    for card in table.zones[TABLEAU].cards:
        if table.own_anchor:
            lost = out_of_reach(table, table.cells, card.controller)
        if (card.place in lost) != (card.cut_off > 0):
            found.append((card, CUT_OFF, not card.cut_off))
    return found


def _ways(table: Phylo, touched: Iterable[Cell]) -> list[Change]:
    """Find those among the Species just laid that are cut off, where no other can have been."""
    found: list[Change] = []
    for cell in touched:
        card = table.cards.get(table.cells.get(cell, ""))
        if card is None:
            continue
        around = neighbours(table, cell)
        near = [table.cards[table.cells[each]].cut_off for each in around if each in table.cells]
        joined = 0 in near or any(each in table.anchors for each in around)
        if joined and any(near):
            return _all_ways(table)
        if joined == (card.cut_off > 0):
            found.append((card, CUT_OFF, not joined))
    return found


def _fits(table: Phylo, touched: Iterable[Cell]) -> list[Change]:
    """Find the Species that clash with a neighbour now or do so no longer.

    What lies on a touched cell has changed last, so it is to blame; its neighbours can only be relieved (ruling).
    """
    cells = table.cells
    suspects: dict[str, PhyloCard] = {}
    for cell in touched:
        name = cells.get(cell)
        if name is not None:
            suspects[name] = table.cards[name]
        for each in neighbours(table, cell):
            name = cells.get(each)
            if name is not None and (table.cards[name].clashing or table.both_blamed):
                suspects[name] = table.cards[name]
    found: list[Change] = []
    for card in suspects.values():
        clashing = False
        place: Cell = card.place  # type: ignore[assignment]  # it lies there
        for other in misfits(table, card, card.controller, place, cells):
            clashing = clashing or table.both_blamed or card.changed > other.changed
        if clashing != (card.clashing > 0):
            found.append((card, CLASHING, clashing))
    return found
