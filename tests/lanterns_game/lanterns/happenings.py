"""The event types of Lanterns: no deck lists, one deck for all, one end for all."""

from tabletape.events.vocabulary import CardName, Decision, PlayerId
from tabletape.events.vocabulary.shared import (
    CardsDrawn,
    GameAbandoned,
    GameDecided,
    GameStarted,
    NoteAdded,
    PlayTakenBack,
    QuestionRaised,
    StateObserved,
)

__all__ = [
    "CardPlayed",
    "CardThrown",
    "CardsDrawn",
    "GameAbandoned",
    "GameEnded",
    "GameStarted",
    "NoteAdded",
    "PlayTakenBack",
    "QuestionRaised",
    "StateObserved",
]

GameEnded = GameDecided


class CardPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="card.played"):
    """A card goes from the hand to the row of its colour, or to the pile where it does not fit."""

    SENTENCE = "{player} plays {card}"

    player: PlayerId
    card: CardName


class CardThrown(Decision, frozen=True, kw_only=True, gc=False, tag="card.thrown"):
    """A card goes from the hand to the pile."""

    SENTENCE = "{player} throws {card} away"

    player: PlayerId
    card: CardName
