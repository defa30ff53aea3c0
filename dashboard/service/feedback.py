"""The form on the players' own phones: how the game was. Its code opens one game's form, and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import segno
from msgspec import UNSET

from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.writing import GIVEN_FIELDS, said
from tabletape.events.importing.maps.results.ratings import FUN_OF_TEN, TO_TEN
from tabletape.events.plans import planned
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.own_questions import own_questions
from tabletape.events.vocabulary.shared import FeedbackGiven
from tabletape.projector.archive.stored import workspace
from tabletape.projector.scribing.forms import FormError, line_of
from tabletape.projector.scribing.scribe import Scribe

MOST_TEXT: Final = 5_000
"""Letters that a player may write: more than these nobody types after a game."""


@planned
class NewForm(msgspec.Struct, frozen=True, kw_only=True):
    """Where the keeper's page is, so that the address of the form can be made of it."""

    place: str


def form_of(desk: Desk, game_id: str, place: str, *, locked: bool) -> dict[str, str]:
    """Return the address of a game's form, and a picture of it that a phone can read (an SVG as a data address).

    `place` is the address of the scribe's page; where it is `locked` the form has a code in the place of the scribe's.
    """
    code = desk.form_code(game_id)
    base = place.partition("#")[0].partition("?")[0].rstrip("/")
    address = f"{base.rpartition('/')[0]}/{code}/" if locked else f"{base}/form/{code}/"
    return {"address": address, "picture": segno.make(address, micro=False).svg_data_uri(scale=6, border=2)}


def shown_form(desk: Desk, code: str) -> dict[str, Any]:
    """Return what a form asks: the game, who sat at the table, and the designer's own questions.

    Raises `NotAtThisDeskError` where no form has that code, `GameFileError` where the questions cannot be read.
    """
    with desk.kept(desk.game_of_form(code)) as held:
        replay = held.scribe.replay
        return {
            "title": replay.game.title,
            "players": [(player.id, player.name) for player in replay.table.players.values()],
            "fun": desk.fun_scale(replay.game.slug),
            "questions": own_questions(workspace(desk.log), replay.game.slug),
            "cards": sorted({card.name for card in replay.library.values()}),
            "rules": [(rule.id, rule.text) for rule in replay.game.rules],
        }


class FilledForm(NamedTuple):
    """The answers of a form."""

    desk: Desk
    answers: Mapping[str, Any]

    def __call__(self, scribe: Scribe) -> list[Event]:
        """Return the line that they make. Raises `FormError` for what is no answer to the form."""
        return _given(self.desk, self.answers, scribe)

    def has_made(self, scribe: Scribe, lines: Sequence[Event]) -> bool:
        """Return whether the line that came with their key says the same, whatever is asked by now."""
        return [*map(said, lines)] == [said(_line(self.answers, scribe))]


def _line(answers: Mapping[str, Any], scribe: Scribe) -> Event:
    event = line_of(scribe.replay.game.vocabulary, {**answers, "type": "feedback.given"})
    return msgspec.structs.replace(event, at=UNSET, cause=UNSET)


def _given(desk: Desk, answers: Mapping[str, Any], scribe: Scribe) -> list[Event]:
    replay, event = scribe.replay, _line(answers, scribe)
    if not isinstance(event, FeedbackGiven) or event.note is not UNSET or not set(GIVEN_FIELDS).isdisjoint(answers):
        raise FormError("this is no answer to the form")
    told = (event.fun, event.fair, event.length, event.again, event.text)
    if not event.answers and all(each is UNSET for each in told):
        raise FormError("nothing is answered")
    if isinstance(event.player, str) and event.player not in replay.table.players:
        raise FormError(f"nobody called {event.player!r} sat at this table")
    if isinstance(event.text, str) and len(event.text) > MOST_TEXT:
        raise FormError(f"the text has {len(event.text):,} letters; at most {MOST_TEXT:,} are taken")
    known = {each.id for each in own_questions(workspace(desk.log), replay.game.slug)}
    if not TO_TEN.fullmatch(event.answers.get(FUN_OF_TEN, "1")):
        raise FormError("fun goes up to 10")
    if event.answers.keys() - known - {FUN_OF_TEN}:
        raise FormError("this answers a question that is not asked (any more): open the form again")
    return [event]
