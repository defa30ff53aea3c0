"""Moving: one action takes one or two Species to other cells."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import combinations, permutations
from typing import Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome import effects, tableau
from tabletape.projector.games.phylogenome.chapters import GAME_BEGINS, compatibility
from tabletape.projector.games.phylogenome.chapters.cards import AS_DECLARED, known_card
from tabletape.projector.games.phylogenome.chapters.turns import TURN, act, active_player, three_actions
from tabletape.projector.games.phylogenome.naming import called, where_is
from tabletape.projector.games.phylogenome.playable import Spots, free_spots, spots_now
from tabletape.projector.games.phylogenome.state import TABLEAU, Cell, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.steps import adopted
from tabletape.projector.games.phylogenome.ways import NONE, cells_beside, disconnected_by, leads_on
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import AllPassed, Broken, Verdict, all_passed, group_check, stop, usually


@GAME_BEGINS.rule("phylogenome.move.at-most-two", "L80")
def at_most_two(table: Phylo, event: ev.SpeciesMoved) -> Verdict:
    """One action moves at most two Species."""
    number = len(event.moves)
    if number > 2:
        return Broken(f"{number} Species are moved with one action", "at most two")
    if number == 2 and event.moves[0].card == event.moves[1].card:
        return f"{called(table, event.moves[0].card)} is moved twice with one action"
    if table.options["empty_move"] == "allowed":
        return None
    if not number:
        return Broken(f"no Species is moved with one action ({by_ruling(table, 'empty_move')})", "one or two")
    lying = ((each, table.find(each.card)) for each in event.moves)
    stays = next((each.card for each, card in lying if card is not None and card.place == each.to), "")
    message = f"{called(table, stays)} is moved to the cell on which it lies ({by_ruling(table, 'empty_move')})"
    return Broken(message, "another cell") if stays else None


@GAME_BEGINS.rule("phylogenome.move.own-species", "L80")
def own_species(table: Phylo, event: ev.SpeciesMoved) -> Verdict:
    """Only Species that face the mover are moved."""
    for each in event.moves:
        card = table.find(each.card)
        if common_rules.is_unknown(table, each.card):
            continue
        if card is None or card.zone.name != TABLEAU:
            return f"{called(table, each.card)} does not lie in the tableau: {where_is(table, each.card)}"
        if card.controller != event.player and table.options["move_whose"] == "facing_you":
            whose, who = name_of(table, card.controller), name_of(table, event.player)
            return f"{called(table, card.name)} faces {whose}, not {who} ({by_ruling(table, 'move_whose')})"
    return None


def moving(table: Phylo, event: ev.SpeciesMoved) -> list[tuple[PhyloCard, Cell]]:
    """Return the Species in play that are moved, each with the cell to which it is."""
    cards, moved = table.cards, []
    for each in event.moves:
        card = cards.get(each.card)
        if card is not None and card.zone.name == TABLEAU:
            moved.append((card, each.to))
    return moved


MOVE_KEPT: Final = all_passed(active_player, known_card, three_actions, at_most_two, own_species)
"""What there is to say about most moves, before one looks at the cell."""
WELL_MOVED: Final = AllPassed((*MOVE_KEPT, *compatibility.GOOD_SPOT))
BOTH_WELL_MOVED: Final = AllPassed((*MOVE_KEPT, *compatibility.GOOD_SPOTS))


def moves_well(table: Phylo, event: ev.SpeciesMoved) -> AllPassed | None:
    """Return what is kept where nothing is wrong with the Species that are moved, nor with their cells."""
    player, moves, cards = event.player, event.moves, table.cards
    if table.active != player or table.players[player].actions <= 0:
        return None
    moved: list[tuple[PhyloCard, Cell]] = []
    for each in moves:
        card, to = cards.get(each.card), each.to
        if (
            card is None
            or card.zone.name != TABLEAU
            or card.controller != player
            or card.text is None
            or card.place == to
        ):
            return None
        if len(moves) == 1:
            return WELL_MOVED if compatibility.spot_of_move(table, card, to) is compatibility.GOOD_SPOT else None
        moved.append((card, to))
    if len(moved) != 2 or moved[0][0] is moved[1][0]:
        return None
    return BOTH_WELL_MOVED if compatibility.spots_of_moves(table, moved) is compatibility.GOOD_SPOTS else None


# -- what is offered ---------------------------------------------------------------------------------------------------


def movable(table: Phylo, player: str) -> list[PhyloCard]:
    """Return the Species in play that a player may move (ruling `move_whose`)."""
    anybodys = table.options["move_whose"] == "any"
    return [card for card in table.zones[TABLEAU].cards if anybodys or card.controller == player]


def moves_of_one(table: Phylo, player: str) -> list[Event]:
    """Return the moves of one Species."""
    spots = spots_now(table, player)
    return [
        ev.SpeciesMoved(player=player, moves=(ev.SpeciesMove(card=card.name, to=cell),))
        for card in movable(table, player)
        for cell in destinations(table, card, spots)
    ]


def destinations(table: Phylo, card: PhyloCard, spots: Spots) -> list[Cell]:
    """Return the cells to which a Species in play may be moved; `spots` are those of the tableau as it is.

    When it is lifted only the cells change that lie beside its own one, or beside those that it alone joins. The scale
    fits these too, as its own goes with itself, but a way may be missing.
    """
    place = card.place
    if place is None or table.cells.get(place) is not card:
        return []
    if table.own_anchor or table.own_only or table.beside_any or table.stacked:
        return spots_of_lifted(table, card, {place})
    lost = disconnected_by(card, NONE)
    changed = cells_beside(table, (card, *lost))
    cells, outskirts = table.cells, table.outskirts
    return [
        cell
        for cell in spots[card.scale]
        if cell not in changed or cell in outskirts or leads_on(table.beside(cell, cells, lifted=card), lost)
    ]


def spots_of_lifted(table: Phylo, card: PhyloCard, lifted: AbstractSet[Cell | None]) -> list[Cell]:
    """Return where a Species in play fits, with nothing on the cells from which it and others are lifted."""
    cells = {cell: other for cell, other in table.cells.items() if cell not in lifted}
    spots = free_spots(table, card.controller, cells)
    return [cell for cell in spots[card.scale] if cell not in lifted]


def broken(table: Phylo, player: str) -> list[PhyloCard]:
    """Return those Species that a player may move that are cut off or incompatible."""
    return [card for card in movable(table, player) if card.cut_off or card.clashing]


def lifted_first(table: Phylo, first: PhyloCard, second: PhyloCard) -> frozenset[Cell | None]:
    """Return from which cells something is lifted when the first of two Species is moved (ruling `move_check`)."""
    both = table.options["move_check"] == "end_state"
    return frozenset({first.place, second.place} if both else {first.place})


def moves_of_two(
    table: Phylo, player: str, first: PhyloCard, second: PhyloCard, first_to: Cell | None = None
) -> Iterator[Event]:
    """Return the moves of two Species, the second one tested after the first one lies (on `first_to`)."""
    away = {first.place, second.place}
    left = {cell: other for cell, other in table.cells.items() if cell not in away}
    for one in spots_of_lifted(table, first, lifted_first(table, first, second)):
        if one in away or first_to not in {None, one}:
            continue
        for two in free_spots(table, second.controller, {**left, one: first})[second.scale]:
            if two not in away:
                moves = (ev.SpeciesMove(card=first.name, to=one), ev.SpeciesMove(card=second.name, to=two))
                yield ev.SpeciesMoved(player=player, moves=moves)


def offer_moves(table: Phylo, player: str) -> Iterator[Event]:
    """Yield the moves of one Species, and those of two that are broken."""
    yield from moves_of_one(table, player)
    for pair in combinations(broken(table, player), 2):
        for first, second in permutations(pair):
            yield from moves_of_two(table, player, first, second)


@move(
    ev.SpeciesMoved,
    usually(
        moves_well,
        *(TURN, known_card, three_actions, stop(at_most_two), stop(own_species)),
        group_check(lambda table, event: compatibility.spots_of_moves(table, moving(table, event))),
    ),
    offers=offer_moves,
)
def species_moved(table: Phylo, event: ev.SpeciesMoved) -> None:
    """Move Species in the written order; Events beneath them come along."""
    moves, cards = event.moves, table.cards
    act(table, event.player)
    if len(moves) > 1 and table.options["move_check"] == "end_state":
        for lifted, _ in moving(table, event):
            tableau.withdraw(table, lifted)
    for each in moves:
        card = cards.get(each.card)
        if card is None or card.zone.name != TABLEAU:
            continue
        tableau.withdraw(table, card)
        tableau.lay(table, card, card.controller, each.to)
        table.applied.append("phylogenome.move.compatible-spot")
        if card.beneath:
            table.applied += "phylogenome.event.travels-with-host", "phylogenome.move.carries-events"


RELOCATED_SPECIES: Final = follows(
    ev.SpeciesRelocated,
    rule=AS_DECLARED,
    why=lambda table, event: f"no Event has just done that; {where_is(table, event.card)}",
    adopt=adopted(effects.relocate),
)
