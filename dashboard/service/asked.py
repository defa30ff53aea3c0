"""One request of the service: who asks, for which game, through whose eyes and with what."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from tabletape.dashboard.scribe.catalogue import language_for
from tabletape.dashboard.service import reading
from tabletape.dashboard.service.access import Access
from tabletape.dashboard.service.desk import Desk, GameAtDesk, NotAtThisDeskError
from tabletape.dashboard.service.limits import A_FORM, Rate
from tabletape.dashboard.service.refusals import DeniedError, TooLongRequestError, json_answer
from tabletape.dashboard.service.stream import Feeds
from tabletape.dashboard.service.tokens import PUBLIC, Token, Whose
from tabletape.dashboard.service.writing import Delivery, WriteAnswer
from tabletape.events.vocabulary.fields import MAX_EVENTS, MAX_KEY

MAX_BODY: Final = 1_000_000


class Service:
    """What the requests share: the desk, who may ask, the streams, and what was counted."""

    def __init__(self, desk: Desk, access: Access) -> None:
        self.desk = desk
        self.access = access
        self.feeds = Feeds(desk)
        self.forms = Rate(*A_FORM)
        self.counts: Counter[tuple[str, int]] = Counter()
        self.lines = 0


class ServiceRequest:
    """One request, and the token as whose it is answered."""

    def __init__(self, service: Service, request: Request, token: Token) -> None:
        self.service = service
        self.desk = service.desk
        self.request = request
        self.token = token

    async def body(self, most: int = MAX_BODY) -> bytes:
        """Return the body. Raises `TooLongRequestError` for too much of it, whatever it says about its length."""
        parts, size = [], 0
        async for part in self.request.stream():
            size += len(part)
            if size > most:
                raise TooLongRequestError(f"this is longer than {most:,} bytes")
            parts.append(part)
        return b"".join(parts)

    def require(self, whose: Whose) -> None:
        """Raise `DeniedError` where something is not done for this token, or not at this desk."""
        token = self.token
        if not msgspec.structs.replace(token, game="").may(whose):
            raise DeniedError(403, f"the token of a {token.role} may not do this")
        if not token.may(whose):
            raise DeniedError(403, "this token is of one game only, and may not do what concerns all of them")
        if whose in {"log", "designer"} and not self.desk.is_whole:
            raise DeniedError(403, "only some games of the log are open here, and this concerns all of them")

    @property
    def game_id(self) -> str:
        """The game of the request. Raises `NotAtThisDeskError` where it is none of the token's."""
        game_id = str(self.request.path_params["id"])
        if self.token.game and self.token.game != game_id:
            raise NotAtThisDeskError(f"the game {game_id!r} is none of this token's")
        return game_id

    @property
    def viewer(self) -> str:
        """Through whose eyes is read. Raises `DeniedError` for eyes that see more than the token may."""
        asked, token = self.request.query_params.get("viewer"), self.token
        viewer = token.viewer if asked is None else PUBLIC if asked == "public" else asked
        if not token.reads_all and viewer not in {token.viewer, PUBLIC}:
            raise DeniedError(403, f"this token sees the table as {token.viewer or 'the public'} does")
        return viewer

    def number(self, name: str, most: int = MAX_EVENTS) -> int | None:
        """Return a number of the query; None where it is left out. Raises `DeniedError` for what is none."""
        text = self.request.query_params.get(name)
        return None if text is None else _number(text, f"`{name}`", most)

    @property
    def after(self) -> int:
        """Behind which line a stream goes on: behind the last one that came, or the one that was asked for."""
        last = self.request.headers.get("last-event-id")
        return _number(last, "Last-Event-ID") if last else (self.number("after") or 0)

    @property
    def delivery(self) -> Delivery:
        """Who writes, behind which line, with which key. Raises `DeniedError` for what is no number or no key."""
        key, behind = self.request.headers.get("idempotency-key", ""), self.request.headers.get("if-match", "*")
        if len(key) > MAX_KEY or not key.isascii() or not key.isprintable():
            raise DeniedError(422, f"the key of a request has at most {MAX_KEY} printable letters")
        expected = None if behind == "*" else _number(behind.removeprefix('"').removesuffix('"'), 'If-Match ("41")')
        shows = self.request.query_params.get("show") == "screen"
        return Delivery(
            writer=self.token.name, viewer=self.viewer, expected=expected, key=key, shows=shows, language=self.language
        )

    @property
    def language(self) -> str:
        """In which language a screen is put into words."""
        return language_for(self.request.headers.get("accept-language", ""))

    async def read(self, read: Callable[[GameAtDesk, str], Any]) -> Response:
        """Answer with what is read of the game, as it is held."""
        game_id, viewer = self.game_id, self.viewer

        def work() -> tuple[Any, int]:
            with self.desk.kept(game_id) as held:
                reading.require_viewer(held, viewer)
                return read(held, viewer), held.scribe.last_seq

        content, seq = await run_in_threadpool(work)
        return json_answer(content, seq=seq)

    def wrote(self, game_id: str, written: WriteAnswer) -> None:
        """Count what was written, and wake up who follows the game."""
        self.service.lines += 0 if written.repeated else written.seq - written.first + 1
        self.service.feeds.notify(game_id)


def _number(text: str, name: str, most: int = MAX_EVENTS) -> int:
    """Return the number that a text is. Raises `DeniedError` for what is none from 0 to `most`."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise DeniedError(422, f"{name} is a number from 0 to {most:,}")
    return int(text)
