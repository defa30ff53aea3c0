"""The table of Crystal Factions: its cards, players and zones, and how it is laid out.

Deployed cards lie in `mining:<player>`, `attack:<player>` and `tech:<player>`; the two decks are
`faction:deck:<player>` and `basic:deck:<player>` (top first), `base:<player>` holds the base cards, `out:<player>` what
has left the game.
What a lane has in cards and tokens is kept on its player and changes with them, so that no power is counted twice.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, Final

import msgspec

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal.abilities import LANES
from tabletape.projector.games.crystal.schema import FACTION, Three
from tabletape.projector.kit.owed import OwedLine
from tabletape.projector.kit.rounds import Rounds
from tabletape.projector.model.phrases import named
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.model.things import Card, Player, Zone

BASIC: Final = "basic"
DECKS: Final = (FACTION, BASIC)
LANE: Final[Mapping[str, int]] = {lane: index for index, lane in enumerate(LANES)}
"""The place of a lane in whatever is kept for all three."""

DEPLOY: Final = "deploy"
ATTACK: Final = "attack"
MINING: Final = "mining"
OVER: Final = "over"

HAND: Final = 7
"""Cards of a starting hand, and by a ruling of any hand."""

NOTHING: Final[Three] = (0, 0, 0)


@lru_cache(maxsize=4096)
def _lane_called(zone: str) -> str:
    kind = zone.partition(":")[0]
    return kind if kind in LANE else ""


class CrystalCard(Card, eq=False, kw_only=True):
    """A card on the table; `since` is the round in which it was deployed."""

    since: Internal[int] = 0

    @property
    def lane(self) -> str:
        """The lane in which the card lies; empty where it is not deployed."""
        return _lane_called(self.zone.name)


class CrystalPlayer(Player, eq=False, kw_only=True):
    """A player.

    * `mining`, `attack` and `tech` are the power of the lanes, what was raised for this round included.
    * `base`, `sums` and `shifts` are what base cards, cards and tokens count in each lane, `raised` what holds only
      until the end of the round; `prevented` is the damage that is prevented in it.
    * `tech_used` is what is used of `tech_limit` in this part of the deploy phase.
    * `tokens` are the tokens on the lanes, `boost on attack`, in the order in which they were placed.
    * `acting` are the cards deployed in this round that have something to do in a later phase, in the order of
      playing; `coming` those that have something to do when the next round starts.
    * `dealt` is the damage dealt in the whole game, `dealt_now` says whether it was in this round's attack phase.
    * `missed` is the number of draws that were due and have no line; perhaps the cards were drawn all the same.
    * `written_out`: the log says that the player is out, the rules do not.
    * `listed`, `shuffled`, `cut` and `opened` say how far the set-up is, `reshuffled` that the deck was shuffled again
      after its cut.
    * `shield` is damage by abilities that will still be prevented in this round (rulings `prevention_reach` and
      `mining_prevention`).
    """

    faction: Internal[str] = ""
    hitpoints: int = 0
    crystals: int = 0
    mining: int = 0
    attack: int = 0
    tech: int = 0
    tech_limit: int = 0
    tech_used: int = 0
    prevented: int = 0
    shield: Internal[int] = 0
    tokens: tuple[str, ...] = ()
    base: Internal[Three] = NOTHING
    sums: Internal[Three] = NOTHING
    shifts: Internal[Three] = NOTHING
    raised: Internal[Three] = NOTHING
    acting: Internal[tuple[str, ...]] = ()
    coming: Internal[tuple[str, ...]] = ()
    dealt: int = 0
    dealt_now: Internal[bool] = False
    living: bool = True
    missed: Internal[int] = 0
    written_out: Internal[bool] = False
    listed: Internal[bool] = False
    shuffled: Internal[bool] = False
    cut: Internal[bool] = False
    reshuffled: Internal[bool] = False
    opened: Internal[bool] = False


class Owed(OwedLine, frozen=True, kw_only=True, gc=False):
    """A card that has to be drawn because a card says so, and from which deck (`any`, `faction`, `basic`)."""

    deck: str


class Crystal(Table[CrystalCard, CrystalPlayer], eq=False, kw_only=True):
    """The table.

    * `priority` holds the priority token, `flips` are the winners of the flips in the set-up.
    * `waiting` are the players who have still to deploy after the active one.
    * `drawn` says whether the card of the turn was drawn or none is due, `limited` whether the tech limit is set,
      `owed` what has to be drawn because a card says so.
    * `undrawn` says that the table has gone on without the card of the turn, which is found once.
    * `early` has drawn while the neighbour was still deploying: a line may be missing, or somebody was hasty.
    * `refused` is a card that could not be paid, so that it was not played.
    * `conceding` has just given up: nobody has declared to be done since. `handed_over`: a written line, not the end
      of another's part, has made the active player so.
    * `uncheckable` is the first card in play that nobody can check, because only people can tell what it does or nobody
      knows which card it is; `unchecked_round` the round in which the last such card was played.
    * `everyone` are all players. `hands` are their hands, `decks` the zones of either deck, `lanes` those of each lane,
      by player.
    """

    TURN: ClassVar[Rounds]
    CARD: ClassVar[type[Card]] = CrystalCard
    OWN_ZONES: ClassVar[tuple[str, ...]] = ("hands", "decks", "lanes")

    priority: str = ""
    flips: Internal[tuple[str, ...]] = ()
    waiting: Internal[tuple[str, ...]] = ()
    drawn: Internal[bool] = False
    limited: Internal[bool] = False
    owed: Internal[tuple[Owed, ...]] = ()
    undrawn: Internal[bool] = False
    early: Internal[str] = ""
    refused: Internal[ev.CardDeployed | None] = None
    conceding: Internal[str] = ""
    handed_over: Internal[bool] = False
    uncheckable: Internal[str] = ""
    unchecked_round: Internal[int] = 0
    everyone: frozenset[str] = frozenset()
    hands: dict[str, Zone] = msgspec.field(default_factory=dict)
    decks: dict[str, dict[str, Zone]] = msgspec.field(default_factory=dict)
    lanes: dict[str, dict[str, Zone]] = msgspec.field(default_factory=dict)

    def called(self, name: str) -> str:
        """Return a card on the table with its owner: `Ann's Trooper`."""
        card = self.find(name)
        owner = self.players.get(card.owner) if card is not None else None
        return named(self, name) if owner is None else f"{owner.name}'s {named(self, name)}"

    def hand_of(self, player: str) -> Zone:
        """Return the hand of a player; nowhere for nobody's."""
        return self.hands.get(player) or self.zones[NOWHERE]

    def deck_of(self, deck: str, owner: str) -> Zone:
        """Return the faction deck or the basic deck of a player; nowhere for a deck that there is not."""
        decks = self.decks.get(deck)
        return (decks.get(owner) if decks else None) or self.zones[NOWHERE]

    def deployed(self, player: str, lane: str = "") -> list[CrystalCard]:
        """Return the cards that a player has deployed, in one lane or in all, in the order of arrival."""
        return [card for each in ((lane,) if lane else LANES) for card in self.lanes[each][player].cards]

    def living(self) -> list[CrystalPlayer]:
        """Return the living players in order of priority: the holder of the token first, then to the left."""
        players = [player for player in self.players.values() if player.living]
        holder = self.players.get(self.priority)
        if holder is not None and players and players[0] is not holder:
            for first, player in enumerate(players):
                if player.seat >= holder.seat:
                    return players[first:] + players[:first]
        return players

    def living_opponents(self, player: str) -> list[CrystalPlayer]:
        """Return the living opponents of a player, in order of priority."""
        return [other for other in self.living() if other.id != player]


def lane_meant(lane: Any) -> Any:
    """Return the lane that a line means: the Research lane (L46) is the Tech lane (ruling `research_lane`)."""
    return "tech" if lane == "research" else lane
