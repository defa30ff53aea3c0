"""The legal decisions of a player, from what that player may see: the tableau and the own hand.

Of moves those of one Species are given, and those of two where both are cut off or incompatible: all pairs together
would be hundreds of thousands, and a pair is what two single moves are.

A bot may ask for some of all of them, each as likely. Where no two Species may be moved together they are soon made.
Else the moves of two are numbered, not made: a pair, a cell that fits the first Species, and a cell for the second one.
A number is drawn, and what it stands for is put to the rules; where it breaks one another number is drawn. So each
legal decision is as likely as any other. Where that finds too few, all legal ones are made after all.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import permutations
from typing import Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.chapters import moving
from tabletape.projector.games.phylogenome.chapters.compatibility import is_good_spot
from tabletape.projector.games.phylogenome.chapters.events import offer_kept
from tabletape.projector.games.phylogenome.chapters.turns import TURN_ENDED
from tabletape.projector.games.phylogenome.playable import spots_kept
from tabletape.projector.games.phylogenome.state import CLEARED_STAGE, Cell, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.turn import MOVES
from tabletape.projector.games.phylogenome.ways import lost_without, neighbours, without
from tabletape.projector.kit.memo import Memo
from tabletape.projector.kit.moves import Move, offered
from tabletape.projector.model.dice import Dice

ORDER: Final = (ev.SpeciesPlayed, ev.SpeciesMoved, ev.CardsCycled, ev.EventPlayed)
"""What an action may be, in the order in which it is offered."""
OFFERED_MOVES: Final = sorted((move for move in MOVES if move.line in ORDER), key=lambda move: ORDER.index(move.line))
WITHOUT_PAIRS: Final = [
    msgspec.structs.replace(move, offers=moving.moves_of_one) if move.line is ev.SpeciesMoved else move
    for move in OFFERED_MOVES
]


def legal(table: Phylo, player: str, actions: Sequence[Move] = OFFERED_MOVES) -> list[Event]:
    """Return the legal decisions of a player, whose `actions` are of these moves."""
    if player not in table.TURN.actors(table):
        return []
    if table.owed:
        return offer_kept(table, player)
    with spots_kept(table):
        return [*offered([*actions, TURN_ENDED] if _has_actions(table, player) else [TURN_ENDED], table, player)]


def offers(table: Phylo, player: str) -> list[Event]:
    """Return the legal decisions of a player but for moves of two Species, which go on from those of one (`more`)."""
    return legal(table, player, WITHOUT_PAIRS)


def _has_actions(table: Phylo, player: str) -> bool:
    return table.phase != CLEARED_STAGE and table.players[player].actions > 0


def more(table: Phylo, event: Event) -> Iterator[Event]:
    """Return the moves of two Species that begin with the move of one; other than `legal` of sound Species, too."""
    if not isinstance(event, ev.SpeciesMoved) or len(event.moves) != 1 or table.phase == CLEARED_STAGE:
        return
    moved = table.card(event.moves[0].card)
    for other in moving.movable(table, event.player):
        if other is not moved:
            yield from moving.moves_of_two(table, event.player, moved, other, event.moves[0].to)


# -- some of them ------------------------------------------------------------------------------------------------------

FEW_CANDIDATES: Final = 60
"""Up to so many candidates all legal decisions are made."""
TRIES: Final = 12
"""So many candidates are drawn for each decision that is asked for before all legal ones are made."""
LEAST_TRIES: Final = 200
"""And at least so many in all."""


def sample(table: Phylo, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return at most `most` of the legal decisions of a player: all, or as many of them, each as likely."""
    pairs = _pairs(table, player)
    candidates = _Candidates(table, player, pairs) if pairs else None
    if candidates is None or candidates.number <= FEW_CANDIDATES:
        return _some(legal(table, player), dice, most)
    drawn_events: dict[int, Event] = {}
    numbers = range(candidates.number)
    for _ in range(max(TRIES * most, LEAST_TRIES)):
        drawn = dice.choose(numbers)
        event = None if drawn in drawn_events else candidates.event(drawn)
        if event is not None:
            drawn_events[drawn] = event
            if len(drawn_events) == most:
                return list(drawn_events.values())
    return _some(legal(table, player), dice, most)


def _pairs(table: Phylo, player: str) -> list[tuple[PhyloCard, PhyloCard]]:
    """Return the Species that a player may move together, in each order; none where some lie on others (a mistake)."""
    if table.owed or table.stacked or player not in table.TURN.actors(table) or not _has_actions(table, player):
        return []
    return [*permutations(moving.broken(table, player), 2)]


def _some(events: Sequence[Event], dice: Dice, most: int) -> Sequence[Event]:
    return events if len(events) <= most else dice.sample(events, most)


class _Candidates:
    """All that a player might do, numbered from 0: first what is legal for sure, then the moves of two Species."""

    def __init__(self, table: Phylo, player: str, pairs: list[tuple[PhyloCard, PhyloCard]]) -> None:
        self._table = table
        self._player = player
        around = {each for cell in table.cells for each in neighbours(table, cell)}
        self._free = sorted(around.difference(table.cells))
        self._known: dict[tuple[PhyloCard, frozenset[Cell | None]], list[Cell]] = {}
        self._sure = offers(table, player)
        self._firsts = [(first, second, cell) for first, second in pairs for cell in self._first_cells(first, second)]
        self._at_the_end = table.options["move_check"] == "end_state"
        self._lifted = Memo(partial(_lifted, table))
        self._seconds = len(self._free) + (8 if table.diagonal else 4)
        self.number = len(self._sure) + len(self._firsts) * self._seconds

    def event(self, number: int) -> Event | None:
        """Return the decision that a number stands for, or None where it is not legal."""
        sure = self._sure
        return sure[number] if number < len(sure) else self._move_of_two(number - len(sure))

    def _first_cells(self, first: PhyloCard, second: PhyloCard) -> list[Cell]:
        """Return the cells that fit the first of two Species."""
        lifted = moving.lifted_first(self._table, first, second)
        if (first, lifted) not in self._known:
            self._known[first, lifted] = moving.spots_of_lifted(self._table, first, lifted)
        return self._known[first, lifted]

    def _move_of_two(self, number: int) -> Event | None:
        which, second_cell = divmod(number, self._seconds)
        first, second, one = self._firsts[which]
        two = self._second(second_cell, one)
        if two is None or (not self._at_the_end and not self._fits(first, second, one, two)):
            return None
        moves = ev.SpeciesMove(card=first.name, to=one), ev.SpeciesMove(card=second.name, to=two)
        event = ev.SpeciesMoved(player=self._player, moves=moves)
        if self._at_the_end:  # the rules allow more then than is offered
            return event if event in list(moving.moves_of_two(self._table, self._player, first, second, one)) else None
        return event

    def _fits(self, first: PhyloCard, second: PhyloCard, one: Cell, two: Cell) -> bool:
        """Return whether the second of two Species may be moved to a cell, as the rules judge it; the first fits."""
        cells, lost = self._lifted[first, second]
        cells[one] = first
        fits = is_good_spot(self._table, second, (second.name, second.controller, two), cells, lost)
        del cells[one]
        return fits

    def _second(self, number: int, one: Cell) -> Cell | None:
        """Return a free cell by its number, or one that is free only beside the cell to which the first one moves."""
        free = self._free
        if number < len(free):
            return free[number] if free[number] != one else None
        around = neighbours(self._table, one)
        beside = number - len(free)
        is_new = beside < len(around) and around[beside] not in self._free and around[beside] not in self._table.cells
        return around[beside] if is_new else None


Lifted = tuple[dict[Cell, PhyloCard | None], AbstractSet[PhyloCard]]


def _lifted(table: Phylo, species: tuple[PhyloCard, ...]) -> Lifted:
    """Return what lies there without Species that are lifted, and those over which no way leads for the last one."""
    return without(table, *species), {*lost_without(species), *species[:-1]}
