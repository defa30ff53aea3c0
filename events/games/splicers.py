"""The event types of Splicers, in the words of its rulebook (docs/games/splicers.md)."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from events import shared
from events.shared import (
    CardShown,
    FirstPlayerChosen,
    GameAbandoned,
    GameStarted,
    NoteAdded,
    PlayerConceded,
    PlayTakenBack,
    QuestionRaised,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from events.vocabulary import (
    MAX_LIST,
    CardId,
    CardIds,
    CardName,
    CardNames,
    Consequence,
    Count,
    Decision,
    Phrases,
    PlayerId,
    Total,
    Words,
)


class DeckDeclared(shared.DeckDeclared, frozen=True, kw_only=True, gc=False, tag="deck.declared"):
    """The deck list of a player."""

    SENTENCE = "{player} plays {splicer} and the bioms {bioms}, with a deck of {cards:card}"

    splicer: Annotated[CardId, Meta(description="the splicer")]
    bioms: Annotated[CardIds, Meta(description="the two bioms")]


class BiomsPlaced(Decision, frozen=True, kw_only=True, gc=False, tag="bioms.placed"):
    """The row of bioms between the players."""

    SENTENCE = "the bioms lie in a row: {row}"

    row: Annotated[Words, Meta(description="all bioms of both lists, in the order of the table")]


class MulliganTaken(Decision, frozen=True, kw_only=True, gc=False, tag="mulligan.taken"):
    """The mulligan of a player; empty lists: the hand is kept."""

    SENTENCE = (
        "{player} [discards {returned} in the mulligan|keeps the hand][ and draws {drawn}]",
        "{player} [discards {returned} in the mulligan and draws {count:card}|keeps the hand]",
    )
    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("drawn", "count")
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("drawn", "count")

    player: PlayerId
    returned: Annotated[CardNames, Meta(description="cards discarded")]
    drawn: Annotated[CardNames | UnsetType, Meta(description="cards drawn instead")] = UNSET
    count: Annotated[Count | UnsetType, Meta(description="how many were drawn, where nobody wrote down what")] = UNSET


class SeedPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="seed.played"):
    """A hand card is laid face down and exhausted at a biom."""

    SENTENCE = "{player} plays {card} as a seed at {biom}"
    MAY_BE_UNSEEN: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card")]
    biom: Annotated[str, Meta(description="where")]


class TingEvolved(Decision, frozen=True, kw_only=True, gc=False, tag="ting.evolved"):
    """A seed is turned face up."""

    SENTENCE = "{player} evolves {card}[ with {mutations}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the seed")]
    mutations: Annotated[
        CardNames | UnsetType, Meta(description="hand mutations played with it, in time for a requirement")
    ] = UNSET
    was: Annotated[
        CardName | UnsetType, Meta(description="the same card as <owner>:?<n>, where it was written so before")
    ] = UNSET


class JumperPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="jumper.played"):
    """A jumper enters face up and unexhausted in place of being seeded."""

    SENTENCE = "{player} plays {card} as a jumper at {biom}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the hand card")]
    biom: Annotated[str, Meta(description="where")]


class TingUpgraded(Decision, frozen=True, kw_only=True, gc=False, tag="ting.upgraded"):
    """A card with upgrade enters in the place of a ting that is discarded for it."""

    SENTENCE = "{player} upgrades {discarded} to {card}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the hand card")]
    discarded: Annotated[CardName, Meta(description="the ting that is given up")]


class MutationPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="mutation.played"):
    """A hand mutation is put under a ting."""

    SENTENCE = "{player} plays {card} under {host}"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the mutation")]
    host: Annotated[CardName, Meta(description="the ting")]


class AbilityUsed(Decision, frozen=True, kw_only=True, gc=False, tag="ability.used"):
    """An active ability is used."""

    SENTENCE = '{player} uses "{ability}" of {card}[ on {target}][ to {to}][ with {cards}][, showing {shown}]'

    player: PlayerId
    card: Annotated[CardName, Meta(description="the card that has the ability")]
    ability: Annotated[str, Meta(description="the ability line as the card file spells it")]
    target: Annotated[CardName | UnsetType | None, Meta(description="the chosen card; null: none chosen")] = UNSET
    to: Annotated[str | UnsetType | None, Meta(description="the chosen biom (roam)")] = UNSET
    cards: Annotated[CardNames | UnsetType, Meta(description="the chosen cards of the discard pile (revive)")] = UNSET
    shown: Annotated[CardName | UnsetType, Meta(description="the ting shown for willpower")] = UNSET


class WillpowerAnswered(Decision, frozen=True, kw_only=True, gc=False, tag="willpower.answered"):
    """The opponent answers willpower."""

    SENTENCE = "{player} [answers willpower with {shown}|does not answer willpower]"

    player: PlayerId
    shown: Annotated[CardNames, Meta(description="tings shown from the hand; empty: no answer")]


class TingsSpliced(Decision, frozen=True, kw_only=True, gc=False, tag="tings.spliced"):
    """Two own tings are exhausted to search the deck."""

    SENTENCE = (
        "{player} splices {tings} and takes {found}[, which enters at {biom}]",
        "{player} splices {tings} and takes {count:card}",
        "{player} splices {tings} and takes nothing",
    )
    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("found", "count")
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ("found", "count", "biom")

    player: PlayerId
    tings: Annotated[CardNames, Meta(description="the two tings")]
    found: Annotated[CardName | UnsetType | None, Meta(description="the card taken into the hand; null: none")] = UNSET
    count: Annotated[Count | UnsetType, Meta(description="0 or 1, where nobody saw what was taken")] = UNSET
    biom: Annotated[
        str | UnsetType, Meta(description="where a found ting enters at once; only in texts before 2017")
    ] = UNSET


class EventPlayed(Decision, frozen=True, kw_only=True, gc=False, tag="event.played"):
    """An event is laid face down; that is a pass."""

    SENTENCE = "{player} lays {card} face down as an event and passes"
    MAY_BE_UNSEEN: ClassVar[tuple[str, ...]] = ("card",)

    player: PlayerId
    card: Annotated[CardName, Meta(description="the event")]


class TurnPassed(Decision, frozen=True, kw_only=True, gc=False, tag="turn.passed"):
    """A player passes."""

    SENTENCE = "{player} passes"

    player: PlayerId


class EventRevealed(Decision, frozen=True, kw_only=True, gc=False, tag="event.revealed"):
    """The face-down event is turned over at the end of the round."""

    SENTENCE = "{player} reveals {card}[ and chooses {target}]"

    player: PlayerId
    card: Annotated[CardName, Meta(description="the event")]
    target: Annotated[CardName | UnsetType | None, Meta(description="the chosen card; null: none chosen")] = UNSET
    was: Annotated[
        CardName | UnsetType, Meta(description="the same card as <owner>:?<n>, where it was written so before")
    ] = UNSET


class TingReplaced(Decision, frozen=True, kw_only=True, gc=False, tag="ting.replaced"):
    """The owner replaces the ting that diminish has chosen."""

    SENTENCE = (
        "{player} replaces {card} with {replacement}[ from the {from_}]",
        "{player} has no ting to replace {card}",
    )

    player: PlayerId
    card: Annotated[CardName, Meta(description="the ting that goes")]
    replacement: Annotated[CardName | None, Meta(description="the ting that comes; null: there is none")]
    from_: Annotated[
        Literal["deck", "discard"] | UnsetType, Meta(description="where it was found; absent without a replacement")
    ] = msgspec.field(default=UNSET, name="from")


class DeckShuffled(shared.DeckShuffled, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A player shuffles the own deck."""

    SENTENCE = "{player} shuffles the deck {reason}"
    PHRASES: ClassVar[Phrases] = {
        "reason": {"setup": "for the game", "other": "once more", "splice": "after the splice"}
        | {"moulder": "after moulder", "diminish": "after diminish"}
    }

    reason: Annotated[Literal["setup", "splice", "moulder", "diminish", "other"], Meta(description="what for")]


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws from the own deck; null, an empty list or a count of 0 where nothing was left in it."""

    SENTENCE = ("{player} draws {cards} {reason}", "{player} draws {count:card} {reason}")
    PHRASES: ClassVar[Phrases] = {
        "reason": {"opening-hand": "as the opening hand", "round-start": "for the round", "ability": "for an ability"}
    }

    cards: Annotated[CardNames | UnsetType | None, Meta(description="what was drawn")] = UNSET  # type: ignore[assignment]  # wider than shared
    reason: Annotated[Literal["opening-hand", "round-start", "ability"], Meta(description="which draw this is")]


class CardExhausted(Consequence, frozen=True, kw_only=True, gc=False, tag="card.exhausted"):
    """A card is exhausted by a cost or an effect."""

    SENTENCE = "{card} is exhausted"
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card; mutations under it follow without a line of their own")]


class TingDevolved(Consequence, frozen=True, kw_only=True, gc=False, tag="ting.devolved"):
    """A ting is turned face down and exhausted."""

    SENTENCE = "{card} devolves {reason}"
    PHRASES: ClassVar[Phrases] = {
        "reason": {"requirement": "without its requirement", "hunt": "hunted", "ability": "by an ability"}
    }
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the ting")]
    reason: Annotated[Literal["requirement", "hunt", "ability"], Meta(description="why")]


class CardDiscarded(Consequence, frozen=True, kw_only=True, gc=False, tag="card.discarded"):
    """A card goes from play to its owner's discard pile."""

    SENTENCE = "{card} is discarded {reason}"
    PHRASES: ClassVar[Phrases] = {
        "reason": {"host-gone": "with its host", "upgrade": "for the upgrade", "extinguish": "by extinguish"}
        | {"crunch": "by crunch", "diminish": "by diminish"}
        | {"event-done": "after its reveal", "season-over": "at the end of the season"}
    }
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    reason: Annotated[
        Literal["host-gone", "upgrade", "extinguish", "crunch", "diminish", "event-done", "season-over"],
        Meta(description="why"),
    ]


class CardReturned(Consequence, frozen=True, kw_only=True, gc=False, tag="card.returned"):
    """A card goes from play to its owner's hand."""

    SENTENCE = "{card} returns to the hand ({reason})"
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    reason: Annotated[Literal["backup", "bounce", "host-gone"], Meta(description="why")]


class CardMouldered(Consequence, frozen=True, kw_only=True, gc=False, tag="card.mouldered"):
    """A card goes into its owner's deck."""

    SENTENCE = "{card} goes into the deck (moulder)"
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]


class DominanceChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="dominance.changed"):
    """A card counts more or less until the round ends."""

    SENTENCE = "{card} {by:gains/loses} dominance until the round ends"
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    by: Annotated[Total, Meta(description="the change")]


class TokensChanged(Consequence, frozen=True, kw_only=True, gc=False, tag="tokens.changed"):
    """Tokens are put on or taken from a card."""

    SENTENCE = "the number of tokens on {card} {by:rises by/falls by}"
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]
    by: Annotated[Total, Meta(description="the change")]


class ActionsGained(Consequence, frozen=True, kw_only=True, gc=False, tag="actions.gained"):
    """A player gains actions."""

    SENTENCE = "{player} gains {count:action}"
    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId
    count: Annotated[Count, Meta(description="how many")]


class BiomRotated(Consequence, frozen=True, kw_only=True, gc=False, tag="biom.rotated"):
    """The dominator of a biom has changed."""

    SENTENCE = ("{dominator} dominates {biom} now", "nobody dominates {biom} any more")
    SUBJECT: ClassVar[tuple[str, ...]] = ("biom",)

    biom: Annotated[str, Meta(description="the biom")]
    dominator: Annotated[PlayerId | None, Meta(description="who dominates it now; null: nobody")]


class JumperReturned(Consequence, frozen=True, kw_only=True, gc=False, tag="jumper.returned"):
    """A jumped card returns to the hand before the count."""

    SENTENCE = "{card} returns to the hand (jumper)"
    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]


class RoundCounted(Consequence, frozen=True, kw_only=True, gc=False, tag="round.counted"):
    """The dominators are counted at the end of the round."""

    SENTENCE = (
        "round {round} is counted - {dominated}[ (totals at {totals})]",
        "the round is counted - {dominated}[ (totals at {totals})]",
    )

    dominated: Annotated[
        dict[PlayerId, Words], Meta(description="{player: [bioms]}, both players, bioms in the order of the row")
    ]
    round: Annotated[Count | UnsetType, Meta(description="the round")] = UNSET
    totals: Annotated[
        Annotated[dict[str, dict[PlayerId, Total]], Meta(max_length=MAX_LIST)] | UnsetType,
        Meta(description="{biom: {player: total}}"),
    ] = UNSET


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    SENTENCE = ("{winner} has won {reason}", "nobody has won {reason}")
    PHRASES: ClassVar[Phrases] = {
        "reason": {"domination": "by domination", "final-round": "in the final round"}
        | {"final-round-sum": "by the printed sum in the final round", "final-round-draw": "in the final round"}
        | {"concession": "by concession", "abandoned": "because the game is abandoned"}
    }

    reason: Annotated[
        Literal["domination", "final-round", "final-round-sum", "final-round-draw", "concession", "abandoned"],
        Meta(description="why"),
    ]


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read something off the table: a checksum."""

    hand: Annotated[Count | UnsetType, Meta(description="hand cards of player")] = UNSET
    deck: Annotated[Count | UnsetType, Meta(description="deck cards of player")] = UNSET
    discard: Annotated[Count | UnsetType, Meta(description="discard pile of player")] = UNSET
    actions: Annotated[Total | UnsetType, Meta(description="actions left of player")] = UNSET
    biom: Annotated[str | UnsetType, Meta(description="a biom")] = UNSET
    total: Annotated[Total | UnsetType, Meta(description="total of player at biom")] = UNSET
    dominator: Annotated[PlayerId | UnsetType | None, Meta(description="dominator of biom")] = UNSET
    card: Annotated[CardName | UnsetType, Meta(description="a card in play")] = UNSET
    face: Annotated[Literal["up", "down"] | UnsetType, Meta(description="of card")] = UNSET
    exhausted: Annotated[bool | UnsetType, Meta(description="of card")] = UNSET
    tokens: Annotated[Count | UnsetType, Meta(description="on card")] = UNSET
    dominance: Annotated[Total | UnsetType, Meta(description="of card")] = UNSET


# What is taken over from `events.shared` as it is; the types of this module need no export.
__all__ = [
    "CardShown",
    "FirstPlayerChosen",
    "GameAbandoned",
    "GameStarted",
    "NoteAdded",
    "PlayTakenBack",
    "PlayerConceded",
    "QuestionRaised",
    "RoundStarted",
    "TurnEnded",
    "TurnStarted",
]
