"""Which Species may be played: those of a generation that is reached, where a free cell fits their scale."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from tabletape.projector.games.phylogenome.state import EIGHT, FOUR, SPECIES, Cell, Occupied, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.ways import out_of_reach
from tabletape.projector.kit.memo import Memo
from tabletape.projector.kit.seating import zone_of

Spots = Mapping[int | None, list[Cell]]
"""Free cells that hang together with the progress cards, by the scale that fits all their neighbours."""
ANY_SCALE = 10**6


@contextmanager
def spots_kept(table: Phylo) -> Iterator[None]:
    """Keep the free cells of a tableau that stays as it is, for all that is offered of it together."""
    table.spots = {}
    try:
        yield
    finally:
        table.spots = None


def spots_now(table: Phylo, player: str) -> Spots:
    """Return the free cells of the tableau as it is."""
    if table.spots is None:
        return free_spots(table, player, table.cells)
    if player not in table.spots:
        table.spots[player] = free_spots(table, player, table.cells)
    spots: Spots = table.spots[player]
    return spots


def free_spots(table: Phylo, player: str, cells: Occupied) -> Spots:
    """Return the free cells on which a Species facing a player may lie, by its scale (None: nobody knows it)."""
    around = EIGHT if table.diagonal else FOUR
    joined = _joined(table, player, cells)
    beside: dict[Cell, list[int]] = {each: [] for cell in joined for each in around[cell] if each not in cells}
    for cell, card in cells.items():
        scale = None if card is None or (table.own_only and card.controller != player) else card.scale
        if scale is not None:
            for each in around[cell]:
                if each in beside:
                    beside[each].append(scale)
    any_scale = -ANY_SCALE, ANY_SCALE
    spots = [(cell, *((max(near) - 1, min(near) + 1) if near else any_scale)) for cell, near in beside.items()]
    return Memo(lambda scale: [cell for cell, lowest, highest in spots if scale is None or lowest <= scale <= highest])


def _joined(table: Phylo, player: str, cells: Occupied) -> list[Cell]:
    """Return the occupied cells that hang together with the progress cards, in their order."""
    if table.beside_any:
        return sorted(cells)
    if cells is table.cells and not (table.own_anchor or table.stacked or table.disturbed):
        return sorted([cell for cell, card in cells.items() if card is None or not card.cut_off])
    return sorted(cells.keys() - out_of_reach(table, cells, player).keys())


def licence_for(table: Phylo, card: PhyloCard, player: str) -> PhyloCard | None:
    """Return the Event that lets a player play a Species above the own generation, where one is needed and there."""
    if card.text is None or card.text.sequencing_generation <= table.players[player].generation:
        return None
    above = card.text.sequencing_generation - table.players[player].generation
    lying: list[PhyloCard] = zone_of(table, "table", player).cards
    for event in lying:
        if event.text is not None and event.text.says.bonus is not None and event.text.says.bonus.n >= above:
            return event
    return None


def playable(table: Phylo, player: str, hand: Iterable[PhyloCard]) -> list[PhyloCard]:
    """Return the Species of a hand that may be played, where there is a cell for them."""
    if table.turn <= table.players[player].forbidden_until:
        return []
    return [card for card in hand if card.text.kind == SPECIES and is_of_generation(table, card, player)]


def is_of_generation(table: Phylo, card: PhyloCard, player: str) -> bool:
    """Return whether a player has reached the generation of a Species, or has an Event that stands in for that."""
    reached = card.text.sequencing_generation <= table.players[player].generation
    return reached or licence_for(table, card, player) is not None


def are_unplayable(table: Phylo, cards: Iterable[PhyloCard], player: str) -> bool:
    """Return whether no Species among some cards of a player can be played on the tableau as it is."""
    species = [card for card in cards if card.text is None or card.text.kind == SPECIES]
    if any(card.text is None for card in species):
        return False
    due = [card for card in species if is_of_generation(table, card, player)]
    spots = spots_now(table, player) if due else {}
    return not any(spots[card.scale] for card in due)
