"""What people notice at a table of Splicers."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import CardId, CardName, Count, PlayerId, Total, shared


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read something off the table: a checksum."""

    SENTENCE = (
        (
            "{player} is seen to have[ {hand:card} in hand,][ {deck:card} in the deck,]"
            "[ {discard:card} in the discard pile,][ {actions:action} left,][ a total of {total} at {biom},]"
            "[ {card} face {face},][ {card} {exhausted:exhausted|unexhausted},][ {card} with {tokens:token},]"
            "[ {card} with a dominance of {dominance},]"
        ),
        (
            "{card} is seen[ face {face},][ {exhausted:exhausted|unexhausted},][ with {tokens:token},]"
            "[ with a dominance of {dominance},]"
        ),
        "{biom} is seen to be dominated by {dominator}",
        "{biom} is seen to be dominated by nobody",
        "the table is looked at",
    )

    hand: Annotated[Count | UnsetType, Meta(description="hand cards of player")] = UNSET
    deck: Annotated[Count | UnsetType, Meta(description="deck cards of player")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="discard pile of player")] = UNSET
    actions: Annotated[Total | UnsetType, Meta(description="actions left of player")] = UNSET
    biom: Annotated[CardId | UnsetType, Meta(description="a biom")] = UNSET
    total: Annotated[Total | UnsetType, Meta(description="total of player at biom")] = UNSET
    dominator: Annotated[PlayerId | UnsetType | None, Meta(description="dominator of biom")] = UNSET
    card: Annotated[CardName | UnsetType, Meta(description="a card in play")] = UNSET
    face: Annotated[Literal["up", "down"] | UnsetType, Meta(description="of card")] = UNSET
    exhausted: Annotated[bool | UnsetType, Meta(description="of card")] = UNSET
    tokens: Annotated[Count | UnsetType, Meta(description="on card")] = UNSET
    dominance: Annotated[Total | UnsetType, Meta(description="of card")] = UNSET
