"""What the players of PhyloGenome choose."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import MAX_LIST, AnyCard, ByPlayer, CardName, CardNames, Place


class SpeciesMove(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One Species that is moved, and the cell that it is moved to."""

    SENTENCE: ClassVar[str] = "{card} to {to}"

    card: CardName
    to: Place


class SpeciesPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="species.played"):
    """Action: a Species is laid from the hand, facing its player."""

    SENTENCE = "{player} plays {card} at {cell}"

    card: Annotated[CardName, Meta(description="the Species")]
    cell: Annotated[Place, Meta(description="where")]


class SpeciesMoved(ByPlayer, frozen=True, kw_only=True, gc=False, tag="species.moved"):
    """Action: one or two own Species are moved, in the written order."""

    SENTENCE = "{player} moves {moves}"

    moves: Annotated[tuple[SpeciesMove, ...], Meta(max_length=MAX_LIST, description="card: the Species, to: the cell")]


class CardsCycled(ByPlayer, frozen=True, kw_only=True, gc=False, tag="cards.cycled"):
    """Action: one hand card is discarded for three cards; a `cards.drawn` follows."""

    SENTENCE = "{player} exchanges {discarded} for three cards"

    discarded: Annotated[CardName, Meta(description="the hand card")]


class EventPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="event.played"):
    """Action: an Event is played."""

    SENTENCE = "{player} plays {card}[ on {target}][, which moves to {cell}][, and pays {paid}]"

    card: Annotated[CardName, Meta(description="the Event")]
    target: Annotated[
        AnyCard | UnsetType,
        Meta(description="a Species in play, an Event in play or a card in the own discard pile, as the card says"),
    ] = UNSET
    cell: Annotated[Place | UnsetType, Meta(description="where a Species is moved to")] = UNSET
    paid: Annotated[CardNames | UnsetType, Meta(description="hand cards that the Event costs")] = UNSET


class CardKept(ByPlayer, frozen=True, kw_only=True, gc=False, tag="card.kept"):
    """After `cards.looked-at`: one of these goes to the hand, the others under the deck."""

    SENTENCE = "{player} keeps {card}, and the others go under the deck"

    card: Annotated[CardName, Meta(description="the one that is kept")]
