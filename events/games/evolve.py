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
from events.vocabulary import CardName, CardNames, Consequence, Count, Decision, Phrases, PlayerId, Total


class MulliganTaken(Decision, frozen=True, kw_only=True, gc=False, tag="mulligan.taken"):
    """The mulligan of a player; empty lists: the hand is kept."""

    SENTENCE = (
        "{player} [{free:claims a free mulligan|takes a mulligan}: puts {returned} under the deck"
        "{shuffled:, shuffles it|}|keeps the hand][ and draws {drawn}][ and draws {count:card}]"
    )

    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("drawn", "count")
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("drawn", "count")

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

    SENTENCE = "{player} unstresses {card} {paid:for 1 DNA|for free}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]
    paid: Annotated[bool, Meta(description="for 1 DNA; otherwise as the free one")]


class TriggersOrdered(Decision, frozen=True, kw_only=True, gc=False, tag="triggers.ordered"):
    """The current player orders the abilities of the start of the turn.

    Left out where they happen in order of arrival.
    """

    SENTENCE = "{player} orders the abilities of the start of the turn: {cards}"
    ORDERED: ClassVar[tuple[str, ...]] = ("cards",)

    player: PlayerId
    cards: Annotated[
        CardNames,
        Meta(description="the cards with such an ability, in the order chosen"),
    ]


class OrganismPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="organism.played"):
    """An organism is played from the hand."""

    SENTENCE = "{player} plays {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]


class MutationPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="mutation.played"):
    """A mutation is played from the hand."""

    SENTENCE = "{player} plays {card} on {host}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the mutation")]
    host: Annotated[CardName, Meta(description="the organism")]


class StatusPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="status.played"):
    """A status is played from the hand."""

    SENTENCE = "{player} plays the status {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the status")]


class StatusEnded(Decision, frozen=True, kw_only=True, gc=False, tag="status.ended"):
    """A status in the hand is given up to end one in play."""

    SENTENCE = "{player} discards {card} to end the status {target}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the status in the hand")]
    target: Annotated[CardName, Meta(description="the status in play")]


class FoodConsumed(Decision, frozen=True, kw_only=True, gc=False, tag="food.consumed"):
    """An organism consumes food."""

    SENTENCE = "{player} consumes {food} with {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the consumer")]
    food: Annotated[CardName, Meta(description="the food organism")]


class OrganismDuplicated(Decision, frozen=True, kw_only=True, gc=False, tag="organism.duplicated"):
    """An organism duplicates."""

    SENTENCE = "{player} duplicates {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]


class OrganismPhotosynthesized(Decision, frozen=True, kw_only=True, gc=False, tag="organism.photosynthesized"):
    """An organism makes energy from light."""

    SENTENCE = "{player} photosynthesizes with {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]


class OrganismAttacked(Decision, frozen=True, kw_only=True, gc=False, tag="organism.attacked"):
    """An organism attacks in the own main step."""

    SENTENCE = "{player} attacks {target} with {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[CardName, Meta(description="the organism attacked")]


class OrganismEvolved(Decision, frozen=True, kw_only=True, gc=False, tag="organism.evolved"):
    """An organism evolves."""

    SENTENCE = "{player} evolves {card}[ into {into}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism that evolves")]
    into: Annotated[
        CardName | UnsetType,
        Meta(description="the hand card of the next tier; absent for tier 3"),
    ] = UNSET


class ActionTaken(Decision, frozen=True, kw_only=True, gc=False, tag="action.taken"):
    """An organism takes another printed action."""

    SENTENCE = "{player} takes the action {action} with {card}[ on {target}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the organism")]
    action: Annotated[str, Meta(description="its name as the card file spells it")]
    target: Annotated[CardName | UnsetType, Meta(description="the chosen card")] = UNSET


class AttackDeclared(Decision, frozen=True, kw_only=True, gc=False, tag="attack.declared"):
    """The controller of food that is being consumed answers with an attack."""

    SENTENCE = "{player} answers by attacking {target} with {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[CardName, Meta(description="the consumer")]


class EventPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="event.played"):
    """A normal event is played."""

    SENTENCE = "{player} plays the event {card}[ on {target}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the event")]
    target: Annotated[CardName | UnsetType, Meta(description="the chosen card")] = UNSET


class ResponsePlayed(Decision, frozen=True, kw_only=True, gc=False, tag="response.played"):
    """An event response is played against the event."""

    SENTENCE = "{player} responds with {card}[ on {target}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the response")]
    target: Annotated[CardName | UnsetType, Meta(description="the chosen card")] = UNSET


class EventDeclined(Decision, frozen=True, kw_only=True, gc=False, tag="event.declined"):
    """A player lets a chance pass; may be left out, silence says the same."""

    SENTENCE = "{player} plays no {chance}"

    player: PlayerId
    chance: Annotated[
        Literal["event", "response"],
        Meta(description="the chance: to play an event, or a response to the open event"),
    ]


class SurplusDiscarded(Decision, frozen=True, kw_only=True, gc=False, tag="surplus.discarded"):
    """The current player discards because of more than five cards in hand."""

    SENTENCE = "{player} discards the surplus card {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card")]


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A player shuffles the own deck."""

    PHRASES: ClassVar[Phrases] = {
        "reason": {"setup": "at the start", "effect": "as a card says", "other": "for another reason"}
    }

    reason: Annotated[Literal["setup", "effect", "other"], Meta(description="what for")]


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws from the own deck; null, an empty list or a count of 0 where nothing was left in it."""

    SENTENCE = ("{player} draws {cards} {reason}", "{player} draws {count:card} {reason}")
    PHRASES: ClassVar[Phrases] = {
        "reason": {"opening-hand": "as the opening hand", "turn-start": "for the turn", "effect": "as a card says"}
    }

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn")] = UNSET  # type: ignore[assignment]  # wider than shared
    reason: Annotated[Literal["opening-hand", "turn-start", "effect"], Meta(description="which draw this is")]


class PhaseStarted(shared.PhaseStarted, frozen=True, kw_only=True, gc=False, tag="phase.started"):
    """The main or the end step begins."""

    SENTENCE = "the {phase} step begins"

    SUBJECT: ClassVar[tuple[str, ...]] = ("phase",)

    phase: Annotated[Literal["main", "end"], Meta(description="the step")]


class MpChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="mp.changed"):
    """Manipulation Points of a player change."""

    SENTENCE = "{player} {by:gains/loses} MP and has {to}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    by: Annotated[Total, Meta(description="the change")]
    to: Annotated[Total, Meta(description="the new total")]


class DnaChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="dna.changed"):
    """DNA of a player changes."""

    SENTENCE = "{player} {by:gains/loses} DNA and has {to}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    by: Annotated[Total, Meta(description="the change")]
    to: Annotated[Total, Meta(description="the new total")]


class EnergyChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="energy.changed"):
    """Energy of an organism changes."""

    SENTENCE = "{card} {by:gains/loses} energy and has {to}[; {lost} above its limit is lost]"

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

    SENTENCE = "{card} unstresses"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the food")]


class OrganismStressed(Consequence, frozen=True, kw_only=True, gc=False, tag="organism.stressed"):
    """An organism becomes stressed."""

    SENTENCE = "{card} becomes stressed"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the organism")]


class OrganismDied(Consequence, frozen=True, kw_only=True, gc=False, tag="organism.died"):
    """A stressed organism is stressed again and dies."""

    SENTENCE = "{card} dies"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the organism")]


class CardEntered(Consequence, frozen=True, kw_only=True, gc=False, tag="card.entered"):
    """A played card has resolved and is in play."""

    SENTENCE = "{card} enters play"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]


class CardLeft(Consequence, frozen=True, kw_only=True, gc=False, tag="card.left"):
    """A card goes to its owner's discard pile without having died."""

    SENTENCE = "{card} goes to the discard pile ({reason})"
    PHRASES: ClassVar[Phrases] = {
        "reason": {
            "evolved": "it has evolved",
            "removed": "it is removed",
            "host-gone": "its host is gone",
            "status-ended": "it has ended",
            "fizzled": "it comes to nothing",
        }
    }

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    reason: Annotated[
        Literal["evolved", "removed", "host-gone", "status-ended", "fizzled"],
        Meta(description="why"),
    ]


class EventCancelled(Consequence, frozen=True, kw_only=True, gc=False, tag="event.cancelled"):
    """A response has cancelled the event."""

    SENTENCE = "{card} is cancelled"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the event")]


class StarvationCounted(Consequence, frozen=True, kw_only=True, gc=False, tag="starvation.counted"):
    """Own turn ends in a row at which the other player had no non-food organism."""

    SENTENCE = "{player} counts {count} of 3 turns of starvation"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    count: Annotated[Count, Meta(description="how many")]


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    PHRASES: ClassVar[Phrases] = {
        "reason": {
            "tier3": "tier 3",
            "starvation": "starvation",
            "deck-out": "empty deck",
            "concession": "concession",
            "abandoned": "abandoned",
        }
    }

    reason: Annotated[
        Literal["tier3", "starvation", "deck-out", "concession", "abandoned"],
        Meta(description="why"),
    ]


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
