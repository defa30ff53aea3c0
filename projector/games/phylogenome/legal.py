"""The legal decisions of a player, from what that player may see: the tableau and the own hand.

Of moves those of one Species are given, and those of two where both are cut off or incompatible: all pairs together
would be hundreds of thousands, and a pair is what two single moves are.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import Any

import msgspec

from events.games import phylogenome as ev
from events.vocabulary import Event
from projector.games.phylogenome.grid import Cell
from projector.games.phylogenome.play import is_too_short
from projector.games.phylogenome.playable import Spot, free_spots, playable
from projector.games.phylogenome.rules.spots import fits_spot
from projector.games.phylogenome.state import (
    BENEATH,
    CLEARED,
    EVENT,
    SETUP,
    TABLEAU,
    Phylo,
    PhyloCard,
    is_event,
    is_species,
    scale_of,
)
from projector.games.phylogenome.ways import neighbours
from projector.kit.seating import zone_of


def actors(table: Phylo) -> tuple[str, ...]:
    """Return the players who may decide something now."""
    if table.over or table.phase == SETUP:
        return ()
    if table.owed:
        due = table.owed[0]
        return (due.player,) if due.line is ev.CardKept else ()
    return (table.active,)


def legal(table: Phylo, player: str, *, pairs: bool = True) -> list[Event]:
    """Return the legal decisions of a player."""
    if player not in actors(table):
        return []
    if table.owed:
        return [ev.CardKept(player=player, card=name) for name in table.owed[0].cards]
    actions = () if table.phase == CLEARED else _actions(table, player, pairs=pairs)
    return [*actions, ev.TurnEnded(player=player)]


def offers(table: Phylo, player: str) -> list[Event]:
    """Return the legal decisions of a player but for moves of two Species, which go on from those of one (`more`)."""
    return legal(table, player, pairs=False)


def more(table: Phylo, event: Event) -> Iterator[Event]:
    """Return the moves of two Species that begin with the move of one; other than `legal` of sound Species, too."""
    if not isinstance(event, ev.SpeciesMoved) or len(event.moves) != 1 or table.phase == CLEARED:
        return
    moved = table.card(event.moves[0].card)
    for other in movable(table, event.player):
        if other is not moved:
            yield from moves_of_two(table, event.player, moved, other, event.moves[0].to)


def _actions(table: Phylo, player: str, *, pairs: bool) -> Iterator[Event]:
    if table.players[player].actions <= 0:
        return
    hand = hand_of(table, player)
    spots = free_spots(table, player, table.cells)
    yield from _plays(table, player, hand, spots)
    yield from _moves(table, player, spots)
    if pairs:
        yield from _pairs(table, player)
    yield from cycles(table, player, hand)
    if not table.event_played:
        for card in hand:
            if card.text.kind == EVENT:
                yield from _events(table, player, card, hand)


def hand_of(table: Phylo, player: str) -> list[PhyloCard]:
    """Return the hand cards of a player that the log names."""
    return [card for card in zone_of(table, "hand", player).cards if card.text is not None]


def cycles(table: Phylo, player: str, hand: Iterable[PhyloCard]) -> Iterator[Event]:
    """Return each card that may be discarded for others."""
    if table.options["short_draw"] != "forbidden" or zone_of(table, "deck", player).size >= 3:
        only = table.options["cycle_card"] == "species_only"
        yield from (ev.CardsCycled(player=player, discarded=card.name) for card in hand if is_species(card) or not only)


# -- Species -----------------------------------------------------------------------------------------------------------


def _plays(table: Phylo, player: str, hand: Iterable[PhyloCard], spots: Iterable[Spot]) -> Iterator[Event]:
    for card in playable(table, player, hand):
        for spot in spots:
            if spot.fits(scale_of(card)):
                yield ev.SpeciesPlayed(player=player, card=card.name, cell=spot.cell)


def movable(table: Phylo, player: str) -> list[PhyloCard]:
    """Return the Species in play that a player may move (ruling `move_whose`)."""
    anybodys = table.options["move_whose"] == "any"
    return [card for card in table.zones[TABLEAU].cards if anybodys or card.controller == player]


def _moves(table: Phylo, player: str, spots: list[Spot]) -> Iterator[Event]:
    """Return the moves of one Species."""
    for card in movable(table, player):
        for cell in _destinations(table, card, spots):
            yield ev.SpeciesMoved(player=player, moves=(ev.Move(card=card.name, to=cell),))


def broken(table: Phylo, player: str) -> list[PhyloCard]:
    """Return those Species that a player may move that are cut off or incompatible."""
    return [card for card in movable(table, player) if card.cut_off or card.clashing]


def _pairs(table: Phylo, player: str) -> Iterator[Event]:
    """Return the moves of two Species that are broken."""
    for pair in combinations(broken(table, player), 2):
        for first, second in permutations(pair):
            yield from moves_of_two(table, player, first, second)


def _destinations(table: Phylo, card: PhyloCard, spots: Iterable[Spot]) -> Iterator[Cell]:
    """Return the cells to which a Species in play may be moved; `spots` are those of the tableau as it is.

    Where the Species hangs at the edge, only the cells beside its own one change when it is lifted.
    """
    place = card.place
    if place is None or table.cells.get(place) is not card:
        return
    around = neighbours(table, place)
    cells = {cell: other for cell, other in table.cells.items() if cell != place}
    at_edge = sum(cell in cells for cell in around) <= 1 and not card.cut_off
    if not at_edge or table.own_anchor or table.own_only or table.beside_any:
        spots = free_spots(table, card.controller, cells)
        yield from (spot.cell for spot in spots if spot.cell != place and spot.fits(scale_of(card)))
        return
    for spot in spots:
        if spot.fits(scale_of(card)) and not (spot.cell in around and fits_spot(table, card, spot.cell)):
            yield spot.cell


def moves_of_two(
    table: Phylo, player: str, first: PhyloCard, second: PhyloCard, first_to: Cell | None = None
) -> Iterator[Event]:
    """Return the moves of two Species, the second one tested after the first one lies (on `first_to`)."""
    away = {first.place, second.place}
    left = {cell: other for cell, other in table.cells.items() if cell not in away}
    without_first = {cell: other for cell, other in table.cells.items() if cell != first.place}
    at_the_end = table.options["move_check"] == "end_state"
    for one in free_spots(table, first.controller, left if at_the_end else without_first):
        if not one.fits(scale_of(first)) or one.cell in away or first_to not in {None, one.cell}:
            continue
        cells = {**left, one.cell: first}
        for two in free_spots(table, second.controller, cells):
            if two.fits(scale_of(second)) and two.cell not in away:
                moves = (ev.Move(card=first.name, to=one.cell), ev.Move(card=second.name, to=two.cell))
                yield ev.SpeciesMoved(player=player, moves=moves)


# -- Events ------------------------------------------------------------------------------------------------------------


def _events(table: Phylo, player: str, card: PhyloCard, hand: list[PhyloCard]) -> Iterator[Event]:
    """Return the ways to play an Event: with each target, each cell and each payment."""
    for played in event_plays(table, player, card, hand):
        if card.text.says.moves:
            moved = table.card(str(played.target))
            spots = free_spots(table, moved.controller, table.cells)
            for cell in _destinations(table, moved, spots):
                yield msgspec.structs.replace(played, cell=cell)
        else:
            yield played


def event_plays(table: Phylo, player: str, card: PhyloCard, hand: list[PhyloCard]) -> Iterator[ev.EventPlayed]:
    """Return the ways to play an Event with each target and each payment; the cell of one that moves is left out."""
    says = card.text.says
    if table.players[player].species < says.species or is_too_short(table, player, says):
        return
    others = [other.name for other in hand if other is not card]
    payments: list[Any] = [*combinations(others, says.pays)] if says.pays else [msgspec.UNSET]
    for paid in payments:
        for target in _targets(table, player, card):
            yield ev.EventPlayed(player=player, card=card.name, target=target, paid=paid)


def _targets(table: Phylo, player: str, card: PhyloCard) -> Iterator[Any]:
    says = card.text.says
    if says.target == "none":
        yield msgspec.UNSET
    elif says.target == "species":
        for other in table.zones[TABLEAU].cards:
            if says.facing == "any" or (other.controller == player) == (says.facing == "self"):
                yield other.name
    elif says.target == "card":
        yield from (other.name for other in zone_of(table, "discard", player).cards if is_species(other))
    else:
        lying = [table.zones[BENEATH], *(zone_of(table, "table", each) for each in table.players)]
        yield from (other.name for zone in lying for other in zone.cards if is_event(other))
