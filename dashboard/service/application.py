"""The service as an application: who asks, whether they may, what they are answered."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tabletape.dashboard.scribe.routes import REFUSALS, TooLongRequestError
from tabletape.dashboard.service import reading
from tabletape.dashboard.service.desk import Desk, GameAtDesk, NotAtThisDeskError
from tabletape.dashboard.service.files import answered, imported, questions
from tabletape.dashboard.service.limits import Rate
from tabletape.dashboard.service.lock import WrongTries
from tabletape.dashboard.service.operations import (
    OPERATIONS,
    GameBegun,
    GameEntry,
    Operation,
    described_page,
    openapi,
)
from tabletape.dashboard.service.refusals import HEADERS, REFUSED, DeniedError, json_answer, refusal
from tabletape.dashboard.service.stream import Feeds
from tabletape.dashboard.service.tokens import PUBLIC, AccessTokens, Token
from tabletape.dashboard.service.writing import Delivery, lines_in, write
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary.fields import MAX_EVENTS, MAX_KEY
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.stored import workspace
from tabletape.projector.scribing.beginning import Beginning

MAX_BODY: Final = 1_000_000
MAX_FILE: Final = 50_000_000
MAX_DELAY: Final = 600
PLAIN: Final = "text/plain; version=0.0.4; charset=utf-8"


Handle = Callable[["Service", Request, Token], Awaitable[Response]]


class Service:
    """What the requests share: the desk, the tokens, the streams, and what was counted."""

    def __init__(self, log: Log, rate: Rate | None = None) -> None:
        self.desk = Desk(log)
        self.tokens = AccessTokens(workspace(log))
        self.feeds = Feeds(self.desk)
        self.rate = rate or Rate()
        self.tries = WrongTries()
        self.counts: Counter[tuple[str, int]] = Counter()
        self.lines = 0

    def token(self, request: Request) -> Token:
        """Return the token that a request has. Raises `DeniedError` without a right one, or for too many requests."""
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        token = self.tokens.find(secret.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            client = request.client.host if request.client else ""
            if self.tries.must_wait(client):
                raise DeniedError(429, "too many wrong tokens; wait a minute", 60.0)
            if secret:
                self.tries.note(client)
            raise DeniedError(401, "a request needs a token that is known: Authorization: Bearer TOKEN")
        waits = self.rate.wait(token.name)
        if waits:
            raise DeniedError(429, f"at most {self.rate.a_second:g} requests a second for each token", waits)
        return token


def application(log: Log, origins: Iterable[str] = (), rate: Rate | None = None) -> Starlette:
    """Return the service of a log; pages of the `origins` may ask it too."""
    service = Service(log, rate)
    allowed = [*origins]
    cors = Middleware(
        CORSMiddleware,
        allow_origins=allowed,
        allow_methods=["GET", "POST"],
        allow_headers=["authorization", "content-type", "idempotency-key", "if-match", "last-event-id"],
        expose_headers=["etag", "retry-after"],
    )
    routes = [_route(service, one) for one in OPERATIONS]
    app = Starlette(routes=routes, middleware=[cors] if allowed else [])
    app.state.desk = service.desk
    return app


def _route(service: Service, one: Operation) -> Route:
    handle = HANDLES[one.name]

    async def answer(request: Request) -> Response:
        try:
            found = await handle(service, request, service.token(request) if one.asks_token else NOBODY)
        except (*REFUSED, *REFUSALS) as error:
            found = refusal(error)
        service.counts[one.name, found.status_code] += 1
        return found

    return Route(one.path, answer, methods=[one.method])


NOBODY: Final = Token(name="", sha256="", role="viewer")


async def _body(request: Request, most: int) -> bytes:
    """Return a body. Raises `TooLongRequestError` for too much of it, whatever it says about its length."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLongRequestError(f"this is longer than {most:,} bytes")
        parts.append(part)
    return b"".join(parts)


# -- what a token may ----------------------------------------------------------------------------------------------


def _game(request: Request, token: Token) -> str:
    """Return the game of a request. Raises `NotAtThisDeskError` where it is none of the token's."""
    game_id = str(request.path_params["id"])
    if token.game and token.game != game_id:
        raise NotAtThisDeskError(f"the game {game_id!r} is none of this token's")
    return game_id


def _viewer(request: Request, token: Token) -> str:
    """Return through whose eyes is read. Raises `DeniedError` for eyes that see more than the token may."""
    asked = request.query_params.get("viewer")
    viewer = token.viewer if asked is None else PUBLIC if asked == "public" else asked
    if not token.reads_all and viewer not in {token.viewer, PUBLIC}:
        raise DeniedError(403, f"this token sees the table as {token.viewer or 'the public'} does")
    return viewer


def _number(request: Request, name: str, most: int = MAX_EVENTS) -> int | None:
    """Return a number of the query; None where it is left out. Raises `DeniedError` for what is none."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise DeniedError(422, f"`{name}` is a number from 0 to {most:,}")
    return int(text)


def _require(token: Token, *, may: bool) -> None:
    if not may:
        raise DeniedError(403, f"the token of a {token.role} may not do this")


async def _read(service: Service, request: Request, token: Token, read: Callable[[GameAtDesk, str], Any]) -> Response:
    """Answer with what is read of a game that is held."""
    game_id, viewer = _game(request, token), _viewer(request, token)

    def work() -> tuple[Any, int]:
        with service.desk.kept(game_id) as kept:
            reading.require_viewer(kept, viewer)
            return read(kept, viewer), kept.scribe.last_seq

    found, seq = await run_in_threadpool(work)
    answer = json_answer(found)
    answer.headers["etag"] = f'"{seq}"'
    return answer


# -- what can be asked ---------------------------------------------------------------------------------------------


def _key(request: Request) -> str:
    key = request.headers.get("idempotency-key", "")
    if len(key) > MAX_KEY or not key.isascii() or not key.isprintable():
        raise DeniedError(422, f"the key of a request has at most {MAX_KEY} printable letters")
    return key


async def _begin(service: Service, request: Request, token: Token) -> Response:
    _require(token, may=token.may_begin)
    beginning = msgspec.json.decode(await _body(request, MAX_BODY), type=Beginning)
    served = Delivery(writer=token.name, viewer=token.viewer, key=_key(request)).served
    game_id = await run_in_threadpool(service.desk.begin, beginning, served)
    stored = await run_in_threadpool(service.desk.log.game, game_id)
    place = f"/v1/games/{game_id}/events"
    answer = json_answer(GameBegun(game_id=game_id, seq=stored.last_seq, events=place), HTTPStatus.CREATED)
    answer.headers["location"] = f"/v1/games/{game_id}"
    return answer


async def _beginnings(service: Service, _request: Request, token: Token) -> Response:
    _require(token, may=token.may_begin)
    return json_answer(await run_in_threadpool(service.desk.to_begin_with))


def _entry(stored: StoredGame) -> GameEntry:
    return GameEntry(
        game_id=stored.game_id,
        game=stored.game,
        edition=stored.edition,
        players={each.id: each.name for each in stored.players},
        events=stored.events,
        seq=stored.last_seq,
    )


async def _games(service: Service, _request: Request, token: Token) -> Response:
    stored = await run_in_threadpool(service.desk.games)
    return json_answer([_entry(each) for each in stored if token.game in {"", each.game_id}])


async def _one_game(service: Service, request: Request, token: Token) -> Response:
    return json_answer(_entry(await run_in_threadpool(service.desk.log.game, _game(request, token))))


def _expected(request: Request) -> int | None:
    text = request.headers.get("if-match")
    if text is None or text == "*":
        return None
    number = text.removeprefix('"').removesuffix('"')
    if not (number.isascii() and number.isdigit() and len(number) < 8):
        raise DeniedError(422, 'If-Match is the number of the last line in quotation marks: "41"')
    return int(number)


async def _write(service: Service, request: Request, token: Token) -> Response:
    _require(token, may=token.may_write)
    game_id = _game(request, token)
    how = Delivery(writer=token.name, viewer=_viewer(request, token), expected=_expected(request), key=_key(request))
    lines = lines_in(await _body(request, MAX_BODY), request.headers.get("content-type", ""))
    written = await run_in_threadpool(write, service.desk, game_id, lines, how)
    service.lines += 0 if written.repeated else len(lines)
    service.feeds.notify(game_id)
    answer = json_answer(written)
    answer.headers["etag"] = f'"{written.seq}"'
    return answer


async def _events(service: Service, request: Request, token: Token) -> Response:
    after = _number(request, "after") or 0
    return await _read(service, request, token, lambda kept, who: reading.lines(service.desk, kept, who, after))


async def _table(service: Service, request: Request, token: Token) -> Response:
    at = _number(request, "at")
    return await _read(service, request, token, lambda kept, who: reading.table(service.desk, kept, who, at))


async def _findings(service: Service, request: Request, token: Token) -> Response:
    return await _read(service, request, token, lambda kept, who: reading.findings(service.desk, kept, who))


async def _due(service: Service, request: Request, token: Token) -> Response:
    return await _read(service, request, token, reading.due)


async def _legal(service: Service, request: Request, token: Token) -> Response:
    return await _read(service, request, token, reading.legal)


async def _board(service: Service, request: Request, token: Token) -> Response:

    from tabletape.dashboard.replay.component import board_json  # noqa: PLC0415 - it loads Streamlit

    def drawn(kept: GameAtDesk, viewer: str) -> msgspec.Raw:
        return msgspec.Raw(board_json(frames(service.desk.view(kept).replay, viewer)).encode())

    return await _read(service, request, token, drawn)


async def _stream(service: Service, request: Request, token: Token) -> Response:
    game_id, viewer = _game(request, token), _viewer(request, token)
    delay = _number(request, "delay", MAX_DELAY) or 0
    after = _number(request, "after") or 0
    last = request.headers.get("last-event-id", "")
    if last.isascii() and last.isdigit() and len(last) < 8:
        after = int(last)

    def require() -> None:
        with service.desk.kept(game_id) as kept:
            reading.require_viewer(kept, viewer)

    await run_in_threadpool(require)
    secret = request.headers["authorization"].partition(" ")[2].strip()
    chunks = service.feeds.stream(game_id, viewer, after, lambda: service.tokens.find(secret) == token, delay)
    headers = HEADERS | {"x-accel-buffering": "no"}
    return StreamingResponse(chunks, headers=headers, media_type="text/event-stream")


async def _import(service: Service, request: Request, token: Token) -> Response:
    _require(token, may=token.role == "designer" and not token.game)
    name = request.query_params.get("name", "")
    content = await _body(request, MAX_FILE)
    return json_answer(await run_in_threadpool(imported, service.desk.log, name, content))


async def _questions(_service: Service, _request: Request, token: Token) -> Response:
    _require(token, may=token.reads_all and not token.game)
    return json_answer(questions())


async def _question(service: Service, request: Request, token: Token) -> Response:
    _require(token, may=token.reads_all and not token.game)
    name, game = str(request.path_params["name"]), request.query_params.get("game", "")
    content, media_type = await run_in_threadpool(
        answered, service.desk.log, name, game, request.headers.get("accept", "")
    )
    return Response(content, headers=HEADERS, media_type=media_type)


async def _metrics(service: Service, _request: Request, token: Token) -> Response:
    _require(token, may=token.role == "designer" and not token.game)
    lines = ["# TYPE tabletape_requests_total counter"]
    for (name, status), count in sorted(service.counts.items()):
        lines.append(f'tabletape_requests_total{{operation="{name}",status="{status}"}} {count}')
    lines += ["# TYPE tabletape_lines_total counter", f"tabletape_lines_total {service.lines}"]
    lines += ["# TYPE tabletape_stream_readers gauge", f"tabletape_stream_readers {service.feeds.readers}"]
    return Response("\n".join(lines) + "\n", headers=HEADERS | {"content-type": PLAIN})


async def _health(service: Service, _request: Request, _token: Token) -> Response:
    await run_in_threadpool(service.desk.log.head)
    return json_answer({"status": "ok"})


async def _watch(_service: Service, request: Request, _token: Token) -> Response:
    from tabletape.dashboard.service.pages import watch_page  # noqa: PLC0415 - it loads Streamlit

    page, policy = await run_in_threadpool(watch_page, str(request.path_params["id"]))
    return Response(page, headers=HEADERS | {"content-security-policy": policy}, media_type="text/html")


async def _openapi(_service: Service, _request: Request, _token: Token) -> Response:
    return json_answer(openapi())


async def _page(_service: Service, _request: Request, _token: Token) -> Response:
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return Response(described_page(), headers=HEADERS | {"content-security-policy": policy}, media_type="text/html")


HANDLES: Final[dict[str, Handle]] = {
    "begin": _begin,
    "beginnings": _beginnings, "games": _games, "game": _one_game, "write": _write, "events": _events, "table": _table,
    "findings": _findings, "due": _due, "legal": _legal, "stream": _stream, "board": _board, "import": _import,
    "questions": _questions, "question": _question, "metrics": _metrics, "health": _health, "watch": _watch,
    "openapi": _openapi, "page": _page,
}  # fmt: skip
