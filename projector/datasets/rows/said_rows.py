"""The rows of the datasets `feedback`, `answers` and `remarks`: what people said about a game, and at what in it.

What is said is no part of the table: putting the table back to an earlier event takes nothing back that was said since.
Only a take-back behind which nothing but remarks stands takes those back: a slip of whoever kept the log.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.importing.maps.results.ratings import OF_TEN
from tabletape.events.vocabulary import Event, Remark, fields_of, tag_of
from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.shared import FeedbackGiven, PlayTakenBack
from tabletape.projector.datasets.rows.game_context import SAID, GameContext, Row
from tabletape.projector.fold.detail import noted_mistakes


def said_in(events: Sequence[Event]) -> list[int]:
    """Return the steps (from 0) of the remarks of people in a game that nobody took back."""
    seqs = [event.seq if isinstance(event.seq, int) else step for step, event in enumerate(events, 1)]
    gone: set[int] = set()
    for step, event in enumerate(events):
        if isinstance(event, PlayTakenBack):
            behind = [each for each in range(step) if seqs[each] > event.to]
            if all(isinstance(events[each], Remark) for each in behind):
                gone.update(behind)
    return [step for step, event in enumerate(events) if type(event) in SAID and step not in gone]


def feedback_of(events: Sequence[Event]) -> dict[str, FeedbackGiven]:
    """Return the feedback of each player of a game, by the player's id; the answers of nobody known by their number.

    What a player answers again counts as it was answered last, and what was left out then stays as it was.
    """
    given: dict[str, FeedbackGiven] = {}
    for step in said_in(events):
        event = events[step]
        if not isinstance(event, FeedbackGiven):
            continue
        key = event.player if isinstance(event.player, str) else f"#{step + 1}"
        before = given.get(key, event)
        said: dict[str, Any] = {each.name: getattr(event, each.name) for each in fields_of(FeedbackGiven)}
        anew = {name: value for name, value in said.items() if value is not UNSET}
        given[key] = msgspec.structs.replace(before, **{**anew, "answers": {**before.answers, **event.answers}})
    return given


def feedback_rows(context: GameContext) -> Iterator[Row]:
    """Return a row for everybody who said how the game was."""
    for each in feedback_of(context.replay.events).values():
        yield tuple(map(_written, (each.player, each.fun, each.fair, each.length, each.again)))


def answer_rows(context: GameContext) -> Iterator[Row]:
    """Return a row for every answer to a question of the designer's own."""
    for each in feedback_of(context.replay.events).values():
        for question, answer in each.answers.items():
            yield _written(each.player), question, answer


def remark_rows(context: GameContext) -> Iterator[Row]:
    """Return a row for everything that was said in words or marked, with the event that it is about."""
    replay = context.replay
    events, steps = replay.events, {seq: step for step, seq in enumerate(replay.seqs)}
    broken = {finding.seq: finding.rule for finding in reversed(replay.findings)}
    for step in said_in(events):
        said: Any = events[step]
        words = said_in_words(said, marks=False)
        if isinstance(said, FeedbackGiven) and not words:
            continue
        about = _about(context, steps.get(_written(getattr(said, "on", UNSET)) or 0), step)
        event = None if about is None else events[about]
        seq = None if about is None else replay.seqs[about]
        yield (
            replay.seqs[step],
            "mistake" if noted_mistakes([said]) else SAID[type(said)],
            _written(said.player),
            _written(getattr(said, "felt", UNSET)),
            seq,
            None if about is None else context.timeline.positions[about].turn,
            None if event is None else tag_of(type(event)),
            _card_in(event),
            _written(getattr(said, "rule", UNSET)),
            None if seq is None else broken.get(seq),
            words,
        )


def said_in_words(said: Any, *, marks: bool = True) -> str | None:
    """Return what was said in words, with the answers to the designer's own questions before it, maybe without `marks`.

    Marks to ten are numbers, not words.
    """
    told = {
        key: given
        for key, given in getattr(said, "answers", {}).items()
        if marks or not key.endswith(OF_TEN.format(""))
    }
    own = [f"{each.replace('-', ' ')}: {answer}" for each, answer in told.items()]
    return "; ".join([*own, *([said.text] if _written(said.text) else [])]) or None


def _about(context: GameContext, named: int | None, step: int) -> int | None:
    """Return the step that a remark is about: the one that it names, else the last that people played; none for all."""
    events = context.replay.events
    if named is not None:
        return named
    if isinstance(events[step], FeedbackGiven):
        return None
    return next((each for each in range(step - 1, -1, -1) if events[each].CLASS in {"decision", "chance"}), None)


def _card_in(event: Event | None) -> str | None:
    card = getattr(event, "card", None)
    return card_of(card) if isinstance(card, str) and card else None


def _written(value: Any) -> Any:
    return None if value is UNSET else value
