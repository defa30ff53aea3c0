"""Ways over the tableau: which cells lie next to each other, and what hangs together with the progress cards."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from tabletape.projector.games.phylogenome.state import EIGHT, FOUR, Cell, Occupied, Phylo, PhyloCard

NONE: Final[frozenset[PhyloCard]] = frozenset()


def neighbours(table: Phylo, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells next to a cell (ruling `geometry`)."""
    return (EIGHT if table.diagonal else FOUR)[cell]


def cells_beside(table: Phylo, cards: Iterable[PhyloCard]) -> set[Cell]:
    """Return the cells next to those on which some Species lie."""
    around = EIGHT if table.diagonal else FOUR
    return {cell for card in cards if card.place is not None for cell in around[card.place]}


def without(table: Phylo, *cards: PhyloCard) -> dict[Cell, PhyloCard | None]:
    """Return what lies on the cells of the table without some Species."""
    return {cell: other for cell, other in table.cells.items() if other is None or other not in cards}


def out_of_reach(table: Phylo, cells: Occupied, player: str) -> Occupied:
    """Return the occupied cells from which no way over occupied cells leads to a progress card.

    Under the ruling `connect_to: own_progress` it is the progress card of `player`; the other one is no way, and is
    given too.
    """
    around = EIGHT if table.diagonal else FOUR
    left = {cell: card for cell, card in cells.items() if card is not None}
    starts = [table.players[player].cell] if table.own_anchor and player in table.players else [*table.anchors]
    no_way = table.anchors - set(starts) if table.own_anchor else ()
    while starts:
        for cell in around[starts.pop()]:
            if cell in left:
                del left[cell]
                starts.append(cell)
    return {**left, **dict.fromkeys(no_way)}


def is_joined(table: Phylo, cells: Occupied, start: Cell, player: str, lifted: PhyloCard | None) -> bool:
    """Return whether a way over occupied cells leads from a cell to a progress card (see `out_of_reach`).

    No way leads over a Species that is lifted, also if it lies there still.
    """
    around = EIGHT if table.diagonal else FOUR
    goals = {table.players[player].cell} if table.own_anchor and player in table.players else table.anchors
    reached = {start}
    ahead = [start]
    for here in ahead:
        for cell in around[here]:
            if cell in goals:
                return True
            card = cells.get(cell)
            if card is not None and card is not lifted and cell not in reached:
                reached.add(cell)
                ahead.append(cell)
    return False


def disconnected_by(card: PhyloCard, excluded: AbstractSet[PhyloCard]) -> AbstractSet[PhyloCard]:
    """Return the Species that have no way to a progress card but over this one; none where it has no way itself.

    No way leads over those that are `excluded`.
    """
    # Where one other lies next to it and no progress card, its own way leads over that one.
    if card.cut_off or (len(card.near) < 2 and not card.anchored) or card in excluded:
        return NONE
    reached = {card: card}  # each with the neighbour over which it was reached first
    if excluded:
        reached.update(dict.fromkeys(excluded, card))
    lost: list[PhyloCard] = []
    start: PhyloCard
    each: PhyloCard
    for start in card.near:
        if start.anchored or start in reached:
            continue
        reached[start] = start
        ahead = [start]
        for here in ahead:
            for each in here.near:
                if each not in reached:
                    if each.anchored:
                        break
                    reached[each] = start
                    ahead.append(each)
                elif reached[each] is not start and reached[each] is not card:
                    break  # What was reached before is lost as a whole, or it has a way.
            else:
                continue
            break
        else:
            lost += ahead
    return set(lost) if lost else NONE


def lost_without(cards: Sequence[PhyloCard]) -> AbstractSet[PhyloCard]:
    """Return the Species that have no way to a progress card any more where some are lifted one after the other."""
    lost = disconnected_by(cards[0], NONE) if cards else NONE
    for number, card in enumerate(cards[1:], 1):
        lost = lost | disconnected_by(card, {*lost, *cards[:number]})
    return lost


def joins_others(card: PhyloCard) -> bool:
    """Return whether a Species on a good spot is cut off no longer, or one beside it."""
    if card.cut_off:
        return True
    each: PhyloCard
    for each in card.near:  # noqa: SIM110 - a generator would cost more than the answer
        if each.cut_off:
            return True
    return False


def leads_on(near: Iterable[PhyloCard], excluded: AbstractSet[PhyloCard]) -> bool:
    """Return whether a way to a progress card leads over one of these Species: it is neither cut off nor excluded."""
    for each in near:  # noqa: SIM110 - a generator would cost more than the answer
        if not each.cut_off and each not in excluded:
            return True
    return False
