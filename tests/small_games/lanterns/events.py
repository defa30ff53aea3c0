"""The event types of Lanterns."""

from tabletape.events.vocabulary import CardName, Decision, PlayerId


class CardPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="card.played"):
    """A card goes from the hand to the row of its colour, or to the discard pile where it does not fit."""

    SENTENCE = "{player} plays {card}"

    player: PlayerId
    card: CardName


class CardThrown(Decision, frozen=True, kw_only=True, gc=False, tag="card.thrown"):
    """A card goes from the hand to the discard pile."""

    SENTENCE = "{player} throws {card} away"

    player: PlayerId
    card: CardName
