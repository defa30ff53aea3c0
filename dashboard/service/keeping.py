"""What the scribe's page and the players' forms ask and write: the operations of a device that keeps a game."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tabletape.dashboard.service.asked import ServiceRequest
from tabletape.dashboard.service.desk import GameAtDesk, Look
from tabletape.dashboard.service.feedback import FilledForm, NewForm, form_of, shown_form
from tabletape.dashboard.service.lock import LOCKED_KEY
from tabletape.dashboard.service.refusals import DeniedError, UnreadableRequestError, json_answer
from tabletape.dashboard.service.writing import Delivery, Make, write
from tabletape.events.plans import planned
from tabletape.events.vocabulary import CardNames, Count, Event, Remark, tag_of
from tabletape.events.vocabulary.shared import NoteAdded, PlayTakenBack
from tabletape.projector.fold.taken_back import UNDONE
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.after_finding import agreed, rulings_without
from tabletape.projector.scribing.asking import AnswerError, answered, with_drawn
from tabletape.projector.scribing.forms import forms, line_of
from tabletape.projector.scribing.judged import rules_at
from tabletape.projector.scribing.scribe import Scribe

WAIT: Final = 25.0
"""How many seconds a device waits for what others write before it asks again."""


@planned
class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to what is asked: to the question number `asked`, or a `line` for which cards are drawn.

    `cards` are ids of cards that are drawn, or names in their order; `unseen` so many cards nobody saw.
    """

    line: Mapping[str, Any] = msgspec.field(default_factory=dict)
    asked: Count | None = None
    cards: CardNames = ()
    unseen: Count = 0

    def has_made(self, lines: Sequence[Event]) -> bool:
        """Return whether a line can be the one that it makes."""
        tags = [tag_of(type(each)) for each in lines]
        return tags == [self.line.get("type")] if self.line else not any(isinstance(each, Remark) for each in lines)


@planned
class TakeBack(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken back: all behind line `to`, or the last line; or what was taken back last is written `again`."""

    to: Count = 0
    again: bool = False

    def has_made(self, lines: Sequence[Event]) -> bool:
        """Return whether lines can be the take-back, or those that were written again."""
        backs = [each for each in lines if isinstance(each, PlayTakenBack)]
        if self.again or len(backs) != len(lines):
            return self.again and not backs
        return all(each.note == UNDONE and self.to in {0, each.to} for each in backs)


@planned
class AgreedPlay(msgspec.Struct, frozen=True, kw_only=True):
    """A finding whose play the table agrees to: by a ruling, or without one as a house rule."""

    seq: int
    rule: str
    key: str = ""
    option: str = ""

    def has_made(self, lines: Sequence[Event]) -> bool:
        """Return whether a line can be the note of it."""
        return all(isinstance(each, NoteAdded) and each.rule == self.rule for each in lines)


class _Made(NamedTuple):
    """Makes the lines of a request that hang on how the game stands: afterwards only their kind can be compared."""

    make: Callable[[Scribe], Sequence[Event]]
    is_like: Callable[[Sequence[Event]], bool]

    def __call__(self, scribe: Scribe) -> Sequence[Event]:
        return self.make(scribe)

    def has_made(self, _scribe: Scribe, lines: Sequence[Event]) -> bool:
        return self.is_like(lines)


# -- writing -----------------------------------------------------------------------------------------------------------


async def write_lines(asked: ServiceRequest, make: Make, rulings: Mapping[str, str] | None = None) -> Response:
    """Write lines as a request wants them written, wake up who follows the game, and answer."""
    game_id, how = asked.game_id, asked.delivery
    if how.shows:
        asked.require("keeper")
    written = await run_in_threadpool(write, asked.desk, game_id, make, how, rulings)
    asked.wrote(game_id, written)
    return json_answer(written, seq=written.seq)


async def answer(asked: ServiceRequest) -> Response:
    """Write the line that an answer to what is asked makes."""
    given_answer = msgspec.json.decode(await asked.body(), type=Answer)
    return await write_lines(asked, _Made(lambda scribe: [_line(scribe, given_answer)], given_answer.has_made))


def _line(scribe: Scribe, said: Answer) -> Event:
    table, vocabulary = scribe.replay.table, scribe.replay.game.vocabulary
    if said.asked is None:
        return with_drawn(table, line_of(vocabulary, said.line), said.cards, said.unseen)
    due = scribe.replay.game.due(table)
    if said.asked >= len(due):
        raise AnswerError(f"there is no question {said.asked}: {len(due)} are asked, the first is 0")
    return answered(table, due[said.asked], said.cards, said.unseen)


async def take_back(asked: ServiceRequest) -> Response:
    """Take lines back, or write again what was."""
    what = msgspec.json.decode(await asked.body(), type=TakeBack)

    def make(scribe: Scribe) -> list[Event]:
        return scribe.redone() if what.again else scribe.undone(what.to)

    return await write_lines(asked, _Made(make, what.has_made))


async def agree(asked: ServiceRequest) -> Response:
    """Write down that the table plays it so, and let the game be played by the ruling, where it is one."""
    play = msgspec.json.decode(await asked.body(), type=AgreedPlay)

    def make(scribe: Scribe) -> list[Event]:
        return agreed(scribe, _finding(scribe, play.seq, play.rule), play.key, play.option)

    return await write_lines(asked, _Made(make, play.has_made), {play.key: play.option} if play.key else None)


def _finding(scribe: Scribe, seq: int, rule: str) -> Finding:
    finding = next((each for each in scribe.replay.findings if (each.seq, each.rule) == (seq, rule)), None)
    if finding is None:
        raise UnreadableRequestError("this finding is not there any more")
    return finding


# -- reading -----------------------------------------------------------------------------------------------------------


async def screen(asked: ServiceRequest) -> Response:
    """Answer with what the scribe's page shows, narrowed by what was tapped and typed."""
    query = asked.request.query_params
    begins = msgspec.json.decode(query.get("begins") or "{}", type=dict[str, Any])
    taps, whatever = tuple(query.getlist("tap")), "whatever" in query
    look = Look(taps=taps, typed=query.get("typed", ""), begins=begins, whatever=whatever, language=asked.language)
    return await asked.read(lambda held, viewer: asked.desk.screen_of(held, viewer, look))


async def line_forms(asked: ServiceRequest) -> Response:
    """Answer with a form for each type of line."""
    return await asked.read(lambda held, _: forms(held.scribe.replay.game.vocabulary, held.scribe.replay.table))


async def judged(asked: ServiceRequest) -> Response:
    """Answer with the rules that were looked at with a line."""
    seq = asked.number("on") or 0
    return await asked.read(lambda held, _: rules_at(held.scribe, seq))


async def rulings(asked: ServiceRequest) -> Response:
    """Answer with the rulings under which a finding goes away."""
    seq, rule = asked.number("seq") or 0, asked.request.query_params.get("rule", "")

    def found(held: GameAtDesk, _viewer: str) -> Any:
        return list(rulings_without(held.scribe, _finding(held.scribe, seq, rule)))

    return await asked.read(found)


async def changes(asked: ServiceRequest) -> Response:
    """Answer when a game is not what the device knows any more, or after a while; with its stamp."""
    stamp = asked.request.query_params.get("stamp", "")
    with suppress(asyncio.CancelledError):  # the service is being stopped
        stamp = await asked.service.feeds.changed(asked.game_id, stamp, WAIT)
    return json_answer({"stamp": stamp})


# -- how it was --------------------------------------------------------------------------------------------------------


async def open_form(asked: ServiceRequest) -> Response:
    """Answer with the address of a game's form for its players."""
    place = msgspec.json.decode(await asked.body(), type=NewForm).place
    locked = LOCKED_KEY in asked.request.scope
    return json_answer(await run_in_threadpool(partial(form_of, asked.desk, asked.game_id, place, locked=locked)))


def _code(asked: ServiceRequest) -> str:
    return str(asked.request.path_params["code"])


async def form(asked: ServiceRequest) -> Response:
    """Answer with what a form asks."""
    return json_answer(await run_in_threadpool(shown_form, asked.desk, _code(asked)))


async def feedback(asked: ServiceRequest) -> Response:
    """Write down what a player says."""
    answers = msgspec.json.decode(await asked.body(), type=dict[str, Any])
    game_id = asked.desk.game_of_form(_code(asked))
    if waits := asked.service.forms.wait(_code(asked)):
        raise DeniedError(429, "this form was answered too often just now; send it again in a moment", waits)
    how = Delivery(writer="", viewer="", key=asked.delivery.key, form=answers.get("player", UNSET))
    written = await run_in_threadpool(write, asked.desk, game_id, FilledForm(asked.desk, answers), how)
    asked.wrote(game_id, written)
    return json_answer({"seq": written.seq})
