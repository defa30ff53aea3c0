"""What the players of Evolve choose."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import AnyCard, ByPlayer, CardName, CardNames, Count, printed_in


class MulliganTaken(ByPlayer, frozen=True, kw_only=True, gc=False, tag="mulligan.taken"):
    """The mulligan of a player; empty lists: the hand is kept."""

    SENTENCE = (
        "{player} [{free:claims a free mulligan|takes a mulligan}: puts {returned} under the deck"
        "{shuffled:, shuffles it|}|keeps the hand][ and draws {drawn}][ and draws {count:card}]"
    )

    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("drawn", "count")
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("drawn", "count")

    free: Annotated[bool, Meta(description="claimed as the free one")]
    returned: Annotated[
        CardNames, Meta(description="the cards put on the bottom, in the order in which they lie there")
    ]
    drawn: Annotated[CardNames | UnsetType | None, Meta(description="cards drawn instead; null for none")] = UNSET
    count: Annotated[Count | UnsetType, Meta(description="how many were drawn, where nobody wrote down what")] = UNSET
    shuffled: Annotated[bool, Meta(description="the deck was shuffled before the new cards were drawn")]


class OrganismUnstressed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="organism.unstressed"):
    """The current player unstresses a non-food organism in the begin step."""

    SENTENCE = "{player} unstresses {card} {paid:for 1 DNA|for free}"

    card: Annotated[CardName, Meta(description="the organism")]
    paid: Annotated[bool, Meta(description="for 1 DNA; otherwise as the free one")]


class TriggersOrdered(ByPlayer, frozen=True, kw_only=True, gc=False, tag="triggers.ordered"):
    """The current player orders the abilities of the start of the turn.

    Left out where they happen in order of arrival.
    """

    SENTENCE = "{player} orders the abilities of the start of the turn: {cards}"
    ORDERED: ClassVar[tuple[str, ...]] = ("cards",)

    cards: Annotated[CardNames, Meta(description="the cards with such an ability, in the order chosen")]


class OrganismPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="organism.played"):
    """An organism is played from the hand."""

    SENTENCE = "{player} plays {card}"

    card: Annotated[CardName, Meta(description="the organism")]


class MutationPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="mutation.played"):
    """A mutation is played from the hand."""

    SENTENCE = "{player} plays {card} on {host}"

    card: Annotated[CardName, Meta(description="the mutation")]
    host: Annotated[CardName, Meta(description="the organism")]


class StatusPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="status.played"):
    """A status is played from the hand."""

    SENTENCE = "{player} plays the status {card}"

    card: Annotated[CardName, Meta(description="the status")]


class StatusEnded(ByPlayer, frozen=True, kw_only=True, gc=False, tag="status.ended"):
    """A status in the hand is given up to end one in play."""

    SENTENCE = "{player} discards {card} to end the status {target}"

    card: Annotated[CardName, Meta(description="the status in the hand")]
    target: Annotated[AnyCard, Meta(description="the status in play")]


class FoodConsumed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="food.consumed"):
    """An organism consumes food."""

    SENTENCE = "{player} consumes {food} with {card}"

    card: Annotated[CardName, Meta(description="the consumer")]
    food: Annotated[AnyCard, Meta(description="the food organism")]


class OrganismDuplicated(ByPlayer, frozen=True, kw_only=True, gc=False, tag="organism.duplicated"):
    """An organism duplicates."""

    SENTENCE = "{player} duplicates {card}"

    card: Annotated[CardName, Meta(description="the organism")]


class OrganismPhotosynthesized(ByPlayer, frozen=True, kw_only=True, gc=False, tag="organism.photosynthesized"):
    """An organism makes energy from light."""

    SENTENCE = "{player} photosynthesizes with {card}"

    card: Annotated[CardName, Meta(description="the organism")]


class OrganismAttacked(ByPlayer, frozen=True, kw_only=True, gc=False, tag="organism.attacked"):
    """An organism attacks in the own main step."""

    SENTENCE = "{player} attacks {target} with {card}"

    card: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[AnyCard, Meta(description="the organism attacked")]


class OrganismEvolved(ByPlayer, frozen=True, kw_only=True, gc=False, tag="organism.evolved"):
    """An organism evolves."""

    SENTENCE = "{player} evolves {card}[ into {into}]"

    card: Annotated[CardName, Meta(description="the organism that evolves")]
    into: Annotated[CardName | UnsetType, Meta(description="the hand card of the next tier; absent for tier 3")] = UNSET


class ActionTaken(ByPlayer, frozen=True, kw_only=True, gc=False, tag="action.taken"):
    """An organism takes another printed action."""

    SENTENCE = "{player} takes the action {action} with {card}[ on {target}]"

    card: Annotated[CardName, Meta(description="the organism")]
    action: Annotated[str, printed_in("action_names"), Meta(description="its name as the card file spells it")]
    target: Annotated[AnyCard | UnsetType, Meta(description="the chosen card")] = UNSET


class AttackDeclared(ByPlayer, frozen=True, kw_only=True, gc=False, tag="attack.declared"):
    """The controller of food that is being consumed answers with an attack."""

    SENTENCE = "{player} answers by attacking {target} with {card}"

    card: Annotated[CardName, Meta(description="the attacker")]
    target: Annotated[AnyCard, Meta(description="the consumer")]


class EventPlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="event.played"):
    """A normal event is played."""

    SENTENCE = "{player} plays the event {card}[ on {target}]"

    card: Annotated[CardName, Meta(description="the event")]
    target: Annotated[AnyCard | UnsetType, Meta(description="the chosen card")] = UNSET


class ResponsePlayed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="response.played"):
    """An event response is played against the event."""

    SENTENCE = "{player} responds with {card}[ on {target}]"

    card: Annotated[CardName, Meta(description="the response")]
    target: Annotated[AnyCard | UnsetType, Meta(description="the chosen card")] = UNSET


class EventDeclined(ByPlayer, frozen=True, kw_only=True, gc=False, tag="event.declined"):
    """A player lets a chance pass; may be left out, silence says the same."""

    SENTENCE = "{player} plays no {chance}"

    chance: Annotated[
        Literal["event", "response"], Meta(description="the chance: to play an event, or a response to the open event")
    ]


class SurplusDiscarded(ByPlayer, frozen=True, kw_only=True, gc=False, tag="surplus.discarded"):
    """The current player discards because of more than five cards in hand."""

    SENTENCE = "{player} discards the surplus card {card}"

    card: Annotated[CardName, Meta(description="the card")]
