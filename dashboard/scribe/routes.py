"""The scribe as an application: its page, and what the page asks and writes, as JSON."""

import asyncio
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletape.dashboard.scribe.desk import Answer, Desk, Look, NotAtThisDeskError
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import UnknownGameError
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.scribing.after_finding import play_it_so, rulings_without
from tabletape.projector.scribing.asking import AnswerError
from tabletape.projector.scribing.beginning import Beginning, BeginningError
from tabletape.projector.scribing.forms import FormError, forms
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
TYPES: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

REFUSALS: Final = (LogError, CardError, RulesetError, UnknownGameError, AnswerError, BeginningError, FormError)


class UnreadableRequestError(ValueError):
    """A request of a page cannot be read."""


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
            route("/api/games/{game_id}/rulings", _rulings),
            route("/api/games/{game_id}/rulings", _play_it_so, "POST"),
            Route("/api/games/{game_id}/changes", changes),
        ]
    )


# -- the page ----------------------------------------------------------------------------------------------------------


def _page(_request: Request) -> Response:
    text = files("tabletape.dashboard").joinpath("scribe", "page", "index.html").read_text(encoding="utf-8")
    return Response(text, media_type="text/html", headers=HEADERS)


def _part(request: Request) -> Response:
    """Return a script or style of the page: its own, or one of the replay's board."""
    name = request.path_params["name"]
    ending = name.rpartition(".")[2]
    if ending in TYPES and "/" not in name and not name.startswith("."):
        for folder in (("scribe", "page"), ("replay",), ("sharing",)):
            part = files("tabletape.dashboard").joinpath(*folder, name)
            if part.is_file():
                return Response(part.read_bytes(), media_type=TYPES[ending], headers=HEADERS)
    return Response("There is no such part.", 404, headers=HEADERS)


# -- what the page asks ------------------------------------------------------------------------------------------------


async def _answered(desk: Desk, request: Request, handle: Callable[[Desk, Request, bytes], Any]) -> Response:
    """Return what is asked as JSON, or in plain words why not."""
    body = await _body(request)
    if body is None:
        return _json({"error": f"this is longer than {MAX_BODY:,} bytes"}, 413)
    try:
        found = await run_in_threadpool(handle, desk, request, body)
    except StaleAppendError as error:
        return _json({"error": "somebody else has written meanwhile; look again", "detail": str(error)}, 409)
    except NotAtThisDeskError as error:
        return _json({"error": str(error)}, 404)
    except (NothingToUndoError, UnreadableRequestError, msgspec.MsgspecError, IndexError, *REFUSALS) as error:
        return _json({"error": str(error)}, 400)
    return _json(found)


async def _body(request: Request) -> bytes | None:
    """Return what a page sent, whatever it says about its length; None where it is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    return body


def _json(found: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(found), status, HEADERS, media_type="application/json")


def _to_begin_with(desk: Desk, _request: Request, _body: bytes) -> Any:
    return desk.to_begin_with()


def _begin(desk: Desk, _request: Request, body: bytes) -> Any:
    return {"game_id": desk.begin(msgspec.json.decode(body, type=Beginning))}


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
    look = Look(taps=tuple(asked.getlist("tap")), typed=asked.get("typed", ""), begins=begins)
    return desk.screen(_id(request), _viewer(request), look)


def _id(request: Request) -> str:
    return str(request.path_params["game_id"])


def _forms(desk: Desk, request: Request, _body: bytes) -> Any:
    with desk.kept(_id(request)) as kept:
        return forms(kept.scribe.replay.game.vocabulary, kept.scribe.replay.table)


def _write(desk: Desk, request: Request, body: bytes) -> Any:
    return desk.write(_id(request), _viewer(request), msgspec.json.decode(body, type=Answer))


def _undo(desk: Desk, request: Request, body: bytes) -> Any:
    return desk.undo(_id(request), _viewer(request), msgspec.json.decode(body, type=Answer).expected)


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
        seq = int(asked["seq"]) if asked.get("seq", "").isdecimal() else 0
        return list(rulings_without(kept.scribe, _finding(kept, seq, asked.get("rule", ""))))


def _play_it_so(desk: Desk, request: Request, body: bytes) -> Any:
    agreed = msgspec.json.decode(body, type=AgreedPlay)
    with desk.kept(_id(request)) as kept:
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
    except NotAtThisDeskError as error:
        return _json({"error": str(error)}, 404)
    except LogError as error:
        return _json({"error": str(error)}, 400)
    return _json({"stamp": known})
