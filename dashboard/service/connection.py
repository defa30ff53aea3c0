"""A service of somebody else, as Python asks it: `tabletape.connect("http://…", token="tt_…")`."""

import json
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from tabletape.events.errors import RefusedError, TabletapeError

PASSING_STATUSES: Final = {429, 502, 503, 504}
TRIES: Final = 6
PAUSE: Final = 0.25
SECONDS: Final = 60.0


class ServiceError(TabletapeError):
    """What a service has refused: its words, the status, and the rest of its answer."""

    def __init__(self, status: int, answer: Mapping[str, Any]) -> None:
        super().__init__(str(answer.get("error", f"the service answered {status}")))
        self.status = status
        self.answer = answer


class RemoteTape:
    """A service; what is written is sent until it is answered, and is there once."""

    def __init__(self, address: str, token: str, pause: float = PAUSE) -> None:
        """Ask at an address with a token. Raises `RefusedError` for an address that is none of HTTP."""
        if urlsplit(address).scheme not in {"http", "https"}:
            raise RefusedError(f"{address!r} is no address of a service: write http://… or https://…")
        self.address = address.rstrip("/")
        self._token = token
        self._pause = pause

    def __repr__(self) -> str:
        return f"<tape {self.address}>"

    def games(self) -> list[dict[str, Any]]:
        """Return the games, the newest first."""
        return list(self._get("games"))

    def beginnings(self) -> dict[str, Any]:
        """Return what a game can begin with: games, editions, rulings, decks."""
        return dict(self._get("beginnings"))

    def begin(self, game: str, players: Sequence[Mapping[str, str]], **more: Any) -> str:
        """Begin a game and return its id: players with `name` and `deck`; `edition` and `rulings` may be named.

        Raises `ServiceError` where it cannot begin so.
        """
        return str(self._post("games", {"game": game, "players": [*players], **more})["game_id"])

    def send(
        self, game_id: str, lines: Mapping[str, Any] | Sequence[Mapping[str, Any]], expected: int | None = None
    ) -> dict[str, Any]:
        """Write lines to a game, all or none, and return what is found and what is due.

        `expected` is the number of the last line that is known. Raises `ServiceError`: 409 where others were first,
        whose lines are in its answer, 422 for what is no line.
        """
        return dict(self._post(f"games/{quote(game_id)}/events", lines, expected))

    def events(self, game_id: str, after: int = 0, **query: str) -> list[dict[str, Any]]:
        """Return the lines of a game behind one."""
        events: list[dict[str, Any]] = []
        while page := self._get(f"games/{quote(game_id)}/events", after=str(after), **query):
            events += page
            after = page[-1]["seq"]
        return events

    def save(self, game_id: str, file: str | Path) -> Path:
        """Write a game to a file that `tabletape.open(…).import_files` takes, and return the path.

        What is not asked of a service (mend, replay, share, simulate) is computed from it here.
        """
        lines = [json.dumps({**each["line"], "seq": each["seq"]}, ensure_ascii=False) for each in self.events(game_id)]
        Path(file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return Path(file)

    def legal(self, game_id: str, **query: str) -> list[dict[str, Any]]:
        """Return what may be decided now in a game, at most 200 decisions."""
        return list(self._get(f"games/{quote(game_id)}/legal", **query))

    def audit(self, game_id: str, **query: str) -> list[dict[str, Any]]:
        """Return what is wrong in a game, with its place in the rulebook."""
        return list(self._get(f"games/{quote(game_id)}/findings", **query))

    def due(self, game_id: str, **query: str) -> list[dict[str, Any]]:
        """Return what is owed now in a game."""
        return list(self._get(f"games/{quote(game_id)}/due", **query))

    def table(self, game_id: str, **query: str) -> list[dict[str, Any]]:
        """Return the table of a game as it is drawn; `at` is the number of a line, `viewer` through whose eyes."""
        return list(self._get(f"games/{quote(game_id)}/table", **query))

    def ask(self, name: str, game: str = "") -> list[dict[str, Any]]:
        """Answer a question of the catalogue."""
        return list(self._get(f"questions/{quote(name)}", **({"game": game} if game else {})))

    def import_files(self, *files: str | Path) -> list[dict[str, Any]]:
        """Import log files; what is wrong with one is in its report. Raises `OSError` for one that cannot be read."""
        return [self.import_content(Path(each).name, Path(each).read_bytes()) for each in files]

    def import_content(self, name: str, content: bytes) -> dict[str, Any]:
        """Import what a file of that name holds, and return its report."""
        return dict(self._answered(f"imports?{urlencode({'name': name})}", content, {}))

    def stream(self, game_id: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield each line of a game behind one as it comes; it goes on where a connection broke off."""
        while True:
            headers = {**self._headers, "Last-Event-ID": str(after)}
            try:
                with urlopen(self._request(f"games/{quote(game_id)}/stream", None, headers), timeout=SECONDS) as answer:  # noqa: S310 - http only
                    for each in _events_of(answer):
                        if each.get("event") == "line":
                            after = int(each["id"])
                            yield json.loads(each["data"])
            except HTTPError as error:
                if error.code not in PASSING_STATUSES:
                    raise _refused(error) from None
            except (URLError, OSError):
                pass
            time.sleep(self._pause)

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"}

    def _get(self, path: str, **query: str) -> Any:
        return self._answered(f"{path}?{urlencode(query)}" if query else path, None, {})

    def _post(self, path: str, body: Any, expected: int | None = None) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        if expected is not None:
            headers["If-Match"] = f'"{expected}"'
        return self._answered(path, json.dumps(body).encode(), headers)

    def _request(self, path: str, body: bytes | None, headers: Mapping[str, str]) -> Request:
        return Request(f"{self.address}/v1/{path}", body, {**self._headers, **headers})  # noqa: S310 - http only

    def _answered(self, path: str, body: bytes | None, headers: Mapping[str, str]) -> Any:
        for tried in range(TRIES):
            try:
                with urlopen(self._request(path, body, headers), timeout=SECONDS) as answer:  # noqa: S310 - http only
                    return json.load(answer)
            except HTTPError as error:
                if error.code not in PASSING_STATUSES or tried == TRIES - 1:
                    raise _refused(error) from None
            except OSError as error:
                if tried == TRIES - 1:
                    raise ServiceError(0, {"error": f"{self.address} does not answer: {error}"}) from None
            time.sleep(self._pause * 2**tried)
        raise AssertionError("the last try ends in an answer or an error")


def _refused(error: HTTPError) -> ServiceError:
    try:
        answer = json.loads(error.read())
    except ValueError:
        answer = {}
    return ServiceError(error.code, answer if isinstance(answer, dict) else {})


def _events_of(lines: Any) -> Iterator[dict[str, str]]:
    """Yield the events of a stream of server-sent events as their fields."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif fields:
            yield fields
            fields = {}


def connect(address: str, token: str) -> RemoteTape:
    """Return the service at an address, asked with a token: `tabletape.connect("http://localhost:8521", token="tt_…")`.

    Raises `RefusedError` for what is no address; whether it answers is known when something is asked.
    """
    return RemoteTape(address, token)
