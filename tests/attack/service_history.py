"""A history of the service: eight clients on two services of one log, which are killed, paused and set back.

A client names no line to write behind: what keeps its lines single is their key alone. It repeats what was not answered
at the other service, sends requests twice and far too late, and reads what others wrote.
"""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, chdir
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.parse import quote

from tabletape.dashboard.service.access import Holders
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.limits import Rate
from tabletape.dashboard.service.server import server
from tabletape.dashboard.service.tokens import AccessTokens
from tabletape.events.log import Log
from tabletape.events.log import writing as log_writing
from tabletape.events.log.integrity import verify
from tabletape.projector.archive.stored import workspace
from tabletape.projector.scribing import beginning, scribe
from tests.attack.history import ANSWER, DEVICES, GAMES, Backwards, Outcome, Servers, disrupt
from tests.waiting import PATIENCE

UNLIMITED: Final = 1e9


class Sent(NamedTuple):
    """A note that was acknowledged: its game, its client, its text, which is its key, and the number of its line."""

    game: str
    client: str
    text: str
    seq: int


def serve(database: str, port: int) -> None:
    """Serve a service, with a clock that goes back."""
    with ExitStack() as patched, Log.open(database) as log:
        for module in (scribe, beginning, log_writing):
            patched.enter_context(patch.object(module, "datetime", Backwards))
        server(application(Desk(log), Holders(workspace(log), Rate(UNLIMITED, UNLIMITED))), "localhost", port).run()


class ServiceDevice:
    """A client that writes notes until it is stopped, each until it is acknowledged."""

    def __init__(self, name: str, token: str, ports: Sequence[int], games: Sequence[str], seed: int) -> None:
        self.name = name
        self._token = token
        self._ports = ports
        self._games = games
        self._dice = random.Random(seed)  # noqa: S311 - no secret
        self.sent: list[Sent] = []
        self.requests = 0
        self.problems: list[str] = []

    def run(self, stopped: threading.Event) -> None:
        """Write notes until it is stopped."""
        while not stopped.is_set():
            game, text = self._dice.choice(self._games), f"{self.name}-{len(self.sent)}."
            self._until_acknowledged(game, text)
            if self._dice.random() < 0.3:  # Once more, although it was answered: this one or an old one.
                again = self._dice.choice(self.sent)
                self._until_acknowledged(again.game, again.text)

    def _until_acknowledged(self, game: str, text: str) -> None:
        end, port, seconds = time.monotonic() + PATIENCE, self._dice.choice(self._ports), ANSWER
        while True:
            self.requests += 1
            try:
                status, found = self._answer(port, game, text, seconds)
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end:
                    raise
                port, seconds = self._ports[1 - self._ports.index(port)], 2 * seconds
                continue
            if status == http.client.OK:
                self.sent.append(Sent(game, self.name, text, found["seq"]))
                return
            # A service waits for the other's transaction as long as for anybody's, and says so then.
            if status != http.client.SERVICE_UNAVAILABLE:
                self.problems.append(f"{text}: {status} {found}")
                return

    def _answer(self, port: int, game: str, text: str, seconds: float) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("localhost", port, timeout=seconds)
        headers = {"Authorization": f"Bearer {self._token}", "Idempotency-Key": text}
        try:
            body = json.dumps({"type": "note.added", "text": text})
            connection.request("POST", f"/v1/games/{quote(game)}/events", body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()


def service_history(database: str, folder: Path, rounds: int, seed: int) -> Outcome:
    """Make a history of so many rounds on an empty log, whose workspace is a folder; return what became of it."""
    with chdir(folder):  # To its end: a service that is begun again finds its tokens there, wherever the log is.
        return _made_history(database, rounds, seed)


def _made_history(database: str, rounds: int, seed: int) -> Outcome:
    with Log.open(database, create=True) as log:
        secrets = [AccessTokens(workspace(log)).add(f"d{each}", "keeper") for each in range(DEVICES)]
        players = tuple(beginning.NewSeat(name=name) for name in ("Ann", "Ben"))
        games = [
            beginning.begin(log, beginning.Beginning(game="tabletop", players=players)) for _ in range(GAMES)
        ]  # fmt: skip
        servers = Servers(database, serve)
    devices = [
        ServiceDevice(f"d{each}", secret, servers.ports, games, seed * DEVICES + each)
        for each, secret in enumerate(secrets)
    ]
    stopped = threading.Event()
    threads = [threading.Thread(target=device.run, args=(stopped,)) for device in devices]
    try:
        for thread in threads:
            thread.start()
        try:
            disrupt(servers, lambda: sum(each.requests for each in devices), rounds)
        finally:
            stopped.set()
            for thread in threads:
                thread.join()
    finally:
        servers.stop()
    return _outcome(database, games, devices)


def _outcome(database: str, games: Sequence[str], devices: Sequence[ServiceDevice]) -> Outcome:
    sent = [each for device in devices for each in device.sent]
    counts = Counter(requests=sum(each.requests for each in devices), acknowledged=len(sent))
    problems = [each for device in devices for each in device.problems]
    with Log.open(database) as log:
        notes = {
            game: {each.seq: (each.writer, getattr(each, "text", "")) for each in log.events(log.game(game))[1:]}
            for game in games
        }
        return Outcome(counts, [*problems, *wrong_notes(sent, notes), *(each.message for each in verify(log))])


def wrong_notes(sent: Sequence[Sent], notes: dict[str, Any]) -> list[str]:
    """Return what of the acknowledged notes does not fit those of the log: by game, the writer and text of each line.

    Each is where it was acknowledged to be, every time, and there once, with its writer; nothing else is there; and
    those of a client, who writes one after the other, are in their order.
    """
    found = [
        f"{each} is not there: {notes[each.game].get(each.seq)}"
        for each in dict.fromkeys(sent)
        if notes[each.game].get(each.seq) != (each.client, each.text)
    ]
    known = {(each.game, each.client, each.text) for each in sent}
    for game, lines in notes.items():
        times = Counter(lines.values())
        found += [f"{game}: {note} is there {count} times" for note, count in times.items() if count > 1]
        found += [f"{game}: nobody has sent {note}" for note in times if (game, *note) not in known]
        for client in {client for client, _ in times}:
            numbers = [int(text.rpartition("-")[2][:-1]) for who, text in lines.values() if who == client]
            found += [f"{game}: the notes of {client} are out of order"] if numbers != sorted(numbers) else []
    return found
