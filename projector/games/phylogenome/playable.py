"""Which Species may be played: those of a generation that is reached, where a free cell fits their scale."""

from collections.abc import Iterable, Mapping

from tabletape.projector.games.phylogenome.state import EIGHT, FOUR, SPECIES, Cell, Occupied, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.ways import out_of_reach
from tabletape.projector.kit.memo import Memo
from tabletape.projector.kit.seating import zone_of

Spots = Mapping[int | None, list[Cell]]
"""Free cells that hang together with the progress cards, by the scale that fits all their neighbours."""
ANY_SCALE = 10**6


def free_spots(table: Phylo, player: str, cells: Occupied) -> Spots:
    """Return the free cells on which a Species facing a player may lie, by its scale (None: nobody knows it)."""
    around = EIGHT if table.diagonal else FOUR
    joined = _joined(table, player, cells)
    free = dict.fromkeys([each for cell in joined for each in around[cell] if each not in cells])
    known = _scales_in(table, player, cells)
    spots = []
    for cell in free:
        scales = [known[each] for each in around[cell] if each in known]
        spots.append((cell, max(scales) - 1, min(scales) + 1) if scales else (cell, -ANY_SCALE, ANY_SCALE))
    return Memo(lambda scale: [cell for cell, lowest, highest in spots if scale is None or lowest <= scale <= highest])


def _joined(table: Phylo, player: str, cells: Occupied) -> list[Cell]:
    """Return the occupied cells that hang together with the progress cards, in their order."""
    if table.beside_any:
        return sorted(cells)
    if cells is table.cells and not (table.own_anchor or table.stacked or table.disturbed):
        return sorted([cell for cell, card in cells.items() if card is None or not card.cut_off])
    return sorted(cells.keys() - out_of_reach(table, cells, player).keys())


def _scales_in(table: Phylo, player: str, cells: Occupied) -> dict[Cell, int]:
    """Return the genome scales that count for a Species facing a player, by the cells on which they lie."""
    species = [(cell, card) for cell, card in cells.items() if card is not None]
    counted = [each for each in species if each[1].controller == player] if table.own_only else species
    return {cell: scale for cell, card in counted if (scale := card.scale) is not None}


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
    spots = free_spots(table, player, table.cells) if due else {}
    return not any(spots[card.scale] for card in due)
