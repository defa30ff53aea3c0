"""Measure the service: acknowledged lines a second of one table and of 50, and how soon viewers and a page see a line.

    PYTHONPATH=. python tests/benchmarks/service_speed.py [lines] [viewers]

One service on SQLite, each line on the disk before it is acknowledged; clients are threads of another process.
"""

import http.client
import json
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tabletape.dashboard.service.access import Holders
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.connections import for_tables
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.limits import Rate
from tabletape.dashboard.service.server import server
from tabletape.dashboard.service.tokens import AccessTokens
from tabletape.events.log import Log
from tabletape.projector.archive.stored import workspace
from tests.chromium import chromium

TABLES = 50
EVERY = 0.2
"""Seconds between two lines of a table that is measured at its own pace: 250 lines a second of all."""


def serve(database: str, port: int) -> None:
    """Serve a log without limits."""
    with Log.open(database) as log:
        server(
            application(Desk(log), Holders(workspace(log), Rate(1e9, 1e9))), "localhost", port, for_tables(1000, 1000)
        ).run()


class Client:
    """A client that keeps its connection."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("localhost", port, timeout=600)
        self.headers = {"Authorization": f"Bearer {token}"}

    def post(self, path: str, body: Any) -> Any:
        """Send a body, and return the answer."""
        self._connection.request("POST", path, json.dumps(body), self.headers)
        answer = self._connection.getresponse()
        found = json.loads(answer.read())
        if answer.status >= http.client.BAD_REQUEST:
            raise AssertionError(found)
        return found

    def follow(self, game: str, last: int, there: threading.Barrier) -> dict[int, float]:
        """Follow a game until a line, from when all are `there`; return when each line was seen."""
        self._connection.request("GET", f"/v1/games/{game}/stream", headers=self.headers)
        answer, seen = self._connection.getresponse(), {}
        while last not in seen:
            line = answer.readline()
            if line.startswith(b"id: "):
                seen[int(line[4:])] = time.monotonic()
                if len(seen) == 1:
                    there.wait()
        self._connection.close()
        return seen


def percentiles(seconds: Sequence[float]) -> str:
    """Return the median and the 99th percentile in milliseconds, as cells of a table."""
    ordered = sorted(seconds)
    at = [ordered[round(share * (len(ordered) - 1))] * 1000 for share in (0.5, 0.99)]
    return " | ".join(f"{each:.0f}" for each in at)


def written(connect: Callable[[], Client], games: Sequence[str], lines: int, pause: float = 0.0) -> str:
    """Write so many lines to each game at once; return lines a second, median and p99 as cells.

    With a `pause` a game has a line as often, whatever the answers take: a line that could not be sent in time is late
    from then on. Else each line follows the answer to the one before.
    """

    def play(game: str) -> list[float]:
        client, taken = connect(), []
        due = time.monotonic() + pause * (games.index(game) / len(games))
        for number in range(lines):
            time.sleep(max(0.0, due - time.monotonic()))
            sent, due = due if pause else time.monotonic(), due + pause
            client.post(f"/v1/games/{game}/events", {"type": "note.added", "text": f"{number}"})
            taken.append(time.monotonic() - sent)
        return taken

    started = time.monotonic()
    with ThreadPoolExecutor(len(games)) as tables:
        taken = [each for of_game in tables.map(play, games) for each in of_game]
    return f"{len(taken) / (time.monotonic() - started):.0f} | {percentiles(taken)}"


def watched(connect: Callable[[], Client], game: str, viewers: int, lines: int) -> str:
    """Write lines to a game that so many follow; return how soon they see them as cells."""
    with ThreadPoolExecutor(viewers) as pool:
        there = threading.Barrier(viewers + 1)
        following = [pool.submit(connect().follow, game, lines + 1, there) for _ in range(viewers)]
        client, sent = connect(), {}
        there.wait()
        for seq in range(2, lines + 2):
            time.sleep(0.3)
            sent[seq] = time.monotonic()
            client.post(f"/v1/games/{game}/events", {"type": "note.added", "text": f"{seq}"})
        seen = [at - sent[seq] for each in following for seq, at in each.result().items() if seq > 1]
    return percentiles(seen)


NOTE_SEEN = """() => {
    window.seen = {};
    const notes = () => document.body.textContent.matchAll(/note-(\\d+)-/g);
    const look = () => [...notes()].forEach(([, number]) => { window.seen[number] ??= Date.now(); });
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Note in a page when each note of a game was shown first, in milliseconds of this computer's clock."""


def shown(address: str, client: Client, game: str, lines: int) -> str:
    """Write lines to a game that a browser watches; return how soon its page shows them as cells."""
    sent: dict[int, float] = {}
    with chromium() as browser:
        page = browser.new_page()
        page.goto(address)
        page.get_by_text("Ann").first.wait_for(state="attached")
        page.evaluate(NOTE_SEEN)
        for number in range(lines):
            time.sleep(0.3)
            sent[number] = time.time() * 1000
            client.post(f"/v1/games/{game}/events", {"type": "note.added", "text": f"note-{number}-"})
            while str(number) not in (seen := page.evaluate("window.seen")):
                time.sleep(0.02)
    return percentiles([(seen[str(number)] - at) / 1000 for number, at in sent.items()])


def main() -> None:
    """Print the table of docs/benchmarks.md."""
    lines, viewers = (int(sys.argv[each]) if len(sys.argv) > each else (20, 200)[each - 1] for each in (1, 2))
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "log.db")
        with Log.open(database, create=True) as log:
            token = AccessTokens(workspace(log)).add("bench", "keeper")
        with socket.create_server(("localhost", 0)) as free:
            port = free.getsockname()[1]
        process = get_context("spawn").Process(target=serve, args=(database, port), daemon=True)
        process.start()
        _wait(port)

        def connect() -> Client:
            return Client(port, token)

        table = {"game": "tabletop", "players": [{"name": "Ann"}, {"name": "Ben"}]}
        games = [str(connect().post("/v1/games", table)["game_id"]) for _ in range(TABLES + 3)]
        print("| | lines a second | median, ms | p99, ms |\n| --- | ---: | ---: | ---: |")  # noqa: T201 - its output
        print(f"| one table | {written(connect, games[:1], lines * 5)} |", flush=True)  # noqa: T201
        print(f"| {TABLES} tables | {written(connect, games[1:-2], lines)} |", flush=True)  # noqa: T201
        paced = written(connect, games[1:-2], lines, EVERY)
        print(f"| {TABLES} tables, each a line every {EVERY * 1000:.0f} ms | {paced} |", flush=True)  # noqa: T201
        seen = watched(connect, games[-1], viewers, 20)
        print(f"| {viewers} viewers of one game see a line | | {seen} |", flush=True)  # noqa: T201
        watch = f"http://localhost:{port}/watch/{games[-2]}#{token}"
        print(f"| a browser shows a line | | {shown(watch, connect(), games[-2], 50)} |")  # noqa: T201
        process.terminate()
        process.join()


def _wait(port: int) -> None:
    answered = threading.Event()
    while not answered.is_set():
        try:
            socket.create_connection(("localhost", port), timeout=1).close()
            answered.set()
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    main()
