"""What the rules of the Duelyst-style tactics game make of it; the log may leave it out."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from tabletape.events.vocabulary import (
    AnyCard,
    CardName,
    Consequence,
    MadeCard,
    OfCard,
    OfPlayer,
    Phrases,
    Place,
    PlayerId,
    Total,
    shared,
)


class OfUnit(Consequence, frozen=True, kw_only=True, gc=False):
    """What becomes of a unit; compared with what the fold derives for the same one."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    SENTENCE = ("{winner} wins {reason}", "nobody wins {reason}")

    PHRASES: ClassVar[Phrases] = {
        "reason": {
            "general-killed": "by killing the general",
            "both-generals-killed": "as both generals die",
            "concession": "by concession",
            "abandoned": "as the game is abandoned",
            "empty-deck": "as there is no card to draw",
        }
    }

    reason: Annotated[
        Literal["general-killed", "both-generals-killed", "concession", "abandoned", "empty-deck"],
        Meta(description="why"),
    ]


class GeneralPlaced(OfPlayer, frozen=True, kw_only=True, gc=False, tag="general.placed"):
    """Set-up: a general is placed."""

    SENTENCE = "{player} places {unit} on {tile:tile}"

    unit: Annotated[CardName, Meta(description="the general")]
    tile: Annotated[Place, Meta(description="[3, 1] or [3, 9]")]


class GlobePlaced(Consequence, frozen=True, kw_only=True, gc=False, tag="globe.placed"):
    """Set-up: a mana globe is placed."""

    SENTENCE = "a mana globe is placed on {tile:tile}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("tile",)

    tile: Annotated[Place, Meta(description="where")]


class GlobeCollected(OfPlayer, frozen=True, kw_only=True, gc=False, tag="globe.collected"):
    """A unit enters a globe's tile in its player's turn."""

    SENTENCE = "{unit} takes the mana globe on {tile:tile}: {player} has {mana} mana"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "unit")

    unit: Annotated[CardName, Meta(description="the unit")]
    tile: Annotated[Place, Meta(description="where")]
    mana: Annotated[Total, Meta(description="mana afterwards")]


class ManaRefilled(OfPlayer, frozen=True, kw_only=True, gc=False, tag="mana.refilled"):
    """Begin phase."""

    SENTENCE = "{player} begins the turn with {mana} mana (capacity {capacity})"

    capacity: Annotated[Total, Meta(description="capacity afterwards")]
    mana: Annotated[Total, Meta(description="mana afterwards")]


class ManaPaid(OfPlayer, frozen=True, kw_only=True, gc=False, tag="mana.paid"):
    """A card or bloodbound spell is paid; no line for a cost of 0."""

    SENTENCE = "{player} pays {amount} mana ({mana} left)"

    amount: Annotated[Total, Meta(description="the cost")]
    mana: Annotated[Total, Meta(description="mana afterwards")]


class BloodboundSpellReadied(OfPlayer, frozen=True, kw_only=True, gc=False, tag="bloodbound-spell.readied"):
    """The bloodbound spell becomes available (no line if it still is)."""

    SENTENCE = "{player}'s bloodbound spell becomes available"


class DamageDealt(OfUnit, frozen=True, kw_only=True, gc=False, tag="damage.dealt"):
    """A unit takes damage."""

    SENTENCE = "{source} deals {amount} to {unit} ({health} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    unit: Annotated[CardName, Meta(description="who is hurt")]
    amount: Annotated[Total, Meta(description="how much")]
    health: Annotated[Total, Meta(description="health left, also below 0")]
    source: Annotated[AnyCard, Meta(description="the unit or spell")]


class DamagePrevented(OfUnit, frozen=True, kw_only=True, gc=False, tag="damage.prevented"):
    """Damage that does nothing (forcefield, Arclyte Regalia, Koi)."""

    SENTENCE = "{amount} damage from {source} to {unit} is prevented"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    unit: Annotated[CardName, Meta(description="who was to be hurt")]
    amount: Annotated[Total, Meta(description="how much was prevented")]
    source: Annotated[AnyCard, Meta(description="the unit or spell")]


class UnitHealed(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.healed"):
    """A unit is healed."""

    SENTENCE = "{source} heals {unit} by {amount} ({health} now)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    amount: Annotated[Total, Meta(description="how much really")]
    health: Annotated[Total, Meta(description="health afterwards")]
    source: Annotated[AnyCard, Meta(description="the unit or spell")]


class UnitChanged(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.changed"):
    """A card text changes attack or health; not for zeal, infiltrate, auras, and not when something runs out."""

    SENTENCE = "{unit} becomes {attack}/{health} by {source}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    attack: Annotated[Total, Meta(description="attack afterwards")]
    health: Annotated[Total, Meta(description="health afterwards")]
    source: Annotated[AnyCard, Meta(description="the unit or spell")]


class UnitStunned(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.stunned"):
    """A unit neither moves nor attacks until the end of its owner's next turn."""

    SENTENCE = "{source} stuns {unit}"

    source: Annotated[AnyCard, Meta(description="the spell")]


class UnitDispelled(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.dispelled"):
    """A unit loses keywords, abilities and changes."""

    SENTENCE = "{source} dispels {unit}"

    source: Annotated[AnyCard, Meta(description="the unit or spell")]


class UnitFreed(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.freed"):
    """A token loses Ephemeral."""

    SENTENCE = "{source} frees {unit} from being Ephemeral"

    source: Annotated[AnyCard, Meta(description="the Dunecaster")]


class UnitTeleported(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.teleported"):
    """A unit is put on another tile."""

    SENTENCE = "{source} teleports {unit} to {tile:tile}"

    tile: Annotated[Place, Meta(description="where")]
    source: Annotated[AnyCard, Meta(description="the spell")]


class UnitFinished(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.finished"):
    """A unit with Build is finished; it counts as entering now."""

    SENTENCE = "{unit} is finished"


class UnitDied(OfUnit, frozen=True, kw_only=True, gc=False, tag="unit.died"):
    """A unit with health 0 or less leaves the board."""

    SENTENCE = "{unit} dies"


class TokenAppeared(Consequence, frozen=True, kw_only=True, gc=False, tag="token.appeared"):
    """A unit appears on a tile that the rules fix (Dying Wish of the Fenrir Warmaster)."""

    SENTENCE = "{source} makes {unit} appear on {tile:tile}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("source",)

    unit: Annotated[MadeCard, Meta(description="its new name")]
    tile: Annotated[Place, Meta(description="where")]
    source: Annotated[AnyCard, Meta(description="the unit that brings it")]


class TokenVanished(OfUnit, frozen=True, kw_only=True, gc=False, tag="token.vanished"):
    """A token leaves the game without dying (Ephemeral; a created unit that would return to a hand)."""

    SENTENCE = "{unit} disappears"


class ArtifactWorn(OfCard, frozen=True, kw_only=True, gc=False, tag="artifact.worn"):
    """An artifact loses durability."""

    SENTENCE = "{card} wears down to a durability of {durability}"

    card: Annotated[CardName, Meta(description="the artifact")]
    durability: Annotated[Total, Meta(description="what is left")]


class ArtifactBroken(OfCard, frozen=True, kw_only=True, gc=False, tag="artifact.broken"):
    """An artifact goes to the graveyard."""

    SENTENCE = "{card} breaks"

    card: Annotated[CardName, Meta(description="the artifact")]


class CardReturned(Consequence, frozen=True, kw_only=True, gc=False, tag="card.returned"):
    """A unit returns to its owner's hand."""

    SENTENCE = "{card} returns to {player}'s hand"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card")]


class CardAdded(Consequence, frozen=True, kw_only=True, gc=False, tag="card.added"):
    """A card that was in no deck comes into a hand."""

    SENTENCE = "{card} comes into {player}'s hand"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[MadeCard, Meta(description="its new name")]


class BuildProgressed(OfPlayer, frozen=True, kw_only=True, gc=False, tag="build.progressed"):
    """The MECHAZ0R! build changes."""

    SENTENCE = "{player}'s build for MECHAZ0R! stands at {progress}"

    progress: Annotated[Total, Meta(description="0 to 5")]


class StrikeBackSuspended(OfPlayer, frozen=True, kw_only=True, gc=False, tag="strike-back.suspended"):
    """The units of a player do not strike back this turn."""

    SENTENCE = "{player}'s units do not strike back this turn"
