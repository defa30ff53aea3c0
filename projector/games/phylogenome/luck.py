"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.chapters.drawing import due_of_draws
from tabletape.projector.games.phylogenome.chapters.setup import due_in_setup
from tabletape.projector.games.phylogenome.grid import Cell
from tabletape.projector.games.phylogenome.scoring import GENERATION, TEXT, facing, worth
from tabletape.projector.games.phylogenome.state import IN_A_TURN, NEEDED, SETUP, Phylo, PhyloCard, beside, is_species
from tabletape.projector.games.phylogenome.ways import NONE, disconnected_by
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import Dice

AREAS: Final = attrgetter("interest_areas")


def due(table: Phylo) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up in any order."""
    return list(due_in_setup(table)) if table.phase == SETUP else due_of_draws(table)


def fill_in_chance(table: Phylo, event: Event, dice: Dice) -> Event:
    """Return a decision as it is; of the cards that were looked at those that are not kept go under the real deck."""
    if isinstance(event, ev.CardKept) and table.owed:
        dice.put_under(event.player, [name for name in table.owed[0].cards if name != event.card])
    return event


def value(table: Phylo, player: str) -> float:
    """Return how good a table is for a player: the lead in points without chains, less what is broken.

    A Species that waits in the hand or the deck is worth less than none, so that games come to an end; an action that
    changes nothing is worth less than one that is left over, so that nobody moves Species for nothing.
    """
    mine = table.players[player]
    in_hand: list[PhyloCard] = table.hands[player].cards
    in_deck: list[PhyloCard] = table.decks[player].cards
    waiting = len([card for pile in (in_hand, in_deck) for card in pile if is_species(card)])
    left = mine.actions if table.active == player else IN_A_TURN
    steps = 4 * mine.generation + 0.5 * min(mine.first_generation, NEEDED)
    return _worth(table, player) - _worth(table, mine.opponent) + steps - 0.3 * waiting + 0.05 * left


def alike(table: Phylo, events: Iterable[Event]) -> list[Hashable]:
    """Return what a table looks like after legal decisions by, where their cells do not matter; None where they may.

    A legal spot fits its neighbours and is joined: a Species that is laid there breaks nothing, and repairs something
    only beside one that is cut off. What breaks or is repaired where a Species is lifted is the same wherever it goes.
    """
    if table.own_anchor or table.beside_any or table.joined_only or table.stacked:
        return [None for _ in events]
    lifted: dict[tuple[str, ...], _Lifted] = {}
    return [_look(table, event, lifted) for event in events]


class _Lifted(msgspec.Struct):
    """Species that are lifted one after the other, those that are lost then, and what their moves look like."""

    cards: list[PhyloCard]
    lost: AbstractSet[PhyloCard]
    look: Hashable


def _look(table: Phylo, event: Event, known: dict[tuple[str, ...], _Lifted]) -> Hashable:
    if isinstance(event, ev.SpeciesPlayed):
        return None if _joins(table, event.cell, NONE, ()) else ("played", event.card)
    if not isinstance(event, ev.SpeciesMoved) or table.options["move_check"] == "end_state":
        return None
    names = tuple([move.card for move in event.moves])
    lifted = known.get(names)
    if lifted is None:
        lifted = known[names] = _lifted(table, names)
    if table.cut_off or lifted.lost:
        cards = lifted.cards
        for number, move in enumerate(event.moves, 1):
            if _joins(table, move.to, {*lifted.lost, *cards[number:]}, cards[:number]):
                return None
    return lifted.look


def _lifted(table: Phylo, names: tuple[str, ...]) -> _Lifted:
    cards = [table.cards[name] for name in names]
    lost: set[PhyloCard] = set()
    for number, card in enumerate(cards):
        lost |= disconnected_by(card, {*lost, *cards[:number]})
    is_all_sound = not lost and not any(each.cut_off or each.clashing for card in cards for each in (card, *card.near))
    return _Lifted(cards, lost, "moved" if is_all_sound else ("moved", *sorted(names)))


def _joins(table: Phylo, cell: Cell, lost: AbstractSet[PhyloCard], lifted: Sequence[PhyloCard]) -> bool:
    """Return whether beside a cell lies a Species that is cut off, or lost where others are lifted."""
    if not table.cut_off and not lost:
        return False
    return any((each.cut_off or each in lost) and each not in lifted for each in beside(table, cell, table.cells))


def _worth(table: Phylo, player: str) -> float:
    """Return the points of the Species facing a player, technology and interest areas, less what is broken."""
    cards = facing(table, player)
    texts = [*map(TEXT, cards)]
    points: int = sum([worth(table, card) if card.beneath else card.text.points for card in cards])
    technology: int = sum(map(GENERATION, texts))
    is_any_broken = table.cut_off or table.clashing
    broken = len([1 for card in cards if card.cut_off or card.clashing]) if is_any_broken else 0
    areas = len(set().union(*map(AREAS, texts)))
    events = len(zone_of(table, "table", player).cards)
    return points + technology + 0.5 * areas - 2 * broken + 0.5 * events
