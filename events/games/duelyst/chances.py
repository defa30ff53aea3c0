"""What luck or hidden information decides in the Duelyst-style tactics game."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import AnyCard, CardName, CardNames, Chance, Count, MadeCard, Phrases, Place, shared


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A deck is shuffled: `setup` once a player; after a mulligan or a replacement the line may be left out."""

    SENTENCE = "{player} shuffles the deck[ {reason}]"

    PHRASES: ClassVar[Phrases] = {
        "reason": {"setup": "before the game", "mulligan": "after the mulligan", "replace": "after replacing a card"}
    }

    reason: Annotated[Literal["setup", "mulligan", "replace"] | UnsetType, Meta(description="what for")] = UNSET


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws from the own deck; null, an empty list or a count of 0 where nothing was left in it."""

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn; either this")] = UNSET  # type: ignore[assignment]  # wider than shared
    count: Annotated[Count | UnsetType, Meta(description="or how many")] = UNSET


class PetActed(Chance, frozen=True, kw_only=True, gc=False, tag="pet.acted"):
    """A Battle Pet acts at the start of its player's turn. A pet that does nothing has a line with `unit` alone."""

    SENTENCE = (
        "{unit} moves to {to:tile}[ and attacks {target}]",
        "{unit} attacks {target}",
        "{unit} stays and attacks nobody",
    )

    unit: Annotated[CardName, Meta(description="the pet")]
    to: Annotated[Place | UnsetType, Meta(description="where it moved; left out: it stayed")] = UNSET
    target: Annotated[AnyCard | UnsetType, Meta(description="whom it attacked; left out: nobody")] = UNSET


class TokenSummoned(Chance, frozen=True, kw_only=True, gc=False, tag="token.summoned"):
    """A unit appears on a tile that luck picks (Obelysk, Iron Shroud, Voice of the Wind …)."""

    SENTENCE = "{source} summons {unit} on {tile:tile}"

    unit: Annotated[MadeCard, Meta(description="its new name: <owner>:<card>#<n>, the next number")]
    tile: Annotated[Place, Meta(description="where")]
    source: Annotated[AnyCard, Meta(description="the unit or spell that brings it")]


class TargetPicked(Chance, frozen=True, kw_only=True, gc=False, tag="target.picked"):
    """Luck picks the target of an ability (Glacial Elemental)."""

    SENTENCE = "luck picks {target} for {source}"

    source: Annotated[AnyCard, Meta(description="the unit whose ability it is")]
    target: Annotated[AnyCard, Meta(description="the unit that is hit")]
