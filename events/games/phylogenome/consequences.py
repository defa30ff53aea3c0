"""What the rules of PhyloGenome make of it; the log may leave it out."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from tabletape.events.vocabulary import (
    MAX_LIST,
    CardName,
    Consequence,
    OfCard,
    OfPlayer,
    Phrases,
    Place,
    PlayerId,
    Total,
    shared,
)

Award = Literal[
    "longest-chain", "interest-areas", "oldest-publication", "largest-genome", "most-genes", "most-chromosomes"
]
"""What the two players compare when points are counted, in the order of the rulebook."""


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    SENTENCE = ("the game ends {reason}: {winner} wins", "the game ends {reason}: nobody wins")
    PHRASES: ClassVar[Phrases] = {
        "reason": {
            "points": "by points",
            "concession": "by concession",
            "deck-out": "by an empty deck",
            "abandoned": "unfinished",
        }
    }

    reason: Annotated[Literal["points", "concession", "deck-out", "abandoned"], Meta(description="why")]


class ProgressPlaced(OfPlayer, frozen=True, kw_only=True, gc=False, tag="progress.placed"):
    """Set-up: a first-generation progress card is laid."""

    SENTENCE = "the progress card of {player}, of generation {generation}, is laid at {cell}"

    generation: Annotated[Total, Meta(description="1")]
    cell: Annotated[Place, Meta(description="[0, 0] or [1, 0]")]


class AbilityTriggered(Consequence, frozen=True, kw_only=True, gc=False, tag="ability.triggered"):
    """An ability for the start of the turn happens."""

    SENTENCE = "{card} acts at the start of the turn of {player}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card that has it")]


class CardDiscarded(OfCard, frozen=True, kw_only=True, gc=False, tag="card.discarded"):
    """A card goes to a discard pile."""

    SENTENCE = "{card} goes to the discard pile of {pile}, {reason}"
    PHRASES: ClassVar[Phrases] = {
        "reason": {
            "cycled": "exchanged",
            "paid": "paid for an Event",
            "effect": "by the effect of an Event",
            "resolved": "as an Event that is done",
            "used": "as an Event that is used up",
            "host-left": "with the Species above it",
            "disconnected": "because it is disconnected",
            "incompatible": "because it is incompatible",
        }
    }

    pile: Annotated[PlayerId, Meta(description="whose pile")]
    reason: Annotated[
        Literal["cycled", "paid", "effect", "resolved", "used", "host-left", "disconnected", "incompatible"],
        Meta(description="from the hand (cycled, paid), by a card (effect), an Event is done (resolved, used), …"),
    ]


class CardRecovered(Consequence, frozen=True, kw_only=True, gc=False, tag="card.recovered"):
    """A Species returns from the discard pile to the hand."""

    SENTENCE = "{card} returns from a discard pile to the hand of {player}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="the Species")]


class SpeciesRelocated(OfCard, frozen=True, kw_only=True, gc=False, tag="species.relocated"):
    """An Event moves a Species."""

    SENTENCE = "an Event moves {card} to {cell}"

    card: Annotated[CardName, Meta(description="the Species")]
    cell: Annotated[Place, Meta(description="where to")]


class PlayForbidden(OfPlayer, frozen=True, kw_only=True, gc=False, tag="play.forbidden"):
    """An Event forbids a player to play Species in the next own turn."""

    SENTENCE = "an Event forbids {player} to play Species"


class InconsistencyArisen(OfCard, frozen=True, kw_only=True, gc=False, tag="inconsistency.arisen"):
    """A Species is cut off or clashes with a neighbour from now on."""

    SENTENCE = "{card} becomes {kind}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card", "kind")

    card: Annotated[CardName, Meta(description="the Species")]
    kind: Annotated[Literal["disconnected", "incompatible"], Meta(description="what is wrong")]


class InconsistencyFixed(OfCard, frozen=True, kw_only=True, gc=False, tag="inconsistency.fixed"):
    """That is repaired."""

    SENTENCE = "{card} is no longer {kind}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card", "kind")

    card: Annotated[CardName, Meta(description="the Species")]
    kind: Annotated[Literal["disconnected", "incompatible"], Meta(description="what was wrong")]


class GenerationChanged(OfPlayer, frozen=True, kw_only=True, gc=False, tag="generation.changed"):
    """A player reaches or loses a generation."""

    SENTENCE = "{player} goes from generation {from_} to {to}"

    from_: Annotated[Total, Meta(description="1 to 3")] = msgspec.field(name="from")
    to: Annotated[Total, Meta(description="1 to 3")]


class PointsCounted(OfPlayer, frozen=True, kw_only=True, gc=False, tag="points.counted"):
    """The points of one player, first seat first."""

    SENTENCE = (
        "{player} has {total:point}: {species} for Species, {technology} for technology"
        "[, {special:nonzero} special][ for {awards}]; the longest chain has {chain} Species"
    )
    PHRASES: ClassVar[Phrases] = {
        "awards": {
            "longest-chain": "the longest chain",
            "interest-areas": "the most interest areas",
            "oldest-publication": "the oldest publication",
            "largest-genome": "the largest genome",
            "most-genes": "the most genes",
            "most-chromosomes": "the most chromosomes",
        }
    }

    chain: Annotated[Total, Meta(description="length of the longest chain")]
    awards: Annotated[
        tuple[Award, ...], Meta(max_length=MAX_LIST, description="the awards of this player, in any order")
    ]
    species: Annotated[Total, Meta(description="points of the Species")]
    technology: Annotated[Total, Meta(description="points of the generations")]
    special: Annotated[Total, Meta(description="points of the awards")]
    total: Annotated[Total, Meta(description="the sum")]
