"""What people notice at a table of Evolve."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import CardName, Count, Total, shared


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read something off the table: a checksum."""

    SENTENCE = (
        (
            "{player} is seen to have[ {dna} DNA,][ {mp} MP,][ {hand:card} in hand,][ {deck:card} in the deck,]"
            "[ {discard:card} in the discard pile,][ {card} {stressed:stressed|unstressed},]"
            "[ {card} with {energy} energy,]"
        ),
        "{card} is seen[ {stressed:stressed|unstressed},][ with {energy} energy,]",
        "the table is looked at",
    )

    dna: Annotated[Total | UnsetType, Meta(description="of player")] = UNSET
    mp: Annotated[Total | UnsetType, Meta(description="of player")] = UNSET
    hand: Annotated[Count | UnsetType, Meta(description="hand cards of player")] = UNSET
    deck: Annotated[Count | UnsetType, Meta(description="deck cards of player")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="discard pile of player")] = UNSET
    card: Annotated[CardName | UnsetType, Meta(description="a card in play")] = UNSET
    energy: Annotated[Total | UnsetType, Meta(description="of card")] = UNSET
    stressed: Annotated[bool | UnsetType, Meta(description="of card")] = UNSET
