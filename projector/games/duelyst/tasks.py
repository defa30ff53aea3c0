"""What is still to be worked off at the table, in order: effects, what follows from them, and what luck owes."""

import msgspec

from tabletape.projector.games.duelyst.abilities import Effect
from tabletape.projector.kit.owed import OwedLine


class Doing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One effect of a card text that is still to be carried out: whose, of which card or spell, aimed at what."""

    player: str
    source: str
    effect: Effect
    rule: str
    target: str = ""
    tile: tuple[int, int] | None = None


class Summoned(msgspec.Struct, frozen=True, gc=False):
    """A unit has been summoned: the other units' abilities follow; `played`: from the hand."""

    unit: str
    played: bool = False


class SpellDone(msgspec.Struct, frozen=True, gc=False):
    """A spell has been worked off: the abilities of the player's units follow."""

    player: str


class StrikeBack(msgspec.Struct, frozen=True, gc=False):
    """A unit that was attacked strikes back if it still can."""

    attacker: str
    defender: str


class TurnBegins(msgspec.Struct, frozen=True, gc=False):
    """The turn of a player begins."""

    player: str


class UnitBegins(msgspec.Struct, frozen=True, gc=False):
    """What a unit does when its player's turn begins."""

    unit: str


class PetsBegin(msgspec.Struct, frozen=True, gc=False):
    """The Battle Pets of a player act, in the order in which they entered."""

    player: str


class MainPhase(msgspec.Struct, frozen=True, gc=False):
    """The main phase begins."""


class Owed(OwedLine, frozen=True, kw_only=True, gc=False):
    """What luck owes: a draw, a token, a target that is picked, or a pet that acts.

    `besides` is the card that was put back for a draw, `card` the token, which appears beside a unit, `damage` what a
    target takes. `passed_over` says that a line which comes after it stands before it, and that was reported.
    """

    besides: str = ""
    card: str = ""
    beside: str = ""
    damage: int = 0
    passed_over: bool = False


Task = Doing | Summoned | SpellDone | StrikeBack | TurnBegins | UnitBegins | PetsBegin | MainPhase | Owed
Tasks = tuple[Task, ...]
