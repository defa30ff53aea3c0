"""What the players of Crystal Factions choose."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import AnyCard, ByPlayer, CardId, CardIds, CardName, PlayerId, shared, usual_words

Lane = Annotated[str, usual_words("mining", "attack", "tech", "research")]
"""A lane; the rulebook calls the Tech lane once the Research lane (L46)."""


class DeckDeclared(shared.DeckDeclared, frozen=True, kw_only=True, gc=False, tag="deck.declared"):
    """Faction and decks of a player; it brings the base cards and the supply."""

    SENTENCE = "{player} plays {faction}, with {cards:card} in the faction deck and {basic:card} in the basic deck"

    faction: Annotated[CardId, Meta(description="id of the faction")]
    basic: Annotated[CardIds, Meta(description="card ids of the basic deck, top first")]


class CardDeployed(ByPlayer, frozen=True, kw_only=True, gc=False, tag="card.deployed"):
    """A card is played from the hand into a lane; what its text asks for is chosen here."""

    SENTENCE = (
        "{player} plays {card} into the {lane} lane[ against {opponent}][, choosing the {target_lane} lane]"
        "[, choosing {target}][ and moving it to the {to_lane} lane]"
    )

    card: Annotated[CardName, Meta(description="the card")]
    lane: Annotated[Lane, Meta(description="mining, attack or tech")]
    opponent: Annotated[PlayerId | UnsetType, Meta(description="which opponent; may be left out with only one")] = UNSET
    target_lane: Annotated[Lane | UnsetType, Meta(description="which lane of that opponent")] = UNSET
    target: Annotated[AnyCard | UnsetType, Meta(description="a deployed card that is destroyed or moved")] = UNSET
    to_lane: Annotated[Lane | UnsetType, Meta(description="where it is moved to")] = UNSET


class DeployEnded(ByPlayer, frozen=True, kw_only=True, gc=False, tag="deploy.ended"):
    """A player declares to be done; the next one deploys, after the last one the other phases follow by themselves."""

    SENTENCE = "{player} is done deploying"
