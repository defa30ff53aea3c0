"""The event types of the Duelyst-style tactics game, in the words of its rulebook (docs/games/duelyst.md)."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from events import shared
from events.shared import (
    FirstPlayerChosen,
    GameAbandoned,
    GameStarted,
    NoteAdded,
    PlayerConceded,
    PlayTakenBack,
    QuestionRaised,
    TurnEnded,
    TurnStarted,
)
from events.vocabulary import (
    CardId,
    CardName,
    CardNames,
    Chance,
    Consequence,
    Count,
    Decision,
    Phrases,
    Place,
    PlayerId,
    Total,
)


class DeckDeclared(shared.DeckDeclared, frozen=True, kw_only=True, gc=False, tag="deck.declared"):
    """General and deck of a player; it brings the general onto the board."""

    SENTENCE = "{player} plays {general} with a deck of {cards:card}"

    general: Annotated[CardId, Meta(description="the general")]


class MulliganTaken(Decision, frozen=True, kw_only=True, gc=False, tag="mulligan.taken"):
    """The mulligan; the returned cards are shuffled in after the others are drawn."""

    SENTENCE = "{player} [takes a mulligan: puts {returned} back and draws {drawn}|keeps the hand]"
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("drawn",)

    player: PlayerId
    returned: Annotated[
        CardNames,
        Meta(description="hand cards put back; empty: the hand is kept"),
    ]
    drawn: Annotated[CardNames, Meta(description="as many new ones")]


class MinionSummoned(Decision, frozen=True, kw_only=True, gc=False, tag="minion.summoned"):
    """A minion is played from the hand. Its Opening Gambit and Bond follow."""

    SENTENCE = "{player} summons {card} on {tile:tile}[ and aims its Opening Gambit at {target}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the minion")]
    tile: Annotated[Place, Meta(description="where")]
    target: Annotated[CardName | UnsetType, Meta(description="target of the Opening Gambit (a unit)")] = UNSET


class SpellCast(Decision, frozen=True, kw_only=True, gc=False, tag="spell.cast"):
    """A spell is played from the hand."""

    SENTENCE = "{player} casts {card}[ on {target}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the spell")]
    target: Annotated[CardName | UnsetType, Meta(description="a unit, where the text asks for one")] = UNSET


class ArtifactEquipped(Decision, frozen=True, kw_only=True, gc=False, tag="artifact.equipped"):
    """An artifact is played from the hand."""

    SENTENCE = "{player} equips the general with {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the artifact")]


class BloodboundSpellCast(Decision, frozen=True, kw_only=True, gc=False, tag="bloodbound-spell.cast"):
    """The general's bloodbound spell is used."""

    SENTENCE = "{player} casts the bloodbound spell[ on {target}][, to {tile:tile}]"

    player: PlayerId
    target: Annotated[CardName | UnsetType, Meta(description="a unit, where the text asks for one")] = UNSET
    tile: Annotated[Place | UnsetType, Meta(description="where the text moves it to")] = UNSET


class MechSummoned(Decision, frozen=True, kw_only=True, gc=False, tag="mech.summoned"):
    """MECHAZ0R! is summoned for free, on any free tile."""

    SENTENCE = "{player} summons {unit} for free on {tile:tile}"

    player: PlayerId
    unit: Annotated[CardName, Meta(description="its new name, e.g. A:mechaz0r#1")]
    tile: Annotated[Place, Meta(description="where")]


class UnitMoved(Decision, frozen=True, kw_only=True, gc=False, tag="unit.moved"):
    """A unit moves."""

    SENTENCE = "{player} moves {unit} to {to:tile}"

    player: PlayerId
    unit: Annotated[CardName, Meta(description="the unit")]
    to: Annotated[Place, Meta(description="the tile")]


class UnitAttacked(Decision, frozen=True, kw_only=True, gc=False, tag="unit.attacked"):
    """A unit attacks."""

    SENTENCE = "{player} attacks {target} with {unit}"

    player: PlayerId
    unit: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[CardName, Meta(description="the defender")]


class CardReplaced(Decision, frozen=True, kw_only=True, gc=False, tag="card.replaced"):
    """A hand card is shuffled into the deck; a `cards.drawn` of another one follows."""

    SENTENCE = "{player} replaces {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the hand card")]


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A deck is shuffled: `setup` once a player; after a mulligan or a replacement the line may be left out."""

    SENTENCE = "{player} shuffles the deck {reason}"

    PHRASES: ClassVar[Phrases] = {
        "reason": {"setup": "before the game", "mulligan": "after the mulligan", "replace": "after replacing a card"}
    }

    reason: Annotated[Literal["setup", "mulligan", "replace"], Meta(description="what for")]


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws from the own deck; null, an empty list or a count of 0 where nothing was left in it."""

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn; either this")] = UNSET  # type: ignore[assignment]  # wider than shared
    count: Annotated[Count | UnsetType, Meta(description="or how many")] = UNSET


class PetActed(Chance, frozen=True, kw_only=True, gc=False, tag="pet.acted"):
    """A Battle Pet acts at the start of its player's turn. A pet that does nothing has a line with `unit` alone."""

    SENTENCE = (
        "{unit} moves to {to:tile}[ and attacks {target}]",
        "{unit} attacks {target}",
        "{unit} stays and attacks nobody",
    )

    unit: Annotated[CardName, Meta(description="the pet")]
    to: Annotated[
        Place | UnsetType,
        Meta(description="where it moved; left out: it stayed"),
    ] = UNSET
    target: Annotated[CardName | UnsetType, Meta(description="whom it attacked; left out: nobody")] = UNSET


class TokenSummoned(Chance, frozen=True, kw_only=True, gc=False, tag="token.summoned"):
    """A unit appears on a tile that luck picks (Obelysk, Iron Shroud, Voice of the Wind …)."""

    SENTENCE = "{source} summons {unit} on {tile:tile}"

    unit: Annotated[CardName, Meta(description="its new name: <owner>:<card>#<n>, the next number")]
    tile: Annotated[Place, Meta(description="where")]
    source: Annotated[str, Meta(description="the unit or spell that brings it")]


class TargetPicked(Chance, frozen=True, kw_only=True, gc=False, tag="target.picked"):
    """Luck picks the target of an ability (Glacial Elemental)."""

    SENTENCE = "{source} hits {target} by luck"

    source: Annotated[str, Meta(description="the unit whose ability it is")]
    target: Annotated[CardName, Meta(description="the unit that is hit")]


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


class GeneralPlaced(Consequence, frozen=True, kw_only=True, gc=False, tag="general.placed"):
    """Set-up: a general is placed."""

    SENTENCE = "{player} places {unit} on {tile:tile}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    unit: Annotated[CardName, Meta(description="the general")]
    tile: Annotated[Place, Meta(description="[3, 1] or [3, 9]")]


class GlobePlaced(Consequence, frozen=True, kw_only=True, gc=False, tag="globe.placed"):
    """Set-up: a mana globe is placed."""

    SENTENCE = "a mana globe is placed on {tile:tile}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("tile",)

    tile: Annotated[Place, Meta(description="where")]


class GlobeCollected(Consequence, frozen=True, kw_only=True, gc=False, tag="globe.collected"):
    """A unit enters a globe's tile in its player's turn."""

    SENTENCE = "{unit} takes the mana globe on {tile:tile}: {player} has {mana} mana"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "unit")

    player: PlayerId
    unit: Annotated[CardName, Meta(description="the unit")]
    tile: Annotated[Place, Meta(description="where")]
    mana: Annotated[Total, Meta(description="mana afterwards")]


class ManaRefilled(Consequence, frozen=True, kw_only=True, gc=False, tag="mana.refilled"):
    """Begin phase."""

    SENTENCE = "{player} begins the turn with {mana} mana (capacity {capacity})"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    capacity: Annotated[Total, Meta(description="capacity afterwards")]
    mana: Annotated[Total, Meta(description="mana afterwards")]


class ManaPaid(Consequence, frozen=True, kw_only=True, gc=False, tag="mana.paid"):
    """A card or bloodbound spell is paid; no line for a cost of 0."""

    SENTENCE = "{player} pays {amount} mana ({mana} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    amount: Annotated[Total, Meta(description="the cost")]
    mana: Annotated[Total, Meta(description="mana afterwards")]


class BloodboundSpellReadied(Consequence, frozen=True, kw_only=True, gc=False, tag="bloodbound-spell.readied"):
    """The bloodbound spell becomes available (no line if it still is)."""

    SENTENCE = "{player}'s bloodbound spell becomes available"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId


class DamageDealt(Consequence, frozen=True, kw_only=True, gc=False, tag="damage.dealt"):
    """A unit takes damage."""

    SENTENCE = "{source} deals {amount} to {unit} ({health} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    unit: Annotated[CardName, Meta(description="who is hurt")]
    amount: Annotated[Total, Meta(description="how much")]
    health: Annotated[Total, Meta(description="health left, also below 0")]
    source: Annotated[str, Meta(description="the unit or spell")]


class DamagePrevented(Consequence, frozen=True, kw_only=True, gc=False, tag="damage.prevented"):
    """Damage that does nothing (forcefield, Arclyte Regalia, Koi)."""

    SENTENCE = "{amount} damage of {source} to {unit} is prevented"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    unit: Annotated[CardName, Meta(description="who was to be hurt")]
    amount: Annotated[Total, Meta(description="how much was prevented")]
    source: Annotated[str, Meta(description="the unit or spell")]


class UnitHealed(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.healed"):
    """A unit is healed."""

    SENTENCE = "{source} heals {unit} by {amount} ({health} now)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    unit: Annotated[CardName, Meta(description="who")]
    amount: Annotated[Total, Meta(description="how much really")]
    health: Annotated[Total, Meta(description="health afterwards")]
    source: Annotated[str, Meta(description="the unit or spell")]


class UnitChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.changed"):
    """A card text changes attack or health; not for zeal, infiltrate, auras, and not when something runs out."""

    SENTENCE = "{source} makes {unit} {attack}/{health}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit", "source")

    unit: Annotated[CardName, Meta(description="who")]
    attack: Annotated[Total, Meta(description="attack afterwards")]
    health: Annotated[Total, Meta(description="health afterwards")]
    source: Annotated[str, Meta(description="the unit or spell")]


class UnitStunned(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.stunned"):
    """A unit neither moves nor attacks until the end of its owner's next turn."""

    SENTENCE = "{source} stuns {unit}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]
    source: Annotated[str, Meta(description="the spell")]


class UnitDispelled(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.dispelled"):
    """A unit loses keywords, abilities and changes."""

    SENTENCE = "{source} dispels {unit}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]
    source: Annotated[str, Meta(description="the unit or spell")]


class UnitFreed(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.freed"):
    """A token loses Ephemeral."""

    SENTENCE = "{source} frees {unit} from being Ephemeral"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]
    source: Annotated[str, Meta(description="the Dunecaster")]


class UnitTeleported(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.teleported"):
    """A unit is put on another tile."""

    SENTENCE = "{source} teleports {unit} to {tile:tile}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]
    tile: Annotated[Place, Meta(description="where")]
    source: Annotated[str, Meta(description="the spell")]


class UnitFinished(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.finished"):
    """A unit with Build is finished; it counts as entering now."""

    SENTENCE = "{unit} is finished"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]


class UnitDied(Consequence, frozen=True, kw_only=True, gc=False, tag="unit.died"):
    """A unit with health 0 or less leaves the board."""

    SENTENCE = "{unit} dies"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]


class TokenAppeared(Consequence, frozen=True, kw_only=True, gc=False, tag="token.appeared"):
    """A unit appears on a tile that the rules fix (Dying Wish of the Fenrir Warmaster)."""

    SENTENCE = "{source} makes {unit} appear on {tile:tile}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("source",)

    unit: Annotated[CardName, Meta(description="its new name")]
    tile: Annotated[Place, Meta(description="where")]
    source: Annotated[str, Meta(description="the unit that brings it")]


class TokenVanished(Consequence, frozen=True, kw_only=True, gc=False, tag="token.vanished"):
    """A token leaves the game without dying (Ephemeral; a created unit that would return to a hand)."""

    SENTENCE = "{unit} disappears"

    SUBJECT: ClassVar[tuple[str, ...]] = ("unit",)

    unit: Annotated[CardName, Meta(description="who")]


class ArtifactWorn(Consequence, frozen=True, kw_only=True, gc=False, tag="artifact.worn"):
    """An artifact loses durability."""

    SENTENCE = "{card} wears down to a durability of {durability}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the artifact")]
    durability: Annotated[Total, Meta(description="what is left")]


class ArtifactBroken(Consequence, frozen=True, kw_only=True, gc=False, tag="artifact.broken"):
    """An artifact goes to the graveyard."""

    SENTENCE = "{card} breaks"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the artifact")]


class CardReturned(Consequence, frozen=True, kw_only=True, gc=False, tag="card.returned"):
    """A unit returns to its owner's hand."""

    SENTENCE = "{card} returns to the hand of {player}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card")]


class CardAdded(Consequence, frozen=True, kw_only=True, gc=False, tag="card.added"):
    """A card that was in no deck comes into a hand."""

    SENTENCE = "{card} comes into the hand of {player}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="its new name")]


class BuildProgressed(Consequence, frozen=True, kw_only=True, gc=False, tag="build.progressed"):
    """The MECHAZ0R! build changes."""

    SENTENCE = "{player}'s build for MECHAZ0R! stands at {progress}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    progress: Annotated[Total, Meta(description="0 to 5")]


class StrikeBackSuspended(Consequence, frozen=True, kw_only=True, gc=False, tag="strike-back.suspended"):
    """The units of a player do not strike back this turn."""

    SENTENCE = "{player}'s units do not strike back this turn"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read totals off the table."""

    SENTENCE = (
        "read off the table[ for {player}][, turn {turn}][, {mana} mana][, a mana capacity of {capacity}]"
        "[, {hand:card} in the hand][, {deck:card} in the deck][, {graveyard:card} in the graveyard]"
        "[, a general with {health} health][, a general with {attack} attack][, {artifacts:artifact}]"
        "[, {units:unit}][, the build for MECHAZ0R! at {progress}]"
    )

    turn: Annotated[Total | UnsetType, Meta(description="number of the player's own turn")] = UNSET
    mana: Annotated[Total | UnsetType, Meta(description="mana left")] = UNSET
    capacity: Annotated[Total | UnsetType, Meta(description="mana capacity")] = UNSET
    hand: Annotated[Count | UnsetType, Meta(description="cards in the hand")] = UNSET
    deck: Annotated[Count | UnsetType, Meta(description="cards in the deck")] = UNSET
    graveyard: Annotated[Total | UnsetType, Meta(description="cards in the graveyard")] = UNSET
    health: Annotated[Total | UnsetType, Meta(description="of the general")] = UNSET
    attack: Annotated[Total | UnsetType, Meta(description="of the general")] = UNSET
    artifacts: Annotated[Total | UnsetType, Meta(description="worn")] = UNSET
    units: Annotated[
        Total | UnsetType,
        Meta(description="units on the board (without player: of both)"),
    ] = UNSET
    progress: Annotated[Total | UnsetType, Meta(description="of the MECHAZ0R! build")] = UNSET


__all__ = [
    "ArtifactBroken",
    "ArtifactEquipped",
    "ArtifactWorn",
    "BloodboundSpellCast",
    "BloodboundSpellReadied",
    "BuildProgressed",
    "CardAdded",
    "CardReplaced",
    "CardReturned",
    "CardsDrawn",
    "DamageDealt",
    "DamagePrevented",
    "DeckDeclared",
    "DeckShuffled",
    "FirstPlayerChosen",
    "GameAbandoned",
    "GameEnded",
    "GameStarted",
    "GeneralPlaced",
    "GlobeCollected",
    "GlobePlaced",
    "ManaPaid",
    "ManaRefilled",
    "MechSummoned",
    "MinionSummoned",
    "MulliganTaken",
    "NoteAdded",
    "PetActed",
    "PlayTakenBack",
    "PlayerConceded",
    "QuestionRaised",
    "SpellCast",
    "StateObserved",
    "StrikeBackSuspended",
    "TargetPicked",
    "TokenAppeared",
    "TokenSummoned",
    "TokenVanished",
    "TurnEnded",
    "TurnStarted",
    "UnitAttacked",
    "UnitChanged",
    "UnitDied",
    "UnitDispelled",
    "UnitFinished",
    "UnitFreed",
    "UnitHealed",
    "UnitMoved",
    "UnitStunned",
    "UnitTeleported",
]
