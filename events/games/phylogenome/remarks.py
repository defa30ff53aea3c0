"""What people notice at a table of PhyloGenome."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import Count, Total, shared


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read totals off the table."""

    SENTENCE = (
        (
            "[in turn {turn} ]{player} is seen to have[ {hand:card} in hand,][ {deck:card} in the deck,]"
            "[ {discard:card} in the discard pile,][ generation {generation},][ {species} Species,]"
            "[ {first_generation} of the first generation,][ {second_generation} of the second,]"
            "[ {third_generation} of the third,][ {table_events:Event} on the table,]"
        ),
        "[in turn {turn} ]the table is seen to have {species} Species",
        "the table is looked at[ in turn {turn}]",
    )

    turn: Annotated[Total | UnsetType, Meta(description="number of the turn, both players counted")] = UNSET
    hand: Annotated[Count | UnsetType, Meta(description="cards in the hand")] = UNSET
    deck: Annotated[Count | UnsetType, Meta(description="cards in the deck")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="cards in the discard pile")] = UNSET
    generation: Annotated[Total | UnsetType, Meta(description="generation reached")] = UNSET
    species: Annotated[
        Total | UnsetType, Meta(description="Species facing the player (without player: all Species in play)")
    ] = UNSET
    first_generation: Annotated[Total | UnsetType, Meta(description="of these of generation 1")] = UNSET
    second_generation: Annotated[Total | UnsetType, Meta(description="of generation 2")] = UNSET
    third_generation: Annotated[Total | UnsetType, Meta(description="of generation 3")] = UNSET
    table_events: Annotated[Total | UnsetType, Meta(description="Events of the player on the table")] = UNSET
