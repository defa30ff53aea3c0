"""The event types of Market."""

from tabletape.events.vocabulary import CardName, CardNames, Chance, Count, Decision, PlayerId, shared
from tabletape.events.vocabulary.shared import (
    CardShown,
    GameAbandoned,
    GameDecided,
    GameStarted,
    NoteAdded,
    PlayTakenBack,
    QuestionRaised,
)

__all__ = [
    "CardBought",
    "CardShown",
    "GameAbandoned",
    "GameDecided",
    "GameStarted",
    "NoteAdded",
    "PlayTakenBack",
    "QuestionRaised",
    "RowFilled",
    "StateObserved",
]


class RowFilled(Chance, frozen=True, kw_only=True, gc=False, tag="row.filled"):
    """The common row is filled up from the deck."""

    SENTENCE = "the row is filled with {cards}"

    cards: CardNames


class CardBought(Decision, frozen=True, kw_only=True, gc=False, tag="card.bought"):
    """A player takes a card of the row."""

    SENTENCE = "{player} buys {card}"

    player: PlayerId
    card: CardName


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody counted the coins of a player."""

    coins: Count
