"""What the service answers in JSON, and in plain words why something is not done."""

from typing import Any, Final

import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from tabletape.dashboard.service.desk import NotAtThisDeskError
from tabletape.dashboard.service.form_codes import FormKeyError
from tabletape.dashboard.service.reading import NoViewerError, ReadLine, told
from tabletape.dashboard.service.tokens import TokenFileError
from tabletape.dashboard.service.writing import AheadError, BadBodyError, ReusedKeyError
from tabletape.events.errors import TabletapeError
from tabletape.events.log import UnknownGameIdError
from tabletape.events.log.schema import LockedError, LogError
from tabletape.events.vocabulary import UnknownGameError
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.model.table import CannotFoldError
from tabletape.projector.scribing.asking import AnswerError
from tabletape.projector.scribing.beginning import BeginningError
from tabletape.projector.scribing.forms import FormError
from tabletape.projector.scribing.scribe import NothingToUndoError

HEADERS: Final = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why something is not done, in words; of a line its number in the request, the field, what was probably meant.

    Where others were first (409): the number of the last line, and what they wrote.
    """

    error: str
    line: int = 0
    field: str = ""
    suggestion: str = ""
    seq: int = 0
    events: tuple[ReadLine, ...] = ()


class UnreadableRequestError(TabletapeError, ValueError):
    """A request cannot be read."""


class TooLongRequestError(TabletapeError, ValueError):
    """A request is longer than any may be."""


class CannotReadError(TabletapeError):
    """A file or a question that cannot be taken; the message says why."""


class DeniedError(TabletapeError):
    """Something that this token may not do, or a request without a token; with the status that says so."""

    def __init__(self, status: int, words: str, wait: float = 0.0) -> None:
        super().__init__(words)
        self.status = status
        self.wait = wait


REFUSED_ERRORS: Final = (
    AheadError,
    AnswerError,
    BadBodyError,
    BeginningError,
    CannotFoldError,
    CannotReadError,
    CardError,
    ClientDisconnect,
    DeniedError,
    FormError,
    FormKeyError,
    GameFileError,
    LogError,
    NoViewerError,
    NotAtThisDeskError,
    NothingToUndoError,
    PluginFailedError,
    RecursionError,
    ReusedKeyError,
    RulesetError,
    TokenFileError,
    TooLongRequestError,
    UnicodeDecodeError,
    UnicodeEncodeError,
    UnknownGameError,
    UnreadableRequestError,
    msgspec.MsgspecError,
)
"""What is no fault of ours; everything else ends in the terminal."""


def refusal(error: Exception, viewer: str) -> Response:
    """Return in plain words for a viewer why something is not done."""
    status, problem = 422, Problem(error=words(error, viewer))
    if isinstance(error, DeniedError):
        status = error.status
    elif isinstance(error, BadBodyError):
        where = ".".join(map(str, error.error.path))
        problem = Problem(error=f"{error}", line=error.number, field=where, suggestion=error.error.suggestion)
    elif isinstance(error, AheadError):
        status = 409
        problem = Problem(error="somebody else has written first", seq=error.seq, events=tuple(error.lines))
    elif isinstance(error, UnknownGameIdError | NotAtThisDeskError | NoViewerError):
        status = 404
    elif isinstance(error, TooLongRequestError):
        status = 413
    elif isinstance(error, LockedError | TokenFileError | FormKeyError):
        status = 503
    elif isinstance(error, ClientDisconnect | msgspec.DecodeError) and not isinstance(error, msgspec.ValidationError):
        status = 400
    answer = json_answer(problem, status)
    if isinstance(error, DeniedError) and error.wait:
        answer.headers["retry-after"] = f"{error.wait + 0.999:.0f}"
    return answer


def words(error: Exception, viewer: str) -> str:
    """Return what is wrong in words that are for a viewer.

    Who may not know everything reads neither what a failing package says of its cards nor where the log lies.
    """
    if isinstance(error, PluginFailedError):
        return told(error, viewer)
    if isinstance(error, UnknownGameIdError):
        return "there is no game of this id"  # Neither where the log lies nor what else is in it.
    if isinstance(error, LogError) and viewer != EVERYTHING and (hidden := _of_the_log(error)):
        return hidden
    if isinstance(error, TokenFileError):
        return "the file of the tokens cannot be read"
    if isinstance(error, RecursionError):
        return "this is nested too deeply to be read"
    return f"this is no UTF-8 text (byte {error.start})" if isinstance(error, UnicodeError) else f"{error}"  # type: ignore[attr-defined]


def _of_the_log(error: LogError) -> str:
    """Return in other words what says where the log lies or what else is in it; nothing where an error says neither."""
    if isinstance(error, LockedError):
        return "somebody else is writing to the log and does not come to an end; try again"
    return "the log cannot be read or written just now" if isinstance(error.__cause__, DBAPIError) else ""


def json_answer(content: Any, status: int = 200, seq: int | None = None) -> Response:
    """Return something as JSON, with the number of the last line that it knows, where it has one."""
    headers = HEADERS if seq is None else {**HEADERS, "etag": f'"{seq}"'}
    return Response(msgspec.json.encode(content), status, headers, media_type="application/json")
