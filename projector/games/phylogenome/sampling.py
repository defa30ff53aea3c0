"""Some legal decisions, each as likely, without making all of them: the moves of two Species are tens of thousands.

What might be done is numbered, not made: a kind of decision, its cards and its cells. A number is drawn, and what it
stands for is put to the same questions that `legal` asks; where the answer is no another number is drawn. So each legal
decision is as likely as any other. Where that finds too few, all legal ones are made after all.
"""

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any, Final

import msgspec

from events.games import phylogenome as ev
from events.vocabulary import Event
from projector.games.phylogenome.grid import Cell
from projector.games.phylogenome.legal import (
    actors,
    broken,
    cycles,
    event_plays,
    hand_of,
    is_joined_now,
    legal,
    movable,
)
from projector.games.phylogenome.playable import playable, spot_of
from projector.games.phylogenome.state import CLEARED, EVENT, Occupied, Phylo, PhyloCard, scale_of
from projector.games.phylogenome.ways import neighbours, out_of_reach
from projector.model.game import Dice

FEW: Final = 60
"""Up to so many candidates all legal decisions are made."""
TRIES: Final = 12
"""So many candidates are drawn for each decision that is asked for before all legal ones are made."""
LEAST_TRIES: Final = 200
"""And at least so many in all."""

Candidate = Callable[[int], Event | None]
"""What a number stands for, or None where that is not legal."""


def sample(table: Phylo, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return at most `most` of the legal decisions of a player: all, or as many of them, each as likely."""
    if player not in actors(table) or table.owed or table.phase == CLEARED or table.players[player].actions <= 0:
        return _some(legal(table, player), dice, most)
    candidates = _Candidates(table, player)
    number = candidates.number
    if number <= FEW:
        return _some(legal(table, player), dice, most)
    found: dict[int, Event] = {}
    numbers = range(number)
    for _ in range(max(TRIES * most, LEAST_TRIES)):
        drawn = dice.choose(numbers)
        event = None if drawn in found else candidates.event(drawn)
        if event is not None:
            found[drawn] = event
            if len(found) == most:
                return list(found.values())
    return _some(legal(table, player), dice, most)


def _some(events: Sequence[Event], dice: Dice, most: int) -> Sequence[Event]:
    return events if len(events) <= most else dice.sample(events, most)


class _Candidates:
    """All that a player might do, numbered from 0: first what is legal for sure, then by kinds of decisions."""

    def __init__(self, table: Phylo, player: str) -> None:
        self._table = table
        self._player = player
        around = {each for cell in table.cells for each in neighbours(table, cell)}
        self._free_cells = around.difference(table.cells)
        self._free = sorted(self._free_cells)
        hand = hand_of(table, player)
        self._hand = playable(table, player, hand)
        self._movable = movable(table, player)
        self._pairs = [*permutations(broken(table, player), 2)]
        self._sure: list[Event] = [ev.TurnEnded(player=player), *cycles(table, player, hand)]
        self._moving: list[ev.EventPlayed] = []
        self._read_events(hand)
        self._around = 8 if table.diagonal else 4
        free, pairs = len(self._free), len(self._free) + self._around
        self._kinds: list[tuple[int, Candidate]] = [
            (len(self._sure), self._sure.__getitem__),
            (len(self._hand) * free, self._play),
            (len(self._movable) * free, self._move),
            (len(self._pairs) * free * pairs, self._move_of_two),
            (len(self._moving) * free, self._event_that_moves),
        ]
        self.number = sum(number for number, _ in self._kinds)

    def _read_events(self, hand: list[PhyloCard]) -> None:
        if self._table.event_played:
            return
        for card in hand:
            if card.text.kind == EVENT:
                kept: Any = self._moving if card.text.says.moves else self._sure
                kept += event_plays(self._table, self._player, card, hand)

    def event(self, number: int) -> Event | None:
        """Return the decision that a number stands for, or None where it is not legal."""
        for many, candidate in self._kinds:
            if number < many:
                return candidate(number)
            number -= many
        return None

    # -- kinds -----------------------------------------------------------------------------------------------------

    def _play(self, number: int) -> Event | None:
        which, where = divmod(number, len(self._free))
        card, cell, table = self._hand[which], self._free[where], self._table
        if not spot_of(table, self._player, cell, table.cells).fits(scale_of(card)):
            return None
        if not self._is_joined(cell, self._player, table.cells, None):
            return None
        return ev.SpeciesPlayed(player=self._player, card=card.name, cell=cell)

    def _move(self, number: int) -> Event | None:
        which, where = divmod(number, len(self._free))
        card, cell = self._movable[which], self._free[where]
        if not self._may_move(card, cell):
            return None
        return ev.SpeciesMoved(player=self._player, moves=(ev.Move(card=card.name, to=cell),))

    def _event_that_moves(self, number: int) -> Event | None:
        which, where = divmod(number, len(self._free))
        played, cell = self._moving[which], self._free[where]
        target: Any = played.target
        may = self._may_move(self._table.card(target), cell)
        return msgspec.structs.replace(played, cell=cell) if may else None

    def _move_of_two(self, number: int) -> Event | None:
        table, free = self._table, self._free
        number, second_cell = divmod(number, len(free) + self._around)
        pair, first_cell = divmod(number, len(free))
        first, second = self._pairs[pair]
        one = free[first_cell]
        left = {cell: card for cell, card in table.cells.items() if card is not first and card is not second}
        at_the_end = table.options["move_check"] == "end_state"
        before: Occupied = left if at_the_end else {**left, second.place: second}  # type: ignore[dict-item]  # it has a place
        if not spot_of(table, first.controller, one, before).fits(scale_of(first)):
            return None
        cells = {**left, one: first}
        two = self._second(second_cell, one)
        if two is None or two in cells or two in {first.place, second.place}:
            return None
        if not spot_of(table, second.controller, two, cells).fits(scale_of(second)):
            return None
        if not self._is_joined(one, first.controller, before, None):
            return None
        if not self._is_joined(two, second.controller, cells, None):
            return None
        moves = (ev.Move(card=first.name, to=one), ev.Move(card=second.name, to=two))
        return ev.SpeciesMoved(player=self._player, moves=moves)

    def _second(self, number: int, one: Cell) -> Cell | None:
        """Return a free cell by its number, or one that is free only beside the cell to which the first one moves."""
        free = self._free
        if number < len(free):
            return free[number]
        around = neighbours(self._table, one)
        beside = number - len(free)
        return around[beside] if beside < len(around) and around[beside] not in self._free_cells else None

    # -- what is asked of a cell -----------------------------------------------------------------------------------

    def _may_move(self, card: PhyloCard, cell: Cell) -> bool:
        """Return whether a Species in play may be moved to a free cell."""
        table, place = self._table, card.place
        if place is None or table.cells.get(place) is not card:
            return False
        cells = {each: other for each, other in table.cells.items() if each != place}
        if not spot_of(table, card.controller, cell, cells).fits(scale_of(card)):
            return False
        return self._is_joined(cell, card.controller, cells, card)

    def _is_joined(self, cell: Cell, player: str, cells: Occupied, lifted: PhyloCard | None) -> bool:
        """Return whether a cell hangs together with the progress cards, as `legal` has it."""
        table = self._table
        around = neighbours(table, cell)
        if table.beside_any:
            return any(each in cells for each in around)
        simple = not (table.own_anchor or table.own_only or table.stacked)
        if simple and (cells is table.cells or (lifted is not None and self._is_at_edge(lifted))):
            return is_joined_now(table, cell, cells)
        lost = out_of_reach(table, cells, player)
        return any(each in cells and each not in lost for each in around)

    def _is_at_edge(self, card: PhyloCard) -> bool:
        """Return whether nothing is cut off where a Species is lifted."""
        around = neighbours(self._table, card.place)  # type: ignore[arg-type]  # it lies on a cell
        return not card.cut_off and sum(cell in self._table.cells for cell in around) <= 1
