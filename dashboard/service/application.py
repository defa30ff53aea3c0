"""The service as an application: everything that can be asked, of programs and of the pages that come with it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
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

from tabletape.dashboard.scribe.pages import page_routes
from tabletape.dashboard.service import keeping, reading
from tabletape.dashboard.service.access import NOBODY, Access
from tabletape.dashboard.service.asked import Service, ServiceRequest
from tabletape.dashboard.service.described import described_page, openapi_json
from tabletape.dashboard.service.desk import Desk, GameAtDesk
from tabletape.dashboard.service.operations import OPERATIONS, GameBegun, GameEntry, Operation
from tabletape.dashboard.service.refusals import HEADERS, REFUSED_ERRORS, json_answer, refusal
from tabletape.dashboard.service.writing import SentLines, lines_in
from tabletape.events.log.rows import StoredGame
from tabletape.projector.archive.frames import frames
from tabletape.projector.scribing.beginning import Beginning, still_kept

MAX_FILE: Final = 50_000_000
MAX_DELAY: Final = 600
PLAIN: Final = "text/plain; version=0.0.4; charset=utf-8"

Handle = Callable[[ServiceRequest], Awaitable[Response]]


def application(desk: Desk, access: Access, origins: Iterable[str] = ()) -> Starlette:
    """Return the service of a desk's games for who has `access`; pages of the `origins` may ask it too.

    It may be mounted anywhere: the pages that come with it ask it by where they are themselves.
    """
    service = Service(desk, access)
    allowed = [*origins]
    cors = Middleware(
        CORSMiddleware,
        allow_origins=allowed,
        allow_methods=["GET", "POST"],
        allow_headers=["authorization", "content-type", "idempotency-key", "if-match", "last-event-id"],
        expose_headers=["etag", "retry-after"],
    )
    routes = [*(_route(service, one) for one in OPERATIONS), *page_routes()]
    return Starlette(routes=routes, middleware=[cors] if allowed else [])


def _route(service: Service, one: Operation) -> Route:
    handle = HANDLES[one.name]

    async def answer(request: Request) -> Response:
        token = NOBODY
        try:
            token = service.access.token(request) if one.asks_token else NOBODY
            asked = ServiceRequest(service, request, token)
            asked.require(one.whose)
            response = await handle(asked)
        except REFUSED_ERRORS as error:
            response = refusal(error, token.viewer)
        service.counts[one.name, response.status_code] += 1
        return response

    return Route(one.path, answer, methods=[one.method])


# -- what programs ask ---------------------------------------------------------------------------------------------


async def _begin(asked: ServiceRequest) -> Response:
    beginning = msgspec.json.decode(await asked.body(), type=Beginning)
    game_id = await run_in_threadpool(asked.desk.begin, beginning, asked.delivery.served)
    stored = await run_in_threadpool(asked.desk.stored, game_id)
    place = f"/v1/games/{game_id}/events"
    answer = json_answer(GameBegun(game_id=game_id, seq=stored.last_seq, events=place), HTTPStatus.CREATED)
    answer.headers["location"] = f"/v1/games/{game_id}"
    return answer


async def _beginnings(asked: ServiceRequest) -> Response:
    return json_answer(await run_in_threadpool(asked.desk.to_begin_with))


def _entries(desk: Desk, games: list[StoredGame]) -> list[GameEntry]:
    still = {each.number for each in still_kept(desk.log, games)}
    return [
        GameEntry(
            game_id=each.game_id,
            game=each.game,
            edition=each.edition,
            players={seat.id: seat.name for seat in each.players},
            events=each.events,
            seq=each.last_seq,
            open=each.number in still,
        )
        for each in games
    ]


async def _games(asked: ServiceRequest) -> Response:
    stored = await run_in_threadpool(asked.desk.games, asked.token.game)
    return json_answer(await run_in_threadpool(_entries, asked.desk, stored))


async def _one_game(asked: ServiceRequest) -> Response:
    stored = await run_in_threadpool(asked.desk.stored, asked.game_id)
    return json_answer((await run_in_threadpool(_entries, asked.desk, [stored]))[0])


async def _write(asked: ServiceRequest) -> Response:
    lines = lines_in(await asked.body(), asked.request.headers.get("content-type", ""))
    return await keeping.write_lines(asked, SentLines(lines))


async def _events(asked: ServiceRequest) -> Response:
    after = asked.number("after") or 0
    return await asked.read(lambda held, who: reading.lines(asked.desk, held, who, after))


async def _table(asked: ServiceRequest) -> Response:
    at = asked.number("at")
    return await asked.read(lambda held, who: reading.table(asked.desk, held, who, at))


async def _findings(asked: ServiceRequest) -> Response:
    return await asked.read(lambda held, who: reading.findings(asked.desk, held, who))


async def _due(asked: ServiceRequest) -> Response:
    return await asked.read(reading.due)


async def _legal(asked: ServiceRequest) -> Response:
    return await asked.read(reading.legal)


async def _board(asked: ServiceRequest) -> Response:
    def drawn(held: GameAtDesk, viewer: str) -> msgspec.Raw:
        from tabletape.dashboard.replay.component import board_json  # noqa: PLC0415 - it loads Streamlit

        return msgspec.Raw(board_json(frames(asked.desk.view(held).replay, viewer)).encode())

    return await asked.read(drawn)


async def _stream(asked: ServiceRequest) -> Response:
    game_id, viewer, after = asked.game_id, asked.viewer, asked.after
    delay = asked.number("delay", MAX_DELAY) or 0

    def require() -> None:
        with asked.desk.kept(game_id) as held:
            reading.require_viewer(held, viewer)

    await run_in_threadpool(require)
    service = asked.service
    chunks = service.feeds.stream(
        game_id, viewer, after, lambda: service.access.still(asked.request, asked.token), delay
    )
    headers = HEADERS | {"x-accel-buffering": "no"}
    return StreamingResponse(chunks, headers=headers, media_type="text/event-stream")


async def _import(asked: ServiceRequest) -> Response:
    name = asked.request.query_params.get("name", "")
    content = await asked.body(MAX_FILE)

    def work() -> Any:
        from tabletape.dashboard.service.files import imported  # noqa: PLC0415 - it loads Arrow

        return imported(asked.desk.log, name, content)

    return json_answer(await run_in_threadpool(work))


async def _questions(_asked: ServiceRequest) -> Response:
    def work() -> Any:
        from tabletape.dashboard.service.files import questions  # noqa: PLC0415 - it loads Arrow

        return questions()

    return json_answer(await run_in_threadpool(work))


async def _question(asked: ServiceRequest) -> Response:
    name, game = str(asked.request.path_params["name"]), asked.request.query_params.get("game", "")
    accept = asked.request.headers.get("accept", "")

    def work() -> tuple[bytes, str]:
        from tabletape.dashboard.service.files import answered  # noqa: PLC0415 - it loads Arrow

        return answered(asked.desk.log, name, game, accept)

    content, media_type = await run_in_threadpool(work)
    return Response(content, headers=HEADERS, media_type=media_type)


async def _metrics(asked: ServiceRequest) -> Response:
    service = asked.service
    lines = ["# TYPE tabletape_requests_total counter"]
    for (name, status), count in sorted(service.counts.items()):
        lines.append(f'tabletape_requests_total{{operation="{name}",status="{status}"}} {count}')
    lines += ["# TYPE tabletape_lines_total counter", f"tabletape_lines_total {service.lines}"]
    lines += ["# TYPE tabletape_stream_readers gauge", f"tabletape_stream_readers {service.feeds.readers}"]
    return Response("\n".join(lines) + "\n", headers=HEADERS | {"content-type": PLAIN})


async def _health(asked: ServiceRequest) -> Response:
    await run_in_threadpool(asked.desk.log.head)
    return json_answer({"status": "ok"})


async def _watch(asked: ServiceRequest) -> Response:
    def work() -> tuple[str, str]:
        from tabletape.dashboard.service.pages import watch_page  # noqa: PLC0415 - it loads Streamlit

        return watch_page(str(asked.request.path_params["id"]))

    page, policy = await run_in_threadpool(work)
    return Response(page, headers=HEADERS | {"content-security-policy": policy}, media_type="text/html")


async def _openapi(_asked: ServiceRequest) -> Response:
    return Response(openapi_json(), headers=HEADERS, media_type="application/json")


async def _page(_asked: ServiceRequest) -> Response:
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return Response(described_page(), headers=HEADERS | {"content-security-policy": policy}, media_type="text/html")


HANDLES: Final[Mapping[str, Handle]] = {
    "begin": _begin,
    "beginnings": _beginnings, "games": _games, "game": _one_game, "write": _write, "events": _events, "table": _table,
    "findings": _findings, "due": _due, "legal": _legal, "stream": _stream, "board": _board, "import": _import,
    "questions": _questions, "question": _question, "metrics": _metrics, "health": _health, "watch": _watch,
    "openapi": _openapi, "page": _page, "screen": keeping.screen, "forms": keeping.line_forms,
    "answer": keeping.answer, "take-back": keeping.take_back, "judged": keeping.judged, "rulings": keeping.rulings,
    "agree": keeping.agree, "changes": keeping.changes, "open-form": keeping.open_form, "form": keeping.form,
    "feedback": keeping.feedback,
}  # fmt: skip
