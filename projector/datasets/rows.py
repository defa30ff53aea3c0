"""The rows that one game gives to every dataset."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from events.shared import GameStarted, PlayTakenBack, QuestionRaised, Seat
from events.vocabulary import tag_of
from projector.datasets.choices import Choices, choices_of
from projector.datasets.course import Course, Walk, course_of, player_of, span
from projector.datasets.hands import Copy, Hands, by_card, hands_of
from projector.fold import Replay

Row = tuple[Any, ...]

BOTS = "bot-"
"""What the id of a simulated game begins with."""


class GameRows(msgspec.Struct, frozen=True):
    """The rows of one game: `common` are the values that all its rows share, `rows` the rest by dataset."""

    common: tuple[str, str, str, str, str, bool]
    rows: dict[str, list[Row]]


class _Told(msgspec.Struct, frozen=True):
    """A replay with everything that is read off it once."""

    replay: Replay
    course: Course
    hands: Hands
    choices: Choices | None
    started: GameStarted
    progress: dict[str, float]

    @property
    def winner(self) -> str:
        return str(self.replay.table.winner)

    @property
    def result(self) -> tuple[bool, bool]:
        """Whether the game is over, and whether somebody won it."""
        return bool(self.replay.table.over), bool(self.winner)


def rows_of_game(replay: Replay, *, as_played: bool = True, decision_load: bool = False) -> GameRows:
    """Give the rows of a replay that has at least its `game.started`; `as_played`: it is read as its table read it."""
    started = replay.events[0]
    if not isinstance(started, GameStarted):
        raise TypeError("a replay begins with game.started")
    course = course_of(replay)
    choices = choices_of(replay, course) if decision_load else None
    told = _Told(replay, course, hands_of(replay, course), choices, started, _progress(replay))
    rows = {
        "seats": list(_seats(told)),
        "dimensions": list(_dimensions(told)),
        "events": list(_events(told)),
        "cards": list(_cards(told)),
        "findings": list(_findings(told)),
        "opportunities": list(_opportunities(told)),
    }
    rows["turns"], rows["totals"] = _turns(told)
    rows["games"] = [_game(told, as_played=as_played)]
    return GameRows(_common(told), rows)


def _common(told: _Told) -> tuple[str, str, str, str, str, bool]:
    game = told.replay.game
    ruleset = told.replay.ruleset
    source = "bots" if told.started.id.startswith(BOTS) else "people"
    clean = not told.replay.tainted_from
    return game.slug, told.started.id, ruleset.id, ruleset.label(game.rulebook), source, clean


def _progress(replay: Replay) -> dict[str, float]:
    return {player: replay.game.progress(replay.table, player) for player in replay.table.players}


def _game(told: _Told, *, as_played: bool) -> Row:
    replay = told.replay
    table = replay.table
    times = [event.at for event in replay.events if isinstance(event.at, datetime)]
    kinds = Counter(type(event) for event in replay.events)
    turns = told.course.turns
    stopped = replay.stopped
    return (
        replay.ruleset.edition,
        as_played,
        times[0] if times else None,
        (times[-1] - times[0]).total_seconds() / 60 if len(times) > 1 else None,
        len(table.players),
        (turns[0].player or None) if turns else None,
        *told.result[:1],
        told.winner or None,
        table.reason or None,
        stopped.seq if stopped else None,
        stopped.reason if stopped else None,
        len(replay.events),
        _decisions(told).total(),
        max((told.course.moments[turn.step].round for turn in turns), default=0),
        len(turns),
        replay.tainted_from or None,
        sum(number for kind, number in kinds.items() if issubclass(kind, QuestionRaised)),
        sum(number for kind, number in kinds.items() if issubclass(kind, PlayTakenBack)),
        told.choices is not None,
    )


def _seats(told: _Told) -> Iterator[Row]:
    turns = told.course.turns
    for number, seat in enumerate(told.started.players, 1):
        over, decisive = told.result
        yield (
            seat.id,
            seat.name,
            number,
            seat.deck or None if seat.deck is not UNSET else None,
            bool(turns) and seat.id == turns[0].player,
            over,
            decisive and seat.id == told.winner,
            decisive,
            seat.id not in told.hands.unknown,
            told.progress.get(seat.id),
        )


def _dimensions(told: _Told) -> Iterator[Row]:
    replay = told.replay
    for seat in told.started.players:
        won = seat.id == told.winner
        for dimension, value in _own_dimensions(replay, seat):
            yield seat.id, dimension, value, won, told.result[1]


def _own_dimensions(replay: Replay, seat: Seat) -> Iterator[tuple[str, str]]:
    if isinstance(seat.deck, str) and seat.deck:
        yield "deck", seat.deck
    for dimension, value in replay.game.dimensions(replay.table, seat.id).items():
        if value and dimension != "deck":
            yield dimension, value


def _events(told: _Told) -> Iterator[Row]:
    replay = told.replay
    counted = set(told.course.steps)
    tainted = replay.tainted_from or float("inf")
    legal = told.choices.legal if told.choices else {}
    for step, event in enumerate(replay.events):
        moment = told.course.moments[step]
        begin, end = span(replay, step)
        yield (
            replay.seqs[step],
            tag_of(type(event)),
            event.CLASS,
            player_of(event),
            event.at if isinstance(event.at, datetime) else None,
            moment.round,
            moment.turn,
            moment.phase,
            end - begin,
            step not in counted and not isinstance(event, PlayTakenBack),
            replay.seqs[step] > tainted,
            legal.get(step),
        )


def _turns(told: _Told) -> tuple[list[Row], list[Row]]:
    """Give what everybody had at every turn's end: a row a turn and player, and a row for each total."""
    walk = Walk(told.replay, told.course)
    game = told.replay.game
    decisions = _decisions(told)
    own: Counter[str] = Counter()
    began = _time_before_turns(told)
    turns: list[Row] = []
    totals: list[Row] = []
    for turn in told.course.turns:
        table: Any = walk.to(turn.step, turn.length)
        own[turn.player] += 1
        ended = _time(told, turn.step)
        seconds = (ended - began).total_seconds() if began and ended else None
        began = ended
        progress = {player: game.progress(table, player) for player in table.players}
        for player, value in progress.items():
            whose = (player, player == turn.player, own[player])
            won = told.winner == player, told.result[1]
            taken = decisions[turn.number, player]
            others = [each for other, each in progress.items() if other != player]
            lead = value, value - max(others) if others else None
            turns.append((turn.number, table.round, *whose, *lead, *won, len(told.course.turns), taken, seconds))
            totals += [(turn.number, *whose, name, total) for name, total in game.totals(table, player).items()]
    return turns, totals


def _decisions(told: _Told) -> Counter[tuple[int, str]]:
    """Count the decisions by turn and player; the set-up is no turn."""
    events = told.replay.events
    return Counter(
        (told.course.moments[step].turn, player)
        for step in told.course.steps
        if events[step].CLASS == "decision" and told.course.moments[step].turn and (player := player_of(events[step]))
    )


def _time(told: _Told, step: int) -> datetime | None:
    at = told.replay.events[step].at
    return at if isinstance(at, datetime) else None


def _time_before_turns(told: _Told) -> datetime | None:
    """Give when the first turn began: the time of the last event before it."""
    before = [step for step in told.course.steps if not told.course.moments[step].turn]
    return _time(told, before[-1] if before else 0)


def _cards(told: _Told) -> Iterator[Row]:
    library = told.replay.library
    over, decisive = told.result
    listed = {copy.player for copy in told.hands.copies.values() if copy.in_deck}
    for (player, card), copies in by_card(told.hands):
        printed = library.get(card)
        yield (
            player,
            card,
            printed.name if printed else card,
            printed.kind if printed else None,
            decisive and player == told.winner,
            decisive,
            over,
            player not in told.hands.unknown,
            *_usage([copy for _, copy in copies], listed=player in listed),
            *_dead(told.choices, copies),
            min((copy.first_turn for _, copy in copies if copy.first_turn is not None), default=None),
            sum(copy.turns for _, copy in copies),
            sum(copy.stays for _, copy in copies),
        )


def _usage(copies: list[Copy], *, listed: bool) -> Row:
    """Give the counts of the journal: copies … left in hand."""
    return (
        sum(copy.in_deck for copy in copies) if listed else None,
        sum(copy.appeared for copy in copies),
        sum(copy.opening for copy in copies),
        sum(copy.drawn for copy in copies),
        sum(copy.stays > 0 for copy in copies),
        sum(copy.played for copy in copies),
        sum(copy.discarded for copy in copies),
        sum(copy.put_back for copy in copies),
        sum(copy.since is not None for copy in copies),
    )


def _dead(choices: Choices | None, copies: list[tuple[str, Copy]]) -> Row:
    """Give the copies that never did anything, those of them that were discarded, and what `choices` knows of why."""
    dead = {name: copy for name, copy in copies if copy.is_dead}
    discarded = {name for name, copy in dead.items() if copy.since is None}
    if choices is None:
        return len(dead), len(discarded), None, None, None
    never = dead.keys() - choices.playable
    against: Counter[str] = sum((choices.blocked.get(name, Counter()) for name in sorted(never)), Counter())
    rule = against.most_common(1)[0][0] if against else None
    playable = sum(copy.stays > 0 and name in choices.playable for name, copy in copies)
    return len(dead), len(discarded - never), playable, len(never), rule


def _findings(told: _Told) -> Iterator[Row]:
    steps = {seq: step for step, seq in enumerate(told.replay.seqs)}
    for finding in told.replay.findings:
        # What was found on the event that the replay stopped at belongs to no step.
        step = steps.get(finding.seq)
        yield (
            finding.seq,
            None if step is None else told.course.moments[step].turn,
            None if step is None else tag_of(type(told.replay.events[step])),
            finding.player or None,
            finding.rule,
            finding.kind,
            finding.message,
            finding.expected or None,
            finding.section,
            finding.lines,
            finding.because or None,
            finding.tainted,
        )


def _opportunities(told: _Told) -> Iterator[Row]:
    replay = told.replay
    unverifiable = Counter(finding.rule for finding in replay.findings if finding.kind == "unverifiable")
    named = {kind: Counter(_named(replay, kind)) for kind in (QuestionRaised, PlayTakenBack)}
    for rule in replay.game.rules:
        counts = (
            replay.kept[rule.number],
            replay.broken[rule.number],
            unverifiable[rule.id],
            named[QuestionRaised][rule.id],
            named[PlayTakenBack][rule.id],
        )
        if any(counts):
            yield rule.id, *counts


def _named(replay: Replay, kind: type[QuestionRaised | PlayTakenBack]) -> Iterator[str]:
    """Give the rules that the questions or take-backs of a game name."""
    for event in replay.events:
        if isinstance(event, kind) and isinstance(event.rule, str):
            yield event.rule
