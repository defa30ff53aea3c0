"""The event types of Higher, a game of two players and numbered cards that lives only in the tests."""

from typing import ClassVar

from tabletape.events.vocabulary import CardName, Consequence, Count, Decision, PlayerId, shared
from tabletape.events.vocabulary.shared import CardsDrawn, CardShown, DeckDeclared, GameAbandoned, GameStarted

__all__ = [
    "CardPlayed",
    "CardShown",
    "CardsDrawn",
    "DeckDeclared",
    "GameAbandoned",
    "GameEnded",
    "GameStarted",
    "StateObserved",
    "TrickTaken",
]


class CardPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="card.played"):
    """A hand card is laid on the table."""

    player: PlayerId
    card: CardName


class TrickTaken(Consequence, frozen=True, kw_only=True, gc=False, tag="trick.taken"):
    """The higher of two cards takes the trick."""

    SUBJECT: ClassVar[tuple[str, ...]] = ()

    player: PlayerId


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """Somebody has taken two tricks."""


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody counted the tricks of a player."""

    tricks: Count
