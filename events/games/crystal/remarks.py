"""What people notice at a table of Crystal Factions."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import Count, Total, shared


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read totals off the table."""

    SENTENCE = (
        (
            "[in round {round} ]{player} is seen to have[ {hitpoints:hit point},][ {crystals:crystal},]"
            "[ {hand:card} in hand,][ {faction_deck:card} in the faction deck,][ {basic_deck:card} in the basic deck,]"
            "[ {discard:card} in the discard pile,][ {mining} mining power,][ {attack} attack power,]"
            "[ {tech} tech power,][ a tech limit of {tech_limit},]"
        ),
        "the table is looked at[ in round {round}]",
    )

    round: Annotated[Count | UnsetType, Meta(description="number of the round")] = UNSET
    hitpoints: Annotated[Total | UnsetType, Meta(description="hit points")] = UNSET
    crystals: Annotated[Total | UnsetType, Meta(description="crystals")] = UNSET
    hand: Annotated[Count | UnsetType, Meta(description="cards in the hand")] = UNSET
    faction_deck: Annotated[Total | UnsetType, Meta(description="cards in the faction deck")] = UNSET
    basic_deck: Annotated[Total | UnsetType, Meta(description="cards in the basic deck")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="cards in the discard pile")] = UNSET
    mining: Annotated[Total | UnsetType, Meta(description="power of the Mining lane")] = UNSET
    attack: Annotated[Total | UnsetType, Meta(description="power of the Attack lane")] = UNSET
    tech: Annotated[Total | UnsetType, Meta(description="power of the Tech lane")] = UNSET
    tech_limit: Annotated[Total | UnsetType, Meta(description="the tech limit")] = UNSET
