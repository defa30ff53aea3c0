"""The tableau: cells and their neighbours, what hangs together, what fits where, and what is broken."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from events.games import phylogenome as ev
from projector.games.phylogenome.grid import Cell, divides, eight, four, homeward
from projector.games.phylogenome.state import SPECIES, TABLEAU, Phylo, PhyloCard

UNTIL: Final = "phylogenome.fix.until-end-of-next-turn"
GENERATIONS: Final = ("", "first_generation", "second_generation", "third_generation")
CUT_OFF: Final = "disconnected"
CLASHING: Final = "incompatible"
Occupied = Mapping[Cell, PhyloCard]
"""The occupied cells and what lies on them."""
FIELDS: Final = {CUT_OFF: "cut_off", CLASHING: "clashing"}


def neighbours(table: Phylo, cell: Cell) -> tuple[Cell, ...]:
    """Give the cells next to a cell (ruling `geometry`)."""
    return eight(cell) if table.diagonal else four(cell)


def beside(table: Phylo, cell: Cell, cells: Occupied) -> list[PhyloCard]:
    """Give the Species next to a cell, if `cells` are the occupied ones."""
    return list(filter(None, map(cells.get, eight(cell) if table.diagonal else four(cell))))


def out_of_reach(table: Phylo, cells: Occupied, player: str) -> dict[Cell, PhyloCard | None]:
    """Give the occupied cells from which no way over occupied cells leads to a progress card.

    Under the ruling `connect_to: own_progress` it is the progress card of `player`; the other one is no way, and is
    given too.
    """
    around = eight if table.diagonal else four
    left: dict[Cell, PhyloCard | None] = dict(cells)
    starts = [table.players[player].cell] if table.own_anchor and player in table.players else [*table.anchors]
    beside_it = dict.fromkeys(table.anchors - set(starts)) if table.own_anchor else {}
    take, add = starts.pop, starts.append
    while starts:
        for cell in around(take()):
            if cell in left:
                del left[cell]
                add(cell)
    return left | beside_it if beside_it else left


def is_joined(table: Phylo, cells: Occupied, start: Cell, player: str) -> bool:
    """Tell whether a way over occupied cells leads from a cell to a progress card (see `out_of_reach`)."""
    goals = {table.players[player].cell} if table.own_anchor and player in table.players else table.anchors
    left = set(cells)
    ahead = [start]
    take, add = ahead.pop, ahead.append
    while ahead:
        for cell in homeward(take(), table.diagonal):
            if cell in goals:
                return True
            if cell in left:
                left.remove(cell)
                add(cell)
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
    if cell not in table.cells and cell not in table.anchors:
        table.occupy(cell, card)


def lift(table: Phylo, card: PhyloCard) -> None:
    """Take a Species from its cell; whatever lay there as well takes the cell over."""
    cell = card.place
    if cell is None or table.cells.get(cell) is not card:
        return
    under = None
    if is_stacked(table):
        for other in table.zones[TABLEAU].cards:
            if other.place == cell and other is not card:
                under = other
    table.occupy(cell, under)
    table.touched += (cell,)
    if carries_ways(table, card):
        table.loose = True


def is_stacked(table: Phylo) -> bool:
    """Tell whether Species lie on each other or on a progress card, which no rule allows."""
    return len(table.zones[TABLEAU].cards) > len(table.cells)


def carries_ways(table: Phylo, card: PhyloCard) -> bool:
    """Tell whether the only way from some Species in play to a progress card may lead over this one.

    Around what is cut off anyway nothing can be lost, nor where all neighbours hang together without it.
    """
    if card.cut_off or card.place is None:
        return False
    touching = eight(card.place)
    around = tuple(map(table.cells.__contains__, touching))
    if not table.anchors.isdisjoint(touching):
        around = tuple(each in table.cells or each in table.anchors for each in touching)
    return divides(around, table.diagonal)


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
    before = table.changes
    table.changes = changes = before + 1
    table.journal += ((table, "changes", before, changes), (card, "changed", card.changed, changes))
    card.changed = changes
    if card.place is not None:
        table.touched += (card.place,)


def _count(table: Phylo, card: PhyloCard, by: int) -> None:
    player = table.players.get(card.controller)
    if player is not None and card.text is not None and card.text.kind == SPECIES:
        table.count(player, GENERATIONS[card.text.sequencing_generation], by)


# -- what fits where ---------------------------------------------------------------------------------------------------


def misfits(table: Phylo, card: PhyloCard, player: str, near: Iterable[PhyloCard]) -> list[PhyloCard]:
    """Give those Species beside a cell whose genome scale differs by more than one from that of a card laid there.

    Under the ruling `compat_scope: own_only` only those that face the same player are looked at.
    """
    text = card.text
    found: list[PhyloCard] = []
    if text is None or text.genome_scale is None:
        return found
    scale = text.genome_scale + card.raised
    for other in near:
        printed = other.text
        if (
            printed is not None
            and printed.genome_scale is not None
            and not -1 <= scale - printed.genome_scale - other.raised <= 1
            and (not table.own_only or other.controller == player)
        ):
            found.append(other)
    return found


# -- what is broken ----------------------------------------------------------------------------------------------------

Change = tuple[PhyloCard, str, bool]
"""A Species, what is wrong with it, and whether that is so now."""


Near = Mapping[Cell, tuple[PhyloCard | None, list[PhyloCard]]]
"""What lies on the touched cells, and beside them."""


def look(table: Phylo) -> None:
    """Find what has become cut off or incompatible, or is so no longer, and say so in the order of coming into play."""
    cells = table.cells
    near = {cell: (cells.get(cell), beside(table, cell, cells)) for cell in table.touched}
    if table.own_anchor or is_stacked(table):
        changes = _all_ways(table)
    else:
        changes = _ways_anew(table, near) if table.loose else _ways(table, near)
    table.touched, table.loose = (), False
    changes += _fits(table, near)
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


def _ways_anew(table: Phylo, touched: Near) -> list[Change]:
    """Find who is cut off now or joined again where ways were lost, searching from the touched cells as far as needed.

    Whoever lost a way hangs together with the neighbour of a cell that was left.
    """
    joined: set[Cell] = set()
    lost: set[Cell] = set()
    for card, near in touched.values():
        for start in near if card is None else (card, *near):
            place: Cell = start.place  # type: ignore[assignment]  # it lies there
            if place not in joined and place not in lost:
                reached, leads = _search(table, place, joined)
                (joined if leads else lost).update(reached)
    cells = table.cells
    astray = [card for cell in joined if (card := cells[cell]).cut_off]
    found = [(card, CUT_OFF, False) for card in (_hanging_on(table, astray) if astray else ())]
    return found + [(card, CUT_OFF, True) for cell in lost if not (card := cells[cell]).cut_off]


def _search(table: Phylo, start: Cell, joined: AbstractSet[Cell]) -> tuple[set[Cell], bool]:
    """Follow the ways from a cell to a progress card or to a cell that is joined; what was reached, and the outcome."""
    cells, outskirts, diagonal = table.cells, table.outskirts, table.diagonal
    reached = {start}
    ahead = [start]
    while ahead:
        here = ahead.pop()
        if here in outskirts or here in joined:
            return reached, True
        for cell in homeward(here, diagonal):
            if cell in cells and cell not in reached:
                reached.add(cell)
                ahead.append(cell)
    return reached, False


def _ways(table: Phylo, touched: Near) -> list[Change]:
    """Find who is cut off now or joined again, where no way was lost: who was just laid, and who hangs on that one."""
    found: list[Change] = []
    for cell, (card, near) in touched.items():
        if card is None:
            continue
        astray = [each for each in near if each.cut_off]
        if cell in table.outskirts or len(astray) < len(near):
            if card.cut_off:
                astray.append(card)
            if astray:
                found += [(each, CUT_OFF, False) for each in _hanging_on(table, astray)]
        elif not card.cut_off:
            found.append((card, CUT_OFF, True))
    return found


def _hanging_on(table: Phylo, astray: list[PhyloCard]) -> dict[PhyloCard, None]:
    """Give some Species that are cut off with all others that are so and hang together with them."""
    found = dict.fromkeys(astray)
    ahead = [*astray]
    while ahead:
        place: Cell = ahead.pop().place  # type: ignore[assignment]  # it lies there
        more = [each for each in beside(table, place, table.cells) if each.cut_off and each not in found]
        found.update(dict.fromkeys(more))
        ahead += more
    return found


def _fits(table: Phylo, touched: Near) -> list[Change]:
    """Find the Species that clash with a neighbour now or do so no longer.

    What lies on a touched cell has changed last, so it is to blame; its neighbours can only be relieved (ruling).
    """
    suspects: dict[PhyloCard, list[PhyloCard]] = {}
    for card, near in touched.values():
        if card is not None:
            suspects[card] = near
        for each in near:
            if each.clashing or table.both_blamed:
                place: Cell = each.place  # type: ignore[assignment]  # it lies there
                suspects[each] = beside(table, place, table.cells)
    found: list[Change] = []
    for card, near in suspects.items():
        clashing = False
        for other in misfits(table, card, card.controller, near):
            clashing = clashing or table.both_blamed or card.changed > other.changed
        if clashing != (card.clashing > 0):
            found.append((card, CLASHING, clashing))
    return found
