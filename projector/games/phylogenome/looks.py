"""How good a table looks to a greedy bot, and a decision that it has not tried yet: which look alike, how good at most.

A legal spot fits its neighbours and is joined: a Species that is laid there breaks nothing, and repairs something only
beside one that is cut off. What breaks or is repaired where a Species is lifted is the same wherever it goes.
"""

from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from math import inf
from operator import attrgetter, contains
from typing import Final

import msgspec
from msgspec import UNSET

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.grid import Cell
from tabletape.projector.games.phylogenome.scoring import GENERATION, TEXT, facing, worth
from tabletape.projector.games.phylogenome.state import (
    NEEDED_SPECIES,
    SPECIES,
    TURN_ACTIONS,
    Phylo,
    PhyloCard,
    beside,
    is_species,
)
from tabletape.projector.games.phylogenome.steps import broken
from tabletape.projector.games.phylogenome.ways import disconnected_by, neighbours
from tabletape.projector.kit.memo import Memo
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.game import Dice

AREAS: Final = attrgetter("interest_areas")
WAITING_COST: Final = 0.3
"""What it costs that a Species waits in the hand or the deck."""
BROKEN_COST: Final = 2
"""What it costs that a Species is cut off or incompatible."""
ACTION: Final = 0.05
"""What an action that is left over is worth."""


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
    kinds = [card.text.kind for pile in (in_hand, in_deck) for card in pile if card.text is not None]
    waiting = kinds.count(SPECIES)
    left = mine.actions if table.active == player else TURN_ACTIONS
    steps = 4 * mine.generation + 0.5 * min(mine.first_generation, NEEDED_SPECIES)
    return _worth(table, player) - _worth(table, mine.opponent) + steps - WAITING_COST * waiting + ACTION * left


def _worth(table: Phylo, player: str) -> float:
    """Return the points of the Species facing a player, technology and interest areas, less what is broken."""
    cards = facing(table, player)
    texts = [*map(TEXT, cards)]
    points: int = sum([worth(table, card) if card.beneath else card.text.points for card in cards])
    technology: int = sum(map(GENERATION, texts))
    is_any_broken = table.cut_off or table.clashing
    wrong = len([1 for card in cards if card.cut_off or card.clashing]) if is_any_broken else 0
    areas = len(set().union(*map(AREAS, texts)))
    events = len(zone_of(table, "table", player).cards)
    return points + technology + 0.5 * areas - BROKEN_COST * wrong + 0.5 * events


# -- before it is tried ------------------------------------------------------------------------------------------------

Names = tuple[str, ...]
"""Species that are moved one after the other."""


class _Lifted(msgspec.Struct):
    """What it comes to that Species are lifted one after the other, wherever each of them goes.

    `lost` are those that lose their ways, `repaired` those that are broken and may be sound then, where nobody is
    joined again: beside the cells `joining`, for each of the moves, somebody may be. `look` is what their moves look
    like where that is not so.
    """

    lost: AbstractSet[PhyloCard]
    repaired: AbstractSet[PhyloCard]
    joining: Sequence[AbstractSet[Cell]]
    look: Hashable

    def joins(self, cells: Iterable[Cell]) -> bool:
        """Return whether one of them comes to lie beside another one that is cut off, or lost."""
        return any(map(contains, self.joining, cells))


def _lifted(table: Phylo, names: Names, wrong: Sequence[PhyloCard]) -> _Lifted:
    """Return what it comes to that Species are lifted; `wrong` are those that are broken now."""
    cards = [table.cards[name] for name in names]
    lost: set[PhyloCard] = set()
    for number, card in enumerate(cards):
        lost |= disconnected_by(card, {*lost, *cards[:number]})
    repaired = {each for card in cards for each in (card, *card.near) if each.cut_off or each.clashing}
    look = ("moved", *sorted(names)) if lost or repaired else "moved"
    astray = lost.union([card for card in wrong if card.cut_off])
    joining = [
        _around(table, astray.union(cards[number:]).difference(cards[:number])) if astray else NO_CELLS
        for number in range(1, len(cards) + 1)
    ]
    return _Lifted(lost, repaired, joining, look)


NO_CELLS: Final[frozenset[Cell]] = frozenset()


def _around(table: Phylo, cards: Iterable[PhyloCard]) -> AbstractSet[Cell]:
    return {cell for card in cards if card.place is not None for cell in neighbours(table, card.place)}


def _is_unusual(table: Phylo) -> bool:
    """Return whether more hangs on cells than what is said above."""
    return table.own_anchor or table.beside_any or table.joined_only or table.stacked


def _moves_of(table: Phylo, event: Event) -> tuple[Names, Sequence[Cell]] | None:
    """Return the Species that a decision moves, which is all that it does, and their cells.

    None where it does more, or moves in no order (ruling).
    """
    if type(event) is ev.SpeciesMoved:
        if table.options["move_check"] == "end_state":
            return None
        if len(event.moves) == 1:
            (move,) = event.moves
            return (move.card,), (move.to,)
        return tuple([each.card for each in event.moves]), [each.to for each in event.moves]
    if isinstance(event, ev.EventPlayed) and event.cell is not UNSET and _does(table, event) == ["move"]:
        return (str(event.target),), (event.cell,)
    return None


def _does(table: Phylo, event: ev.EventPlayed) -> list[str]:
    """Return what an Event does that is paid for with nothing, and does not stay on the table."""
    says = table.cards[event.card].text.says
    return [] if says.pays or says.mode == "table" else [each.verb for each in says.effects]


# -- what looks alike --------------------------------------------------------------------------------------------------


def alike(table: Phylo, events: Iterable[Event]) -> list[Hashable]:
    """Return what a table looks like after legal decisions by, where their cells do not matter; None where they may."""
    if _is_unusual(table):
        return [None for _ in events]
    wrong = broken(table)
    lifted = Memo(lambda names: _lifted(table, names, wrong))
    return [_look(table, event, lifted) for event in events]


def _look(table: Phylo, event: Event, known: Memo) -> Hashable:
    if isinstance(event, ev.SpeciesPlayed):
        is_joining = table.cut_off and any(each.cut_off for each in beside(table, event.cell, table.cells))
        return None if is_joining else ("played", event.card)
    if isinstance(event, ev.CardsCycled):
        return "cycled", is_species(table.cards[event.discarded])
    if moves := _moves_of(table, event):
        lifted: _Lifted = known[moves[0]]
        if lifted.joins(moves[1]):
            return None
        return ("by", event.card, lifted.look) if isinstance(event, ev.EventPlayed) else lifted.look
    if isinstance(event, ev.EventPlayed) and _does(table, event) == ["recover_from_discard"]:
        return "recovered", event.card
    return None


# -- how good it looks at most -----------------------------------------------------------------------------------------


def at_most(table: Phylo, player: str, events: Iterable[Event]) -> list[float]:
    """Return what the value of a table does not exceed after legal decisions: infinite where only a try tells."""
    if _is_unusual(table) or table.both_blamed or table.ends_at_once:
        return [inf for _ in events]
    now = value(table, player) - ACTION
    wrong = broken(table)
    mine = _number_of(player, wrong)
    known = Memo(lambda names: _gains(player, _lifted(table, names, wrong), mine))
    return [now + _most(table, event, known, mine) for event in events]


Gains = tuple[Sequence[AbstractSet[Cell]], float, float]
"""The cells where somebody may be joined again, for each move, and how much is gained elsewhere and there, at most."""


def _gains(player: str, lifted: _Lifted, wrong: int) -> Gains:
    """Return how much moves gain at most: they repair some of the player's own, and break some of the other's.

    So many of the player's own are `wrong` now.
    """
    breaks = len(lifted.lost) - _number_of(player, lifted.lost)
    repairs = _number_of(player, lifted.repaired)
    return (
        lifted.joining if any(lifted.joining) else (),
        BROKEN_COST * (breaks + repairs),
        BROKEN_COST * (breaks + wrong),
    )


def _most(table: Phylo, event: Event, known: Memo, wrong: int) -> float:
    """Return how much a decision gains at most, beside the action that it takes; `wrong` as above."""
    moves = _moves_of(table, event)
    if moves is not None:
        names, cells = moves
        gains: Gains = known.get(names) or known[names]
        joining, elsewhere, there = gains
        return there if joining and any(map(contains, joining, cells)) else elsewhere
    if isinstance(event, ev.CardsCycled):
        return WAITING_COST
    if isinstance(event, ev.EventPlayed) and _does(table, event) == ["scale_add"]:
        return BROKEN_COST * (wrong + 1)  # it has changed last, so no other one is to blame
    return inf


def _number_of(player: str, cards: Iterable[PhyloCard]) -> int:
    return len([1 for card in cards if card.controller == player])
