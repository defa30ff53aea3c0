"""How good a table looks to a greedy bot, and a decision that it has not tried yet: which look alike, how good at most.

A legal spot fits its neighbours and is joined: a Species that is laid there breaks nothing, and repairs something only
beside one that is cut off. What breaks or is repaired where a Species is lifted is the same wherever it goes.
"""

from collections.abc import Collection, Hashable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from math import inf
from operator import attrgetter
from typing import Final

from msgspec import UNSET

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome import state
from tabletape.projector.games.phylogenome.scoring import GENERATION, TEXT, facing, worth
from tabletape.projector.games.phylogenome.state import Cell, Phylo, PhyloCard, is_species
from tabletape.projector.games.phylogenome.steps import broken, may_end_with_turn
from tabletape.projector.games.phylogenome.ways import cells_beside, lost_without
from tabletape.projector.kit.memo import Memo
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.game import Glance

AREAS: Final = attrgetter("interest_areas")
WAITING_COST: Final = 0.3
"""What it costs that a Species waits in the hand or the deck."""
BROKEN_COST: Final = 2
"""What it costs that a Species is cut off or incompatible."""
ACTION: Final = 0.05
"""What an action that is left over is worth."""

GAINING_NOTHING: Final = frozenset({"draw", "forbid", "look_at_deck", "recover_from_discard"})
"""What an Event does that makes a table look no better: cards are drawn later, by luck."""
POINTS_CHANGES: Final = (["points_add"], ["points_set"])


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
    waiting = kinds.count(state.SPECIES)
    left = mine.actions if table.active == player else state.TURN_ACTIONS
    steps = 4 * mine.generation + 0.5 * min(mine.first_generation, state.NEEDED_SPECIES)
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
"""Species that are moved one after the other; none where one is laid."""
Numbers = tuple[int, int]
"""How many Species of the player are broken, and how many of the other one."""
NO_CELLS: Final[frozenset[Cell]] = frozenset()


class _Lifted:
    """What it comes to that Species are lifted one after the other, and each laid on a good spot.

    Cut off are then those that were it and those that lose their ways; beside a spot all of them are joined again that
    hang together. `clashing` are those that may be repaired wherever the spots are. A spot in `doubtful` may itself
    hang on what is lifted later.
    """

    __slots__ = ("_beside", "_cut_off", "_player", "_seen", "_table", "broken", "clashing", "doubtful")

    def __init__(self, table: Phylo, player: str, wrong: Sequence[PhyloCard], names: Names) -> None:
        cards = [table.cards[name] for name in names]
        lost = lost_without(cards)
        self.clashing: list[PhyloCard] = []
        if table.clashing:
            self.clashing = [each for card in cards for each in card.near if each.clashing and each not in cards]
        self._table, self._player, self._seen = table, player, names if self.clashing else ()
        left = {*lost, *wrong}.difference(cards) if lost or wrong else ()
        self.broken = _numbers(player, left)
        self._cut_off = {card for card in left if card.cut_off or card in lost}
        self._beside = cells_beside(table, self._cut_off)
        self.doubtful: AbstractSet[Cell] = NO_CELLS
        if len(cards) > 1 and (lost or table.cut_off) and not all(card.cut_off for card in cards):
            self.doubtful = self._beside | cells_beside(table, cards[1:])

    def look(self, by: str, cells: Collection[Cell]) -> Hashable:
        """Return what it comes to that Species are laid on these cells `by` a card or none; None where it is open."""
        if self.doubtful and not self.doubtful.isdisjoint(cells):
            return None
        return by, self.broken if self._beside.isdisjoint(cells) else self.broken_after(cells), self._seen

    def broken_after(self, cells: Collection[Cell]) -> Numbers:
        """Return how many are broken once Species lie on these cells, if no clash is repaired."""
        if self._beside.isdisjoint(cells):
            return self.broken
        cut_off = self._cut_off
        joined = cut_off.intersection([card for cell in cells for card in self._table.beside(cell, self._table.cells)])
        ahead = [*joined]
        for here in ahead:
            near = cut_off.intersection(here.near) - joined
            joined |= near
            ahead += near
        mine, theirs = _numbers(self._player, [card for card in joined if not card.clashing])
        return self.broken[0] - mine, self.broken[1] - theirs


def _numbers(player: str, cards: Collection[PhyloCard]) -> Numbers:
    mine = len([1 for card in cards if card.controller == player])
    return mine, len(cards) - mine


class PhyloGlance(Glance):
    """What is seen of the decisions of a player on a table."""

    def __init__(self, table: Phylo, player: str) -> None:
        super().__init__(table, player)
        self._wrong = broken(table)
        self._lifted = Memo(partial(_Lifted, table, player, self._wrong))
        self._does = Memo(partial(_does, table))
        self._in_order = table.options["move_check"] != "end_state"
        self._is_usual = not (table.own_anchor or table.beside_any or table.joined_only or table.stacked)

    def _moves_of(self, event: Event) -> tuple[_Lifted, Sequence[Cell]] | None:
        """Return the Species that a decision lifts and lays, which is all that it does, and the cells for them.

        None where it does more, or moves in no order (ruling).
        """
        lifted = self._lifted
        if type(event) is ev.SpeciesMoved:
            if not self._in_order:
                return None
            one, *others = event.moves
            names = (one.card, *[each.card for each in others]) if others else (one.card,)
            return lifted.get(names) or lifted[names], [each.to for each in event.moves]
        if type(event) is ev.EventPlayed and event.cell is not UNSET and self._does[event.card] == ["move"]:
            return lifted[str(event.target),], (event.cell,)
        return None

    # -- what looks alike ----------------------------------------------------------------------------------------------

    def alike(self, events: Sequence[Event]) -> list[Hashable]:
        """Return what a table looks like after legal decisions, None where that takes more than a look."""
        return [self._look(event) if self._is_usual else None for event in events]

    def _look(self, event: Event) -> Hashable:
        kind = type(event)
        if (moves := self._moves_of(event)) is not None:
            lifted, cells = moves
            return lifted.look(event.card if type(event) is ev.EventPlayed else "", cells)
        if isinstance(event, ev.SpeciesPlayed):
            return kind, event.card, self._lifted[()].broken_after((event.cell,))
        if isinstance(event, ev.CardsCycled):
            return kind, is_species(self.table.cards[event.discarded])
        if isinstance(event, ev.EventPlayed) and self._does[event.card] == ["recover_from_discard"]:
            return kind, event.card
        return None

    # -- how good it looks at most -------------------------------------------------------------------------------------

    def at_most(self, events: Sequence[Event]) -> list[float]:
        """Return what the value of a table does not exceed after legal decisions: infinite where only a try tells."""
        table = self.table
        if not self._is_usual or table.both_blamed or table.ends_at_once:
            return [inf for _ in events]
        now, broken_now = value(table, self.player) - ACTION, _numbers(self.player, self._wrong)
        return [now + self._most(event, broken_now) for event in events]

    def _most(self, event: Event, broken_now: Numbers) -> float:
        """Return how much a decision gains at most, beside the action that it takes."""
        if (moves := self._moves_of(event)) is not None:
            lifted, cells = moves
            mine, theirs = lifted.broken_after(cells)
            if lifted.doubtful and not lifted.doubtful.isdisjoint(cells):
                mine, theirs = 0, lifted.broken[1] + len(cells)
            elif lifted.clashing:
                mine -= _numbers(self.player, lifted.clashing)[0]
            return BROKEN_COST * (broken_now[0] - mine + theirs - broken_now[1])
        if isinstance(event, ev.CardsCycled):
            return WAITING_COST
        if type(event) is ev.TurnEnded and not self._wrong and not may_end_with_turn(self.table):
            spent: int = state.TURN_ACTIONS - self.table.players[self.player].actions
            return ACTION * (spent + 1)  # nothing is discarded, and all actions come back
        return self._most_of_event(event, broken_now) if isinstance(event, ev.EventPlayed) else inf

    def _most_of_event(self, event: ev.EventPlayed, broken_now: Numbers) -> float:
        """Return the same of an Event that moves nothing."""
        does = self._does[event.card]
        if does == ["scale_add"]:
            return BROKEN_COST * (broken_now[0] + 1)  # it has changed last, so no other one is to blame
        if does in POINTS_CHANGES:
            return _points_gained(self.table, self.player, event)
        return 0.0 if does and GAINING_NOTHING.issuperset(does) else inf


def _does(table: Phylo, card: str) -> list[str]:
    """Return what an Event does that is paid for with nothing, and does not stay on the table."""
    says = table.cards[card].text.says
    return [] if says.pays or says.mode == "table" else [each.verb for each in says.effects]


def _points_gained(table: Phylo, player: str, event: ev.EventPlayed) -> float:
    """Return how much a player gains by an Event that lies beneath a Species and changes its points."""
    says, species = table.cards[event.card].text.says, table.cards[str(event.target)]
    if says.mode != state.BENEATH or species.beneath or species.text is None:
        return inf
    points: int = says.effects[0].n - (species.text.points if says.effects[0].verb == "points_set" else 0)
    return points if species.controller == player else -points
