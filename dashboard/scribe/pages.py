"""The pages of the scribe and of the players' forms, and their parts; they hold nothing of any game."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tabletape.dashboard.html import own_text
from tabletape.dashboard.scribe.catalogue import words_for

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
TYPES: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def page_routes() -> list[BaseRoute]:
    """Return where the pages are, and their scripts and styles."""
    return [
        Route("/", lambda _request: _html("index.html")),
        Route("/parts/{name}", _part),
        Route("/words", _words),
        Route("/form/{code}/", lambda _request: _html("form.html")),
        Route("/form/{code}/parts/{name}", _part),
        Route("/form/{code}/words", _words),
    ]


def _words(request: Request) -> Response:
    """Return the words of the pages in the language that was chosen, or that the browser likes best."""
    wish = request.query_params.get("language", request.headers.get("accept-language", ""))
    return Response(msgspec.json.encode(words_for(wish)), media_type="application/json", headers=HEADERS)


def _html(name: str) -> Response:
    return Response(own_text("scribe", "page", name), media_type="text/html", headers=HEADERS)


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
