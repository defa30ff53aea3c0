"""A history as Jepsen makes one: eight devices on two scribes of one log, which are killed, paused and set back.

Devices write to the same games through both servers, repeat what was not answered, send requests twice, late and in
the wrong order. Servers are killed (SIGKILL) and begun again, or paused (SIGSTOP) in the middle of whatever they do,
while the other one writes. The clock of each server goes back with every line.
"""

import http.client
import json
import multiprocessing as mp
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.parse import quote

from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.server import local, server
from tabletape.events.log import Log
from tabletape.events.log import writing as log_writing
from tabletape.events.log.integrity import verify
from tabletape.projector.datasets.build import build
from tabletape.projector.scribing import beginning, scribe
from tests.attack.history_check import ACKNOWLEDGED, NOTE, REFUSED, TAKEN_BACK, UNKNOWN, Line, Request, wrong_with
from tests.waiting import PATIENCE, free_port, until, until_answered

DEVICES: Final = 8
GAMES: Final = 2
ANSWER: Final = 2.0
"""Seconds after which a device first repeats its request at the other server; then twice as many, and so on."""

STEP: Final = 20
"""Requests that are answered, or given up, before the next server is killed or paused, and while one is paused."""

DISRUPTIONS: Final = (("kill", 0), ("pause", 1), ("kill", 1), ("pause", 0))
"""What happens to which server, in each round."""


class Outcome(NamedTuple):
    """What became of a history: how many requests ended how, what is wrong."""

    counts: Counter[str]
    problems: list[str]


class Backwards(datetime):
    """A clock that goes back by up to a day whenever it is asked."""

    seconds = 0.0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        """Return an earlier time than before."""
        cls.seconds += random.uniform(0, 86_400)  # noqa: S311 - no secret
        return datetime.now(tz) - timedelta(seconds=cls.seconds)


def serve(database: str, port: int) -> None:
    """Serve a scribe as `tabletape scribe` does, with a clock that goes back."""
    with ExitStack() as patched, Log.open(database) as log:
        for module in (scribe, beginning, log_writing):
            patched.enter_context(patch.object(module, "datetime", Backwards))
        server(local(Desk(log)), "localhost", port).run()


class Servers:
    """Two servers of one log, each a process: scribes, unless they `serve` something else."""

    def __init__(self, database: str, serve: Callable[[str, int], None] = serve) -> None:
        self._database = database
        self._serve = serve
        self._context = mp.get_context("forkserver")
        self._context.set_forkserver_preload([__name__])
        self.ports = [free_port(), free_port()]
        self._processes = [self._started(port) for port in self.ports]

    def _started(self, port: int) -> Any:
        process = self._context.Process(target=self._serve, args=(self._database, port), daemon=True)
        process.start()
        until_answered(port)
        return process

    def kill(self, number: int) -> None:
        """Kill a server, whatever it does, and begin it again."""
        self._processes[number].kill()
        self._processes[number].join()
        self._processes[number] = self._started(self.ports[number])

    @contextmanager
    def paused(self, number: int) -> Iterator[None]:
        """Pause a server, whatever it does; it goes on afterwards."""
        os.kill(self._processes[number].pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._processes[number].pid, signal.SIGCONT)

    def stop(self) -> None:
        """Stop the servers, each when it has ended what it does."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()


class Door(NamedTuple):
    """The port of a server, and how many seconds one waits there for an answer."""

    port: int
    seconds: float = PATIENCE


class Device:
    """A device that sends requests to the games until it is stopped, and writes down each with its answer."""

    def __init__(self, name: str, ports: Sequence[int], games: Sequence[str], seed: int) -> None:
        self._name = name
        self._ports = ports
        self._games = games
        self._dice = random.Random(seed)  # noqa: S311 - no secret
        self._notes = 0
        self.history: list[Request] = []

    def run(self, stopped: threading.Event) -> None:
        """Send requests until it is stopped."""
        while not stopped.is_set():
            self._act(self._dice.choice(self._games))

    def _act(self, game: str) -> None:
        seq = self._until_answered(game, "", "", 0).seq
        chance = self._dice.random()
        if chance < 0.1:
            self._until_answered(game, TAKEN_BACK, "", seq)
            return
        self._notes += 1
        text = f"{self._name}-{self._notes}."
        if chance < 0.2:  # The second of two requests comes first.
            later = f"{self._name}-{self._notes}-later."
            self._until_answered(game, NOTE, later, seq + 1)
        expected = self._dice.randrange(1, seq + 1) if chance > 0.9 else seq  # A request that comes very late.
        self._until_answered(game, NOTE, text, expected)
        if chance > 0.8:  # Once more, although it was answered.
            self._until_answered(game, NOTE, text, expected)

    def _until_answered(self, game: str, line: str, text: str, expected: int) -> Request:
        """Send a request to one server or the other until it is answered."""
        end, port, seconds = time.monotonic() + PATIENCE, self._dice.choice(self._ports), ANSWER
        while True:
            request = _asked(Door(port, seconds), game, line, text, expected)
            self.history.append(request)
            if request.outcome != UNKNOWN:
                return request
            if time.monotonic() > end:
                raise AssertionError(f"no server answers {request}")
            port, seconds = self._ports[1 - self._ports.index(port)], 2 * seconds


def _asked(door: Door, game: str, line: str, text: str, expected: int) -> Request:
    """Send a request to a server and return it with its answer, or as unknown where that takes too long."""
    what = {"": "screen", NOTE: "events?show=screen", TAKEN_BACK: "undo?show=screen"}[line]
    body = {"type": NOTE, "text": text} if line == NOTE else {}
    sent = time.monotonic()
    try:
        status, found = _answer(door, f"games/{quote(game)}/{what}", body if line else None, expected)
    except (OSError, http.client.HTTPException):
        return Request(game, line, text, expected, sent, time.monotonic(), UNKNOWN)
    answered = time.monotonic()
    if status == http.client.SERVICE_UNAVAILABLE:  # The other one was paused in a transaction, for as long as it waits.
        return Request(game, line, text, expected, sent, answered, UNKNOWN)
    if status != http.client.OK:
        # A beginning cannot be taken back; everything else is refused because somebody else was first.
        if status != http.client.CONFLICT and "nothing has been written" not in found["error"]:
            raise AssertionError(f"{what} {body}: {status} {found}")
        return Request(game, line, text, expected, sent, answered, REFUSED)
    found = found["screen"] if line else found
    shown = tuple(sorted((each["seq"], each["words"]) for each in found["lines"]))
    return Request(game, line, text, expected, sent, answered, ACKNOWLEDGED, found["seq"], found["stamp"], shown)


def _answer(door: Door, path: str, body: Any, behind: int | None = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("localhost", door.port, timeout=door.seconds)
    try:
        headers = {} if behind is None else {"If-Match": f'"{behind}"'}
        content = None if body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", f"/v1/{path}", content, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def _begun(ports: Sequence[int]) -> list[str]:
    """Begin the games, at one server each."""
    table = {"game": "tabletop", "players": [{"name": "Ann"}, {"name": "Ben"}]}
    return [_answer(Door(ports[number % 2]), "games", table)[1]["game_id"] for number in range(GAMES)]


def history(database: str, folder: Path, rounds: int, seed: int) -> Outcome:
    """Make a history of so many rounds on an empty log; return what became of it."""
    Log.open(database, create=True).close()
    servers = Servers(database)
    devices: list[Device] = []
    stopped, failed = threading.Event(), []

    def run(device: Device) -> None:
        try:
            device.run(stopped)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is a result
            failed.append(f"{type(error).__name__}: {error}")

    try:
        games = _begun(servers.ports)
        devices += [Device(f"d{each}", servers.ports, games, seed * DEVICES + each) for each in range(DEVICES)]
        threads = [threading.Thread(target=run, args=(device,)) for device in devices]
        for thread in threads:
            thread.start()
        try:
            disrupt(servers, lambda: sum(len(each.history) for each in devices), rounds)
        finally:
            stopped.set()
            for thread in threads:
                thread.join()
    finally:
        servers.stop()
    requests = [each for device in devices for each in device.history]
    counts = Counter(each.outcome for each in requests if each.type)
    return Outcome(counts + Counter({"requests": len(requests)}), [*failed, *left_wrong(database, requests, folder)])


def disrupt(servers: Servers, requests: Callable[[], int], rounds: int) -> None:
    """Kill and pause the servers by turns, each time after some requests have ended."""

    def wait() -> None:
        before = requests()
        until(lambda: requests() >= before + STEP, "some more requests")

    for what, number in DISRUPTIONS * rounds:
        wait()
        if what == "kill":
            servers.kill(number)
        else:
            with servers.paused(number):
                wait()
    wait()


def left_wrong(database: str, requests: Sequence[Request], folder: Path) -> list[str]:
    """Return what is wrong with a history and the log that it left, which is also verified, folded and built."""
    with chdir(folder), Log.open(database) as log:
        lines = {}
        for game in log.games():
            notes = {event.seq: getattr(event, "text", "") for event in log.events(game)}
            stored = log.stored(game)
            lines[game.game_id] = [Line(each.seq, each.type, notes[each.seq], each.hash.hex()) for each in stored]
            if scribe.Scribe(log, game.game_id).replay.stopped is not None:
                return [f"{game.game_id} cannot be folded"]
        build(log)
        return [*wrong_with(requests, lines), *(each.message for each in verify(log))]
