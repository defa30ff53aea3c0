"""The table of Splicers: its cards, players and zones.

Tings and seeds lie in their owner's zone `play:<player>`, `place` says at which biom; mutations lie in `mutations`
with their `host`; the bioms lie in `row`. Totals are kept on the biom and change with the cards that are weighed.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec

from tabletape.events.vocabulary.shared import TurnStarted
from tabletape.projector.games.splicers.abilities import Effect
from tabletape.projector.kit.owed import OwedLine
from tabletape.projector.kit.steps import Stepwise
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Player

SETUP: Final = "setup"
START: Final = "start"
ACTION: Final = "action"
END: Final = "end"
OVER: Final = "over"
NO_NOTE: Final = ("", "")
NOBODY_BEGINS: Final = TurnStarted(player="")


class SplicersCard(Card, eq=False, kw_only=True):
    """A card on the table.

    `changes` are its changes of dominance in this round, `since` the round in which it came face up into play,
    `jumped` whether it entered as a jumper, `mutations` what it hosts in the order of arrival. `worth` is what it adds
    to the total at its `place`. A biom has the `totals` of the players in the order of seating and the
    `dominator` that it is turned to.
    """

    place: str | None = None
    tokens: int = 0
    changes: int = 0
    since: Internal[int] = 0
    jumped: bool = False
    mutations: Internal[tuple[str, ...]] = ()
    worth: Internal[int] = 0
    totals: Internal[tuple[int, ...]] = ()
    dominator: str = ""


class SplicersPlayer(Player, eq=False, kw_only=True):
    """A player.

    `listed`, `shuffled`, `opened` and `mulliganed` say how far the set-up is (`mulligans`: how many there were, where
    there may be several by ruling); `bioms` are the ids of the own bioms, `bottom` the cards that a mulligan has put
    under the deck (by ruling), the next one to be drawn first, `splicer` the name of the own splicer, `begins` is the
    line that says that a turn of the player begins, `hand`, `draws_from` and `side` are the names of the zones of the
    own hand, the own deck, and the own tings and seeds.
    """

    begins: TurnStarted = NOBODY_BEGINS
    hand: str = ""
    draws_from: str = ""
    side: str = ""
    actions: int = 0
    listed: Internal[bool] = False
    shuffled: Internal[bool] = False
    opened: Internal[bool] = False
    mulliganed: bool = False
    mulligans: Internal[int] = 0
    splicer: str = ""
    bioms: Internal[tuple[str, ...]] = ()
    bottom: Internal[tuple[str, ...]] = ()


class Doing(msgspec.Struct, frozen=True, gc=False):
    """Effects that are still to be carried out: whose, of which card, with which choices; `that` set them off."""

    player: str
    source: str
    effects: tuple[Effect, ...]
    choices: tuple[str, ...] = ()
    to: str = ""
    that: str = ""


class Owed(OwedLine, frozen=True, kw_only=True, gc=False):
    """The line that has to come next, with the `reason` that it gives."""

    reason: str = ""


class Splicers(Table[SplicersCard, SplicersPlayer], eq=False, kw_only=True):
    """The table.

    * `active` is somebody only in the action phase, so that whoever is on turn may act.
    * `first` begins the round, `passed_first` has passed first in it, `last_round` once somebody could not draw.
    * `closed` says whose turn, by its number, was over last without `turn.ended`, and how: with a `pass`, because it
      was `spent`, or because the log has gone on (`gone-on`).
    * `begins_next` begins the next round where that is not who has passed first (ruling).
    * `acted_in` is the last turn in which a listed action was done, `opening_turn` the first turn of the round while
      nothing has been done in it.
    * `event_by` has played an event this round, `drew` have drawn at its start.
    * `row` are the bioms from left to right, `bioms` the names of their cards.
    * `steps` are the steps to the next turn that are still to be taken, `agenda` the effects still to be carried out,
      `owed` the line that has to come first.
    * `watching` and `statics` are the cards in play whose triggers and static lines have to be looked at, `moments`
      the former by the moments that they wait for, `restless` those of the latter that may mean other cards after any
      event, `granting` those that give lines to other cards.
    * `window` is a ting that waits for mutations before its requirement is looked at (ruling).
    * `last_note` is what the last action leaves to remember, and of which card or player: a card was `found` that may
      be played at once (old editions), an ability has `failed` its condition, willpower was `answered`, perhaps
      `answered in vain`.
    * `jumpers` are the cards that may have entered as jumpers, `swayed` those that may count differently in this round.
    * `seating` are the players in order, `everybody` all of them, `sides` the zones of their tings and seeds,
      `readied_zones` those of all cards that are unexhausted when a round starts; `ends_itself` whether a turn ends
      without a line of its own (ruling).
    * `keeps_found`: a text that lays a found ting down is read so that it goes to the hand (ruling).
    * `evolved_in` are the tings that evolved in a turn, `seeded_in` the seeds that were laid down in a round, each with
      the number of that one, `roamed` where tings lie that have roamed there (only where a ruling asks).
    * `unclear` are the words in which an ability was written down that nobody can tell from them.
    * `touched`, `requirement_queue` and `turning` are empty between events: cards to be weighed, tings whose
      requirement is to be checked, bioms whose totals have changed.
    """

    CARD: ClassVar[type[Card]] = SplicersCard
    TURN: ClassVar[Stepwise]

    first: str = ""
    passed_first: str = ""
    closed: Internal[tuple[str, int, str]] = ("", 0, "")
    begins_next: Internal[str] = ""
    unclear: Internal[str] = ""
    acted_in: Internal[int] = 0
    opening_turn: Internal[int] = 0
    last_round: bool = False
    event_by: str = ""
    drew: Internal[tuple[str, ...]] = ()
    row: tuple[str, ...] = ()
    bioms: Mapping[str, str] = msgspec.field(default_factory=dict)
    steps: Internal[tuple[str, ...]] = ()
    agenda: tuple[Doing, ...] = ()
    owed: Owed | None = None
    watching: Internal[tuple[str, ...]] = ()
    statics: Internal[tuple[str, ...]] = ()
    moments: Internal[Mapping[str, tuple[str, ...]]] = msgspec.field(default_factory=dict)
    restless: Internal[tuple[str, ...]] = ()
    granting: Internal[tuple[str, ...]] = ()
    window: Internal[str] = ""
    last_note: Internal[tuple[str, str]] = NO_NOTE
    jumpers: Internal[tuple[str, ...]] = ()
    swayed: Internal[tuple[str, ...]] = ()
    seating: tuple[str, ...] = ()
    everybody: frozenset[str] = frozenset()
    sides: tuple[str, ...] = ()
    readied_zones: tuple[str, ...] = ()
    ends_itself: bool = False
    keeps_found: bool = False
    touched: tuple[SplicersCard, ...] = ()
    requirement_queue: tuple[SplicersCard, ...] = ()
    turning: tuple[SplicersCard, ...] = ()
    evolved_in: Internal[tuple[int, tuple[str, ...]]] = (0, ())
    seeded_in: Internal[tuple[int, tuple[str, ...]]] = (0, ())
    roamed: Internal[tuple[tuple[str, str], ...]] = ()

    def begin_turn(self, player: str, rule: str) -> None:
        """Begin a player's turn, with one action (and those kept from before, by ruling), as a rule says. Recorded."""
        self.next_turn(player)
        mine = self.players[player]
        actions = mine.actions
        left = actions + 1 if actions and self.options["action_carryover"] == "kept" else 1
        if left != actions:
            self.journal.append((mine, "actions", actions, left))
            mine.actions = left
        self.derived.append(Derived(mine.begins, rule, len(self.journal)))
        self.applied.append("splicers.action.one-per-turn")

    def use_actions(self, player: SplicersPlayer, cost: int) -> bool:
        """Take actions from those that a player has left, if there are as many, for a listed action. Recorded.

        Returns whether it is the first listed action of the turn.
        """
        actions, acted_in, turn = player.actions, self.acted_in, self.turn
        if actions:
            player.actions = left = actions - cost if cost < actions else 0
            self.journal.append((player, "actions", actions, left))
        if acted_in == turn:
            return False
        self.journal.append((self, "acted_in", acted_in, turn))
        self.acted_in = turn
        return True

    def set_place(self, card: SplicersCard, place: str) -> None:
        """Lay a card at a biom, unless it lies there. Recorded."""
        if card.place != place:
            self.journal.append((card, "place", card.place, place))
            card.place = place

    def set_exhausted(self, card: SplicersCard, exhausted: bool) -> None:  # noqa: FBT001 - as `set` takes it
        """Turn a card sideways or back, unless it lies so. Recorded."""
        if card.exhausted != exhausted:
            self.journal.append((card, "exhausted", not exhausted, exhausted))
            card.exhausted = exhausted

    def unexhaust(self, only: str = "") -> None:
        """End the exhaustion of all cards, or of one player's and of those attached to them. Recorded."""
        card: SplicersCard
        for name in self.readied_zones:
            for card in self.zones[name].cards:
                if card.exhausted and (not only or only == (self.card(card.host) if card.host else card).owner):
                    card.exhausted = False
                    self.journal.append((card, "exhausted", True, False))

    def set_worth(self, card: SplicersCard, worth: int, biom: SplicersCard, totals: tuple[int, ...]) -> None:
        """Set what a card counts at a biom, and what the cards of each player count there with it. Recorded."""
        journal = self.journal
        journal.append((card, "worth", card.worth, worth))
        card.worth = worth
        journal.append((biom, "totals", biom.totals, totals))
        biom.totals = totals

    @property
    def has_acted(self) -> bool:
        """Return whether the player on turn has done one of the listed actions."""
        return self.acted_in == self.turn


def in_play(card: SplicersCard) -> bool:
    """Return whether a card is in play: at a biom, under a host, a biom, a splicer or an active season."""
    zone = card.zone
    return not zone.role and zone.name != "event"


def tings_and_seeds(table: Splicers) -> list[SplicersCard]:
    """Return all cards that lie at bioms, player by player in the order of arrival."""
    zones = table.zones
    cards: list[SplicersCard] = []
    for side in table.sides:
        cards += zones[side].cards
    return cards


def place_of(table: Splicers, card: SplicersCard) -> str:
    """Return the biom at which a card lies: its own for a biom, that of its host for a mutation; empty for none."""
    if card.host:
        host = table.find(card.host)
        return "" if host is None else host.place or ""
    return card.place or ""


def actions_left(table: Splicers, player: str) -> int:
    """Return how many actions a player may still use, of which a final turn has only one by ruling."""
    if table.passed_first and table.options["final_turn_scope"] == "one_action_only" and table.has_acted:
        return 0
    return table.players[player].actions
