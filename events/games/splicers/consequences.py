"""What the rules of Splicers make of it; the log may leave it out."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import (
    MAX_LIST,
    CardId,
    CardIds,
    CardName,
    Consequence,
    Count,
    OfCard,
    OfPlayer,
    Phrases,
    PlayerId,
    Total,
    shared,
)


class CardExhausted(OfCard, frozen=True, kw_only=True, gc=False, tag="card.exhausted"):
    """A card is exhausted by a cost or an effect."""

    SENTENCE = "{card} is exhausted"

    card: Annotated[CardName, Meta(description="the card; mutations under it follow without a line of their own")]


class TingDevolved(OfCard, frozen=True, kw_only=True, gc=False, tag="ting.devolved"):
    """A ting is turned face down and exhausted."""

    SENTENCE = "{card} devolves {reason}"
    PHRASES: ClassVar[Phrases] = {
        "reason": {"requirement": "as its requirement is gone", "hunt": "as it is hunted", "ability": "by an ability"}
    }

    card: Annotated[CardName, Meta(description="the ting")]
    reason: Annotated[Literal["requirement", "hunt", "ability"], Meta(description="why")]


class CardDiscarded(OfCard, frozen=True, kw_only=True, gc=False, tag="card.discarded"):
    """A card goes from play to its owner's discard pile."""

    SENTENCE = "{card} is discarded {reason}"
    PHRASES: ClassVar[Phrases] = {
        "reason": {"host-gone": "with its host", "upgrade": "for the upgrade", "extinguish": "by extinguish"}
        | {"crunch": "by crunch", "diminish": "by diminish"}
        | {"event-done": "after its reveal", "season-over": "at the end of the season"}
    }

    reason: Annotated[
        Literal["host-gone", "upgrade", "extinguish", "crunch", "diminish", "event-done", "season-over"],
        Meta(description="why"),
    ]


class CardReturned(OfCard, frozen=True, kw_only=True, gc=False, tag="card.returned"):
    """A card goes from play to its owner's hand."""

    SENTENCE = "{card} returns to the hand ({reason})"

    reason: Annotated[Literal["backup", "bounce", "host-gone"], Meta(description="why")]


class CardMouldered(OfCard, frozen=True, kw_only=True, gc=False, tag="card.mouldered"):
    """A card goes into its owner's deck."""

    SENTENCE = "{card} goes into the deck (moulder)"


class DominanceChanged(OfCard, frozen=True, kw_only=True, gc=False, tag="dominance.changed"):
    """A card counts more or less until the round ends."""

    SENTENCE = "{card} {by:gains/loses} dominance until the round ends"

    by: Annotated[Total, Meta(description="the change")]


class TokensChanged(OfCard, frozen=True, kw_only=True, gc=False, tag="tokens.changed"):
    """Tokens are put on or taken from a card."""

    SENTENCE = "the number of tokens on {card} {by:rises by/falls by}"

    by: Annotated[Total, Meta(description="the change")]


class ActionsGained(OfPlayer, frozen=True, kw_only=True, gc=False, tag="actions.gained"):
    """A player gains actions."""

    SENTENCE = "{player} gains {count:action}"

    count: Annotated[Count, Meta(description="how many")]


class BiomRotated(Consequence, frozen=True, kw_only=True, gc=False, tag="biom.rotated"):
    """The dominator of a biom has changed."""

    SENTENCE = ("{dominator} dominates {biom} now", "nobody dominates {biom} any more")
    SUBJECT: ClassVar[tuple[str, ...]] = ("biom",)

    biom: Annotated[CardId, Meta(description="the biom")]
    dominator: Annotated[PlayerId | None, Meta(description="who dominates it now; null: nobody")]


class JumperReturned(OfCard, frozen=True, kw_only=True, gc=False, tag="jumper.returned"):
    """A jumped card returns to the hand before the count."""

    SENTENCE = "{card} returns to the hand (jumper)"


class RoundCounted(Consequence, frozen=True, kw_only=True, gc=False, tag="round.counted"):
    """The dominators are counted at the end of the round."""

    SENTENCE = (
        "round {round} is counted: {dominated:dominates}[ (totals at {totals})]",
        "the round is counted: {dominated:dominates}[ (totals at {totals})]",
    )

    dominated: Annotated[
        dict[PlayerId, CardIds], Meta(description="{player: [bioms]}, both players, bioms in the order of the row")
    ]
    round: Annotated[Count | UnsetType, Meta(description="the round")] = UNSET
    totals: Annotated[
        Annotated[dict[CardId, dict[PlayerId, Total]], Meta(max_length=MAX_LIST)] | UnsetType,
        Meta(description="{biom: {player: total}}"),
    ] = UNSET


class GameEnded(shared.GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over."""

    SENTENCE = ("{winner} has won {reason}", "nobody has won {reason}")
    PHRASES: ClassVar[Phrases] = {
        "reason": {
            "domination": "by domination",
            "final-round": "in the final round",
            "final-round-sum": "by the printed sum in the final round",
            "final-round-draw": "as the final round is a draw",
            "concession": "by concession",
            "abandoned": "because the game is abandoned",
        }
    }

    reason: Annotated[
        Literal["domination", "final-round", "final-round-sum", "final-round-draw", "concession", "abandoned"],
        Meta(description="why"),
    ]
