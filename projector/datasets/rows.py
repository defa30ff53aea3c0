"""The rows that one game gives to every dataset."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

import msgspec
from msgspec import UNSET

from events.shared import GameStarted, PlayTakenBack, QuestionRaised, Seat
from events.vocabulary import tag_of
from projector.datasets.card_history import hands_of
from projector.datasets.card_rows import card_rows, result_card_rows
from projector.datasets.choices import choices_of
from projector.datasets.clock import times_of
from projector.datasets.game_context import GameContext, Row
from projector.datasets.lengths import length_of
from projector.datasets.timeline import course_of, player_of, span
from projector.datasets.turn_rows import Leads, turn_rows
from projector.fold.detail import detail_of
from projector.fold.replay import Replay

BOTS = "bot-"
"""What the id of a simulated game begins with."""


class GameRows(msgspec.Struct, frozen=True):
    """The rows of one game: `common` are the values that all its rows share, `rows` the rest by dataset."""

    common: tuple[str, str, str, str, str, bool | None]
    rows: dict[str, list[Row]]


def rows_of_game(replay: Replay, *, as_played: bool = True, decision_load: bool = False) -> GameRows:
    """Return the rows of a replay that has at least its `game.started`; `as_played`: read as its table read it."""
    started = replay.events[0]
    if not isinstance(started, GameStarted):
        raise TypeError("a replay begins with game.started")
    detail = detail_of(replay.events)
    course = course_of(replay)
    if detail == "results":
        course = msgspec.structs.replace(course, turns=())
    choices = choices_of(replay, course) if decision_load else None
    told = GameContext(replay, course, hands_of(replay, course), choices, started, times_of(replay.events), detail)
    turns = turn_rows(told)
    rows = {
        "seats": list(_seats(told)),
        "dimensions": list(_dimensions(told)),
        "events": list(_events(told)),
        "actions": list(_actions(told)),
        "choices": list(_choices(told)),
        "turns": turns.turns,
        "totals": turns.totals,
        "cards": list(result_card_rows(told) if detail == "results" else card_rows(told)),
        "findings": list(_findings(told)),
        "opportunities": list(_opportunities(told)),
    }
    rows["games"] = [_game(told, turns.leads, as_played=as_played)]
    return GameRows(_common(told), rows)


def _common(told: GameContext) -> tuple[str, str, str, str, str, bool | None]:
    game = told.replay.game
    ruleset = told.replay.ruleset
    source = "bots" if told.started.id.startswith(BOTS) else "people"
    clean = not told.replay.tainted_from if told.detail == "actions" else None
    return game.slug, told.started.id, ruleset.id, ruleset.label(game.rulebook), source, clean


def _game(told: GameContext, leads: Leads, *, as_played: bool) -> Row:
    replay = told.replay
    table = replay.table
    length = length_of(told)
    started_at = next(filter(None, told.times), None)
    kinds = Counter(type(event) for event in replay.events)
    stopped = replay.stopped
    return (
        replay.ruleset.edition,
        as_played,
        told.detail,
        started_at,
        length.minutes,
        len(table.players),
        told.first_player,
        told.over,
        told.winner or None,
        table.reason or None,
        stopped.seq if stopped else None,
        stopped.reason if stopped else None,
        len(replay.events),
        length.decisions,
        length.rounds,
        length.turns,
        replay.tainted_from or None,
        sum(number for kind, number in kinds.items() if issubclass(kind, QuestionRaised)),
        sum(number for kind, number in kinds.items() if issubclass(kind, PlayTakenBack)),
        *msgspec.structs.astuple(leads),
        told.choices is not None,
    )


def _seats(told: GameContext) -> Iterator[Row]:
    first = told.first_player
    by_result = told.detail == "results"
    for number, seat in enumerate(told.started.players, 1):
        yield (
            seat.id,
            seat.name,
            None if by_result else number,
            seat.deck or None if seat.deck is not UNSET else None,
            None if by_result and first is None else seat.id == first,
            told.over,
            told.decisive and seat.id == told.winner,
            told.decisive,
            seat.id not in told.hands.unknown and told.detail == "actions",
            None if by_result else _progress(told, seat.id),
        )


def _progress(told: GameContext, player: str) -> float | None:
    """Return a player's progress at the end; None for somebody who is not at the table."""
    table = told.replay.table
    return told.replay.game.progress(table, player) if player in table.players else None


def _dimensions(told: GameContext) -> Iterator[Row]:
    replay = told.replay
    for seat in told.started.players:
        won = seat.id == told.winner
        for dimension, value in _own_dimensions(replay, seat):
            yield seat.id, dimension, value, won, told.decisive


def _own_dimensions(replay: Replay, seat: Seat) -> Iterator[tuple[str, str]]:
    if isinstance(seat.deck, str) and seat.deck:
        yield "deck", seat.deck
    at_the_table = seat.id in replay.table.players
    for dimension, value in replay.game.dimensions(replay.table, seat.id).items() if at_the_table else ():
        if value and dimension != "deck":
            yield dimension, value


def _events(told: GameContext) -> Iterator[Row]:
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


def _actions(told: GameContext) -> Iterator[Row]:
    """Count the events by round, player and type."""
    counted = set(told.course.steps)
    every: Counter[Row] = Counter()
    in_play: Counter[Row] = Counter()
    for step, event in enumerate(told.replay.events):
        moment = told.course.moments[step]
        what = moment.round, player_of(event), tag_of(type(event)), event.CLASS
        every[what] += 1
        in_play[what] += bool(moment.turn) and step in counted
    for what, number in every.items():
        yield *what, number, in_play[what]


def _choices(told: GameContext) -> Iterator[Row]:
    """Count the decisions of the turns by round and by how many legal ones there were."""
    moments = told.course.moments
    legal = told.choices.legal.items() if told.choices else ()
    counted = Counter((moments[step].round, number) for step, number in legal if number and moments[step].turn)
    yield from ((*what, decisions) for what, decisions in sorted(counted.items()))


def _findings(told: GameContext) -> Iterator[Row]:
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


def _opportunities(told: GameContext) -> Iterator[Row]:
    replay = told.replay
    unverifiable = Counter(finding.rule for finding in replay.findings if finding.kind == "unverifiable")
    questions = Counter(_named(replay, QuestionRaised))
    take_backs = Counter(_named(replay, PlayTakenBack))
    mentioned = unverifiable.keys() | questions.keys() | take_backs.keys()
    for rule, kept, broken in zip(replay.game.rules, replay.kept, replay.broken, strict=True):
        if kept or broken or rule.id in mentioned:
            yield rule.id, kept, broken, unverifiable[rule.id], questions[rule.id], take_backs[rule.id]


def _named(replay: Replay, kind: type[QuestionRaised | PlayTakenBack]) -> Iterator[str]:
    """Return the rules that the questions or take-backs of a game name."""
    for event in replay.events:
        if isinstance(event, kind) and isinstance(event.rule, str):
            yield event.rule
