"""The event types of PhyloGenome, in the words of its rulebook (docs/games/phylogenome.md)."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from events import shared
from events.shared import (
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
from events.vocabulary import (
    MAX_LIST,
    CardName,
    CardNames,
    Chance,
    Consequence,
    Count,
    Decision,
    Phrases,
    Place,
    PlayerId,
    Total,
)

Award = Literal[
    "longest-chain",
    "interest-areas",
    "oldest-publication",
    "largest-genome",
    "most-genes",
    "most-chromosomes",
]
"""What the two players compare when points are counted, in the order of the rulebook."""


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One Species that is moved, and the cell that it is moved to."""

    SENTENCE: ClassVar[str] = "{card} to {to}"

    card: CardName
    to: Place


class SpeciesPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="species.played"):
    """Action: a Species is laid from the hand, facing its player."""

    SENTENCE = "{player} plays {card} at {cell}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the Species")]
    cell: Annotated[Place, Meta(description="where")]


class SpeciesMoved(Decision, frozen=True, kw_only=True, gc=False, tag="species.moved"):
    """Action: one or two own Species are moved, in the written order."""

    SENTENCE = "{player} moves {moves}"

    player: PlayerId
    moves: Annotated[tuple[Move, ...], Meta(max_length=MAX_LIST, description="card: the Species, to: the cell")]


class CardsCycled(Decision, frozen=True, kw_only=True, gc=False, tag="cards.cycled"):
    """Action: one hand card is discarded for three cards; a `cards.drawn` follows."""

    SENTENCE = "{player} exchanges {discarded} for three cards"

    player: PlayerId
    discarded: Annotated[CardName, Meta(description="the hand card")]


class EventPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="event.played"):
    """Action: an Event is played."""

    SENTENCE = "{player} plays {card}[ on {target}][, which moves to {cell}][, and pays {paid}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the Event")]
    target: Annotated[
        CardName | UnsetType,
        Meta(description="a Species in play, an Event in play or a card in the own discard pile, as the card says"),
    ] = UNSET
    cell: Annotated[Place | UnsetType, Meta(description="where a Species is moved to")] = UNSET
    paid: Annotated[
        CardNames | UnsetType,
        Meta(description="hand cards that the Event costs"),
    ] = UNSET


class CardKept(Decision, frozen=True, kw_only=True, gc=False, tag="card.kept"):
    """After `cards.looked-at`: one of these goes to the hand, the others under the deck."""

    SENTENCE = "{player} keeps {card}, and the others go under the deck"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the one that is kept")]


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A deck is shuffled."""

    SENTENCE = "{player} shuffles the deck"

    reason: Annotated[
        Literal["setup", "reshuffle"], Meta(description="what for; `reshuffle`: the discard pile has become the deck")
    ]


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


class ProgressPlaced(Consequence, frozen=True, kw_only=True, gc=False, tag="progress.placed"):
    """Set-up: a first-generation progress card is laid."""

    SENTENCE = "the progress card of {player}, of generation {generation}, is laid at {cell}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    generation: Annotated[Total, Meta(description="1")]
    cell: Annotated[Place, Meta(description="[0, 0] or [1, 0]")]


class AbilityTriggered(Consequence, frozen=True, kw_only=True, gc=False, tag="ability.triggered"):
    """An ability for the start of the turn happens."""

    SENTENCE = "{card} acts at the start of the turn of {player}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card that has it")]


class CardDiscarded(Consequence, frozen=True, kw_only=True, gc=False, tag="card.discarded"):
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

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    pile: Annotated[str, Meta(description="whose pile (a player's id)")]
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


class SpeciesRelocated(Consequence, frozen=True, kw_only=True, gc=False, tag="species.relocated"):
    """An Event moves a Species."""

    SENTENCE = "an Event moves {card} to {cell}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the Species")]
    cell: Annotated[Place, Meta(description="where to")]


class PlayForbidden(Consequence, frozen=True, kw_only=True, gc=False, tag="play.forbidden"):
    """An Event forbids a player to play Species in the next own turn."""

    SENTENCE = "an Event forbids {player} to play Species"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId


class InconsistencyArisen(Consequence, frozen=True, kw_only=True, gc=False, tag="inconsistency.arisen"):
    """A Species is cut off or clashes with a neighbour from now on."""

    SENTENCE = "{card} becomes {kind}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card", "kind")

    card: Annotated[CardName, Meta(description="the Species")]
    kind: Annotated[Literal["disconnected", "incompatible"], Meta(description="what is wrong")]


class InconsistencyFixed(Consequence, frozen=True, kw_only=True, gc=False, tag="inconsistency.fixed"):
    """That is repaired."""

    SENTENCE = "{card} is no longer {kind}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card", "kind")

    card: Annotated[CardName, Meta(description="the Species")]
    kind: Annotated[Literal["disconnected", "incompatible"], Meta(description="what was wrong")]


class GenerationChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="generation.changed"):
    """A player reaches or loses a generation."""

    SENTENCE = "{player} goes from generation {from_} to {to}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    from_: Annotated[Total, Meta(description="1 to 3")] = msgspec.field(name="from")
    to: Annotated[Total, Meta(description="1 to 3")]


class PointsCounted(Consequence, frozen=True, kw_only=True, gc=False, tag="points.counted"):
    """The points of one player, first seat first."""

    SENTENCE = (
        "{player} has {total:point}: {species} for Species, {technology} for technology, {special} special"
        "[ for {awards}]; the longest chain has {chain} Species"
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

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    chain: Annotated[Total, Meta(description="length of the longest chain")]
    awards: Annotated[
        tuple[Award, ...],
        Meta(max_length=MAX_LIST, description="the awards of this player, in any order"),
    ]
    species: Annotated[Total, Meta(description="points of the Species")]
    technology: Annotated[Total, Meta(description="points of the generations")]
    special: Annotated[Total, Meta(description="points of the awards")]
    total: Annotated[Total, Meta(description="the sum")]


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read totals off the table."""

    SENTENCE = (
        "read off the table[ of {player}][, turn {turn}][, {hand:card} in hand][, {deck:card} in the deck]"
        "[, {discard:card} in the discard pile][, generation {generation}][, {species} Species]"
        "[, {first_generation} of the first generation][, {second_generation} of the second]"
        "[, {third_generation} of the third][, {table_events:Event} on the table]"
    )

    turn: Annotated[Total | UnsetType, Meta(description="number of the turn, both players counted")] = UNSET
    hand: Annotated[Count | UnsetType, Meta(description="cards in the hand")] = UNSET
    deck: Annotated[Count | UnsetType, Meta(description="cards in the deck")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="cards in the discard pile")] = UNSET
    generation: Annotated[Total | UnsetType, Meta(description="generation reached")] = UNSET
    species: Annotated[
        Total | UnsetType,
        Meta(description="Species facing the player (without player: all Species in play)"),
    ] = UNSET
    first_generation: Annotated[Total | UnsetType, Meta(description="of these of generation 1")] = UNSET
    second_generation: Annotated[Total | UnsetType, Meta(description="of generation 2")] = UNSET
    third_generation: Annotated[Total | UnsetType, Meta(description="of generation 3")] = UNSET
    table_events: Annotated[Total | UnsetType, Meta(description="Events of the player on the table")] = UNSET


__all__ = [
    "AbilityTriggered",
    "CardDiscarded",
    "CardKept",
    "CardRecovered",
    "CardsCycled",
    "CardsDrawn",
    "CardsLookedAt",
    "DeckDeclared",
    "DeckShuffled",
    "EventPlayed",
    "FirstPlayerChosen",
    "GameAbandoned",
    "GameEnded",
    "GameStarted",
    "GenerationChanged",
    "InconsistencyArisen",
    "InconsistencyFixed",
    "NoteAdded",
    "PlayForbidden",
    "PlayTakenBack",
    "PlayerConceded",
    "PointsCounted",
    "ProgressPlaced",
    "QuestionRaised",
    "SpeciesMoved",
    "SpeciesPlayed",
    "SpeciesRelocated",
    "StateObserved",
    "TurnEnded",
    "TurnStarted",
]
