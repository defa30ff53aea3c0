"""The rows that one game gives to every dataset."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from tabletape.events.vocabulary.shared import GameStarted, PlayTakenBack, QuestionRaised, Seat
from tabletape.projector.datasets.rows.card_history import hands_of
from tabletape.projector.datasets.rows.card_rows import card_rows, result_card_rows
from tabletape.projector.datasets.rows.choices import choices_of
from tabletape.projector.datasets.rows.game_context import (
    GameContext,
    Line,
    Row,
    decisions_in,
    kind_of,
    lines_in,
    times_of,
)
from tabletape.projector.datasets.rows.rule_rows import TROUBLE, Incidents, finding_rows, incidents_of, opportunity_rows
from tabletape.projector.datasets.rows.said_rows import answer_rows, feedback_rows, remark_rows
from tabletape.projector.datasets.rows.timeline import player_of, timeline_of, unwritten
from tabletape.projector.datasets.rows.turn_rows import Leads, turn_rows
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.fold.replay import Replay

BOTS = "bot-"
"""What the id of a simulated game begins with."""


class GameRows(msgspec.Struct, frozen=True):
    """The rows of one game: `common` are the values that all its rows share, `rows` the rest by dataset."""

    common: tuple[str, str, str, str, str, bool | None]
    rows: dict[str, list[Row]]


def rows_of_game(replay: Replay, *, cards: str = "", as_played: bool = True, decision_load: bool = False) -> GameRows:
    """Return the rows of a replay that has at least its `game.started`.

    `cards` is the version of the cards that it was read by, empty for today's; `as_played`: read as its table read it.
    """
    started = replay.events[0]
    if not isinstance(started, GameStarted):
        raise TypeError("a replay begins with game.started")
    detail = detail_of(replay.events)
    timeline = timeline_of(replay)
    if detail == "results":
        timeline = msgspec.structs.replace(timeline, turns=())
    choices = choices_of(replay, timeline) if decision_load else None
    left_out = tuple(unwritten(replay, timeline))
    hands = hands_of(replay, timeline, (event for _, event in left_out))
    lines = lines_in(replay, timeline)
    context = GameContext(
        replay=replay,
        timeline=timeline,
        hands=hands,
        choices=choices,
        started=started,
        times=times_of(replay.events),
        unwritten=left_out,
        lines=lines,
        decisions=decisions_in(lines, timeline),
        detail=detail,
    )
    turns = turn_rows(context)
    incidents = incidents_of(replay)
    rows = {
        "seats": list(_seats(context)),
        "dimensions": list(_dimensions(context)),
        "variants": list(_variants(replay)),
        "events": list(_events(context, incidents)),
        "actions": list(_actions(context)),
        "choices": list(_choices(context)),
        "turns": turns.turns,
        "totals": turns.totals,
        "cards": list(result_card_rows(context) if detail == "results" else card_rows(context)),
        "findings": list(finding_rows(context, incidents)),
        "opportunities": list(opportunity_rows(context, incidents)),
        "feedback": list(feedback_rows(context)),
        "answers": list(answer_rows(context)),
        "remarks": list(remark_rows(context)),
    }
    if detail == "begun":  # It is known, and counts nowhere: nobody has played it yet.
        rows = {dataset: list[Row]() for dataset in rows}
    rows["games"] = [(*_game(context, turns.leads, as_played=as_played), cards or None)]
    return GameRows(_common(context, cards, incidents), rows)


def _common(context: GameContext, cards: str, incidents: Incidents) -> tuple[str, str, str, str, str, bool | None]:
    game = context.replay.game
    ruleset = context.replay.ruleset
    source = "bots" if context.started.id.startswith(BOTS) else "people"
    found = zip(context.replay.findings, incidents.first_hand, strict=True)
    mistaken = context.replay.tainted_from or any(each.kind in TROUBLE and first_hand for each, first_hand in found)
    clean = not mistaken if context.detail == "actions" else None
    label = ruleset.label(game.rulebook)
    if cards:
        return game.slug, context.started.id, f"{ruleset.id}-{cards}", f"{label} cards={cards}", source, clean
    return game.slug, context.started.id, ruleset.id, label, source, clean


def _game(context: GameContext, leads: Leads, *, as_played: bool) -> Row:
    replay = context.replay
    table = replay.table
    length = length_of(context)
    started_at = next(filter(None, context.times), None)
    kinds = Counter(type(event) for event in replay.events)
    stopped = replay.stopped
    return (
        replay.ruleset.edition,
        as_played,
        context.detail,
        started_at,
        started_at.replace(tzinfo=None) if started_at else None,
        length.minutes,
        len(table.players),
        context.first_player,
        context.over,
        context.winner or None,
        len(context.winners),
        table.outcome.cooperative,
        table.outcome.score,
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
        context.choices is not None,
        _content(replay),
    )


def _content(replay: Replay) -> str:
    """Return sixteen digits that stand for all that a game's log says but its id, and numbers that follow by order."""
    head, *others = (msgspec.structs.replace(event, seq=UNSET) for event in replay.events)
    digest = hashlib.sha256(msgspec.json.encode(msgspec.structs.replace(head, id="")))
    for event in others:
        digest.update(msgspec.json.encode(event))
    return digest.hexdigest()[:16]


def _seats(context: GameContext) -> Iterator[Row]:
    first = context.first_player
    by_result = context.detail == "results"
    players = [seat.id for seat in context.started.players]
    scores = {player: score for player in players if (score := context.score(player)) is not None}
    places = context.replay.table.outcome.places or _places(context, players, scores)
    for number, seat in enumerate(context.started.players, 1):
        yield (
            seat.id,
            seat.name,
            None if by_result else number,
            seat.deck or None if seat.deck is not UNSET else None,
            None if by_result and first is None else seat.id == first,
            context.over,
            seat.id in context.winners,
            context.decisive,
            scores.get(seat.id),
            places.get(seat.id),
            context.replay.table.outcome.teams.get(seat.id),
            context.hand_known(seat.id),
            None if by_result else _progress(context, seat.id),
        )


def _places(context: GameContext, players: Sequence[str], scores: Mapping[str, float]) -> Mapping[str, int]:
    """Return the places by the points, equal ones sharing one; none where the points do not say who won.

    Who wins with the fewest points is recognised by that: the only winner has them.
    """
    best = [context.winner] if context.winner else list(context.winners)
    if context.replay.table.outcome.cooperative or not best or len(players) < 2 or len(scores) < len(players):
        return {}
    for sign in (1, -1):
        place = {
            player: 1 + sum(sign * other > sign * scores[player] for other in scores.values()) for player in players
        }
        if sorted(best) == sorted(player for player in players if place[player] == 1):
            return place
    return {}


def _progress(context: GameContext, player: str) -> float | None:
    """Return a player's progress at the end; None for somebody who is not at the table."""
    table = context.replay.table
    return context.replay.game.scoreboard.progress(table, player) if player in table.players else None


def _dimensions(context: GameContext) -> Iterator[Row]:
    replay = context.replay
    for seat in context.started.players:
        won = seat.id == context.winner
        for dimension, value in _own_dimensions(replay, seat):
            yield seat.id, dimension, value, won, context.decisive


def _own_dimensions(replay: Replay, seat: Seat) -> Iterator[tuple[str, str]]:
    if isinstance(seat.deck, str) and seat.deck:
        yield "deck", seat.deck
    at_the_table = seat.id in replay.table.players
    for dimension, value in replay.game.scoreboard.dimensions(replay.table, seat.id).items() if at_the_table else ():
        if value and dimension != "deck":
            yield dimension, value


def _variants(replay: Replay) -> Iterator[Row]:
    options = replay.ruleset.options
    yield from (
        (each.key, options[each.key], options[each.key] == each.default) for each in replay.game.rulebook.variants
    )


def _events(context: GameContext, incidents: Incidents) -> Iterator[Row]:
    replay = context.replay
    counted = set(context.timeline.steps)
    tainted = replay.tainted_from or float("inf")
    legal = context.choices.legal if context.choices else {}
    begin = 0
    lines = zip(replay.seqs, replay.events, context.lines, context.timeline.positions, replay.journal_ends, strict=True)
    for step, (seq, event, line, position, end) in enumerate(lines):
        yield (
            seq,
            line.type,
            line.cls,
            line.player,
            event.at if isinstance(event.at, datetime) else None,
            position.round,
            position.turn,
            position.phase,
            end - begin,
            step not in counted and not isinstance(event, PlayTakenBack),
            seq > tainted,
            incidents.fair[step],
            legal.get(step),
        )
        begin = end


def _actions(context: GameContext) -> Iterator[Row]:
    """Count the events by round, player and type, and those that follow from others and nobody wrote down."""
    positions = context.timeline.positions
    every = Counter(context.lines)
    in_play = Counter(context.lines[step] for step in context.timeline.steps if positions[step].turn)
    left_out = Counter(
        Line(positions[step].round, player_of(event), *kind_of(type(event))) for step, event in context.unwritten
    )
    for what in dict.fromkeys((*every, *left_out)):
        yield *what, every[what], in_play[what], left_out[what]


def _choices(context: GameContext) -> Iterator[Row]:
    """Count the decisions of the turns by round and by how many legal ones there were."""
    positions = context.timeline.positions
    legal = context.choices.legal.items() if context.choices else ()
    counted = Counter((positions[step].round, number) for step, number in legal if number and positions[step].turn)
    yield from ((*what, decisions) for what, decisions in sorted(counted.items()))


# -- how long a game was -----------------------------------------------------------------------------------------------


class Length(msgspec.Struct, frozen=True):
    """How long a game was; None where nobody wrote it down."""

    minutes: float | None
    decisions: int | None
    rounds: int | None
    turns: int | None


def length_of(context: GameContext) -> Length:
    """Return how long a game was. Its result says it where there are no actions, or no times, to tell it by.

    The times of a result alone say when it was written down, not how long was played.
    """
    times = [*filter(None, context.times)]
    is_timed = len(times) > 1 and context.detail != "results"
    minutes = (times[-1] - times[0]).total_seconds() / 60 if is_timed else None
    result = context.result
    if minutes is None and result is not None and not isinstance(result.minutes, UnsetType):
        minutes = result.minutes
    if context.detail == "results" and result is not None:
        return Length(minutes, None, result.rounds or None, result.turns or None)
    turns, positions = context.timeline.turns, context.timeline.positions
    # Of a game in which nobody wrote whose turn it was the rounds are those that were written.
    steps = [turn.step for turn in turns] or context.timeline.steps
    rounds = max((positions[step].round for step in steps), default=0)
    # A game that counts no rounds, or no turns, had none that are known, not nought of them.
    return Length(minutes, context.decisions.total(), rounds or None, len(turns) or None)
