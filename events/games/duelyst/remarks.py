"""What people notice at a table of the Duelyst-style tactics game."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import Count, Total, shared


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read totals off the table."""

    SENTENCE = (
        (
            "[in turn {turn} ]{player} is seen to have[ {mana} mana,][ a mana capacity of {capacity},]"
            "[ {hand:card} in hand,][ {deck:card} in the deck,][ {graveyard:card} in the graveyard,]"
            "[ a general with {health} health,][ a general with {attack} attack,][ {artifacts:artifact},]"
            "[ {units:unit},][ the build for MECHAZ0R! at {progress},]"
        ),
        "the table is seen to have {units:unit}",
        "the table is looked at[ in turn {turn}]",
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
    units: Annotated[Total | UnsetType, Meta(description="units on the board (without player: of both)")] = UNSET
    progress: Annotated[Total | UnsetType, Meta(description="of the MECHAZ0R! build")] = UNSET
