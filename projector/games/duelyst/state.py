"""The table of the Duelyst-style game: its cards, players and zones.

Units lie in the zone `board` in the order in which they entered, `place` is their tile `(row, column)`. Each player has
the zones `deck:<player>`, `hand:<player>`, `graveyard:<player>` and `artifacts:<player>`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import msgspec

from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.projector.games.duelyst.tasks import Owed, Task
from tabletape.projector.kit.outline import Outline
from tabletape.projector.model.changes import Change
from tabletape.projector.model.phrases import tile_in_words
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Player, Zone

GENERAL: Final = "general"
UNITS: Final = frozenset({GENERAL, "minion", "token"})
SPELLS: Final = frozenset({"spell", "token-spell"})
PET: Final = "battle-pet"
STRUCTURE: Final = "structure"
BOARD: Final = "board"
REMOVED_ZONE: Final = "removed"
"""Where tokens are that have left the game without dying."""

MAXIMUM: Final = 9
"""The highest mana capacity."""
PARTS: Final = 5
"""The parts of MECHAZ0R! that a free summoning needs."""
SLOTS: Final = 3
"""The artifacts that a general may wear."""
HAND: Final = 6
"""The most cards in a hand where the table plays with a limit."""

BEGIN: Final = "begin"
MAIN: Final = "main"
END: Final = "end"

TIMED_UNITS: Final = "timed"
"""The list of units with which something happens when a turn begins or ends."""

Tile = tuple[int, int]


class DuelystCard(Card, eq=False, kw_only=True):
    """A card on the table; on the board it is a unit.

    `attack_change` and `health_change` are lasting changes, `spears` is more attack for this turn, `blinded` the player
    until whose next turn its attack is 0. `keywords` are those that it has by itself now. `moves` and `attacks` are
    counted within the turn, `building` the turns until it is finished, `created` whether the game made it.
    `tired` whether it was exhausted already when its player's turn began (ruling `exhaust_end`),
    `shielded` whether forcefield has done its work this turn, `absorbed` what an artifact prevented this turn.
    """

    text: Internal[Any] = None
    attack_change: int = 0
    health_change: int = 0
    damage: int = 0
    spears: int = 0
    blinded: str = ""
    keywords: frozenset[str] = frozenset()
    dispelled: bool = False
    stunned: bool = False
    ephemeral: Internal[bool] = False
    moves: int = 0
    attacks: int = 0
    building: int = 0
    created: Internal[bool] = False
    shielded: bool = False
    tired: Internal[bool] = False
    durability: int = 0
    absorbed: int = 0

    @property
    def health(self) -> int:
        """The health left: printed, with the changes, without the damage."""
        return int(self.text.health) + self.health_change - self.damage

    @property
    def column(self) -> int:
        """The column in which the unit stands."""
        here: Any = self.place
        return int(here[1])


class DuelystPlayer(Player, eq=False, kw_only=True):
    """A player; `general` is the name of the general.

    `listed`, `shuffled`, `opened` and `mulliganed` say how far the set-up is. `turns` are the own turns, `played` the
    tribes and kinds of what was played this turn, `bloodbound` how often the bloodbound spell may be used, `progress`
    the parts of MECHAZ0R!, `held` whether the own units do not strike back this turn, `doubling` whether the general
    deals double damage to minions this turn, `blinding` whether there may be units that it has blinded.
    """

    general: Internal[str] = ""
    listed: Internal[bool] = False
    shuffled: Internal[bool] = False
    opened: Internal[bool] = False
    mulliganed: Internal[bool] = False
    turns: int = 0
    capacity: int = 0
    mana: int = 0
    replaced: Internal[bool] = False
    played: Internal[frozenset[str]] = frozenset()
    bloodbound: int = 0
    progress: int = 0
    held: bool = False
    doubling: bool = False
    blinding: Internal[bool] = False


class Duelyst(Table[DuelystCard, DuelystPlayer], eq=False, kw_only=True):
    """The table.

    `globes` are the tiles with a mana globe, `first` is the player who begins (`chosen`: as a line says), `out_of_turn`
    who has acted in this turn although the other one was on turn, `owed` what is still to be worked off:
    between two lines it is empty, or its first task is what luck owes. `missed` are the draws of this turn that the log
    has gone on without and may still write; those of them are `passed_over` that were reported. `fight` holds attacker
    and defender of the last attack. `boosting` are the units that change the attack of others, `granting` those that
    give them keywords, `discounting` those that make cards cheaper, `hearing` those that do something when their player
    summons or casts, `provoking` those that have provoke by themselves, `timed` those with which something happens when
    a turn begins or ends, dispelled or not; all in the order of entering.
    `standing` says who stands on which tile, of several units the one that entered first, `numbers` from which number
    on copies of a card may be missing. Both follow from the cards, so they are kept up to date and not recorded.
    `units` are the cards of the board, in the order of entering; `decks`, `hands`, `graveyards` and `worn` (the
    artifacts) are the zones of the players, by player.
    """

    TURN: ClassVar[Outline]

    CARD: ClassVar[type[Card]] = DuelystCard
    HAS_TILES: ClassVar[bool] = True
    OWN_ZONES: ClassVar[tuple[str, ...]] = ("decks", "hands", "graveyards", "worn")
    NO_STATE: ClassVar[frozenset[str]] = Table.NO_STATE | {"numbers"}

    globes: tuple[Tile, ...] = ()
    first: str = ""
    chosen: Internal[bool] = False
    out_of_turn: Internal[str] = ""
    owed: Internal[tuple[Task, ...]] = ()
    missed: Internal[tuple[Owed, ...]] = ()
    fight: Internal[tuple[str, ...]] = ()
    boosting: Internal[tuple[str, ...]] = ()
    granting: Internal[tuple[str, ...]] = ()
    discounting: Internal[tuple[str, ...]] = ()
    hearing: Internal[tuple[str, ...]] = ()
    provoking: Internal[tuple[str, ...]] = ()
    timed: Internal[tuple[str, ...]] = ()
    standing: dict[Any, DuelystCard] = msgspec.field(default_factory=dict)
    numbers: dict[str, int] = msgspec.field(default_factory=dict)
    units: list[DuelystCard] = msgspec.field(default_factory=list)
    decks: dict[str, Zone] = msgspec.field(default_factory=dict)
    hands: dict[str, Zone] = msgspec.field(default_factory=dict)
    graveyards: dict[str, Zone] = msgspec.field(default_factory=dict)
    worn: dict[str, Zone] = msgspec.field(default_factory=dict)

    def begin_turn(self, player: DuelystPlayer) -> None:
        """Begin a player's turn; the round is the number of it among the player's own. Recorded."""
        self.next_turn(player.id)
        turns = player.turns + 1
        self.journal.append((player, "turns", player.turns, turns))
        player.turns = turns
        if turns > self.round:
            self.journal.append((self, "round", self.round, turns))
            self.round = turns

    def owe(self, tasks: tuple[Task, ...]) -> None:
        """Replace the tasks that are still to be worked off; recorded also where they are the same again."""
        self.journal.append((self, "owed", self.owed, tasks))
        self.owed = tasks

    def step_on(self, unit: DuelystCard, tile: Tile) -> None:
        """Put a unit of the board onto another tile. Recorded."""
        before, standing = unit.place, self.standing
        if before == tile:
            return
        self.journal.append((unit, "place", before, tile))
        unit.place = tile
        del standing[before]
        standing[tile] = unit
        if len(standing) < len(self.units):
            self.reckon()  # A wrong line has put several units onto a tile.

    def count_anew(self, unit: DuelystCard) -> None:
        """Forget how often a unit has moved and attacked. Recorded."""
        if unit.moves:
            self.journal.append((unit, "moves", unit.moves, 0))
            unit.moves = 0
        if unit.attacks:
            self.journal.append((unit, "attacks", unit.attacks, 0))
            unit.attacks = 0

    def begin_fight(self, attacker: DuelystCard, target: DuelystCard) -> None:
        """Count an attack and note between whom it is, which is recorded also where the two have fought last."""
        journal, attacks, fight = self.journal, attacker.attacks, (attacker.name, target.name)
        journal.append((attacker, "attacks", attacks, attacks + 1))
        attacker.attacks = attacks + 1
        journal.append((self, "fight", self.fight, fight))
        self.fight = fight

    def reckon(self, _changes: Sequence[Change] = ()) -> None:
        """Work out anew who stands where; copies are counted from the beginning."""
        self.numbers = {}
        self.standing = {unit.place: unit for unit in self.units[::-1] if unit.place is not None}

    def copy(self) -> "Duelyst":
        """Return a copy that shares nothing that changes."""
        table: Any = super().copy()
        table.standing = {tile: table.things[unit.n] for tile, unit in self.standing.items()}
        table.numbers = {}
        table.units = table.zones[BOARD].cards
        copied: Duelyst = table
        return copied

    def unit_called(self, name: Any) -> DuelystCard | None:
        """Return the unit on the board that goes by a name, or None."""
        unit = self.cards.get(name)
        return unit if unit is not None and unit.place is not None else None

    def called(self, name: str) -> str:
        """Return what a card is called together with whose it is: `Ann's Footman 2`; its name where that is unknown."""
        card = self.find(name)
        owner = self.players.get(card.owner if card is not None else owner_of(name))
        text = self.library.get(card_of(name))
        if owner is None or text is None:
            return name
        return f"{owner.name}'s {text.name} {name.partition('#')[2]}".rstrip()

    def is_taken(self, tile: Tile, unit: DuelystCard) -> str:
        """Return the words that a tile is not free, and who stands there."""
        return f"{tile_in_words(tile)} is taken: {self.called(unit.name)} stands there"

    def general_of(self, player: str) -> DuelystCard | None:
        """Return the general of a player while it is on the board."""
        seat = self.players.get(player)
        card = self.find(seat.general) if seat is not None and seat.general else None
        return card if card is not None and card.zone.name == BOARD else None

    def spell_of(self, player: str) -> Any:
        """Return what is printed on a player's bloodbound spell while the general is on the board, else None."""
        general = self.general_of(player)
        return None if general is None else self.library.get(general.text.bloodbound_spell)
