"""What luck or hidden information decides in Splicers."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import CardNames, Phrases, shared


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A player shuffles the own deck."""

    SENTENCE = "{player} shuffles the deck[ {reason}]"
    PHRASES: ClassVar[Phrases] = {
        "reason": {"setup": "for the game", "other": "once more", "splice": "after the splice"}
        | {"moulder": "after moulder", "diminish": "after diminish"}
    }

    reason: Annotated[
        Literal["setup", "splice", "moulder", "diminish", "other"] | UnsetType, Meta(description="what for")
    ] = UNSET


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws from the own deck; null, an empty list or a count of 0 where nothing was left in it."""

    SENTENCE = ("{player} draws {cards} {reason}", "{player} draws {count:card} {reason}")
    PHRASES: ClassVar[Phrases] = {
        "reason": {"opening-hand": "as the opening hand", "round-start": "for the round", "ability": "for an ability"}
    }

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn")] = UNSET  # type: ignore[assignment]  # wider than shared
    reason: Annotated[Literal["opening-hand", "round-start", "ability"], Meta(description="which draw this is")]
