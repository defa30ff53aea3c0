"""The table of PhyloGenome: its cards, players and zones.

Species lie in the zone `tableau` in the order in which they came into play, `place` is their cell and `controller` the
player whom they face. Events lie in `table:<player>` or in `beneath` with their `host`; their `controller` played them.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Any, ClassVar, Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.projector.kit.memo import Memo
from tabletape.projector.kit.outline import Outline
from tabletape.projector.kit.owed import OwedLine
from tabletape.projector.model.changes import Change
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Player, Zone

Cell = tuple[int, int]

EDGES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
CORNERS: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1))


def _around(steps: tuple[Cell, ...]) -> dict[Cell, tuple[Cell, ...]]:
    """Return the neighbours of any cell, in the order of these steps."""
    return Memo(lambda cell: tuple([(cell[0] + across, cell[1] + down) for across, down in steps]))


FOUR: Final = _around(EDGES)
"""The cells that share an edge with a cell."""
EIGHT: Final = _around(EDGES + CORNERS)
"""The cells that touch a cell: first those that share an edge with it, then those at its corners."""

SPECIES: Final = "species"
EVENT: Final = "event"
DRAW: Final = "draw"
ACTIONS: Final = "actions"
CLEARED_STAGE: Final = "cleared"
"""What was not repaired in time is discarded already; only the end of the turn is to come."""
ENDING: Final = "ending"
"""The turn is over; nothing that follows from that has happened yet."""
OVER: Final = "over"
TABLEAU: Final = "tableau"
BENEATH: Final = "beneath"
TURN_ACTIONS: Final = 3
"""Actions of a turn."""
NEEDED_SPECIES: Final = 4
"""Species of a generation that open the next one."""


NOBODY: Final[Any] = ()
"""What lies next to a card that has no cell of its own in the tableau."""


Repair = tuple[str, int, int]
"""What was wrong with a Species, in which turn that was repaired, and since which turn it had been so."""


class PhyloCard(Card, eq=False, kw_only=True):
    """A card on the table.

    Of a Species: `raised` is what Events beneath add to its genome scale, `beneath` their names in order of play,
    `changed` the running number of its last change (laid, moved, scale), `cut_off` and `clashing` the turn since which
    it is disconnected or incompatible (0: it is not), `repaired` what was repaired last (ruling `repair_undone`). Of an
    Event: `used` is how often it was used.
    `near` are the Species on the cells next to its own (a list, or `NOBODY`), `anchored` says whether a progress card
    lies there: both follow from the cells (see `Phylo`). `came` grows in the order of coming into play, as the tableau
    has it.
    """

    controller: Internal[str] = ""
    place: Cell | None = None
    raised: int = 0
    beneath: Internal[tuple[str, ...]] = ()
    changed: Internal[int] = 0
    cut_off: Internal[int] = 0
    clashing: Internal[int] = 0
    used: int = 0
    repaired: Internal[tuple[Repair, ...]] = ()
    near: Any = NOBODY
    anchored: bool = False
    came: int = 0

    @property
    def in_play(self) -> bool:
        """Whether the card is in play: in the tableau, beneath a Species or on the table."""
        name = self.zone.name
        return name == TABLEAU or name == BENEATH or name[:6] == "table:"  # noqa: PLR1714 - faster than a set of the two

    @property
    def scale(self) -> int | None:
        """The effective genome scale of a Species, or None where it is unknown."""
        return None if self.text is None or self.text.genome_scale is None else self.text.genome_scale + self.raised


class PhyloPlayer(Player, eq=False, kw_only=True):
    """A player; `cell` is where the own progress card lies, `generation` the one reached now, `highest` the one ever.

    `counted` is the one that the Species give: the log may have said another one, with which the table went on.
    `first_generation` and so on count the Species of a generation facing the player. `forbidden_until` is the
    last turn in which no Species may be played. `listed`, `shuffled` and `opened` say how far the set-up is.
    """

    cell: Cell = (0, 0)
    generation: int = 1
    highest: Internal[int] = 1
    counted: Internal[int] = 1
    first_generation: int = 0
    second_generation: int = 0
    third_generation: int = 0
    actions: int = 0
    forbidden_until: Internal[int] = 0
    listed: Internal[bool] = False
    shuffled: Internal[bool] = False
    opened: Internal[bool] = False

    @property
    def species(self) -> int:
        """The number of Species facing the player."""
        return self.first_generation + self.second_generation + self.third_generation


Occupied = dict[Cell, PhyloCard | None]
"""The occupied cells and what lies on them: a Species, or None for a progress card."""
Foreseen = tuple[Cell, list[PhyloCard], AbstractSet[PhyloCard]]
"""The good spot of a Species, what will lie beside it, and those that are excluded once the Species is lifted."""


class Owed(OwedLine, frozen=True, kw_only=True, gc=False):
    """A draw, a look at the deck or a card to be kept: `cards` were looked at, of which so many are to `keep`."""

    cards: tuple[str, ...] = ()
    keep: int = 0


PLACE: Final = attrgetter("place")
CAME: Final = attrgetter("came")
CHANGE_NUMBER: Final = attrgetter("changed")
NUMBER: Final = attrgetter("n")
IS_CUT_OFF: Final = attrgetter("cut_off")
IS_CLASHING: Final = attrgetter("clashing")
RECKONED_FIELDS: Final = frozenset({"place", "changed", "cut_off", "clashing"})
"""Fields of Species from which something follows."""


class Phylo(Table[PhyloCard, PhyloPlayer], eq=False, kw_only=True):
    """The table.

    * `cells` says what lies on which cell, a Species or None for a progress card, `changes` is the number of the last
      change of a Species, `cut_off` and `clashing` say how many in play are so, `stacked` whether some lie on others or
      on a progress card, which no rule allows: all this follows from the cards, so it is kept up to date and not
      recorded.
    * `decks` and `hands` are zones of the players, by their ids.
    * `anchors` are the cells of the progress cards, `outskirts` those next to them.
    * `first` begins; `owed` are the lines that luck still owes, `missed` the draws of this turn that the log
      has gone on without and may still write; `event_played` whether this turn had its Event.
    * `idle` counts turns without an action in a row (ruling), `unchecked` is the card played last of which nobody can
      check what it does, `unchecked_until` the last turn in which it acts although it is in play no longer.
    * `hand_limit` is how many cards a hand holds (ruling), 0 for no limit.
    * `diagonal`, `own_only`, `both_blamed`, `own_anchor`, `beside_any`, `joined_only`, `ends_at_once`, `runs_on` are
      rulings that are looked at all the time.
    * `disturbed` says that something has changed in the tableau, `recounted` that a player may have reached or lost a
      generation; `touched` are Species that may clash now or do so no longer, `laid` those that were laid, `excluded`
      those of which no way to a progress card is known any more or yet. Between events all five are empty.
    * `foreseen` is what has just been found out about good spots, while nothing has changed since, `spots` the free
      cells for Species facing a player, while things are offered.
    """

    CARD: ClassVar[type[Card]] = PhyloCard
    OWN_ZONES: ClassVar[tuple[str, ...]] = ("decks", "hands")
    TURN: ClassVar[Outline]
    NO_STATE: ClassVar[frozenset[str]] = Table.NO_STATE | {"near", "came", "foreseen", "spots"}

    decks: dict[str, Zone] = msgspec.field(default_factory=dict)
    hands: dict[str, Zone] = msgspec.field(default_factory=dict)
    cells: dict[Cell, PhyloCard | None] = msgspec.field(default_factory=dict)
    anchors: frozenset[Cell] = frozenset()
    outskirts: frozenset[Cell] = frozenset()
    changes: int = 0
    cut_off: int = 0
    clashing: int = 0
    stacked: bool = False
    first: Internal[str] = ""
    owed: Internal[tuple[Owed, ...]] = ()
    missed: Internal[tuple[Owed, ...]] = ()
    event_played: Internal[bool] = False
    idle: Internal[int] = 0
    unchecked: Internal[str] = ""
    unchecked_until: Internal[int] = 0
    hand_limit: int = 0
    diagonal: bool = False
    own_only: bool = False
    both_blamed: bool = False
    own_anchor: bool = False
    beside_any: bool = False
    joined_only: bool = False
    ends_at_once: bool = False
    runs_on: bool = False
    touched: dict[PhyloCard, None] = msgspec.field(default_factory=dict)
    laid: dict[PhyloCard, None] = msgspec.field(default_factory=dict)
    excluded: set[PhyloCard] = msgspec.field(default_factory=set)
    foreseen: dict[PhyloCard, Foreseen] = msgspec.field(default_factory=dict)
    spots: dict[str, Any] | None = None
    disturbed: bool = False
    recounted: bool = False

    def reckon(self, changes: Sequence[Change]) -> None:
        """Work out anew what follows from the cards, where one of these fields has changed (`RECKONED_FIELDS`)."""
        fields = {field for _, field, _, _ in changes}
        if RECKONED_FIELDS.isdisjoint(fields):
            return
        if self.stacked or ("place" in fields and not self._follow_places(changes)):
            self.lay_out_cells()
            return
        self.foreseen.clear()
        self.changes = max(map(CHANGE_NUMBER, self.cards.values()), default=0)
        if "cut_off" in fields or "clashing" in fields:
            self._count_broken(self.zones[TABLEAU].cards)

    def _follow_places(self, changes: Sequence[Change]) -> bool:
        """Follow the Species that have changed their places; return whether that is all there is to lay out."""
        things, cells = self.things, self.cells
        places = [(thing.n, before, after) for thing, field, before, after in changes if field == "place"]
        there = len(things)  # some may have been taken off the table
        moved = [things[number] for number in dict.fromkeys([number for number, _, _ in places]) if number < there]
        for card in moved:
            if card.place is not None and card.near is NOBODY:
                return False  # when it came among the others is to be found out
        for _, *ends in places:
            for cell in ends:
                lying = cells.get(cell) if cell is not None else None
                if lying is not None and lying.place != cell:
                    self.vacate(cell, lying)
        for card in moved:
            if card.place is None or cells.get(card.place) is card:
                continue
            if card.place in cells:
                return False
            self.occupy(card.place, card, self.beside(card.place, cells))
        return True

    def lay_out_cells(self) -> None:
        """Work out anew which Species lies where. A cell is that one's that has lain there longest."""
        lying = [*filter(PLACE, self.zones[TABLEAU].cards)]
        for came, card in enumerate(lying):
            card.came = came
        cells: dict[Any, Any] = dict(zip(map(PLACE, lying), lying, strict=True))
        cells.update(dict.fromkeys(self.anchors))
        self.stacked = len(lying) + len(self.anchors) > len(cells)
        if self.stacked:
            oldest_last = sorted(lying, key=CHANGE_NUMBER, reverse=True)
            cells = {card.place: card for card in oldest_last} | dict.fromkeys(self.anchors)
        before: dict[Cell, Any] = self.cells
        gone = [(cell, card) for cell, card in before.items() if cells.get(cell) is not card]
        come = [(cell, card) for cell, card in cells.items() if before.get(cell) is not card]
        for cell, card in gone:
            self.vacate(cell, card)
        for cell, card in come:
            self.occupy(cell, card, self.beside(cell, self.cells))
        self.foreseen.clear()
        self.changes = max(map(CHANGE_NUMBER, self.cards.values()), default=0)
        self._count_broken(lying)

    def _count_broken(self, lying: list[PhyloCard]) -> None:
        self.cut_off = len([*filter(IS_CUT_OFF, lying)])
        self.clashing = len([*filter(IS_CLASHING, lying)])

    def begin_turn(self, player: PhyloPlayer) -> None:
        """Begin a player's turn: the draw comes first, and no action is used yet. Recorded."""
        self.next_turn(player.id)
        number = (self.turn + 1) // 2
        if number != self.round:
            self.journal.append((self, "round", self.round, number))
            self.round = number
        self.enter_phase(DRAW)
        if self.event_played:
            self.journal.append((self, "event_played", True, False))
            self.event_played = False
        if player.actions != TURN_ACTIONS:
            self.journal.append((player, "actions", player.actions, TURN_ACTIONS))
            player.actions = TURN_ACTIONS

    def place(self, card: PhyloCard, cell: Cell) -> None:
        """Place a Species on a cell, which counts as a change of it also where it has lain there. Recorded."""
        if card.place != cell:
            self.journal.append((card, "place", card.place, cell))
            card.place = cell
        self.changes = changes = self.changes + 1
        self.journal.append((card, "changed", card.changed, changes))
        card.changed = changes

    def set_cut_off(self, card: PhyloCard, since: int) -> None:
        """Set since which turn a Species is cut off (0: it is not). Recorded."""
        self.journal.append((card, "cut_off", card.cut_off, since))
        card.cut_off = since

    def set_clashing(self, card: PhyloCard, since: int) -> None:
        """Set since which turn a Species clashes (0: it does not). Recorded."""
        self.journal.append((card, "clashing", card.clashing, since))
        card.clashing = since

    def occupy(self, cell: Cell, card: PhyloCard, near: list[PhyloCard]) -> None:
        """Occupy a cell with a Species that lies there, beside others."""
        self.cells[cell] = card
        card.near = near
        card.anchored = cell in self.outskirts
        for each in near:
            around: list[PhyloCard] = each.near
            around.append(card)

    def vacate(self, cell: Cell, card: PhyloCard) -> None:
        """Free a cell of a Species."""
        del self.cells[cell]
        each: PhyloCard
        for each in card.near:
            around: list[PhyloCard] = each.near
            around.remove(card)
        card.near = NOBODY
        card.anchored = False

    def copy(self) -> "Phylo":
        """Return a copy that shares nothing that changes."""
        table: Any = super().copy()
        table.cells = {cell: card and table.things[card.n] for cell, card in self.cells.items()}
        own = table.things.__getitem__
        for card in filter(None, table.cells.values()):
            card.near = [*map(own, map(NUMBER, card.near))]
        table.touched, table.laid, table.excluded, table.foreseen = {}, {}, set(), {}
        copied: Phylo = table
        return copied

    def clear_away(self) -> None:
        """Take the table apart; Species refer to their neighbours."""
        super().clear_away()
        for card in filter(None, self.cells.values()):
            card.near = NOBODY

    def beside(self, cell: Cell, cells: Occupied, lifted: PhyloCard | None = None) -> list[PhyloCard]:
        """Return the Species next to a cell, if `cells` are the occupied ones, without one that is lifted."""
        neighbours: list[PhyloCard] = []
        for each in (EIGHT if self.diagonal else FOUR)[cell]:
            card = cells.get(each)
            if card is not None and card is not lifted:
                neighbours.append(card)
        return neighbours

    def number_to_draw(self, owed: Owed) -> int:
        """Return how many of the cards that luck owes there are: what the deck has left and the hand holds (ruling)."""
        size = self.decks[owed.player].size
        if self.hand_limit and owed.line is ev.CardsDrawn:
            size = min(size, max(self.hand_limit - self.hands[owed.player].size, 0))
        return min(owed.count, size)

    def generations_counted(self, player: PhyloPlayer) -> tuple[int, int]:
        """Return how many Species of the first and of the second generation count for a player's (ruling)."""
        if not self.joined_only:
            return player.first_generation, player.second_generation
        lying = self.zones[TABLEAU].cards
        sound = [card for card in lying if card.controller == player.id and is_species(card) and not card.cut_off]
        generations = [card.text.sequencing_generation for card in sound]
        return generations.count(1), generations.count(2)


def is_species(card: PhyloCard | None) -> bool:
    """Return whether a card is known to be a Species."""
    return card is not None and card.text is not None and card.text.kind == SPECIES


def is_event(card: PhyloCard | None) -> bool:
    """Return whether a card is known to be an Event."""
    return card is not None and card.text is not None and card.text.kind == EVENT
