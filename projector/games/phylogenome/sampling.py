"""Some legal decisions, each as likely, without making all of them: the moves of two Species are tens of thousands.

What might be done is numbered, not made: a kind of decision, its cards and its cells. A number is drawn, and what it
stands for is put to the rules; where it breaks one another number is drawn. So each legal decision is as likely as any
other. Where that finds too few, all legal ones are made after all.
"""

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any, Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.chapters.cards import named_hand
from tabletape.projector.games.phylogenome.chapters.events import event_plays
from tabletape.projector.games.phylogenome.chapters.moving import broken, movable, moves_of_two
from tabletape.projector.games.phylogenome.chapters.turns import offer_exchanges
from tabletape.projector.games.phylogenome.grid import Cell
from tabletape.projector.games.phylogenome.legal import actors, legal
from tabletape.projector.games.phylogenome.moves import ROWS
from tabletape.projector.games.phylogenome.playable import playable, spot_of
from tabletape.projector.games.phylogenome.state import CLEARED, EVENT, Occupied, Phylo, PhyloCard, scale_of
from tabletape.projector.games.phylogenome.ways import neighbours
from tabletape.projector.kit.legality import keeps_all
from tabletape.projector.model.game import Dice

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
        self._free = sorted(around.difference(table.cells))
        hand = named_hand(table, player)
        self._hand = playable(table, player, hand)
        self._movable = movable(table, player)
        self._pairs = [*permutations(broken(table, player), 2)]
        self._sure: list[Event] = [ev.TurnEnded(player=player), *offer_exchanges(table, player)]
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
                return self._if_legal(candidate(number))
            number -= many
        return None

    def _if_legal(self, event: Event | None) -> Event | None:
        is_legal = event is not None and keeps_all(ROWS[type(event)], self._table, event)
        self._table.foreseen.clear()  # what the rules have found out is about this one, which may not be played
        return event if is_legal else None

    # -- kinds -----------------------------------------------------------------------------------------------------

    def _play(self, number: int) -> Event | None:
        which, where = divmod(number, len(self._free))
        card, cell = self._hand[which], self._free[where]
        fits = self._fits(card, self._player, cell, self._table.cells)
        return ev.SpeciesPlayed(player=self._player, card=card.name, cell=cell) if fits else None

    def _move(self, number: int) -> Event | None:
        which, where = divmod(number, len(self._free))
        card, cell = self._movable[which], self._free[where]
        return self._moves((card, cell)) if self._fits(card, card.controller, cell, self._table.cells) else None

    def _event_that_moves(self, number: int) -> Event:
        which, where = divmod(number, len(self._free))
        return msgspec.structs.replace(self._moving[which], cell=self._free[where])

    def _move_of_two(self, number: int) -> Event | None:
        number, second_cell = divmod(number, len(self._free) + self._around)
        pair, first_cell = divmod(number, len(self._free))
        first, second = self._pairs[pair]
        one = self._free[first_cell]
        two, cells = self._second(second_cell, one), self._table.cells
        if two is None:
            return None
        event = self._moves((first, one), (second, two))
        if self._table.options["move_check"] == "end_state":  # the rules allow more then than is offered
            return event if event in list(moves_of_two(self._table, self._player, first, second, one)) else None
        if not self._fits(first, first.controller, one, cells):
            return None
        moved = {one: first, **{cell: card for cell, card in cells.items() if card is not first}}
        return event if self._fits(second, second.controller, two, moved) else None

    def _fits(self, card: PhyloCard, player: str, cell: Cell, cells: Occupied) -> bool:
        """Return whether the scale of a Species goes with what lies beside a cell; its own cell is no hindrance.

        That is the reason why most candidates are not legal, and is soon seen: the rules also say what is wrong.
        """
        return spot_of(self._table, player, cell, cells).fits(scale_of(card))

    def _moves(self, *moves: tuple[PhyloCard, Cell]) -> Event:
        moved = tuple(ev.SpeciesMove(card=card.name, to=cell) for card, cell in moves)
        return ev.SpeciesMoved(player=self._player, moves=moved)

    def _second(self, number: int, one: Cell) -> Cell | None:
        """Return a free cell by its number, or one that is free only beside the cell to which the first one moves."""
        free = self._free
        if number < len(free):
            return free[number] if free[number] != one else None
        around = neighbours(self._table, one)
        beside = number - len(free)
        is_new = beside < len(around) and around[beside] not in self._free and around[beside] not in self._table.cells
        return around[beside] if is_new else None
