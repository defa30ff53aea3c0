"""A replay with everything that is read off it once, before its rows are made."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.shared import (
    FeedbackGiven,
    FirstPlayerChosen,
    GameStarted,
    MomentMarked,
    NoteAdded,
    QuestionRaised,
    ResultRecorded,
)
from tabletape.projector.datasets.rows.card_history import Hands
from tabletape.projector.datasets.rows.choices import OpenChoices
from tabletape.projector.datasets.rows.timeline import Timeline, player_of
from tabletape.projector.fold.detail import Detail
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.table import UNDECIDED_REASON

Row = tuple[Any, ...]

SAID: Final[Mapping[type[Event], str]] = {
    FeedbackGiven: "feedback",
    MomentMarked: "moment",
    NoteAdded: "note",
    QuestionRaised: "question",
}
"""Words about a game, which take none of its time: people say them while others play, and days later."""

ABANDONED_REASON: Final = "abandoned"
"""How a game ends that nobody finished."""


class Line(NamedTuple):
    """What kind of line a step was: its round, who did it (None: nobody), its type and class."""

    round: int
    player: str | None
    type: str
    cls: str


def lines_in(replay: Replay, timeline: Timeline) -> list[Line]:
    """Return what kind of line each step of a replay was."""
    positions = timeline.positions
    return [
        Line(position.round, player_of(event), *kind_of(type(event)))
        for position, event in zip(positions, replay.events, strict=True)
    ]


@cache
def kind_of(event_type: type[Event]) -> tuple[str, str]:
    """Return the name and the class of an event type."""
    return tag_of(event_type), event_type.CLASS


def decisions_in(lines: Sequence[Line], timeline: Timeline) -> Counter[tuple[int, str]]:
    """Count the decisions by turn and player; the set-up is no turn, but where nobody wrote turns all is turn 0."""
    return Counter(
        (turn, player)
        for step in timeline.steps
        if lines[step].cls == "decision" and (player := lines[step].player)
        if (turn := timeline.positions[step].turn) or not timeline.turns
    )


class GameContext(msgspec.Struct, frozen=True):
    """A replay, its timeline, what became of its cards, and what could have been done (where a build asks for it).

    `times` says of every step when it happened, where that is known; `unwritten` is what follows from the lines and
    nobody wrote down, each with the step that it follows from; `lines` are the kinds of line that the steps were;
    `decisions` counts those of the turns by turn and player; `detail` says how complete the log is.
    """

    replay: Replay
    timeline: Timeline
    hands: Hands
    choices: OpenChoices | None
    started: GameStarted
    times: Sequence[datetime | None]
    unwritten: Sequence[tuple[int, Event]]
    lines: Sequence[Line]
    decisions: Counter[tuple[int, str]]
    detail: Detail = "actions"

    @property
    def winner(self) -> str:
        """The id of the player who won, or nothing."""
        return str(self.replay.table.winner)

    @property
    def winners(self) -> tuple[str, ...]:
        """The ids of all players who won: one, several, or all who played together."""
        return self.replay.table.winners

    def score(self, player: str) -> float | None:
        """Return the points of a player at the end: as written there, else the counter that the game keeps them in.

        Where all play together the counter is the table's score and nobody's own.
        """
        table = self.replay.table
        points: float | None = table.outcome.scores.get(player)
        counted = self.over and self.detail != "results" and not table.outcome.cooperative
        if points is None and counted and player in table.players:
            points = self.replay.game.scoreboard.points(table, player)
        return points

    @property
    def over(self) -> bool:
        """Whether the game came to an end that is known; one that was abandoned did not."""
        return bool(self.replay.table.over) and self.replay.table.reason not in {ABANDONED_REASON, UNDECIDED_REASON}

    @property
    def decisive(self) -> bool:
        """Whether one player won against the others."""
        return bool(self.winner)

    @property
    def result(self) -> ResultRecorded | None:
        """The result that somebody wrote down, the last one."""
        return next((each for each in reversed(self.replay.events) if isinstance(each, ResultRecorded)), None)

    @property
    def first_player(self) -> str | None:
        """The id of the player who had the first turn; of a game without turns, of whoever is said to have begun.

        Who acted in a game of one's own before anybody wrote whose turn it was had a turn that nobody wrote.
        """
        turns, is_open = self.timeline.turns, self.replay.game.rulebook.open
        is_late = is_open and any(
            line.cls == "decision" and line.type != "turn.started" and line.player and not position.turn
            for line, position in zip(self.lines, self.timeline.positions, strict=True)
        )
        if turns and not is_late:
            return turns[0].player or None
        chosen = [each.player for each in self.replay.events if isinstance(each, FirstPlayerChosen)]
        return chosen[-1] if chosen and (is_late or self.detail == "results") else None

    def hand_known(self, player: str) -> bool:
        """Return whether every card of a player's hand was named at every moment, where the log is complete."""
        seated = self.replay.table.players.get(player)
        guessed = seated is not None and seated.hand_guessed
        return self.detail == "actions" and player not in self.hands.unknown and not guessed


# -- when each event happened, as far as what was written down can be believed -----------------------------------------

A_DAY: Final = timedelta(days=1)
HALF_A_DAY: Final = A_DAY / 2


def times_of(events: Iterable[Event]) -> list[datetime | None]:
    """Return when each event of a game happened; None where nobody wrote it down, or where it cannot have been then.

    A clock that falls back by about a day has passed midnight, and nobody turned the date: the game goes on the next
    day. A time that is earlier than one before it for any other reason says nothing. Nor do the times of what people
    say about a game: a comment of the next day makes no game a day long.
    """
    times: list[datetime | None] = []
    latest: datetime | None = None
    for event in events:
        at = event.at
        if not isinstance(at, datetime) or type(event) in SAID:
            times.append(None)
            continue
        if latest is not None and HALF_A_DAY < latest - at < HALF_A_DAY + A_DAY:
            at += A_DAY
        fits = latest is None or at >= latest
        times.append(at if fits else None)
        latest = at if fits else latest
    return times
