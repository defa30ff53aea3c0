"""What luck or hidden information decides in PhyloGenome."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import CardNames, Chance, Count, PlayerId, shared


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A deck is shuffled."""

    SENTENCE = "{player} shuffles the deck"

    reason: Annotated[
        Literal["setup", "reshuffle"] | UnsetType,
        Meta(description="what for; `reshuffle`: the discard pile has become the deck"),
    ] = UNSET


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws; `null`, an empty list and a count of 0 say that nothing was there to be drawn."""

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn; either this")] = UNSET  # type: ignore[assignment]  # wider than shared


class CardsLookedAt(Chance, frozen=True, kw_only=True, gc=False, tag="cards.looked-at"):
    """A player looks at the top of the own deck (Field Expedition)."""

    SENTENCE = ("{player} looks at {cards} on top of the deck", "{player} looks at {count:card} on top of the deck")

    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("cards", "count")

    player: PlayerId
    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was seen; either this")] = UNSET
    count: Annotated[Count | UnsetType, Meta(description="or how many")] = UNSET
