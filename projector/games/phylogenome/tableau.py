"""The tableau: cells and their neighbours, what hangs together, what fits where, and what is broken."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import filterfalse
from typing import Any, Final

from events.games import phylogenome as ev
from projector.games.phylogenome.grid import EIGHT, EIGHT_HOMEWARD, FOUR, FOUR_HOMEWARD, Cell, divides
from projector.games.phylogenome.state import CHANGED, IS_CUT_OFF, NEEDED, SPECIES, TABLEAU, Phylo, PhyloCard

UNTIL: Final = "phylogenome.fix.until-end-of-next-turn"
GENERATIONS: Final = ("", "first_generation", "second_generation", "third_generation")
CUT_OFF: Final = "disconnected"
CLASHING: Final = "incompatible"
Occupied = Mapping[Cell, PhyloCard | None]
"""The occupied cells and what lies on them: a Species, or None for a progress card."""
FIELDS: Final = {CUT_OFF: "cut_off", CLASHING: "clashing"}


def neighbours(table: Phylo, cell: Cell) -> tuple[Cell, ...]:
    """Give the cells next to a cell (ruling `geometry`)."""
    return (EIGHT if table.diagonal else FOUR)[cell]


def beside(table: Phylo, cell: Cell, cells: Occupied) -> list[PhyloCard]:
    """Give the Species next to a cell, if `cells` are the occupied ones."""
    return list(filter(None, map(cells.get, (EIGHT if table.diagonal else FOUR)[cell])))


def out_of_reach(table: Phylo, cells: Occupied, player: str) -> Occupied:
    """Give the occupied cells from which no way over occupied cells leads to a progress card.

    Under the ruling `connect_to: own_progress` it is the progress card of `player`; the other one is no way, and is
    given too.
    """
    around = EIGHT if table.diagonal else FOUR
    left = {cell: card for cell, card in cells.items() if card is not None}
    starts = [table.players[player].cell] if table.own_anchor and player in table.players else [*table.anchors]
    no_way = table.anchors - set(starts) if table.own_anchor else ()
    take, add = starts.pop, starts.append
    while starts:
        for cell in around[take()]:
            if cell in left:
                del left[cell]
                add(cell)
    return {**left, **dict.fromkeys(no_way)}


def is_joined(table: Phylo, cells: Occupied, start: Cell, player: str, lifted: PhyloCard | None) -> bool:
    """Tell whether a way over occupied cells leads from a cell to a progress card (see `out_of_reach`).

    No way leads over a Species that is lifted, also if it lies there still.
    """
    goals: AbstractSet[Cell] = table.outskirts
    if table.own_anchor and player in table.players:
        goals = frozenset(neighbours(table, table.players[player].cell))
    reached = {start, *table.anchors}
    if lifted is not None and (place := lifted.place) is not None and cells.get(place) is lifted:
        reached.add(place)
    return _leads(table, cells, start, goals, reached)


def _leads(table: Phylo, cells: Occupied, start: Cell, goals: AbstractSet[Cell], reached: set[Cell]) -> bool:
    """Tell whether a way over occupied cells leads from a cell to one of the goals.

    `reached` are cells that are not looked at again; those that are looked at come to them.
    """
    around = EIGHT_HOMEWARD if table.diagonal else FOUR_HOMEWARD
    is_occupied = cells.__contains__
    ahead = [start]
    while ahead:
        here = ahead.pop()
        if here in goals:
            return True
        for cell in filter(is_occupied, around[here]):
            if cell not in reached:
                reached.add(cell)
                ahead.append(cell)
    return False


# -- laying and lifting ------------------------------------------------------------------------------------------------


def lay(table: Phylo, card: PhyloCard, player: str, cell: Cell) -> None:
    """Lay a Species on a cell, facing a player. Where another one lies already the cell stays that one's."""
    journal = table.journal
    if card.zone.name != TABLEAU:
        table.move(card, table.zones[TABLEAU])
        if card.controller != player:
            journal.append((card, "controller", card.controller, player))
            card.controller = player
        _count(table, card, 1)
    if card.place != cell:
        journal.append((card, "place", card.place, cell))
        card.place = cell
    _renew(table, card, cell)
    if cell in table.cells:
        table.stacked = True
    else:
        table.cells[cell] = card


def lift(table: Phylo, card: PhyloCard) -> None:
    """Take a Species from its cell; whatever lay there as well takes the cell over."""
    cell, cells = card.place, table.cells
    if cell is None or cells.get(cell) is not card:
        return
    under = _under(table, card) if table.stacked else None
    if under is None:
        del cells[cell]
    else:
        cells[cell] = under
    table.touched += (cell,)
    if not table.loose and not card.cut_off and carries_ways(table, card):
        table.loose = True


def relocate(table: Phylo, card: PhyloCard, cell: Cell) -> None:
    """Move a Species in play to another cell; the Events beneath it come along."""
    lift(table, card)
    lay(table, card, card.controller, cell)


def _under(table: Phylo, card: PhyloCard) -> PhyloCard | None:
    """Give what lies on the cell of a Species as well, for the longest time."""
    others = [other for other in table.zones[TABLEAU].cards if other.place == card.place and other is not card]
    return min(others, key=CHANGED, default=None)


def carries_ways(table: Phylo, card: PhyloCard) -> bool:
    """Tell whether the only way from some others to a progress card may lead over a Species that is not cut off.

    It does not where all its neighbours hang together without it.
    """
    cell: Cell = card.place  # type: ignore[assignment]  # it is in play
    return divides(tuple(map(table.cells.__contains__, EIGHT[cell])), table.diagonal)


def leave(table: Phylo, card: PhyloCard) -> None:
    """Take a Species out of the tableau; where it goes is the caller's business."""
    lift(table, card)
    _count(table, card, -1)
    table.set(card, "place", None)
    if table.stacked:
        table.loose = True
    table.set(card, "raised", 0)
    for field in FIELDS.values():
        if getattr(card, field):
            table.set(card, field, 0)
            setattr(table, field, getattr(table, field) - 1)
    table.set(card, "beneath", ())


def raise_scale(table: Phylo, card: PhyloCard, by: int) -> None:
    """Change the effective genome scale of a Species in play."""
    if by:
        table.count(card, "raised", by)
        if card.place is not None:
            _renew(table, card, card.place)
        if table.stacked:
            table.reckon()


def _renew(table: Phylo, card: PhyloCard, cell: Cell) -> None:
    """Note that a Species on a cell is the one that changed last."""
    table.changes = changes = table.changes + 1
    table.journal.append((card, "changed", card.changed, changes))
    card.changed = changes
    table.touched += (cell,)


def _count(table: Phylo, card: PhyloCard, by: int) -> None:
    """Count a Species that faces a player from now on, or no longer."""
    player, text = table.players.get(card.controller), card.text
    if player is not None and text is not None and text.kind == SPECIES:
        field = GENERATIONS[text.sequencing_generation]
        before = getattr(player, field)
        after = before + by
        table.journal.append((player, field, before, after))
        setattr(player, field, after)
        # Only with the fourth one is a generation reached or lost.
        if max(before, after) == NEEDED:
            table.recounted = True


# -- what fits where ---------------------------------------------------------------------------------------------------


def misfits(table: Phylo, card: PhyloCard, player: str, near: Iterable[PhyloCard]) -> list[PhyloCard]:
    """Give those Species beside a cell whose genome scale differs by more than one from that of a card laid there.

    Under the ruling `compat_scope: own_only` only those that face the same player are looked at.
    """
    text = card.text
    if text is None:
        return []
    scale = text.genome_scale + card.raised
    found: list[PhyloCard] = []
    for other in near:
        theirs = other.text
        if theirs is None or -1 <= scale - theirs.genome_scale - other.raised <= 1:
            continue
        if not table.own_only or other.controller == player:
            found.append(other)
    return found


# -- what is broken ----------------------------------------------------------------------------------------------------

Change = tuple[PhyloCard, str, bool]
"""A Species, what is wrong with it, and whether that is so now."""


Laid = dict[PhyloCard, list[PhyloCard]]
"""Species with those beside them."""


def look(table: Phylo) -> None:
    """Find what has become cut off or incompatible, or is so no longer, and say so in the order of coming into play."""
    touched, loose = table.touched, table.loose
    table.touched, table.loose = (), False
    cells = table.cells
    laid: Laid = {}
    for cell in touched:
        card = cells.get(cell)
        if card is not None:
            laid[card] = beside(table, cell, cells)
    changes: list[Change] = []
    if table.own_anchor or table.stacked:
        changes = _all_ways(table)
    elif loose:
        changes = _ways_anew(table, touched, laid)
    elif table.cut_off or not all(laid.values()):
        changes = _ways(table, laid)
    if table.clashing or table.both_blamed:
        _suspect_neighbours(table, touched, laid)
    for card, near in laid.items():
        wrong = misfits(table, card, card.controller, near)
        clashes = bool(wrong) and _is_to_blame(table, card, wrong)
        if clashes != (card.clashing > 0):
            changes.append((card, CLASHING, clashes))
    if changes:
        _tell(table, changes)


def _tell(table: Phylo, changes: list[Change]) -> None:
    """Carry changes out: first what is so no longer, each in the order of coming into play."""
    if len(changes) > 1:
        order = table.zones[TABLEAU].cards
        changes.sort(key=lambda change: (change[2], order.index(change[0])))
    for card, kind, broken in changes:
        field = FIELDS[kind]
        table.set(card, field, table.turn if broken else 0)
        setattr(table, field, getattr(table, field) + (1 if broken else -1))
        table.derive((_arisen if broken else _fixed)(card.name, kind), UNTIL)


@lru_cache(maxsize=1024)
def _arisen(card: str, kind: Any) -> ev.InconsistencyArisen:
    return ev.InconsistencyArisen(card=card, kind=kind)


@lru_cache(maxsize=1024)
def _fixed(card: str, kind: Any) -> ev.InconsistencyFixed:
    return ev.InconsistencyFixed(card=card, kind=kind)


def _all_ways(table: Phylo) -> list[Change]:
    """Find the Species that are cut off now or are so no longer, among all, also where some lie on each other."""
    if table.stacked:
        table.reckon()
    lost = out_of_reach(table, table.cells, "")
    found: list[Change] = []
    for card in table.zones[TABLEAU].cards:
        if table.own_anchor:
            lost = out_of_reach(table, table.cells, card.controller)
        if (card.place in lost) != (card.cut_off > 0):
            found.append((card, CUT_OFF, not card.cut_off))
    return found


def _ways_anew(table: Phylo, touched: Iterable[Cell], laid: Laid) -> list[Change]:
    """Find who is cut off now or joined again where ways were lost, searching from the touched cells as far as needed.

    Whoever lost a way hangs together with somebody beside a cell that was left, whoever found one is a Species that was
    laid, or hangs together with it.
    """
    cells = table.cells
    joined = {*table.outskirts}
    lost: set[Cell] = set()
    left = [each for cell in touched if cell not in cells for each in beside(table, cell, cells) if not each.cut_off]
    for start in (*left, *laid):
        place: Cell = start.place  # type: ignore[assignment]  # it lies there
        if place in joined or place in lost:
            continue
        if start in laid and _hangs_on(laid[start], laid, lost):
            joined.add(place)
            continue
        reached = {place, *table.anchors}
        leads = _leads(table, cells, place, joined, reached)
        (joined if leads else lost).update(reached)
    found: list[Change] = []
    if lost:
        found = [(card, CUT_OFF, True) for card in filterfalse(IS_CUT_OFF, filter(None, map(cells.get, lost)))]
    if table.cut_off:
        astray: list[PhyloCard] = []
        for card, near in laid.items():
            if card.place in joined:
                astray += filter(IS_CUT_OFF, (card, *near))
        found += [(card, CUT_OFF, False) for card in _hanging_on(table, astray)]
    return found


def _hangs_on(near: Iterable[PhyloCard], laid: Laid, lost: AbstractSet[Cell]) -> bool:
    """Tell whether one of the Species beside another was joined before and has not lost its way."""
    for each in near:  # noqa: SIM110 - a generator would cost more than the answer
        if not each.cut_off and each not in laid and each.place not in lost:
            return True
    return False


def _ways(table: Phylo, laid: Laid) -> list[Change]:
    """Find who is cut off now or joined again, where no way was lost: who was just laid, and who hangs on that one."""
    found: list[Change] = []
    for card, near in laid.items():
        astray = [*filter(IS_CUT_OFF, near)] if table.cut_off else []
        if len(astray) < len(near) or card.place in table.outskirts:
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


def _suspect_neighbours(table: Phylo, touched: Iterable[Cell], laid: Laid) -> None:
    """Look also at those beside the touched cells that clash, or may do so now (ruling).

    What lies on a touched cell has changed last, so it is to blame; its neighbours can only be relieved otherwise.
    """
    cells = table.cells
    for cell in touched:
        for each in beside(table, cell, cells):
            if each.clashing or table.both_blamed:
                place: Cell = each.place  # type: ignore[assignment]  # it lies there
                laid[each] = beside(table, place, cells)


def _is_to_blame(table: Phylo, card: PhyloCard, wrong: Iterable[PhyloCard]) -> bool:
    """Tell whether it is a Species that clashes with others: it has changed last, or both are to blame (ruling)."""
    return table.both_blamed or any(card.changed > other.changed for other in wrong)
