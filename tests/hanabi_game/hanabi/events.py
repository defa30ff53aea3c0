"""The event types of Hanabi."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from tabletape.events.vocabulary import CardName, CardNames, Count, Decision, PlayerId, shared


class CardPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="card.played"):
    """A card goes to the firework of its colour, or to the discard pile where it does not fit."""

    SENTENCE = "{player} plays {card}"

    player: PlayerId
    card: CardName


class CardDiscarded(Decision, frozen=True, kw_only=True, gc=False, tag="card.discarded"):
    """A card goes to the discard pile, for a clue token."""

    SENTENCE = "{player} discards {card}"

    player: PlayerId
    card: CardName


class ClueGiven(Decision, frozen=True, kw_only=True, gc=False, tag="clue.given"):
    """A player is told which cards have a colour or a rank."""

    SENTENCE = ("{player} tells {to} about {colour}[: {cards}]", "{player} tells {to} about the {rank}s[: {cards}]")
    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("colour", "rank")

    player: PlayerId
    to: PlayerId
    colour: str | UnsetType = UNSET
    rank: Count | UnsetType = UNSET
    cards: CardNames | UnsetType = UNSET


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody counted the clue tokens or the mistakes."""

    tokens: Count | UnsetType = UNSET
    mistakes: Count | UnsetType = UNSET
