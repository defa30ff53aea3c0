"""The tableau: cells and their neighbours, what hangs together, what fits where, and what is broken."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, Final

from events.games import phylogenome as ev
from projector.games.phylogenome.grid import EIGHT, FOUR, Cell
from projector.games.phylogenome.state import (
    CHANGED,
    NEEDED,
    PLACE,
    SPECIES,
    TABLEAU,
    Occupied,
    Phylo,
    PhyloCard,
    beside,
)
from projector.table import Derived

UNTIL: Final = "phylogenome.fix.until-end-of-next-turn"
GENERATIONS: Final = ("", "first_generation", "second_generation", "third_generation")
CUT_OFF: Final = "disconnected"
CLASHING: Final = "incompatible"
NONE: Final[frozenset[PhyloCard]] = frozenset()
FIELDS: Final = {CUT_OFF: "cut_off", CLASHING: "clashing"}


def neighbours(table: Phylo, cell: Cell) -> tuple[Cell, ...]:
    """Give the cells next to a cell (ruling `geometry`)."""
    return (EIGHT if table.diagonal else FOUR)[cell]


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
    if lifted is not None:
        cells = {cell: card for cell, card in cells.items() if card is not lifted}
    ways = cells.keys() - out_of_reach(table, cells, player).keys()
    return not ways.isdisjoint(neighbours(table, start))


def ways_lost(card: PhyloCard, astray: AbstractSet[PhyloCard]) -> AbstractSet[PhyloCard]:
    """Give the Species that have no way to a progress card but over this one; none where it has no way itself.

    No way leads over those that are `astray`.
    """
    # Where one other lies next to it and no progress card, its own way leads over that one.
    if card.cut_off or (len(card.near) < 2 and not card.anchored) or card in astray:
        return NONE
    joined: set[PhyloCard] = set()
    lost: set[PhyloCard] = set()
    for start in card.near:
        if start.anchored or start in joined or start in lost or start in astray:
            continue
        reached = {card, start, *astray}
        ahead = [start]
        leads = False
        for here in ahead:
            for each in here.near:
                if each not in reached:
                    if each.anchored or each in joined:
                        leads = True
                        break
                    reached.add(each)
                    ahead.append(each)
            if leads:
                break
        (joined if leads else lost).update(ahead)
    return lost


def leads_on(near: Iterable[PhyloCard], astray: AbstractSet[PhyloCard]) -> bool:
    """Tell whether a way to a progress card leads over one of these Species: it is neither cut off nor astray."""
    for each in near:  # noqa: SIM110 - a generator would cost more than the answer
        if not each.cut_off and each not in astray:
            return True
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
    _renew(table, card)
    foreseen = table.foreseen.pop(card, None)
    if foreseen is not None and foreseen[0] == cell:
        # On a good spot it clashes with nobody, and a way leads there as long as no other is lost.
        table.occupy(cell, card, foreseen[1])
        if card.clashing:
            _touch(table, card)
        if not (table.cut_off or table.astray or table.foreseen):
            return
    else:
        if cell in table.cells:
            table.stacked = True
        else:
            table.occupy(cell, card, beside(table, cell, table.cells))
        _touch(table, card)
    table.disturbed = True
    table.laid[card] = None
    table.astray.add(card)


def lift(table: Phylo, card: PhyloCard) -> None:
    """Take a Species from its cell; whatever lay there as well takes the cell over."""
    cell = card.place
    if cell is None or table.cells.get(cell) is not card:
        return
    if card in table.foreseen:
        table.astray |= table.foreseen[card][2]
    else:
        table.foreseen.clear()
        table.astray |= ways_lost(card, table.astray)
    if table.clashing or table.both_blamed:
        _suspect(table, card.near)
    table.vacate(cell, card)
    under = _under(table, card) if table.stacked else None
    if under is not None:
        table.occupy(cell, under, beside(table, cell, table.cells))
        _touch(table, under)


def relocate(table: Phylo, card: PhyloCard, cell: Cell) -> None:
    """Move a Species in play to another cell; the Events beneath it come along."""
    lift(table, card)
    lay(table, card, card.controller, cell)


def _under(table: Phylo, card: PhyloCard) -> PhyloCard | None:
    """Give what lies on the cell of a Species as well, for the longest time."""
    others = [other for other in table.zones[TABLEAU].cards if other.place == card.place and other is not card]
    return min(others, key=CHANGED, default=None)


def leave(table: Phylo, card: PhyloCard) -> None:
    """Take a Species out of the tableau; where it goes is the caller's business."""
    lift(table, card)
    _count(table, card, -1)
    table.set(card, "place", None)
    table.disturbed = True
    table.foreseen.clear()
    table.touched.pop(card, None)
    table.astray.discard(card)
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
            _renew(table, card)
            _touch(table, card)
        if table.stacked:
            table.reckon()


def _renew(table: Phylo, card: PhyloCard) -> None:
    """Note that a Species is the one that changed last."""
    table.changes = changes = table.changes + 1
    table.journal.append((card, "changed", card.changed, changes))
    card.changed = changes


def _touch(table: Phylo, card: PhyloCard) -> None:
    """Have a Species looked at, and those beside it.

    It has changed last, so it is to blame; its neighbours can only be relieved otherwise.
    """
    table.disturbed = True
    table.foreseen.clear()
    table.touched[card] = None
    if table.clashing or table.both_blamed:
        _suspect(table, card.near)


def _suspect(table: Phylo, near: Iterable[PhyloCard]) -> None:
    """Have those of some neighbours looked at that clash, or may do so now (ruling)."""
    for each in near:
        if each.clashing or table.both_blamed:
            table.disturbed = True
            table.touched[each] = None


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
        if max(before, after) == NEEDED or table.joined_only:
            table.recounted = table.disturbed = True


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


def look(table: Phylo) -> None:
    """Find what has become cut off or incompatible, or is so no longer, and say so in the order of coming into play."""
    touched: Iterable[PhyloCard] = table.touched
    changes: list[Change] = []
    if table.own_anchor or table.stacked:
        changes = _all_ways(table)
        touched = {*filter(None, map(table.cells.get, map(PLACE, touched)))}
    elif table.astray:
        changes = _ways(table)
    for card in touched:
        wrong = misfits(table, card, card.controller, card.near)
        clashes = bool(wrong) and _is_to_blame(table, card, wrong)
        if clashes != (card.clashing > 0):
            changes.append((card, CLASHING, clashes))
    table.touched.clear()
    table.laid.clear()
    table.astray.clear()
    table.foreseen.clear()
    if changes:
        _tell(table, changes)


def _tell(table: Phylo, changes: list[Change]) -> None:
    """Carry changes out: first what is so no longer, each in the order of coming into play."""
    if len(changes) > 1:
        order = table.zones[TABLEAU].cards
        changes.sort(key=lambda change: (change[2], order.index(change[0])))
    journal, derived = table.journal, table.derived
    for card, kind, broken in changes:
        since, more = (table.turn, 1) if broken else (0, -1)
        if kind == CUT_OFF:
            journal.append((card, "cut_off", card.cut_off, since))
            card.cut_off = since
            table.cut_off += more
        else:
            journal.append((card, "clashing", card.clashing, since))
            card.clashing = since
            table.clashing += more
        derived.append(Derived((_arisen if broken else _fixed)(card.name, kind), UNTIL, len(journal)))


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


def _ways(table: Phylo) -> list[Change]:
    """Find who is cut off now or joined again: of those that are astray, and of those that were cut off before.

    Only a Species that was laid can have found a way, and others over it.
    """
    astray = table.astray
    ahead: list[PhyloCard] = []
    found: list[Change] = []
    for card in table.laid:
        if card in astray and (card.anchored or leads_on(card.near, astray)):
            ahead.append(card)
            if card.cut_off:
                found.append((card, CUT_OFF, False))
    joined = {*ahead}
    for here in ahead:
        for each in here.near:
            if each not in joined and (each.cut_off or each in astray):
                joined.add(each)
                ahead.append(each)
                if each.cut_off:
                    found.append((each, CUT_OFF, False))
    if not astray <= joined:
        found += [(card, CUT_OFF, True) for card in astray - joined if not card.cut_off]
    return found


def _is_to_blame(table: Phylo, card: PhyloCard, wrong: Iterable[PhyloCard]) -> bool:
    """Tell whether it is a Species that clashes with others: it has changed last, or both are to blame (ruling)."""
    return table.both_blamed or any(card.changed > other.changed for other in wrong)
