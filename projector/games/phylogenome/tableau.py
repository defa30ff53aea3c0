"""The tableau: laying and lifting Species, what fits where, and what is broken."""

from collections.abc import Iterable
from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome import state
from tabletape.projector.games.phylogenome.state import TABLEAU, Cell, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.ways import disconnected_by, joins_others, leads_on, out_of_reach
from tabletape.projector.kit.memo import Memo
from tabletape.projector.model.changes import Derived

UNTIL: Final = "phylogenome.fix.until-end-of-next-turn"
GENERATIONS: Final = ("", "first_generation", "second_generation", "third_generation")
CUT_OFF: Final = "disconnected"
CLASHING_KIND: Final = "incompatible"
FIELDS: Final = {CUT_OFF: "cut_off", CLASHING_KIND: "clashing"}


# -- laying and lifting ------------------------------------------------------------------------------------------------


def lay(table: Phylo, card: PhyloCard, player: str, cell: Cell) -> None:
    """Lay a Species on a cell, facing a player. Where another one lies already the cell stays that one's."""
    if card.zone.name != TABLEAU:
        table.move(card, table.zones[TABLEAU])
        table.set(card, "controller", player)
        card.came = table.changes
        _count(table, card, 1)
    table.place(card, cell)
    foreseen = table.foreseen.get(card)
    if foreseen is not None:
        del table.foreseen[card]
    if foreseen is not None and foreseen[0] == cell:
        # On a good spot it clashes with nobody, and a way leads there as long as no other is lost.
        table.occupy(cell, card, foreseen[1])
        if card.clashing:
            _touch(table, card)
        if not (table.excluded or table.foreseen or (table.cut_off and joins_others(card))):
            return
    else:
        if cell in table.cells:
            table.stacked = True
        else:
            table.occupy(cell, card, table.beside(cell, table.cells))
        _touch(table, card)
        table.excluded.add(card)
    table.disturbed = True
    table.laid[card] = None


def withdraw(table: Phylo, card: PhyloCard) -> None:
    """Take a Species from its cell; whatever lay there as well takes the cell over."""
    cell = card.place
    if cell is None or card.near is state.NOBODY:
        return
    foreseen = table.foreseen.get(card)
    if foreseen is not None:
        lost = foreseen[2]
    else:
        table.foreseen.clear()
        lost = disconnected_by(card, table.excluded)
    if lost:
        table.excluded.update(lost)
    if table.clashing or table.both_blamed:
        _suspect(table, card.near)
    table.vacate(cell, card)
    if table.stacked and (under := _under(table, card)) is not None:
        table.occupy(cell, under, table.beside(cell, table.cells))
        _touch(table, under)


def relocate(table: Phylo, card: PhyloCard, cell: Cell) -> None:
    """Move a Species in play to another cell; the Events beneath it come along."""
    withdraw(table, card)
    lay(table, card, card.controller, cell)


def _under(table: Phylo, card: PhyloCard) -> PhyloCard | None:
    """Return what lies on the cell of a Species as well, for the longest time."""
    others = [other for other in table.zones[TABLEAU].cards if other.place == card.place and other is not card]
    return min(others, key=state.CHANGE_NUMBER, default=None)


def leave(table: Phylo, card: PhyloCard) -> None:
    """Take a Species out of the tableau; where it goes is the caller's business."""
    withdraw(table, card)
    _count(table, card, -1)
    table.set(card, "place", None)
    table.disturbed = True
    table.foreseen.clear()
    table.touched.pop(card, None)
    table.laid.pop(card, None)
    table.excluded.discard(card)
    if card.raised:
        table.set(card, "raised", 0)
    if card.cut_off:
        table.set(card, "cut_off", 0)
        table.cut_off -= 1
    if card.clashing:
        table.set(card, "clashing", 0)
        table.clashing -= 1
    if card.repaired:
        table.set(card, "repaired", ())
    if card.beneath:
        table.set(card, "beneath", ())


def become_known(table: Phylo, card: PhyloCard) -> None:
    """Have a Species count whose text has become known while it lies in the tableau."""
    _count(table, card, 1)
    _touch(table, card)


def raise_scale(table: Phylo, card: PhyloCard, by: int) -> None:
    """Change the effective genome scale of a Species in play."""
    if by:
        table.count(card, "raised", by)
        if card.place is not None:
            table.changes += 1
            table.set(card, "changed", table.changes)
            _touch(table, card)
        if table.stacked:
            table.lay_out_cells()


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
    if player is not None and text is not None and text.kind == state.SPECIES:
        field = GENERATIONS[text.sequencing_generation]
        most = getattr(player, field) + max(by, 0)
        table.count(player, field, by)
        # Only with the fourth one is a generation reached or lost.
        if most == state.NEEDED_SPECIES or table.joined_only:
            table.recounted = table.disturbed = True


# -- what fits where ---------------------------------------------------------------------------------------------------


def misfits(table: Phylo, card: PhyloCard, player: str, near: Iterable[PhyloCard]) -> list[PhyloCard]:
    """Return those Species beside a cell whose genome scale differs by more than one from that of a card laid there.

    Under the ruling `compat_scope: own_only` only those that face the same player are looked at.
    """
    text = card.text
    if text is None:
        return []
    scale: int = text.genome_scale + card.raised
    others: list[PhyloCard] = []
    for other in near:
        theirs = other.text
        if theirs is None:
            continue
        theirs_is: int = theirs.genome_scale + other.raised
        if -1 <= scale - theirs_is <= 1:
            continue
        if not table.own_only or other.controller == player:
            others.append(other)
    return others


# -- what is broken ----------------------------------------------------------------------------------------------------

Change = tuple[PhyloCard, str, int]
"""A Species, what is wrong with it, and since which turn; 0 where that is so no longer."""
Ways = tuple[list[PhyloCard], list[PhyloCard]]
"""The Species that are cut off no longer, and those that are so now."""


def _lines(line: Any, kind: str) -> Memo:
    """Return the lines of a type about Species, by their names: many stand in every game, so each is made once."""
    return Memo(lambda card: line(card=card, kind=kind))


ARISEN_LINES: Final = {kind: _lines(ev.InconsistencyArisen, kind) for kind in FIELDS}
FIXED_LINES: Final = {kind: _lines(ev.InconsistencyFixed, kind) for kind in FIELDS}


def look(table: Phylo) -> None:
    """Find what has become cut off or incompatible, or is so no longer, and say so in the order of coming into play."""
    joined, lost = _all_ways(table) if table.own_anchor or table.stacked else _ways(table)
    clashes = _clashes(table) if table.touched else ()
    table.laid.clear()
    if table.excluded:
        table.excluded.clear()
    if table.foreseen:
        table.foreseen.clear()
    if clashes:
        changes = [(card, CUT_OFF, 0) for card in joined] + [(card, CUT_OFF, table.turn) for card in lost]
        changes += clashes
        for card, kind, since in sorted(changes, key=lambda change: (change[2], change[0].came)):
            _record(table, [card], kind, since)
        return
    if joined:
        _record(table, joined, CUT_OFF, 0)
    if lost:
        _record(table, lost, CUT_OFF, table.turn)


def _record(table: Phylo, cards: list[PhyloCard], kind: str, since: int) -> None:
    """Record since which turn something is wrong with Species, or (0) that it is so no longer."""
    if len(cards) > 1:
        cards.sort(key=state.CAME)
    journal, derived, lines = table.journal, table.derived, (ARISEN_LINES if since else FIXED_LINES)[kind]
    more = len(cards) if since else -len(cards)
    if kind == CUT_OFF:
        table.cut_off += more
    else:
        table.clashing += more
    for card in cards:
        begun = _begun(table, card, kind, since) if table.runs_on else since
        if kind == CUT_OFF:
            table.set_cut_off(card, begun)
        else:
            table.set_clashing(card, begun)
        derived.append(Derived(lines[card.name], UNTIL, len(journal)))


def _begun(table: Phylo, card: PhyloCard, kind: str, since: int) -> int:
    """Return since when a Species counts as broken: what was repaired in this turn only was not (ruling).

    `since` is the present turn, or 0 where the Species is sound from now on.
    """
    if since:
        return next((begun for what, turn, begun in card.repaired if (what, turn) == (kind, table.turn)), since)
    others = [each for each in card.repaired if each[0] != kind]
    table.set(card, "repaired", (*others, (kind, table.turn, getattr(card, FIELDS[kind]))))
    return 0


def _all_ways(table: Phylo) -> Ways:
    """Find the Species that are cut off now or are so no longer, among all, also where some lie on each other."""
    if table.stacked:
        table.lay_out_cells()
    out = out_of_reach(table, table.cells, "")
    joined: list[PhyloCard] = []
    lost: list[PhyloCard] = []
    for card in table.zones[TABLEAU].cards:
        if table.own_anchor:
            out = out_of_reach(table, table.cells, card.controller)
        if (card.place in out) != (card.cut_off > 0):
            (joined if card.cut_off else lost).append(card)
    return joined, lost


def _ways(table: Phylo) -> Ways:
    """Find who is joined again or cut off now: of those that are excluded, and of those that were cut off before.

    Only a Species that was laid can have found a way, and others over it.
    """
    excluded = table.excluded
    ahead: list[PhyloCard] = []
    joined: list[PhyloCard] = []
    for card in table.laid:
        if card not in excluded or card.anchored or leads_on(card.near, excluded):
            ahead.append(card)  # noqa: PERF401 - a comprehension takes longer for one or two
    each: PhyloCard
    for here in ahead:
        if here.cut_off:
            joined.append(here)
        for each in here.near:
            if (each.cut_off or each in excluded) and each not in ahead:
                ahead.append(each)
    lost: list[PhyloCard] = []
    for card in excluded:
        if not card.cut_off and card not in ahead:
            lost.append(card)  # noqa: PERF401 - a comprehension takes longer for one or two
    return joined, lost


def _clashes(table: Phylo) -> list[Change]:
    """Find the Species that clash with others now or do so no longer: of those that may."""
    touched: Iterable[PhyloCard] = table.touched
    if table.own_anchor or table.stacked:
        touched = {*filter(None, map(table.cells.get, map(state.PLACE, touched)))}
    changes: list[Change] = []
    for card in touched:
        wrong = misfits(table, card, card.controller, card.near)
        # It has changed last, or both are to blame (ruling).
        clashes = bool(wrong) and (table.both_blamed or any(card.changed > other.changed for other in wrong))
        if clashes != (card.clashing > 0):
            changes.append((card, CLASHING_KIND, table.turn if clashes else 0))
    table.touched.clear()
    return changes
