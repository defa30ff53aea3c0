"""What the service can be asked: each operation once, for the routes, for OpenAPI and for the page that shows it."""

from collections.abc import Sequence
from html import escape
from typing import Any, Final, Literal

import msgspec

import tabletape
from tabletape.dashboard.service.reading import DueLine, LegalLine, ReadLine
from tabletape.dashboard.service.tokens import ROLES
from tabletape.dashboard.service.writing import WriteAnswer
from tabletape.projector.model.game import Area
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.beginning import Beginning

Answers = Literal["json", "stream", "html", "text"]
TYPES: Final = {
    "json": "application/json",
    "stream": "text/event-stream",
    "html": "text/html",
    "text": "text/plain",
}


class GameBegun(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was begun, and where its lines are."""

    game_id: str
    seq: int
    events: str


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game: its id, which game it is, who plays, how many events it has, the number of the last one."""

    game_id: str
    game: str
    edition: str
    players: dict[str, str]
    events: int
    seq: int


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


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be asked: its method and path, what it does, what it takes and answers, and who may ask."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    does: str
    answers: Any = None
    status: int = 200
    form: Answers = "json"
    takes: Any = None
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    refusals: tuple[int, ...] = ()
    asks_token: bool = True


_VIEWER: Final = (
    "viewer",
    "a player's id, or `public`; the token of a player or viewer sees no more than that",
)
_KEY: Final = ("Idempotency-Key", "a word of your own: the same request again with it is done once")
_AFTER: Final = ("after", "only lines behind this number")

OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        name="begin",
        method="POST",
        path="/v1/games",
        status=201,
        takes=Beginning,
        answers=GameBegun,
        does="Begin a game.",
        headers=(_KEY,),
        refusals=(422,),
    ),
    Operation(
        name="beginnings",
        method="GET",
        path="/v1/beginnings",
        answers=dict[str, Any],
        does="List what a game can begin with: games, editions, rulings, decks.",
    ),
    Operation(
        name="games", method="GET", path="/v1/games", answers=list[GameEntry], does="List the games, the newest first."
    ),
    Operation(
        name="game", method="GET", path="/v1/games/{id}", answers=GameEntry, does="Show a game.", refusals=(404,)
    ),
    Operation(
        name="write",
        method="POST",
        path="/v1/games/{id}/events",
        takes=dict[str, Any] | list[dict[str, Any]],
        answers=WriteAnswer,
        refusals=(404, 409, 413, 422),
        does="Write a line, a list of lines, or one a line (application/x-ndjson): all or none. The answer comes when "
        "they are on the disk, with what is found now that was not found before, and what is due.",
        headers=(
            ("If-Match", "the number of the last line that you know, in quotation marks; else behind the last"),
            _KEY,
        ),
    ),
    Operation(
        name="events",
        method="GET",
        path="/v1/games/{id}/events",
        answers=list[ReadLine],
        refusals=(404,),
        does="Read the lines of a game, at most 1,000.",
        query=(_VIEWER, _AFTER),
    ),
    Operation(
        name="table",
        method="GET",
        path="/v1/games/{id}/table",
        answers=list[Area],
        refusals=(404,),
        does="Read the table as it is drawn.",
        query=(_VIEWER, ("at", "as it was after the line with this number")),
    ),
    Operation(
        name="findings",
        method="GET",
        path="/v1/games/{id}/findings",
        answers=list[Finding],
        refusals=(404,),
        does="Read what is wrong, with its place in the rulebook.",
        query=(_VIEWER,),
    ),
    Operation(
        name="due",
        method="GET",
        path="/v1/games/{id}/due",
        answers=list[DueLine],
        refusals=(404,),
        does="Read which lines are owed now.",
        query=(_VIEWER,),
    ),
    Operation(
        name="legal",
        method="GET",
        path="/v1/games/{id}/legal",
        answers=list[LegalLine],
        refusals=(404,),
        does="Read what may be decided now, at most 200 decisions.",
        query=(_VIEWER,),
    ),
    Operation(
        name="stream",
        method="GET",
        path="/v1/games/{id}/stream",
        form="stream",
        refusals=(404,),
        does="Hear lines as they come (`line`, its number as id) and, behind them, findings and what is due (`state`). "
        "A comment is sent every 15 seconds.",
        query=(_VIEWER, _AFTER, ("delay", "seconds, at most 600, that everything comes late")),
        headers=(("Last-Event-ID", "the number of the last line that came"),),
    ),
    Operation(
        name="board",
        method="GET",
        path="/v1/games/{id}/board",
        does="Read all steps of a game for the board of a page.",
        answers=dict[str, Any],
        query=(_VIEWER,),
        refusals=(404,),
    ),
    Operation(
        name="import",
        method="POST",
        path="/v1/imports",
        answers=dict[str, Any],
        refusals=(413, 422),
        does="Import a file: its content is the body. The answer is the report of the import.",
        query=(("name", "the name of the file, with its ending"),),
    ),
    Operation(
        name="questions", method="GET", path="/v1/questions", answers=list[dict[str, str]], does="List the questions."
    ),
    Operation(
        name="question",
        method="GET",
        path="/v1/questions/{name}",
        answers=list[dict[str, Any]],
        refusals=(404, 422),
        does="Answer a question, as JSON, or as CSV or an Arrow stream by `Accept`.",
        query=(("game", "only this game"),),
    ),
    Operation(name="metrics", method="GET", path="/metrics", form="text", does="Count what was asked (Prometheus)."),
    Operation(
        name="health",
        method="GET",
        path="/healthz",
        answers=dict[str, str],
        does="Say whether the log can be read.",
        asks_token=False,
    ),
    Operation(
        name="watch",
        method="GET",
        path="/watch/{id}",
        form="html",
        does="Show a game as it is played; the token stands behind `#` in the address.",
        asks_token=False,
    ),
    Operation(
        name="openapi",
        method="GET",
        path="/v1/openapi.json",
        answers=dict[str, Any],
        does="Describe all this (OpenAPI 3.1).",
        asks_token=False,
    ),
    Operation(
        name="page", method="GET", path="/v1/", form="html", does="Describe all this to people.", asks_token=False
    ),
)

REFUSED: Final = {
    401: "There is no such token, or no token at all.",
    403: "This token may not do that.",
    404: "There is no such game, or it is none of this token's.",
    409: "Somebody else has written first.",
    413: "The body is too long.",
    422: "A line or a name cannot be taken.",
    429: "Too many requests, or too many wrong tokens.",
}


def openapi() -> dict[str, Any]:
    """Return the description of the service as OpenAPI 3.1, made from the types."""
    types = [Problem, *(each for one in OPERATIONS for each in (one.takes, one.answers) if each is not None)]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method.lower()] = _described(one, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabletape",
            "version": tabletape.__version__,
            "description": "Events of card games over HTTP, live and durable.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "; ".join(f"{a}: {b}" for a, b in ROLES.items()),
                }
            },
        },
        "security": [{"token": []}],
    }


def _described(one: Operation, by_type: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": one.does}
    schema = by_type[repr(one.answers)] if one.answers is not None else {"type": "string"}
    answer["content"] = {TYPES[one.form]: {"schema": schema}}
    problem = {"application/json": {"schema": by_type[repr(Problem)]}}
    refusals = (*((401, 403, 429) if one.asks_token else ()), *one.refusals)
    found: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.does,
        "responses": {
            f"{one.status}": answer,
            **{f"{each}": {"description": REFUSED[each], "content": problem} for each in sorted(refusals)},
        },
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in _in_path(one)),
            *_parameters("query", one.query),
            *_parameters("header", one.headers),
        ],
    }
    if one.takes is not None:
        found["requestBody"] = {"required": True, "content": {TYPES["json"]: {"schema": by_type[repr(one.takes)]}}}
    return found if one.asks_token else found | {"security": []}


def _parameters(place: str, named: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"name": name, "in": place, "description": about, "schema": {"type": "string"}} for name, about in named]


def _in_path(one: Operation) -> list[str]:
    return [part.rstrip("}") for part in one.path.split("{")[1:] for part in [part.partition("}")[0]]]


def described_page() -> str:
    """Return a page that says to people what can be asked."""
    rows = "".join(
        f"<tr><td><code>{one.method} {escape(one.path)}</code></td><td>{escape(one.does)}{_listed(one)}</td></tr>"
        for one in OPERATIONS
    )
    roles = "".join(f"<li><b>{name}</b> {about}</li>" for name, about in ROLES.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Tabletape</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><style>'
        "body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        "td{vertical-align:top;padding:.3rem .8rem .3rem 0;border-top:1px solid #ccc}code{overflow-wrap:anywhere}"
        f"</style></head><body><h1>The service of Tabletape</h1><p>Every request but the last four has a header "
        "<code>Authorization: Bearer TOKEN</code>. A token has a role:</p>"
        f'<ul>{roles}</ul><table>{rows}</table><p><a href="openapi.json">The same for programs</a></p></body></html>\n'
    )


def _listed(one: Operation) -> str:
    named = [*one.query, *one.headers]
    return "".join(f"<br><code>{escape(name)}</code>: {escape(about)}" for name, about in named)
