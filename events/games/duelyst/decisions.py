"""What the players of the Duelyst-style tactics game choose."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import AnyCard, ByPlayer, CardId, CardName, CardNames, MadeCard, Place, shared


class DeckDeclared(shared.DeckDeclared, frozen=True, kw_only=True, gc=False, tag="deck.declared"):
    """General and deck of a player; it brings the general onto the board."""

    SENTENCE = "{player} plays {general} with a deck of {cards:card}"

    general: Annotated[CardId, Meta(description="the general")]


class MulliganTaken(ByPlayer, frozen=True, kw_only=True, gc=False, tag="mulligan.taken"):
    """The mulligan; the returned cards are shuffled in after the others are drawn."""

    SENTENCE = "{player} [takes a mulligan: puts {returned} back and draws {drawn}|keeps the hand]"
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("drawn",)

    returned: Annotated[CardNames, Meta(description="hand cards put back; empty: the hand is kept")]
    drawn: Annotated[CardNames, Meta(description="as many new ones")]


class MinionSummoned(ByPlayer, frozen=True, kw_only=True, gc=False, tag="minion.summoned"):
    """A minion is played from the hand. Its Opening Gambit and Bond follow."""

    SENTENCE = "{player} summons {card} on {tile:tile}[ and aims its Opening Gambit at {target}]"

    card: Annotated[CardName, Meta(description="the minion")]
    tile: Annotated[Place, Meta(description="where")]
    target: Annotated[AnyCard | UnsetType, Meta(description="target of the Opening Gambit (a unit)")] = UNSET


class SpellCast(ByPlayer, frozen=True, kw_only=True, gc=False, tag="spell.cast"):
    """A spell is played from the hand."""

    SENTENCE = "{player} casts {card}[ on {target}]"

    card: Annotated[CardName, Meta(description="the spell")]
    target: Annotated[AnyCard | UnsetType, Meta(description="a unit, where the text asks for one")] = UNSET


class ArtifactEquipped(ByPlayer, frozen=True, kw_only=True, gc=False, tag="artifact.equipped"):
    """An artifact is played from the hand."""

    SENTENCE = "{player} equips the general with {card}"

    card: Annotated[CardName, Meta(description="the artifact")]


class BloodboundSpellCast(ByPlayer, frozen=True, kw_only=True, gc=False, tag="bloodbound-spell.cast"):
    """The general's bloodbound spell is used."""

    SENTENCE = "{player} casts the bloodbound spell[ on {target}][, to {tile:tile}]"

    target: Annotated[AnyCard | UnsetType, Meta(description="a unit, where the text asks for one")] = UNSET
    tile: Annotated[Place | UnsetType, Meta(description="where the text moves it to")] = UNSET


class MechSummoned(ByPlayer, frozen=True, kw_only=True, gc=False, tag="mech.summoned"):
    """MECHAZ0R! is summoned for free, on any free tile."""

    SENTENCE = "{player} summons {unit} for free on {tile:tile}"

    unit: Annotated[MadeCard, Meta(description="its new name, e.g. A:mechaz0r#1", extra={"made of": "mechaz0r"})]
    tile: Annotated[Place, Meta(description="where")]


class UnitMoved(ByPlayer, frozen=True, kw_only=True, gc=False, tag="unit.moved"):
    """A unit moves."""

    SENTENCE = "{player} moves {unit} to {to:tile}"

    unit: Annotated[CardName, Meta(description="the unit")]
    to: Annotated[Place, Meta(description="the tile")]


class UnitAttacked(ByPlayer, frozen=True, kw_only=True, gc=False, tag="unit.attacked"):
    """A unit attacks."""

    SENTENCE = "{player} attacks {target} with {unit}"

    unit: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[AnyCard, Meta(description="the defender")]


class CardReplaced(ByPlayer, frozen=True, kw_only=True, gc=False, tag="card.replaced"):
    """A hand card is shuffled into the deck; a `cards.drawn` of another one follows."""

    SENTENCE = "{player} replaces {card}"

    card: Annotated[CardName, Meta(description="the hand card")]
