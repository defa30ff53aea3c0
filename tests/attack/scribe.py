"""A scribe that is killed while it records a game: every line that a page showed is in the log, which is intact."""

import http.client
import json
import multiprocessing as mp
import random
import socket
import threading
import time
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.server import local, server
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.rows import StoredEvent
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.games import game, games
from tabletape.projector.scribing.scribe import Scribe
from tests.attack.through import empty_log
from tests.waiting import PATIENCE, until_answered

DECKS: Final = {slug: [*game(slug).cards.decks] for slug in games()}
"""The decks of each game, read once: also in the process that scribes are forked from."""

MAX_SECONDS: Final = 0.5
"""A scribe is killed at most so many seconds after its game has begun."""

EARLY_KILLS: Final = 0.1
"""The share of runs that do not wait until the game has begun."""


class Shown(NamedTuple):
    """A line that a page was shown: its number, and its type; the text of a note."""

    seq: int
    type: str
    text: str


class Client:
    """A device that records a game: it writes lines that are asked for or offered, and remembers those it was shown."""

    def __init__(self, port: int, dice: random.Random) -> None:
        self._connection = http.client.HTTPConnection("localhost", port, timeout=PATIENCE)
        self._dice = dice
        self.game_id = ""
        self.begun = threading.Event()
        self.shown: list[Shown] = []
        self.sent = 0

    def request(self, path: str, body: Any = None, behind: int | None = None) -> Any:
        """Return what the scribe answers. Raises `OSError` or `HTTPException` if it is gone."""
        content = None if body is None else json.dumps(body)
        headers = {} if behind is None else {"If-Match": f'"{behind}"'}
        self._connection.request("GET" if body is None else "POST", f"/v1/{path}", content, headers)
        answer = self._connection.getresponse()
        found = json.loads(answer.read())
        if answer.status not in {http.client.OK, http.client.CREATED}:
            raise AssertionError(f"{path} {body}: {answer.status} {found}")
        return found

    def begin(self, slug: str) -> Any:
        """Begin a game of two players, and return its screen."""
        seats = [{"name": name, "deck": self._dice.choice(DECKS[slug] or [""])} for name in ("Ann", "Ben")]
        self.game_id = self.request("games", {"game": slug, "players": seats})["game_id"]
        self.begun.set()
        return self.request(f"games/{quote(self.game_id)}/screen")

    def record_game(self, slug: str) -> None:
        """Record a game until it is over or the scribe does not answer any more."""
        try:
            screen = self.begin(slug)
            while not screen["over"]:
                screen = self.write(screen)
        except (OSError, http.client.HTTPException):
            return

    def write(self, screen: Any) -> Any:
        """Write a line, or take one back; return the screen that shows it."""
        what, body = self._next_request(screen)
        self.sent = screen["seq"] + 1
        path = f"games/{quote(self.game_id)}/{what}?show=screen"
        screen = self.request(path, body, screen["seq"])["screen"]
        self.shown.append(Shown(screen["seq"], body.get("type", ""), body.get("text", "")))
        return screen

    def _next_request(self, screen: Any) -> tuple[str, dict[str, Any]]:
        lines = [option["line"] for asked in screen["asked"] for option in asked["lines"]]
        lines += [option["line"] for option in screen["options"] if option["line"] and not option["draws"]]
        chance = self._dice.random()
        if chance < 0.1 and self.shown:
            return "undo", {}
        if lines and chance < 0.8:
            return "events", self._dice.choice(lines)
        unseen = [each for each in screen["asked"] if each["question"]["unseen"]]
        if unseen and chance < 0.8:
            asked = self._dice.choice(unseen)
            return "answers", {"asked": asked["number"], "unseen": asked["question"]["most"]}
        return "events", {"type": "note.added", "text": f"note {chance}"}


def serve(database: str, listening: socket.socket, begun: Any) -> None:
    """Serve a scribe as `tabletape scribe` does, at a port that is bound already: no other can take it meanwhile."""
    begun.set()
    with Log.open(database) as log:
        server(local(Desk(log)), "localhost", listening.getsockname()[1]).run(sockets=[listening])


def kill_scribe(folder: Path, dice: random.Random) -> str:
    """Kill a scribe while it records a game; return what is wrong afterwards, or an empty text."""
    database, slug = folder / "log.db", dice.choice([*DECKS])
    database.write_bytes(empty_log())
    # Forked from a process that has imported everything, so that a thousand of them start within minutes.
    context = mp.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    begun = context.Event()
    with socket.create_server(("localhost", 0)) as listening:
        port = listening.getsockname()[1]
        process = context.Process(target=serve, args=(str(database), listening, begun), daemon=True)
        process.start()
        assert begun.wait(PATIENCE), "the scribe does not begin"
    until_answered(port)
    client = Client(port, dice)
    device = threading.Thread(target=client.record_game, args=(slug,), daemon=True)
    device.start()
    if dice.random() >= EARLY_KILLS:
        client.begun.wait(PATIENCE)
    time.sleep(dice.uniform(0, MAX_SECONDS))
    process.kill()
    process.join()
    device.join()
    return wrong_with(database, client)


def wrong_with(database: Path, client: Client) -> str:
    """Return what is wrong with a log whose scribe was killed: a line that was shown is lost, or damage."""
    with Log.open(database) as log:
        games_by_id = {each.game_id: each for each in log.games()}
        if client.game_id not in games_by_id:
            return f"{client.game_id} was begun but is not stored" if client.game_id else _damage(log)
        stored = {each.seq: each for each in log.stored(games_by_id[client.game_id])}
        lost = [each.seq for each in client.shown if not _is_stored(each, stored.get(each.seq))]
        if lost:
            return f"{client.game_id}: the lines {lost} were shown but are not stored"
        if client.sent and max(stored) > client.sent:
            return f"{client.game_id}: {max(stored)} lines are stored, {client.sent} were sent"
        scribe = Scribe(log, client.game_id)
        scribe.write([NoteAdded(text="back again")], scribe.last_seq)
        return _damage(log)


def _is_stored(shown: Shown, stored: StoredEvent | None) -> bool:
    return stored is not None and stored.type == (shown.type or stored.type) and shown.text in stored.body


def _damage(log: Log) -> str:
    return "; ".join(each.message for each in verify(log))
