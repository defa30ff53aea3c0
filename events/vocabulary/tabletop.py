"""The event types of every game without rules: what hands, decks, counters and dice have in common.

A zone is named as the game's file names it; `B/hand` is another player's. A card is a name: `A:reed-heron`.
"""

from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary import shared
from tabletape.events.vocabulary.event import Chance, Decision, Phrases, Plain
from tabletape.events.vocabulary.fields import CardName, Count, PlayerId
from tabletape.events.vocabulary.shared import (
    CardShown,
    DeckDeclared,
    DeckShuffled,
    GameAbandoned,
    GameStarted,
    PlayerConceded,
    PlayerEliminated,
    TurnEnded,
)

ZoneName = Annotated[str, Meta(description="a zone: hand, table, or B/hand for another player's")]
Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] | Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]


class CardMoved(Decision, frozen=True, kw_only=True, gc=False, tag="card.moved"):
    """A card goes from one zone to another; playing a card is moving it from the hand to the table."""

    SENTENCE = ("{player} moves {card} from {from_} to {to}", "{player} moves {card} to {to}")
    PHRASES: ClassVar[Phrases] = {"to": {"elsewhere": "the table"}}  # that of a game whose zones nobody has named
    PLAIN: ClassVar[Plain] = {
        "{player} plays {card}": {"from_": ("hand",), "to": ("table", "elsewhere")},
        "{player} discards {card}": {"from_": ("hand",), "to": ("discard",)},
        "{player} discards {card} from the table": {"from_": ("table", "elsewhere"), "to": ("discard",)},
    }

    player: PlayerId
    card: CardName
    from_: ZoneName | UnsetType = msgspec.field(name="from", default=UNSET)
    to: ZoneName


class CardUsed(Decision, frozen=True, kw_only=True, gc=False, tag="card.used"):
    """A card that lies somewhere does something: what, in the words of the table."""

    SENTENCE = "{player} uses {card}[: {what}]"

    player: PlayerId
    card: CardName
    what: str | UnsetType = UNSET


class ChoiceMade(Decision, frozen=True, kw_only=True, gc=False, tag="choice.made"):
    """A player chooses: a house, an option, whether to keep a hand."""

    SENTENCE = "{player} chooses for {what}: {choice}"

    player: PlayerId
    what: str
    choice: str


class CounterChanged(Decision, frozen=True, kw_only=True, gc=False, tag="counter.changed"):
    """A counter of a player, or of the table where none is named, is set to a number or changed by one."""

    SENTENCE = (
        "{player} sets {counter} to {to}",
        "{player} {by:gains/loses} {counter:by}",
        "{counter} is set to {to}",
        "{counter} changes by {by}",
    )

    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("to", "by")

    player: PlayerId | UnsetType = UNSET
    counter: str
    to: Number | UnsetType = UNSET
    by: Number | UnsetType = UNSET


class DieRolled(Chance, frozen=True, kw_only=True, gc=False, tag="die.rolled"):
    """A die, a coin or the like falls."""

    SENTENCE = (
        "{player} rolls {die}: {result}",
        "{player} rolls {result}",
        "{die} falls: {result}",
        "the roll is {result}",
    )

    player: PlayerId | UnsetType = UNSET
    result: str
    die: str | UnsetType = UNSET


class CardsDrawn(shared.CardsDrawn, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """Cards come to the hand from the deck or another zone: by name, or how many where nobody wrote down which."""

    SENTENCE = ("{player} draws {cards}[ from {from_}]", "{player} draws {count:card}[ from {from_}]")

    from_: ZoneName | UnsetType = msgspec.field(name="from", default=UNSET)


class FirstPlayerChosen(shared.FirstPlayerChosen, frozen=True, kw_only=True, gc=False, tag="first-player.chosen"):
    """Who begins, and how that was decided where somebody wrote it down."""

    SENTENCE = "{player} begins[ ({method})]"
    PHRASES: ClassVar[Phrases] = {}  # a transcript of such a game is read back, word for word

    method: str = ""


class RoundStarted(Decision, frozen=True, kw_only=True, gc=False, tag="round.started"):
    """A round begins; the number is that of the table where it says one."""

    SENTENCE = ("round {round} begins", "a round begins")

    round: Count | UnsetType = UNSET


class TurnStarted(Decision, frozen=True, kw_only=True, gc=False, tag="turn.started"):
    """A player's turn begins."""

    SENTENCE = "the turn of {player} begins"

    player: PlayerId


class GameEnded(Decision, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The table says that the game is over; the winner is null where nobody has won."""

    SENTENCE = (
        "{winner} has won[ with {score} points] ({reason})[: {scores}]",
        "{winners} have won[ with {score} points] ({reason})[: {scores}]",
        "nobody has won[, with {score} points] ({reason})[: {scores}]",
    )

    winner: PlayerId | None = None
    reason: str
    winners: shared.PlayerIds | UnsetType = UNSET
    cooperative: bool | UnsetType = UNSET
    score: shared.Score | UnsetType = UNSET
    scores: shared.Scores | UnsetType = UNSET
    places: shared.Places | UnsetType = UNSET
    teams: shared.Teams | UnsetType = UNSET


class StateObserved(shared.StateObserved, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody counted: the counters, and how many cards lie in which zone, of a player or of the table."""

    counters: dict[str, Number] = msgspec.field(default_factory=dict)
    zones: dict[str, Count] = msgspec.field(default_factory=dict)
