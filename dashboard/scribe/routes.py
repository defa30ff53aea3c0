"""The scribe as an application: its page, and what the page asks and writes, as JSON."""

import asyncio
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from tabletape.dashboard.service.desk import Answer, Desk, Look, NotAtThisDeskError, Undone
from tabletape.dashboard.service.feedback import NewForm, form_of, give, shown_form
from tabletape.dashboard.service.lock import LOCKED
from tabletape.events.errors import TabletapeError
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import Seq, UnknownGameError
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.scribing.after_finding import play_it_so, rulings_without
from tabletape.projector.scribing.asking import AnswerError
from tabletape.projector.scribing.beginning import Beginning, BeginningError
from tabletape.projector.scribing.forms import FormError, forms
from tabletape.projector.scribing.judged import rules_at
from tabletape.projector.scribing.scribe import NothingToUndoError

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
WAIT: Final = 25.0
"""How many seconds a device waits for what others write before it asks again."""

PAUSE: Final = 0.5
MAX_BODY: Final = 200_000
DEVICE: Final = 12
"""Letters of the name of a device."""

TYPES: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


class UnreadableRequestError(TabletapeError, ValueError):
    """A request of a page cannot be read."""


class TooLongRequestError(TabletapeError, ValueError):
    """A request of a page is longer than any page's."""


REFUSALS: Final = (
    GameFileError,
    NotAtThisDeskError,
    LogError,
    CardError,
    RulesetError,
    UnknownGameError,
    PluginFailedError,
    AnswerError,
    BeginningError,
    FormError,
    NothingToUndoError,
    UnreadableRequestError,
    TooLongRequestError,
    ClientDisconnect,
    msgspec.MsgspecError,
    RecursionError,
    UnicodeDecodeError,
)
"""What is no fault of ours; everything else ends in the terminal."""


def application(desk: Desk) -> Starlette:
    """Return the scribe's application for a desk; it may be mounted anywhere."""

    def route(path: str, handle: Callable[[Desk, Request, bytes], Any], method: str = "GET") -> Route:
        async def answer(request: Request) -> Response:
            return await _answered(desk, request, handle)

        return Route(path, answer, methods=[method])

    async def changes(request: Request) -> Response:
        return await _changes(desk, request)

    return Starlette(
        routes=[
            Route("/", _page),
            Route("/parts/{name}", _part),
            route("/api/begin", _to_begin_with),
            route("/api/begin", _begin, "POST"),
            route("/api/games", _games),
            route("/api/games/{game_id}/screen", _screen),
            route("/api/games/{game_id}/forms", _forms),
            route("/api/games/{game_id}/lines", _write, "POST"),
            route("/api/games/{game_id}/undo", _undo, "POST"),
            route("/api/games/{game_id}/judged", _judged),
            route("/api/games/{game_id}/rulings", _rulings),
            route("/api/games/{game_id}/rulings", _play_it_so, "POST"),
            Route("/api/games/{game_id}/changes", changes),
            route("/api/games/{game_id}/form", _form, "POST"),
            Route("/form/{code}/", _form_page),
            Route("/form/{code}/parts/{name}", _part),
            route("/form/{code}/api", _shown_form),
            route("/form/{code}/api", _give, "POST"),
        ]
    )


# -- the page ----------------------------------------------------------------------------------------------------------


def _page(_request: Request) -> Response:
    return _html("index.html")


def _form_page(_request: Request) -> Response:
    return _html("form.html")


def _html(name: str) -> Response:
    text = files("tabletape.dashboard").joinpath("scribe", "page", name).read_text(encoding="utf-8")
    return Response(text, media_type="text/html", headers=HEADERS)


def _part(request: Request) -> Response:
    """Return a script or style of the page: its own, or one of the replay's board."""
    part = _parts().get(request.path_params["name"])
    if part is not None:
        return Response(part.read_bytes(), media_type=TYPES[part.name.rpartition(".")[2]], headers=HEADERS)
    return Response("There is no such part.", 404, headers=HEADERS)


@cache
def _parts() -> dict[str, Traversable]:
    """Return the parts by their names, so that no other file can be named; an own one goes before one of the board."""
    folders = [
        files("tabletape.dashboard").joinpath(*folder) for folder in (("sharing",), ("replay",), ("scribe", "page"))
    ]
    parts = [part for folder in folders for part in folder.iterdir()]
    return {part.name: part for part in parts if part.name.rpartition(".")[2] in TYPES}


# -- what the page asks ------------------------------------------------------------------------------------------------


async def _answered(desk: Desk, request: Request, handle: Callable[[Desk, Request, bytes], Any]) -> Response:
    """Return what is asked as JSON, or in plain words why not."""
    try:
        found = await run_in_threadpool(handle, desk, request, await _body(request))
    except REFUSALS as error:
        return _refusal(error)
    return _json(found)


def _refusal(error: Exception) -> Response:
    """Return in plain words why something is not answered."""
    if isinstance(error, StaleAppendError):
        return _json({"error": "somebody else has written meanwhile; look again", "detail": str(error)}, 409)
    words = str(error)
    if isinstance(error, RecursionError):
        words = "this is nested too deeply to be read"
    elif isinstance(error, UnicodeDecodeError):
        words = f"this is no UTF-8 text (byte {error.start})"
    statuses: dict[type[Exception], int] = {NotAtThisDeskError: 404, TooLongRequestError: 413}
    return _json({"error": words}, statuses.get(type(error), 400))


async def _body(request: Request) -> bytes:
    """Return what a page sent. Raise `TooLongRequestError` for too much of it, whatever it says about its length."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise TooLongRequestError(f"this is longer than {MAX_BODY:,} bytes")
    return body


def _json(found: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(found), status, HEADERS, media_type="application/json")


def _to_begin_with(desk: Desk, _request: Request, _body: bytes) -> Any:
    return desk.to_begin_with()


def _begin(desk: Desk, request: Request, body: bytes) -> Any:
    device = _device(request)
    served = {"writer": device} if device else None
    return {"game_id": desk.begin(msgspec.json.decode(body, type=Beginning), served)}


def _games(desk: Desk, _request: Request, _body: bytes) -> Any:
    return [
        {"game_id": each.game_id, "game": each.game, "players": [player.name for player in each.players]}
        for each in desk.games()[:50]
    ]


def _viewer(request: Request) -> str:
    return request.query_params.get("viewer", "*")


def _screen(desk: Desk, request: Request, _body: bytes) -> Any:
    asked = request.query_params
    begins = msgspec.json.decode(asked.get("begins") or "{}", type=dict[str, Any])
    taps, whatever = tuple(asked.getlist("tap")), "whatever" in asked
    look = Look(taps=taps, typed=asked.get("typed", ""), begins=begins, whatever=whatever)
    return desk.screen(_id(request), _viewer(request), look)


def _id(request: Request) -> str:
    return str(request.path_params["game_id"])


def _device(request: Request) -> str:
    """Return what the device that asks is called in the log; empty where it has no name of its own."""
    name = request.headers.get("device", "")
    return f"scribe {name}" if name.isascii() and name.isalnum() and len(name) <= DEVICE else ""


def _forms(desk: Desk, request: Request, _body: bytes) -> Any:
    with desk.kept(_id(request)) as kept:
        return forms(kept.scribe.replay.game.vocabulary, kept.scribe.replay.table)


def _write(desk: Desk, request: Request, body: bytes) -> Any:
    return desk.write(_id(request), _viewer(request), msgspec.json.decode(body, type=Answer), _device(request))


def _undo(desk: Desk, request: Request, body: bytes) -> Any:
    return desk.undo(_id(request), _viewer(request), msgspec.json.decode(body, type=Undone), _device(request))


def _form(desk: Desk, request: Request, body: bytes) -> Any:
    place = msgspec.json.decode(body, type=NewForm).place
    return form_of(desk, _id(request), place, locked=LOCKED in request.scope)


def _shown_form(desk: Desk, request: Request, _body: bytes) -> Any:
    return shown_form(desk, str(request.path_params["code"]), request.headers.get("accept-language", ""))


def _give(desk: Desk, request: Request, body: bytes) -> Any:
    give(desk, str(request.path_params["code"]), msgspec.json.decode(body, type=dict[str, Any]))
    return {}


class AgreedPlay(msgspec.Struct, frozen=True, kw_only=True):
    """A finding whose play the table agrees to: by a ruling, or without one as a house rule."""

    seq: int
    rule: str
    key: str = ""
    option: str = ""


def _finding(kept: Any, seq: int, rule: str) -> Any:
    found = next((each for each in kept.scribe.replay.findings if (each.seq, each.rule) == (seq, rule)), None)
    if found is None:
        raise UnreadableRequestError("this finding is not there any more")
    return found


def _rulings(desk: Desk, request: Request, _body: bytes) -> Any:
    asked = request.query_params
    with desk.kept(_id(request)) as kept:
        seq = msgspec.convert(asked.get("seq", "0"), Seq, strict=False)
        return list(rulings_without(kept.scribe, _finding(kept, seq, asked.get("rule", ""))))


def _judged(desk: Desk, request: Request, _body: bytes) -> Any:
    seq = msgspec.convert(request.query_params.get("on", "0"), int, strict=False)
    with desk.kept(_id(request)) as kept:
        return rules_at(kept.scribe, seq)


def _play_it_so(desk: Desk, request: Request, body: bytes) -> Any:
    agreed = msgspec.json.decode(body, type=AgreedPlay)
    with desk.kept(_id(request), _device(request)) as kept:
        play_it_so(desk.log, kept.scribe, _finding(kept, agreed.seq, agreed.rule), agreed.key, agreed.option)
    return desk.screen(_id(request), _viewer(request))


async def _changes(desk: Desk, request: Request) -> Response:
    """Wait until a game is not what the device knows any more, or a while; return its stamp."""
    known, game_id = request.query_params.get("stamp", ""), _id(request)
    try:
        for _ in range(int(WAIT / PAUSE)):
            stamp = await run_in_threadpool(desk.stamp, game_id)
            if stamp != known or await request.is_disconnected():
                return _json({"stamp": stamp})
            await asyncio.sleep(PAUSE)
    except REFUSALS as error:
        return _refusal(error)
    return _json({"stamp": known})
