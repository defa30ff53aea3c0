"""What the service answers in JSON, and in plain words why something is not done."""

from typing import Any, Final

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from tabletape.dashboard.scribe.routes import TooLongRequestError
from tabletape.dashboard.service.desk import NotAtThisDeskError
from tabletape.dashboard.service.files import CannotReadError
from tabletape.dashboard.service.operations import Problem
from tabletape.dashboard.service.reading import NoViewerError
from tabletape.dashboard.service.writing import AheadError, BadBodyError, ReusedKeyError
from tabletape.events.errors import TabletapeError
from tabletape.events.log import UnknownGameIdError
from tabletape.events.log.schema import LockedError

HEADERS: Final = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class DeniedError(TabletapeError):
    """Something that this token may not do, or a request without a token; with the status that says so."""

    def __init__(self, status: int, words: str, wait: float = 0.0) -> None:
        super().__init__(words)
        self.status = status
        self.wait = wait


REFUSED: Final = (
    DeniedError, BadBodyError, AheadError, ReusedKeyError, NoViewerError, CannotReadError, UnicodeEncodeError
)  # fmt: skip


def refusal(error: Exception) -> Response:
    """Return in plain words why something is not done."""
    status, problem = 422, Problem(error=_words(error))
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
    elif isinstance(error, LockedError):
        status = 503
    elif isinstance(error, ClientDisconnect | msgspec.DecodeError) and not isinstance(error, msgspec.ValidationError):
        status = 400
    found = json_answer(problem, status)
    if isinstance(error, DeniedError) and error.wait:
        found.headers["retry-after"] = f"{error.wait + 0.999:.0f}"
    return found


def _words(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "this is nested too deeply to be read"
    return f"this is no UTF-8 text (byte {error.start})" if isinstance(error, UnicodeError) else f"{error}"  # type: ignore[attr-defined]


def json_answer(found: Any, status: int = 200) -> Response:
    """Return something as JSON."""
    return Response(msgspec.json.encode(found), status, HEADERS, media_type="application/json")
