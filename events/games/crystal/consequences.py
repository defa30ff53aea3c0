"""What the rules of Crystal Factions make of it; the log may leave it out."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from tabletape.events.games.crystal.decisions import Lane
from tabletape.events.vocabulary import (
    AnyCard,
    CardName,
    Consequence,
    Count,
    OfCard,
    OfPlayer,
    Phrases,
    PlayerId,
    Total,
    shared,
    usual_words,
)


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    PHRASES: ClassVar[Phrases] = {
        "reason": {
            "last-standing": "last one standing",
            "all-eliminated": "all are out at once",
            "crystals": "most crystals",
        }
    }

    reason: Annotated[
        Literal["last-standing", "all-eliminated", "crystals", "concession", "abandoned"],
        Meta(description="why; concession: the last opponent gave up, which is last-standing, too"),
    ]


class PhaseStarted(shared.PhaseStarted, frozen=True, kw_only=True, gc=False, tag="phase.started"):
    """A phase begins."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("phase",)

    phase: Annotated[
        Literal["deploy", "attack", "mining", "end-of-turn", "end-of-round"], Meta(description="which one")
    ]


class SupplySet(OfPlayer, frozen=True, kw_only=True, gc=False, tag="supply.set"):
    """Set-up: hit points and crystals."""

    SENTENCE = "{player} starts with {hitpoints:hit point} and {crystals:crystal}"

    hitpoints: Annotated[Total, Meta(description="at the start")]
    crystals: Annotated[Total, Meta(description="at the start")]


class TechLimitSet(OfPlayer, frozen=True, kw_only=True, gc=False, tag="tech-limit.set"):
    """The tech limit, after the draw or by a card."""

    SENTENCE = "{player}'s tech limit is {limit}"

    limit: Annotated[Total, Meta(description="the limit from now on")]


class CrystalsPaid(OfPlayer, frozen=True, kw_only=True, gc=False, tag="crystals.paid"):
    """A card is paid."""

    SENTENCE = "{player} pays {amount:crystal} ({crystals} left)"

    amount: Annotated[Total, Meta(description="the cost")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]


class CrystalsGained(OfPlayer, frozen=True, kw_only=True, gc=False, tag="crystals.gained"):
    """An ability gives crystals."""

    SENTENCE = "{player} gains {amount:crystal} from {source} (now {crystals})"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    amount: Annotated[Total, Meta(description="how many")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]
    source: Annotated[AnyCard, Meta(description="the card")]


class CrystalsLost(OfPlayer, frozen=True, kw_only=True, gc=False, tag="crystals.lost"):
    """An ability takes crystals."""

    SENTENCE = "{player} loses {amount:crystal} to {source} ({crystals} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    amount: Annotated[Total, Meta(description="how many really")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]
    source: Annotated[AnyCard, Meta(description="the card")]


class HitpointsGained(OfPlayer, frozen=True, kw_only=True, gc=False, tag="hitpoints.gained"):
    """An ability gives hit points."""

    SENTENCE = "{player} gains {amount:hit point} from {source} (now {hitpoints})"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    amount: Annotated[Total, Meta(description="how many")]
    hitpoints: Annotated[Total, Meta(description="hit points afterwards")]
    source: Annotated[AnyCard, Meta(description="the card")]


class DamageTaken(OfPlayer, frozen=True, kw_only=True, gc=False, tag="damage.taken"):
    """An ability does damage (outside the attack phase)."""

    SENTENCE = "{source} deals {amount} damage to {player} ({hitpoints:hit point} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    amount: Annotated[Total, Meta(description="how much")]
    hitpoints: Annotated[Total, Meta(description="hit points afterwards")]
    source: Annotated[AnyCard, Meta(description="the card")]


class PowerRaised(OfPlayer, frozen=True, kw_only=True, gc=False, tag="power.raised"):
    """A lane has more power until the end of the round."""

    SENTENCE = "{source} adds {amount} power to {player}'s {lane} lane for this round"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "lane", "source")

    lane: Annotated[Lane, Meta(description="which lane")]
    amount: Annotated[Total, Meta(description="how much")]
    source: Annotated[AnyCard, Meta(description="the card")]


class PreventionAdded(OfPlayer, frozen=True, kw_only=True, gc=False, tag="prevention.added"):
    """Damage of this attack phase will be prevented."""

    SENTENCE = "{source} prevents up to {amount} damage to {player}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    amount: Annotated[Total, Meta(description="how much")]
    source: Annotated[AnyCard, Meta(description="the card")]


class TokenPlaced(OfPlayer, frozen=True, kw_only=True, gc=False, tag="token.placed"):
    """A token is laid on a lane."""

    SENTENCE = "{source} puts a {token} token on {player}'s {lane} lane ({count} there now)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "lane", "source")

    lane: Annotated[Lane, Meta(description="which lane")]
    token: Annotated[str, usual_words("boost", "corruption"), Meta(description="boost or corruption")]
    count: Annotated[Count, Meta(description="of these tokens on that lane now")]
    source: Annotated[AnyCard, Meta(description="the card")]


class CardDestroyed(OfCard, frozen=True, kw_only=True, gc=False, tag="card.destroyed"):
    """A deployed card goes to its owner's discard pile."""

    SENTENCE = "{source} destroys {card}"

    card: Annotated[CardName, Meta(description="which one")]
    source: Annotated[AnyCard, Meta(description="the card that does it")]


class CardMoved(OfCard, frozen=True, kw_only=True, gc=False, tag="card.moved"):
    """A deployed card changes the lane."""

    SENTENCE = "{source} moves {card} to the {lane} lane"

    card: Annotated[CardName, Meta(description="which one")]
    lane: Annotated[Lane, Meta(description="where it lies now")]
    source: Annotated[AnyCard, Meta(description="the card that does it")]


class AttackResolved(OfPlayer, frozen=True, kw_only=True, gc=False, tag="attack.resolved"):
    """The attack phase for one player, in the order of priority."""

    SENTENCE = (
        "{player} has {power} attack, the highest is {highest}: {damage} damage"
        "[, with up to {prevented:nonzero} prevented] ({hitpoints:hit point} left)"
    )

    power: Annotated[Total, Meta(description="of the own Attack lane")]
    highest: Annotated[Total, Meta(description="the highest power of all")]
    prevented: Annotated[Total, Meta(description="damage prevented at most")]
    damage: Annotated[Total, Meta(description="damage taken")]
    hitpoints: Annotated[Total, Meta(description="hit points afterwards")]


class MiningResolved(OfPlayer, frozen=True, kw_only=True, gc=False, tag="mining.resolved"):
    """The mining phase for one player, in the order of priority."""

    SENTENCE = "{player} mines {power:crystal} (now {crystals})"

    power: Annotated[Total, Meta(description="of the Mining lane")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]


class PriorityPassed(Consequence, frozen=True, kw_only=True, gc=False, tag="priority.passed"):
    """The token goes on."""

    SENTENCE = "the priority token goes to {to}"

    to: Annotated[PlayerId, Meta(description="who has it now")]
