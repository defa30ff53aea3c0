"""The table of Evolve: its players, and what lies on it.

Organisms lie in the zone `play:<player>` of whoever controls them, mutations in `attached` with their `host`, statuses
in `status`; what has been declared and has not happened yet lies open on the `stack`.
"""

from typing import ClassVar, Final, Literal

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.abilities import Action, Effect, ParsedText
from tabletape.projector.kit.card_text import Condition
from tabletape.projector.kit.late_steps import LateSteps
from tabletape.projector.kit.owed import OwedLine
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Player

SETUP: Final = "setup"
DRAW: Final = "draw"
BEGIN: Final = "begin"
MAIN: Final = "main"
END: Final = "end"

ALIASES: Final = {"Cyanobacteria": "Cyanobacteriota", "Proteobacteria": "Pseudomonadota", "Firmicutes": "Bacillota"}
"""Older names of phyla and the ones in use now (ruling `phylum_names`)."""


SAYS_NOTHING: Final = ParsedText()


class EvolveCard(Card, eq=False, kw_only=True):
    """A card on the table; `actions` were taken in this turn, `mutations` lie under it in the order of arrival.

    `since` is the turn in which it was played, as an organism, `stressed_by` the card that has stressed it where that
    matters (ruling `kill_by`).
    """

    controller: Internal[str] = ""
    energy: int = 0
    stressed: bool = False
    actions: Internal[int] = 0
    since: Internal[int] = 0
    stressed_by: Internal[str] = ""
    mutations: Internal[tuple[str, ...]] = ()

    @property
    def says(self) -> ParsedText:
        """What the ability lines of the card mean: nothing, where nobody knows which it is."""
        return self.text.says if self.text is not None else SAYS_NOTHING

    @property
    def in_play(self) -> bool:
        """Whether the card is in play: as an organism, under one, or as a status."""
        zone = self.zone.name
        return zone[:5] == "play:" or zone in {"attached", "status"}

    @property
    def is_organism(self) -> bool:
        """Whether the card is an organism in play, food or not."""
        return self.zone.name[:5] == "play:"

    @property
    def is_food(self) -> bool:
        """Whether the card is known to be food."""
        return self.text is not None and bool(self.text.food)

    @property
    def is_nonfood(self) -> bool:
        """Whether the card is an organism in play that is not food, or not known to be."""
        return self.is_organism and not self.is_food


class EvolvePlayer(Player, eq=False, kw_only=True):
    """A player.

    `deck_zone`, `hand`, `discard` and `play` are the names of the own zones.
    `listed`, `shuffled`, `opened`, `free_mulligans`, `mulligans` and `kept` say how far the set-up is, `bottom` names
    the cards that are known to lie at the bottom of the deck, in the order in which they will be drawn, and `loose`
    those of them that were shuffled among themselves (ruling `mulligan_bottom_then_shuffle`). `turns` counts
    the own turns, `starvation` the own turn ends in a row at which the other player had nothing but food, `phylum` is
    the commonest one of the own list.
    """

    deck_zone: str = ""
    hand: str = ""
    discard: str = ""
    play: str = ""
    dna: int = 3
    mp: int = 0
    starvation: int = 0
    turns: Internal[int] = 0
    listed: Internal[bool] = False
    shuffled: Internal[bool] = False
    opened: Internal[bool] = False
    free_mulligans: int = 0
    mulligans: int = 0
    kept: Internal[bool] = False
    bottom: Internal[tuple[str, ...]] = ()
    loose: Internal[frozenset[str]] = frozenset()
    phylum: Internal[str] = ""


PlayKind = Literal["organism", "mutation", "status", "status ended", "consume", "action", "evolve", "evolved"]


class Pending(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A play or action that is paid for and has not happened yet; `target` is its host, food, target or new card.

    An attack that answers a consuming is one, too.

    `name` is the name of an action, `action` what the card prints about it, if anything; `unpaid` is the energy that an
    evolved organism pays only after the energy of the old one has moved (ruling `evolve_energy_paid_first`).
    """

    kind: PlayKind
    player: str
    card: str
    target: str = ""
    name: str = ""
    action: Action | None = None
    answered: bool = False
    unpaid: int = 0


class Opened(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An event that is paid for and has not happened yet, with the response to it.

    `responded` are the players who have responded, `declined` those who have let the chance pass, `shielded` the cards
    that it does not affect.
    """

    player: str
    card: str
    target: str = ""
    response: str = ""
    responder: str = ""
    response_target: str = ""
    responded: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    cancelled: bool = False
    shielded: tuple[str, ...] = ()


class Doing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Effects to be carried out: of which card, for whom, on which target; `means` says by what kind of ability.

    `died` tells whether the last thing that these effects stressed has died of it.
    """

    source: str
    player: str
    means: str
    effects: tuple[Effect, ...]
    condition: Condition | None = None
    target: str = ""
    shielded: tuple[str, ...] = ()
    died: bool = False


class Owed(OwedLine, frozen=True, kw_only=True, gc=False):
    """A printed draw that has to come next; `beyond` are the cards that the deck does not have.

    `doing` are the effects that it is the first of.
    """

    beyond: int = 0
    doing: Doing


class Unordered(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Abilities that happened at the same time, and whose order no line says.

    `due` are the abilities in the order taken; `before` and `after` are the lengths of the journal around them.
    `at_start` tells those of the start of a turn, in which a ruling may bind the order (`trigger_scope`).
    """

    due: tuple[Doing, ...]
    before: int
    after: int
    at_start: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that have them, in the order taken."""
        return tuple(dict.fromkeys(each.source for each in self.due))


class Evolve(Table[EvolveCard, EvolvePlayer], eq=False, kw_only=True):
    """The table.

    * `first` takes the first turn.
    * `pending`, `answer` and `event` are what has been declared and has not happened yet: a play or action, the attack
      that answers it, and the event that answers either of them or stands by itself in the begin step.
    * `played` and `declined` are the players who have played an event or let the chance pass in the open window.
    * `agenda` are effects still to be carried out, `owed` is the draw that has to come first, `missed` the line that
      the table has just passed over, `late` the player whose draw at the start of this turn was passed over, `gained`
      tells whether the DNA and MP of this turn have come before its draw (ruling `draw_order`).
    * `triggers_due` while the abilities of the start of the turn have not happened, in the order `ordered` if somebody
      has said one; `unordered` are abilities of this game that happened at the same time in an order nobody has said,
      `unsaid` where that is a mistake which the next line makes (ruling `trigger_default_order`); `triggered` once
      there has been one; `unstressed` and `paid_unstress` count the organisms unstressed in this begin step.
    * `discarded` are the players who have discarded surplus cards in this turn, `starved` says whether starvation has
      been counted in it before the discard (ruling `starvation_moment`), `arrived` are the kinds of organisms played in
      it where only one of each may be (ruling `play_tier1_free`), `end_triggers` says whether the abilities of the end
      of the turn are due or done where they come after the discard (ruling `end_step_triggers`).
    * `watching` are the cards in play with triggers, `reaching` those with static lines that reach beyond a host, both
      in the order of arrival. `manual` is the card whose effects only people can tell.
    """

    CARD: ClassVar[type[Card]] = EvolveCard
    TURN: ClassVar[LateSteps]

    first: Internal[str] = ""
    pending: Pending | None = None
    answer: Pending | None = None
    event: Opened | None = None
    played: Internal[tuple[str, ...]] = ()
    declined: Internal[tuple[str, ...]] = ()
    agenda: Internal[tuple[Doing, ...]] = ()
    owed: Owed | None = None
    missed: OwedLine | None = None
    late: Internal[str] = ""
    gained: Internal[bool] = False
    triggers_due: Internal[bool] = False
    triggered: Internal[bool] = False
    ordered: Internal[tuple[str, ...] | None] = None
    unordered: Internal[tuple[Unordered, ...]] = ()
    unsaid: Internal[bool] = False
    unstressed: Internal[int] = 0
    paid_unstress: Internal[int] = 0
    discarded: Internal[tuple[str, ...]] = ()
    starved: Internal[bool] = False
    arrived: Internal[tuple[str, ...]] = ()
    end_triggers: Internal[Literal["", "due", "done"]] = ""
    watching: Internal[tuple[str, ...]] = ()
    reaching: Internal[tuple[str, ...]] = ()
    manual: Internal[str] = ""


def has_dna(table: Evolve, player: EvolvePlayer, dna: int) -> bool:
    """Return whether a player can pay DNA: out of the stock, or by going into debt (ruling `dna_negative`)."""
    return player.dna >= dna or table.options["dna_negative"] == "debt"


def both_discard(table: Evolve) -> bool:
    """Return whether the other player discards surplus cards at a turn's end too (ruling `hand_limit_opponent`)."""
    return table.options["hand_limit_opponent"] == "both_players"


def mixes_returned_only(table: Evolve, event: ev.MulliganTaken) -> bool:
    """Return whether a mulligan mixes only the returned cards (ruling `mulligan_bottom_then_shuffle`)."""
    return not event.free and table.options["mulligan_bottom_then_shuffle"] == "returned_cards_only"


def organisms(table: Evolve) -> list[EvolveCard]:
    """Return all organisms in play, player by player in the order of arrival."""
    return [card for player in table.players.values() for card in table.zones[player.play].cards]


def opponent_of(table: Evolve, player: str) -> str:
    """Return the id of the other player."""
    return table.players[player].opponent if player in table.players else ""
