"""What the players of Splicers choose."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import (
    AnyCard,
    ByPlayer,
    CardId,
    CardIds,
    CardName,
    CardNames,
    Count,
    Decision,
    printed_in,
    shared,
)


class DeckDeclared(shared.DeckDeclared, frozen=True, kw_only=True, gc=False, tag="deck.declared"):
    """The deck list of a player."""

    SENTENCE = "{player} plays {splicer} and the bioms {bioms}, with a deck of {cards:card}"

    splicer: Annotated[CardId, Meta(description="the splicer")]
    bioms: Annotated[CardIds, Meta(description="the two bioms")]


class BiomsPlaced(Decision, frozen=True, kw_only=True, gc=False, tag="bioms.placed"):
    """The row of bioms between the players."""

    SENTENCE = "the bioms lie in a row: {row}"

    row: Annotated[CardIds, Meta(description="all bioms of both lists, in the order of the table")]


class MulliganTaken(ByPlayer, frozen=True, kw_only=True, gc=False, tag="mulligan.taken"):
    """The mulligan of a player; empty lists: the hand is kept."""

    SENTENCE = (
        "{player} [discards {returned} in the mulligan|keeps the hand][ and draws {drawn}]",
        "{player} [discards {returned} in the mulligan and draws {count:card}|keeps the hand]",
    )
    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("drawn", "count")
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("drawn", "count")

    returned: Annotated[CardNames, Meta(description="cards discarded")]
    drawn: Annotated[CardNames | UnsetType, Meta(description="cards drawn instead")] = UNSET
    count: Annotated[Count | UnsetType, Meta(description="how many were drawn, where nobody wrote down what")] = UNSET


class SeedPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="seed.played"):
    """A hand card is laid face down and exhausted at a biom."""

    SENTENCE = "{player} plays {card} as a seed at {biom}"
    MAY_BE_UNSEEN: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    biom: Annotated[CardId, Meta(description="where")]


class TingEvolved(ByPlayer, frozen=True, kw_only=True, gc=False, tag="ting.evolved"):
    """A seed is turned face up."""

    SENTENCE = "{player} evolves {card}[ with {mutations}]"

    card: Annotated[CardName, Meta(description="the seed")]
    mutations: Annotated[
        CardNames | UnsetType, Meta(description="hand mutations played with it, in time for a requirement")
    ] = UNSET
    was: Annotated[
        CardName | UnsetType, Meta(description="the same card as <owner>:?<n>, where it was written so before")
    ] = UNSET


class JumperPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="jumper.played"):
    """A jumper enters face up and unexhausted in place of being seeded."""

    SENTENCE = "{player} plays {card} as a jumper at {biom}"

    card: Annotated[CardName, Meta(description="the hand card")]
    biom: Annotated[CardId, Meta(description="where")]


class TingUpgraded(ByPlayer, frozen=True, kw_only=True, gc=False, tag="ting.upgraded"):
    """A card with upgrade enters in the place of a ting that is discarded for it."""

    SENTENCE = "{player} upgrades {discarded} to {card}"

    card: Annotated[CardName, Meta(description="the hand card")]
    discarded: Annotated[CardName, Meta(description="the ting that is given up")]


class MutationPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="mutation.played"):
    """A hand mutation is put under a ting."""

    SENTENCE = "{player} plays {card} under {host}"

    card: Annotated[CardName, Meta(description="the mutation")]
    host: Annotated[CardName, Meta(description="the ting")]


class AbilityUsed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="ability.used"):
    """An active ability is used."""

    SENTENCE = '{player} uses "{ability:aloud}" of {card}[ on {target}][ to {to}][ with {cards}][, showing {shown}]'

    card: Annotated[CardName, Meta(description="the card that has the ability")]
    ability: Annotated[str, printed_in("active"), Meta(description="the ability line as the card file spells it")]
    target: Annotated[AnyCard | UnsetType | None, Meta(description="the chosen card; null: none chosen")] = UNSET
    to: Annotated[CardId | UnsetType | None, Meta(description="the chosen biom (roam)")] = UNSET
    cards: Annotated[CardNames | UnsetType, Meta(description="the chosen cards of the discard pile (revive)")] = UNSET
    shown: Annotated[CardName | UnsetType, Meta(description="the ting shown for willpower")] = UNSET


class WillpowerAnswered(ByPlayer, frozen=True, kw_only=True, gc=False, tag="willpower.answered"):
    """The opponent answers willpower."""

    SENTENCE = "{player} [answers willpower with {shown}|does not answer willpower]"

    shown: Annotated[CardNames, Meta(description="tings shown from the hand; empty: no answer")]


class TingsSpliced(ByPlayer, frozen=True, kw_only=True, gc=False, tag="tings.spliced"):
    """Two own tings are exhausted to search the deck."""

    SENTENCE = (
        "{player} splices {tings} and takes {found}[, which enters at {biom}]",
        "{player} splices {tings} and takes {count:card}",
        "{player} splices {tings} and takes nothing",
    )
    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("found", "count")
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("found", "count", "biom")

    tings: Annotated[CardNames, Meta(description="the two tings")]
    found: Annotated[CardName | UnsetType | None, Meta(description="the card taken into the hand; null: none")] = UNSET
    count: Annotated[Count | UnsetType, Meta(description="0 or 1, where nobody saw what was taken")] = UNSET
    biom: Annotated[
        CardId | UnsetType, Meta(description="where a found ting enters at once; only in texts before 2017")
    ] = UNSET


class EventPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="event.played"):
    """An event is laid face down; that is a pass."""

    SENTENCE = "{player} lays {card} face down as an event and passes"
    MAY_BE_UNSEEN: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the event")]


class TurnPassed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="turn.passed"):
    """A player passes."""

    SENTENCE = "{player} passes"


class EventRevealed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="event.revealed"):
    """The face-down event is turned over at the end of the round."""

    SENTENCE = "{player} reveals {card}[ and chooses {target}]"

    card: Annotated[CardName, Meta(description="the event")]
    target: Annotated[AnyCard | UnsetType | None, Meta(description="the chosen card; null: none chosen")] = UNSET
    was: Annotated[
        CardName | UnsetType, Meta(description="the same card as <owner>:?<n>, where it was written so before")
    ] = UNSET


class TingReplaced(ByPlayer, frozen=True, kw_only=True, gc=False, tag="ting.replaced"):
    """The owner replaces the ting that diminish has chosen."""

    SENTENCE = (
        "{player} replaces {card} with {replacement}[ from the {from_}]",
        "{player} has no ting to replace {card}",
    )

    card: Annotated[CardName, Meta(description="the ting that goes")]
    replacement: Annotated[CardName | None, Meta(description="the ting that comes; null: there is none")]
    from_: Annotated[
        Literal["deck", "discard"] | UnsetType, Meta(description="where it was found; absent without a replacement")
    ] = msgspec.field(default=UNSET, name="from")
