"""A client of a service within one process, for tests."""

from typing import Any

from starlette.applications import Starlette

from tabletape.dashboard.service.access import Holders
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.limits import Rate
from tabletape.dashboard.service.tokens import AccessTokens, Role
from tabletape.events.log import Log
from tabletape.projector.archive.stored import workspace
from tests.dashboard.test_scribe_lock import Answer, request


class ServiceClient:
    """Asks a service, each time with one of its tokens."""

    def __init__(self, log: Log, app: Starlette | None = None) -> None:
        self.log = log
        self.desk = Desk(log)
        self.app = app or application(self.desk, Holders(workspace(log), Rate(1e9, 1e9)))
        self.tokens = AccessTokens(workspace(log))
        self.secrets: dict[str, str] = {}
        self.game = ""

    def add(self, name: str, role: Role, **about: Any) -> str:
        """Add a token; return its name."""
        self.secrets[name] = self.tokens.add(name, role, **about)
        return name

    def ask(self, who: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a GET, or a POST of a body, with the token of that name."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return request(self.app, path, body, authorization=f"Bearer {self.secrets.get(who, who)}", **named)

    def begin(self, who: str, slug: str = "splicers", **headers: str) -> str:
        """Begin a game of Ann and Ben; return its id."""
        about = next(each for each in self.ask(who, "/v1/beginnings").json()["games"] if each["slug"] == slug)
        decks = [deck for deck, _ in about["decks"]][:2] or ["", ""]
        players = [{"name": name, "deck": deck} for name, deck in zip(("Ann", "Ben"), decks, strict=True)]
        answer = self.ask(who, "/v1/games", {"game": slug, "players": players}, **headers)
        assert answer.status == 201, answer.body
        return str(answer.json()["game_id"])

    def note(self, who: str, game_id: str, text: str, **headers: str) -> Answer:
        """Write a note to a game."""
        return self.ask(who, f"/v1/games/{game_id}/events", {"type": "note.added", "text": text}, **headers)
