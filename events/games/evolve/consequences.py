"""What the rules of Evolve make of it; the log may leave it out."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import CardName, Count, OfCard, OfPlayer, Phrases, Total, shared


class PhaseStarted(shared.PhaseStarted, frozen=True, kw_only=True, gc=False, tag="phase.started"):
    """The main or the end step begins."""

    SENTENCE = "the {phase} step begins"

    SUBJECT: ClassVar[tuple[str, ...]] = ("phase",)

    phase: Annotated[Literal["main", "end"], Meta(description="the step")]


class MpChanged(OfPlayer, frozen=True, kw_only=True, gc=False, tag="mp.changed"):
    """Manipulation Points of a player change."""

    SENTENCE = "{player} {by:gains/loses} MP and has {to}"

    by: Annotated[Total, Meta(description="the change")]
    to: Annotated[Total, Meta(description="the new total")]


class DnaChanged(OfPlayer, frozen=True, kw_only=True, gc=False, tag="dna.changed"):
    """DNA of a player changes."""

    SENTENCE = "{player} {by:gains/loses} DNA and has {to}"

    by: Annotated[Total, Meta(description="the change")]
    to: Annotated[Total, Meta(description="the new total")]


class EnergyChanged(OfCard, frozen=True, kw_only=True, gc=False, tag="energy.changed"):
    """Energy of an organism changes."""

    SENTENCE = "{card} {by:gains/loses} energy and has {to}[, with {lost} lost above its limit]"

    card: Annotated[CardName, Meta(description="the organism")]
    by: Annotated[Total, Meta(description="the change that stands")]
    to: Annotated[Total, Meta(description="the new total")]
    lost: Annotated[
        Total | UnsetType,
        Meta(description="energy above the limit that was lost; absent for none"),
    ] = UNSET


class FoodUnstressed(OfCard, frozen=True, kw_only=True, gc=False, tag="food.unstressed"):
    """Food unstresses at the start of its controller's turn."""

    SENTENCE = "{card} unstresses"

    card: Annotated[CardName, Meta(description="the food")]


class OrganismStressed(OfCard, frozen=True, kw_only=True, gc=False, tag="organism.stressed"):
    """An organism becomes stressed."""

    SENTENCE = "{card} becomes stressed"

    card: Annotated[CardName, Meta(description="the organism")]


class OrganismDied(OfCard, frozen=True, kw_only=True, gc=False, tag="organism.died"):
    """A stressed organism is stressed again and dies."""

    SENTENCE = "{card} dies"

    card: Annotated[CardName, Meta(description="the organism")]


class CardEntered(OfCard, frozen=True, kw_only=True, gc=False, tag="card.entered"):
    """A played card has resolved and is in play."""

    SENTENCE = "{card} enters play"


class CardLeft(OfCard, frozen=True, kw_only=True, gc=False, tag="card.left"):
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

    reason: Annotated[Literal["evolved", "removed", "host-gone", "status-ended", "fizzled"], Meta(description="why")]


class EventCancelled(OfCard, frozen=True, kw_only=True, gc=False, tag="event.cancelled"):
    """A response has cancelled the event."""

    SENTENCE = "{card} is cancelled"

    card: Annotated[CardName, Meta(description="the event")]


class StarvationCounted(OfPlayer, frozen=True, kw_only=True, gc=False, tag="starvation.counted"):
    """Own turn ends in a row at which the other player had no non-food organism."""

    SENTENCE = "{player} counts {count} of 3 turns of starvation"

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

    reason: Annotated[Literal["tier3", "starvation", "deck-out", "concession", "abandoned"], Meta(description="why")]
