"""What luck or hidden information decides in Crystal Factions."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import CardNames, Chance, Phrases, PlayerId, shared, usual_words


class FirstPlayerChosen(shared.FirstPlayerChosen, frozen=True, kw_only=True, gc=False, tag="first-player.chosen"):
    """Who wins the flip of the priority token, and how that was decided (free text)."""

    SENTENCE = "{player} wins the priority token ({method})"
    PHRASES: ClassVar[Phrases] = {"method": {"coin": "coin flip", "die": "die roll", "token": "token flip"}}


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A faction deck is shuffled."""

    SENTENCE = "{player}'s faction deck is shuffled[ by {by}]"

    deck: Annotated[Literal["faction"], Meta(description="which one")]
    reason: Annotated[Literal["setup"] | UnsetType, Meta(description="what for")] = UNSET
    by: Annotated[PlayerId | UnsetType, Meta(description="who shuffled")] = UNSET


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """One card at the begin of the own part of the deploy phase, and where a card says so.

    No line if both decks are empty, or one with nothing in it.
    """

    SENTENCE = ("{player} draws {cards} from the {from_} deck", "{player} draws {count:card} from the {from_} deck")

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn; either this")] = UNSET  # type: ignore[assignment]  # wider than shared

    from_: Annotated[str, usual_words("faction", "basic"), Meta(description="faction or basic")] = msgspec.field(
        name="from"
    )


class DeckCut(Chance, frozen=True, kw_only=True, gc=False, tag="deck.cut"):
    """Another player cuts the shuffled deck."""

    SENTENCE = "{player}'s faction deck is cut by {by}"

    player: PlayerId
    deck: Annotated[Literal["faction"], Meta(description="which one")]
    by: Annotated[PlayerId, Meta(description="who cut")]


class StartingHandDrawn(Chance, frozen=True, kw_only=True, gc=False, tag="starting-hand.drawn"):
    """The whole starting hand of a player in one line, also the empty one.

    Which deck a card comes from can be seen from the card; an unseen one (`A:?1`) is from the faction deck.
    """

    SENTENCE = "{player} draws a starting hand of {cards:card}[: {cards}]"

    player: PlayerId
    cards: Annotated[CardNames, Meta(description="in the order in which they were drawn")]
