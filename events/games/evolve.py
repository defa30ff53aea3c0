"""The event types of Evolve, in the words of its rulebook (docs/games/evolve.md)."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from events import shared
from events.shared import (
    CardShown,
    DeckDeclared,
    FirstPlayerChosen,
    GameAbandoned,
    GameStarted,
    NoteAdded,
    PlayerConceded,
    PlayTakenBack,
    QuestionRaised,
    TurnEnded,
    TurnStarted,
)
from events.vocabulary import CardName, CardNames, Consequence, Count, Decision, PlayerId, Total


class MulliganTaken(Decision, frozen=True, kw_only=True, gc=False, tag="mulligan.taken"):
    """The mulligan of a player; empty lists: the hand is kept."""

    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("drawn", "count")

    player: PlayerId
    free: Annotated[bool, Meta(description="claimed as the free one")]
    returned: Annotated[
        CardNames,
        Meta(description="the cards put on the bottom, in the order in which they lie there"),
    ]
    drawn: Annotated[CardNames | UnsetType | None, Meta(description="cards drawn instead; null for none")] = UNSET
    count: Annotated[
        Count | UnsetType,
        Meta(description="how many were drawn, where nobody wrote down what"),
    ] = UNSET
    shuffled: Annotated[bool, Meta(description="the deck was shuffled before the new cards were drawn")]


class OrganismUnstressed(Decision, frozen=True, kw_only=True, gc=False, tag="organism.unstressed"):
    """The current player unstresses a non-food organism in the begin step."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]
    paid: Annotated[bool, Meta(description="for 1 DNA; otherwise as the free one")]


class TriggersOrdered(Decision, frozen=True, kw_only=True, gc=False, tag="triggers.ordered"):
    """The current player orders the abilities of the start of the turn.

    Left out where they happen in order of arrival.
    """

    player: PlayerId
    cards: Annotated[
        CardNames,
        Meta(description="the cards with such an ability, in the order chosen"),
    ]


class OrganismPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="organism.played"):
    """An organism is played from the hand."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]


class MutationPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="mutation.played"):
    """A mutation is played from the hand."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the mutation")]
    host: Annotated[CardName, Meta(description="the organism")]


class StatusPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="status.played"):
    """A status is played from the hand."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the status")]


class StatusEnded(Decision, frozen=True, kw_only=True, gc=False, tag="status.ended"):
    """A status in the hand is given up to end one in play."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the status in the hand")]
    target: Annotated[CardName, Meta(description="the status in play")]


class FoodConsumed(Decision, frozen=True, kw_only=True, gc=False, tag="food.consumed"):
    """An organism consumes food."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the consumer")]
    food: Annotated[CardName, Meta(description="the food organism")]


class OrganismDuplicated(Decision, frozen=True, kw_only=True, gc=False, tag="organism.duplicated"):
    """An organism duplicates."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]


class OrganismPhotosynthesized(Decision, frozen=True, kw_only=True, gc=False, tag="organism.photosynthesized"):
    """An organism makes energy from light."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]


class OrganismAttacked(Decision, frozen=True, kw_only=True, gc=False, tag="organism.attacked"):
    """An organism attacks in the own main step."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[CardName, Meta(description="the organism attacked")]


class OrganismEvolved(Decision, frozen=True, kw_only=True, gc=False, tag="organism.evolved"):
    """An organism evolves."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism that evolves")]
    into: Annotated[
        CardName | UnsetType,
        Meta(description="the hand card of the next tier; absent for tier 3"),
    ] = UNSET


class ActionTaken(Decision, frozen=True, kw_only=True, gc=False, tag="action.taken"):
    """An organism takes another printed action."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]
    action: Annotated[str, Meta(description="its name as the card file spells it")]
    target: Annotated[CardName | UnsetType, Meta(description="the chosen card")] = UNSET


class AttackDeclared(Decision, frozen=True, kw_only=True, gc=False, tag="attack.declared"):
    """The controller of food that is being consumed answers with an attack."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[CardName, Meta(description="the consumer")]


class EventPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="event.played"):
    """A normal event is played."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the event")]
    target: Annotated[CardName | UnsetType, Meta(description="the chosen card")] = UNSET


class ResponsePlayed(Decision, frozen=True, kw_only=True, gc=False, tag="response.played"):
    """An event response is played against the event."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the response")]
    target: Annotated[CardName | UnsetType, Meta(description="the chosen card")] = UNSET


class EventDeclined(Decision, frozen=True, kw_only=True, gc=False, tag="event.declined"):
    """A player lets a chance pass; may be left out, silence says the same."""

    player: PlayerId
    chance: Annotated[
        Literal["event", "response"],
        Meta(description="the chance: to play an event, or a response to the open event"),
    ]


class SurplusDiscarded(Decision, frozen=True, kw_only=True, gc=False, tag="surplus.discarded"):
    """The current player discards because of more than five cards in hand."""

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card")]


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A player shuffles the own deck."""

    reason: Annotated[Literal["setup", "effect", "other"], Meta(description="what for")]


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws from the own deck; null, an empty list or a count of 0 where nothing was left in it."""

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn")] = UNSET  # type: ignore[assignment]  # wider than shared
    reason: Annotated[Literal["opening-hand", "turn-start", "effect"], Meta(description="which draw this is")]


class PhaseStarted(shared.PhaseStarted, frozen=True, kw_only=True, gc=False, tag="phase.started"):
    """The main or the end step begins."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("phase",)

    phase: Annotated[Literal["main", "end"], Meta(description="the step")]


class MpChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="mp.changed"):
    """Manipulation Points of a player change."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    by: Annotated[Total, Meta(description="the change")]
    to: Annotated[Total, Meta(description="the new total")]


class DnaChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="dna.changed"):
    """DNA of a player changes."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    by: Annotated[Total, Meta(description="the change")]
    to: Annotated[Total, Meta(description="the new total")]


class EnergyChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="energy.changed"):
    """Energy of an organism changes."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the organism")]
    by: Annotated[Total, Meta(description="the change that stands")]
    to: Annotated[Total, Meta(description="the new total")]
    lost: Annotated[
        Total | UnsetType,
        Meta(description="energy above the limit that was lost; absent for none"),
    ] = UNSET


class FoodUnstressed(Consequence, frozen=True, kw_only=True, gc=False, tag="food.unstressed"):
    """Food unstresses at the start of its controller's turn."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the food")]


class OrganismStressed(Consequence, frozen=True, kw_only=True, gc=False, tag="organism.stressed"):
    """An organism becomes stressed."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the organism")]


class OrganismDied(Consequence, frozen=True, kw_only=True, gc=False, tag="organism.died"):
    """A stressed organism is stressed again and dies."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the organism")]


class CardEntered(Consequence, frozen=True, kw_only=True, gc=False, tag="card.entered"):
    """A played card has resolved and is in play."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]


class CardLeft(Consequence, frozen=True, kw_only=True, gc=False, tag="card.left"):
    """A card goes to its owner's discard pile without having died."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    reason: Annotated[
        Literal["evolved", "removed", "host-gone", "status-ended", "fizzled"],
        Meta(description="why"),
    ]


class EventCancelled(Consequence, frozen=True, kw_only=True, gc=False, tag="event.cancelled"):
    """A response has cancelled the event."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the event")]


class StarvationCounted(Consequence, frozen=True, kw_only=True, gc=False, tag="starvation.counted"):
    """Own turn ends in a row at which the other player had no non-food organism."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    count: Annotated[Count, Meta(description="how many")]


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    reason: Annotated[
        Literal["tier3", "starvation", "deck-out", "concession", "abandoned"],
        Meta(description="why"),
    ]


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read something off the table: a checksum."""

    dna: Annotated[Total | UnsetType, Meta(description="of player")] = UNSET
    mp: Annotated[Total | UnsetType, Meta(description="of player")] = UNSET
    hand: Annotated[Count | UnsetType, Meta(description="hand cards of player")] = UNSET
    deck: Annotated[Count | UnsetType, Meta(description="deck cards of player")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="discard pile of player")] = UNSET
    card: Annotated[CardName | UnsetType, Meta(description="a card in play")] = UNSET
    energy: Annotated[Total | UnsetType, Meta(description="of card")] = UNSET
    stressed: Annotated[bool | UnsetType, Meta(description="of card")] = UNSET


__all__ = [
    "ActionTaken",
    "AttackDeclared",
    "CardEntered",
    "CardLeft",
    "CardShown",
    "CardsDrawn",
    "DeckDeclared",
    "DeckShuffled",
    "DnaChanged",
    "EnergyChanged",
    "EventCancelled",
    "EventDeclined",
    "EventPlayed",
    "FirstPlayerChosen",
    "FoodConsumed",
    "FoodUnstressed",
    "GameAbandoned",
    "GameEnded",
    "GameStarted",
    "MpChanged",
    "MulliganTaken",
    "MutationPlayed",
    "NoteAdded",
    "OrganismAttacked",
    "OrganismDied",
    "OrganismDuplicated",
    "OrganismEvolved",
    "OrganismPhotosynthesized",
    "OrganismPlayed",
    "OrganismStressed",
    "OrganismUnstressed",
    "PhaseStarted",
    "PlayTakenBack",
    "PlayerConceded",
    "QuestionRaised",
    "ResponsePlayed",
    "StarvationCounted",
    "StateObserved",
    "StatusEnded",
    "StatusPlayed",
    "SurplusDiscarded",
    "TriggersOrdered",
    "TurnEnded",
    "TurnStarted",
]
