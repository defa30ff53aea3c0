"""The event types of Market."""

from tabletape.events.vocabulary import CardName, CardNames, Chance, Count, Decision, PlayerId, shared


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
