"""The event types that all games share (docs/reference/log-format.md, part 3).

A game takes over what it uses by importing it into its own module and narrows a type by declaring a subclass with the
same tag.
"""

from typing import Annotated, ClassVar, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from tabletape.events.plans import planned
from tabletape.events.vocabulary.event import ByPlayer, Chance, Consequence, Decision, Phrases, Remark
from tabletape.events.vocabulary.fields import MAX_LIST, MAX_NAME, CardIds, CardName, CardNames, Count, PlayerId, Seq

Minutes = Annotated[float, msgspec.Meta(ge=0, le=100_000)]
Score = Annotated[float, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]
PlayerIds = Annotated[tuple[PlayerId, ...], msgspec.Meta(max_length=MAX_LIST)]
Feeling = Literal["good", "bad", "confused", "surprised"]
Length = Literal["too short", "right", "too long"]
OneToFive = Annotated[int, msgspec.Meta(ge=1, le=5)]
Answers = Annotated[dict[str, Annotated[str, msgspec.Meta(max_length=10_000)]], msgspec.Meta(max_length=100)]
Rank = Annotated[int, msgspec.Meta(ge=1, le=MAX_LIST)]
Scores = dict[PlayerId, Score]
Places = dict[PlayerId, Rank]
Teams = dict[PlayerId, Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)]]


class Seat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A player at the table; the order of the seats is clockwise."""

    id: PlayerId
    name: str
    deck: str | UnsetType | None = UNSET


@planned
class GameStarted(Decision, frozen=True, kw_only=True, gc=False, tag="game.started"):
    """Head of the log: which game, which text, who sits where, which rulings differ from the defaults."""

    SENTENCE = "the game begins: {players}"

    game: str
    edition: str
    id: str
    players: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=MAX_LIST)]
    rulings: Annotated[dict[str, str], msgspec.Meta(max_length=MAX_LIST)] = msgspec.field(default_factory=dict)


def overlong(head: GameStarted) -> tuple[str, str] | None:
    """Return which field of a head has a name that is too long, and why; None where all are fine.

    It is asked of what is to be written, not of the type: what is in a log already can always be read.
    """
    seats = [name for seat in head.players for name in (seat.id, seat.name, seat.deck) if isinstance(name, str)]
    rulings = [*head.rulings, *head.rulings.values()]
    names = {"id": [head.id], "edition": [head.edition], "players": seats, "rulings": rulings}
    for field, written in names.items():
        longest = max(map(len, written), default=0)
        if longest > MAX_NAME:
            return field, f"`{field}`: a name has at most {MAX_NAME} letters, not {longest:,}"
    return None


class DeckDeclared(ByPlayer, frozen=True, kw_only=True, gc=False, tag="deck.declared"):
    """The deck list of a player; a card that is in twice stands twice."""

    SENTENCE = "{player} plays a deck of {cards:card}"

    cards: CardIds


class TurnEnded(ByPlayer, frozen=True, kw_only=True, gc=False, tag="turn.ended"):
    """The player on turn ends the turn."""

    SENTENCE = "{player} ends the turn"


class PlayerConceded(ByPlayer, frozen=True, kw_only=True, gc=False, tag="player.conceded"):
    """A player gives up."""

    ANY_TIME: ClassVar[bool] = True

    SENTENCE = "{player} gives up"


class GameAbandoned(Decision, frozen=True, kw_only=True, gc=False, tag="game.abandoned"):
    """The table stopped before the end; the game has no winner."""

    ANY_TIME: ClassVar[bool] = True

    SENTENCE = "the game is abandoned"


class FirstPlayerChosen(Chance, frozen=True, kw_only=True, gc=False, tag="first-player.chosen"):
    """Who begins, and how that was decided (free text)."""

    SENTENCE = "{player} begins ({method})"
    PHRASES: ClassVar[Phrases] = {"method": {"coin": "coin flip", "die": "die roll", "seat": "first seat"}}

    player: PlayerId
    method: str


class DeckShuffled(Chance, frozen=True, kw_only=True, gc=False, tag="deck.shuffled"):
    """A player shuffles a deck; what for, the moment says where nobody has written it down."""

    SENTENCE = "{player} shuffles the deck[ ({reason})]"

    player: PlayerId
    reason: str | UnsetType = UNSET


class CardsDrawn(Chance, frozen=True, kw_only=True, gc=False, tag="cards.drawn"):
    """A player draws: the cards by name, or how many where nobody wrote down which."""

    SENTENCE = ("{player} draws {cards}", "{player} draws {count:card}")

    EXACTLY_ONE: ClassVar[tuple[str, ...]] = ("cards", "count")

    player: PlayerId
    cards: CardNames | UnsetType = UNSET
    count: Count | UnsetType = UNSET


class CardShown(Chance, frozen=True, kw_only=True, gc=False, tag="card.shown"):
    """A card that the log could not name so far becomes known; `was` is the name that it had."""

    SENTENCE = ("{player} shows {card}", "{card} is shown")

    player: PlayerId | UnsetType = UNSET
    card: CardName
    was: CardName


class RoundStarted(Consequence, frozen=True, kw_only=True, gc=False, tag="round.started"):
    """A round begins; rounds are counted from 1."""

    SENTENCE = "round {round} begins"

    round: Count


class TurnStarted(Consequence, frozen=True, kw_only=True, gc=False, tag="turn.started"):
    """A turn begins."""

    SENTENCE = "the turn of {player} begins"

    player: PlayerId


class PhaseStarted(Consequence, frozen=True, kw_only=True, gc=False, tag="phase.started"):
    """A phase begins."""

    SENTENCE = "the {phase} phase begins"

    phase: str


class PlayerEliminated(Consequence, frozen=True, kw_only=True, gc=False, tag="player.eliminated"):
    """A player is out of the game."""

    SENTENCE = "{player} is out of the game"

    player: PlayerId


class GameEnded(Consequence, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over; the winner is null where nobody has won."""

    SENTENCE = ("{winner} has won ({reason})", "nobody has won ({reason})")

    winner: PlayerId | None
    reason: str


class GameDecided(GameEnded, frozen=True, kw_only=True, gc=False, tag="game.ended"):
    """The game is over, also where several have won, all win or lose together, or points and places count.

    A game takes it over as its `GameEnded`. `winners` are all who have won, where they are several (`winner` is null
    then), `score` is what the whole table has reached. `teams` says to which team each player belongs: with a winner of
    it all of the team have won.
    """

    SENTENCE = (  # type: ignore[assignment]  # as many as there are ways to end
        "{winner} has won[ with {score} points] ({reason})[: {scores}]",
        "{winners} have won[ with {score} points] ({reason})[: {scores}]",
        "nobody has won[, with {score} points] ({reason})[: {scores}]",
    )

    winner: PlayerId | None = None
    winners: PlayerIds | UnsetType = UNSET
    cooperative: bool | UnsetType = UNSET
    score: Score | UnsetType = UNSET
    scores: Scores | UnsetType = UNSET
    places: Places | UnsetType = UNSET
    teams: Teams | UnsetType = UNSET


class QuestionRaised(Remark, frozen=True, kw_only=True, gc=False, tag="question.raised"):
    """Somebody asked about a rule; `rule` is its id where the table named one.

    It belongs to the event `on`, or to what happened last before it.
    """

    ANY_TIME: ClassVar[bool] = True
    IN_EVERY_GAME: ClassVar[bool] = True

    SENTENCE = ("{player} asks: {text}[ ({rule})]", "question: {text}[ ({rule})]")

    player: PlayerId | UnsetType = UNSET
    text: str
    rule: str | UnsetType = UNSET
    on: Annotated[Seq | UnsetType, msgspec.Meta(description="the number of the event at which it was asked")] = UNSET


class MomentMarked(Remark, frozen=True, kw_only=True, gc=False, tag="moment.marked"):
    """How a moment felt to a player, or to whoever keeps the log: at the event `on`, or at what happened last."""

    ANY_TIME: ClassVar[bool] = True
    IN_EVERY_GAME: ClassVar[bool] = True

    SENTENCE = ("{player} felt {felt}[ at event {on}][: {text}]", "somebody felt {felt}[ at event {on}][: {text}]")

    PHRASES: ClassVar[Phrases] = {"felt": {each: each for each in get_args(Feeling)}}

    player: PlayerId | UnsetType = UNSET
    felt: Feeling
    on: Annotated[Seq | UnsetType, msgspec.Meta(description="the number of the event that felt so")] = UNSET
    text: str | UnsetType = UNSET


class FeedbackGiven(Remark, frozen=True, kw_only=True, gc=False, tag="feedback.given"):
    """What a player says about the whole game; whatever was not answered is missing, and so is who did not say it.

    `fun` and `fair` go from 1 to 5, `again` is whether the player would play again. `answers` are those to the
    designer's own questions (`feedback.toml`), by their ids. What a player says later counts instead of what the same
    player said before.
    """

    ANY_TIME: ClassVar[bool] = True
    IN_EVERY_GAME: ClassVar[bool] = True

    SENTENCE = (
        (
            "{player} says[: fun {fun} of 5][, fair {fair} of 5][, {length}][, {again:again|not again}][: {answers}]"
            "[: {text}]"
        ),
        "feedback[: fun {fun} of 5][, fair {fair} of 5][, {length}][, {again:again|not again}][: {answers}][: {text}]",
    )
    PHRASES: ClassVar[Phrases] = {"length": {"right": "as long as it should be"}}

    player: PlayerId | UnsetType = UNSET
    fun: OneToFive | UnsetType = UNSET
    fair: OneToFive | UnsetType = UNSET
    length: Length | UnsetType = UNSET
    again: bool | UnsetType = UNSET
    text: str | UnsetType = UNSET
    answers: Answers = msgspec.field(default_factory=dict)


class NoteAdded(Remark, frozen=True, kw_only=True, gc=False, tag="note.added"):
    """A remark of the table, or a comment on an earlier event; a comment on a comment answers it."""

    ANY_TIME: ClassVar[bool] = True
    IN_EVERY_GAME: ClassVar[bool] = True

    SENTENCE = (
        "{player} notes[ on event {on}]: {text}[ ({rule})][ - {settled:settled}]",
        "note[ on event {on}]: {text}[ ({rule})][ - {settled:settled}]",
    )

    player: PlayerId | UnsetType = UNSET
    text: str
    rule: str | UnsetType = UNSET
    on: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | UnsetType,
        msgspec.Meta(description="the number of the event that it is about"),
    ] = UNSET
    settled: Annotated[bool | UnsetType, msgspec.Meta(description="what was said there is settled with this")] = UNSET


class PlayTakenBack(Remark, frozen=True, kw_only=True, gc=False, tag="play.taken-back"):
    """The table put everything back to the state after event `to`; what was taken back stays in the log."""

    IN_EVERY_GAME: ClassVar[bool] = True

    SENTENCE = (
        "{player} takes back everything after event {to}[ ({rule})]",
        "everything after event {to} is taken back[ ({rule})]",
    )

    player: PlayerId | UnsetType = UNSET
    to: Seq
    rule: str | UnsetType = UNSET


@planned
class ResultRecorded(Remark, frozen=True, kw_only=True, gc=False, tag="result.recorded"):
    """How a game went, without its actions: who won (nobody: a draw), and what else was written down of it.

    `scores` and `places` are by player, `score` is that of the whole table, `cooperative` says that all won or lost
    together; `teams` to which team each player belongs, who win with any of them. `cards` are the ids of the cards that
    each player played, as far as they were named.
    """

    SENTENCE = "the result: {winners} won[ ({reason})][: {scores}]"

    IN_EVERY_GAME: ClassVar[bool] = True

    winners: PlayerIds
    reason: str | UnsetType = UNSET
    rounds: Count | UnsetType = UNSET
    turns: Count | UnsetType = UNSET
    minutes: Minutes | UnsetType = UNSET
    cooperative: bool | UnsetType = UNSET
    score: Score | UnsetType = UNSET
    scores: Scores = msgspec.field(default_factory=dict)
    places: Places | UnsetType = UNSET
    teams: Teams | UnsetType = UNSET
    cards: dict[PlayerId, CardIds] = msgspec.field(default_factory=dict)


class LogGap(Remark, frozen=True, kw_only=True, gc=False, tag="log.gap"):
    """Here the file that the log came from has lines that nobody could read: `text` is the first of them."""

    SENTENCE = "here the file has {lines:line} that nobody could read: {text}"

    IN_EVERY_GAME: ClassVar[bool] = True

    lines: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
    text: str


class StateObserved(Remark, frozen=True, kw_only=True, gc=False, tag="state.observed"):
    """Somebody read something off the table: a checksum. Each game adds its own totals."""

    ANY_TIME: ClassVar[bool] = True

    player: PlayerId | UnsetType = UNSET
