"""The event types of Tricks."""

from tabletape.events.vocabulary import CardName, Consequence, Count, Decision, PlayerId, shared


class CardPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="card.played"):
    """A card of the hand is laid to the trick."""

    SENTENCE = "{player} plays {card}"

    player: PlayerId
    card: CardName


class TrickTaken(Consequence, frozen=True, kw_only=True, gc=False, tag="trick.taken"):
    """The highest card of the suit that was led takes the trick."""

    SENTENCE = "{player} takes the trick"

    player: PlayerId


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody counted the tricks of a player."""

    tricks: Count
