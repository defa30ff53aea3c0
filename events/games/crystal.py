"""The event types of Crystal Factions, in the words of its rulebook (docs/games/crystal.md)."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from events import shared
from events.shared import (
    GameAbandoned,
    GameStarted,
    NoteAdded,
    PlayerConceded,
    PlayerEliminated,
    PlayTakenBack,
    QuestionRaised,
    RoundStarted,
    TurnStarted,
)
from events.vocabulary import CardIds, CardName, CardNames, Chance, Consequence, Count, Decision, PlayerId, Total


class DeckDeclared(shared.DeckDeclared, frozen=True, kw_only=True, gc=False, tag="deck.declared"):
    """Faction and decks of a player; it brings the base cards and the supply."""

    SENTENCE = "{player} plays {faction}, with {cards:card} in the faction deck and {basic:card} in the basic deck"

    faction: Annotated[str, Meta(description="id of the faction")]
    basic: Annotated[CardIds, Meta(description="card ids of the basic deck, top first")]


class CardDeployed(Decision, frozen=True, kw_only=True, gc=False, tag="card.deployed"):
    """A card is played from the hand into a lane; what its text asks for is chosen here."""

    SENTENCE = (
        "{player} plays {card} into the {lane} lane[ against {opponent}][, choosing the {target_lane} lane]"
        "[, choosing {target}][ and moving it to the {to_lane} lane]"
    )

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card")]
    lane: Annotated[str, Meta(description="mining, attack or tech")]
    opponent: Annotated[
        PlayerId | UnsetType,
        Meta(description="which opponent; may be left out with only one"),
    ] = UNSET
    target_lane: Annotated[str | UnsetType, Meta(description="which lane of that opponent")] = UNSET
    target: Annotated[
        CardName | UnsetType,
        Meta(description="a deployed card that is destroyed or moved"),
    ] = UNSET
    to_lane: Annotated[str | UnsetType, Meta(description="where it is moved to")] = UNSET


class DeployEnded(Decision, frozen=True, kw_only=True, gc=False, tag="deploy.ended"):
    """A player declares to be done; the next one deploys, after the last one the other phases follow by themselves."""

    SENTENCE = "{player} is done deploying"

    player: PlayerId


class FirstPlayerChosen(shared.FirstPlayerChosen, frozen=True, kw_only=True, gc=False, tag="first-player.chosen"):
    """Who wins the flip of the priority token, and how that was decided (free text)."""

    SENTENCE = "{player} wins the flip for the priority token ({method})"


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A faction deck is shuffled."""

    SENTENCE = "the faction deck of {player} is shuffled[ by {by}]"

    deck: Annotated[Literal["faction"], Meta(description="which one")]
    reason: Annotated[Literal["setup"], Meta(description="what for")]
    by: Annotated[PlayerId | UnsetType, Meta(description="who shuffled")] = UNSET


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """One card at the begin of the own part of the deploy phase, and where a card says so.

    No line if both decks are empty, or one with nothing in it.
    """

    SENTENCE = ("{player} draws {cards} from the {from_} deck", "{player} draws {count:card} from the {from_} deck")

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn; either this")] = UNSET  # type: ignore[assignment]  # wider than shared

    from_: Annotated[str, Meta(description="faction or basic")] = msgspec.field(name="from")


class DeckCut(Chance, frozen=True, kw_only=True, gc=False, tag="deck.cut"):
    """Another player cuts the shuffled deck."""

    SENTENCE = "the faction deck of {player} is cut by {by}"

    player: PlayerId
    deck: Annotated[Literal["faction"], Meta(description="which one")]
    by: Annotated[PlayerId, Meta(description="who cut")]


class StartingHandDrawn(Chance, frozen=True, kw_only=True, gc=False, tag="starting-hand.drawn"):
    """The whole starting hand of a player in one line, also the empty one.

    Which deck a card comes from can be seen from the card; an unseen one (`A:?1`) is from the faction deck.
    """

    SENTENCE = "{player} draws a starting hand of {cards:card}[: {cards}]"

    player: PlayerId
    cards: Annotated[CardNames, Meta(description="in the order in which they were drawn")]


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    reason: Annotated[
        Literal["last-standing", "all-eliminated", "crystals", "concession", "abandoned"],
        Meta(description="why; concession: the last opponent gave up, which is last-standing, too"),
    ]


class PhaseStarted(shared.PhaseStarted, frozen=True, kw_only=True, gc=False, tag="phase.started"):
    """A phase begins."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("phase",)

    phase: Annotated[
        Literal["deploy", "attack", "mining", "end-of-turn", "end-of-round"],
        Meta(description="which one"),
    ]


class SupplySet(Consequence, frozen=True, kw_only=True, gc=False, tag="supply.set"):
    """Set-up: hit points and crystals."""

    SENTENCE = "{player} starts with {hitpoints:hit point} and {crystals:crystal}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    hitpoints: Annotated[Total, Meta(description="at the start")]
    crystals: Annotated[Total, Meta(description="at the start")]


class TechLimitSet(Consequence, frozen=True, kw_only=True, gc=False, tag="tech-limit.set"):
    """The tech limit, after the draw or by a card."""

    SENTENCE = "the tech limit of {player} is {limit}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    limit: Annotated[Total, Meta(description="the limit from now on")]


class CrystalsPaid(Consequence, frozen=True, kw_only=True, gc=False, tag="crystals.paid"):
    """A card is paid."""

    SENTENCE = "{player} pays {amount:crystal} ({crystals} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    amount: Annotated[Total, Meta(description="the cost")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]


class CrystalsGained(Consequence, frozen=True, kw_only=True, gc=False, tag="crystals.gained"):
    """An ability gives crystals."""

    SENTENCE = "{player} gains {amount:crystal} by {source} (now {crystals})"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    player: PlayerId
    amount: Annotated[Total, Meta(description="how many")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]
    source: Annotated[str, Meta(description="the card")]


class CrystalsLost(Consequence, frozen=True, kw_only=True, gc=False, tag="crystals.lost"):
    """An ability takes crystals."""

    SENTENCE = "{player} loses {amount:crystal} by {source} ({crystals} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    player: PlayerId
    amount: Annotated[Total, Meta(description="how many really")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]
    source: Annotated[str, Meta(description="the card")]


class HitpointsGained(Consequence, frozen=True, kw_only=True, gc=False, tag="hitpoints.gained"):
    """An ability gives hit points."""

    SENTENCE = "{player} gains {amount:hit point} by {source} (now {hitpoints})"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    player: PlayerId
    amount: Annotated[Total, Meta(description="how many")]
    hitpoints: Annotated[Total, Meta(description="hit points afterwards")]
    source: Annotated[str, Meta(description="the card")]


class DamageTaken(Consequence, frozen=True, kw_only=True, gc=False, tag="damage.taken"):
    """An ability does damage (outside the attack phase)."""

    SENTENCE = "{source} deals {amount} damage to {player} ({hitpoints:hit point} left)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    player: PlayerId
    amount: Annotated[Total, Meta(description="how much")]
    hitpoints: Annotated[Total, Meta(description="hit points afterwards")]
    source: Annotated[str, Meta(description="the card")]


class PowerRaised(Consequence, frozen=True, kw_only=True, gc=False, tag="power.raised"):
    """A lane has more power until the end of the round."""

    SENTENCE = "{source} adds {amount} power to the {lane} lane of {player} for this round"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "lane", "source")

    player: PlayerId
    lane: Annotated[str, Meta(description="which lane")]
    amount: Annotated[Total, Meta(description="how much")]
    source: Annotated[str, Meta(description="the card")]


class PreventionAdded(Consequence, frozen=True, kw_only=True, gc=False, tag="prevention.added"):
    """Damage of this attack phase will be prevented."""

    SENTENCE = "{source} prevents up to {amount} damage to {player}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "source")

    player: PlayerId
    amount: Annotated[Total, Meta(description="how much")]
    source: Annotated[str, Meta(description="the card")]


class TokenPlaced(Consequence, frozen=True, kw_only=True, gc=False, tag="token.placed"):
    """A token is laid on a lane."""

    SENTENCE = "{source} lays a {token} token on the {lane} lane of {player} ({count} there now)"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player", "lane", "source")

    player: PlayerId
    lane: Annotated[str, Meta(description="which lane")]
    token: Annotated[str, Meta(description="boost or corruption")]
    count: Annotated[Count, Meta(description="of these tokens on that lane now")]
    source: Annotated[str, Meta(description="the card")]


class CardDestroyed(Consequence, frozen=True, kw_only=True, gc=False, tag="card.destroyed"):
    """A deployed card goes to its owner's discard pile."""

    SENTENCE = "{source} destroys {card}"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="which one")]
    source: Annotated[str, Meta(description="the card that does it")]


class CardMoved(Consequence, frozen=True, kw_only=True, gc=False, tag="card.moved"):
    """A deployed card changes the lane."""

    SENTENCE = "{source} moves {card} to the {lane} lane"

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="which one")]
    lane: Annotated[str, Meta(description="where it lies now")]
    source: Annotated[str, Meta(description="the card that does it")]


class AttackResolved(Consequence, frozen=True, kw_only=True, gc=False, tag="attack.resolved"):
    """The attack phase for one player, in the order of priority."""

    SENTENCE = (
        "{player} has {power} attack against a highest of {highest}, prevents {prevented} "
        "and takes {damage} damage ({hitpoints:hit point} left)"
    )

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    power: Annotated[Total, Meta(description="of the own Attack lane")]
    highest: Annotated[Total, Meta(description="the highest power of all")]
    prevented: Annotated[Total, Meta(description="damage prevented at most")]
    damage: Annotated[Total, Meta(description="damage taken")]
    hitpoints: Annotated[Total, Meta(description="hit points afterwards")]


class MiningResolved(Consequence, frozen=True, kw_only=True, gc=False, tag="mining.resolved"):
    """The mining phase for one player, in the order of priority."""

    SENTENCE = "{player} mines {power:crystal} (now {crystals})"

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    power: Annotated[Total, Meta(description="of the Mining lane")]
    crystals: Annotated[Total, Meta(description="crystals afterwards")]


class PriorityPassed(Consequence, frozen=True, kw_only=True, gc=False, tag="priority.passed"):
    """The token goes on."""

    SENTENCE = "the priority token goes to {to}"

    to: Annotated[PlayerId, Meta(description="who has it now")]


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read totals off the table."""

    SENTENCE = (
        (
            "{player}: [round {round}, ][{hitpoints:hit point}, ][{crystals:crystal}, ][{hand:card} in the hand, ]"
            "[{faction_deck:card} in the faction deck, ][{basic_deck:card} in the basic deck, ]"
            "[{discard:card} in the discard pile, ][{mining} mining, ][{attack} attack, ][{tech} tech, ]"
            "[a tech limit of {tech_limit}, ]read off the table"
        ),
        "[round {round}, ]read off the table",
    )

    round: Annotated[Count | UnsetType, Meta(description="number of the round")] = UNSET
    hitpoints: Annotated[Total | UnsetType, Meta(description="hit points")] = UNSET
    crystals: Annotated[Total | UnsetType, Meta(description="crystals")] = UNSET
    hand: Annotated[Count | UnsetType, Meta(description="cards in the hand")] = UNSET
    faction_deck: Annotated[Total | UnsetType, Meta(description="cards in the faction deck")] = UNSET
    basic_deck: Annotated[Total | UnsetType, Meta(description="cards in the basic deck")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="cards in the discard pile")] = UNSET
    mining: Annotated[Total | UnsetType, Meta(description="power of the Mining lane")] = UNSET
    attack: Annotated[Total | UnsetType, Meta(description="power of the Attack lane")] = UNSET
    tech: Annotated[Total | UnsetType, Meta(description="power of the Tech lane")] = UNSET
    tech_limit: Annotated[Total | UnsetType, Meta(description="the tech limit")] = UNSET


__all__ = [
    "AttackResolved",
    "CardDeployed",
    "CardDestroyed",
    "CardMoved",
    "CardsDrawn",
    "CrystalsGained",
    "CrystalsLost",
    "CrystalsPaid",
    "DamageTaken",
    "DeckCut",
    "DeckDeclared",
    "DeckShuffled",
    "DeployEnded",
    "FirstPlayerChosen",
    "GameAbandoned",
    "GameEnded",
    "GameStarted",
    "HitpointsGained",
    "MiningResolved",
    "NoteAdded",
    "PhaseStarted",
    "PlayTakenBack",
    "PlayerConceded",
    "PlayerEliminated",
    "PowerRaised",
    "PreventionAdded",
    "PriorityPassed",
    "QuestionRaised",
    "RoundStarted",
    "StartingHandDrawn",
    "StateObserved",
    "SupplySet",
    "TechLimitSet",
    "TokenPlaced",
    "TurnStarted",
]
