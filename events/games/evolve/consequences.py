"""What the rules of Evolve make of it; the log may leave it out."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import CardName, Consequence, Count, Phrases, PlayerId, Total, shared


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

    SENTENCE = "{card} {by:gains/loses} energy and has {to}[, with {lost} lost above its limit]"

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
