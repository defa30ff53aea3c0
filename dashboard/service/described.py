"""What the service can be asked, described: to programs as OpenAPI, to people as a page."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

import tabletape
from tabletape.dashboard.html import own_text, raw, rendered
from tabletape.dashboard.service.operations import OPERATIONS, Operation
from tabletape.dashboard.service.refusals import Problem
from tabletape.dashboard.service.tokens import ROLES, Whose

TYPES: Final = {
    "json": "application/json",
    "stream": "text/event-stream",
    "html": "text/html",
    "text": "text/plain",
}

_PATH_NAME: Final = re.compile(r"{(\w+)}")
"""What a path has a name for."""

REASONS: Final = {
    401: "There is no such token, or no token at all.",
    403: "This token may not do that.",
    404: "There is no such game, or it is none of this token's.",
    409: "Somebody else has written first.",
    413: "The body is too long.",
    422: "A line or a name cannot be taken.",
    429: "Too many requests, or too many wrong tokens.",
}


@cache
def openapi_json() -> bytes:
    """Return the description of the service as JSON."""
    return msgspec.json.encode(openapi())


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
    described: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.does,
        "responses": {
            f"{one.status}": answer,
            **{f"{each}": {"description": REASONS[each], "content": problem} for each in sorted(refusals)},
        },
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in _PATH_NAME.findall(one.path)
            ),
            *_parameters("query", one.query),
            *_parameters("header", one.headers),
        ],
    }
    if one.takes is not None:
        described["requestBody"] = {"required": True, "content": {TYPES["json"]: {"schema": by_type[repr(one.takes)]}}}
    return described if one.asks_token else described | {"security": []}


def _parameters(place: str, named: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"name": name, "in": place, "description": about, "schema": {"type": "string"}} for name, about in named]


@cache
def described_page() -> str:
    """Return a page that says to people what can be asked."""
    style = own_text("html", "operations.css")
    return rendered(
        "operations", title="Tabletape", style=raw(style), policy="", roles=ROLES, operations=OPERATIONS, whose=_WHOSE
    )


_WHOSE: Final[Mapping[Whose, str]] = {
    "everybody": " Everybody may ask, without a token.",
    "token": "",
    "writer": " Not for viewers.",
    "keeper": " For designers and keepers.",
    "beginner": " For designers and keepers of all games.",
    "log": " For designers and keepers of all games.",
    "designer": " For designers of all games.",
}
"""What is said of for whom something is done."""
