"""Dashboards that are killed during an upload: what the page had acknowledged is stored, and the log is intact.

One browser does all the uploads, and every dashboard is forked from one process that has loaded everything, so that it
starts at once and most of the time goes into the uploads themselves.
"""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.projector.datasets.build import build
from tests.attack.kills import ROOT, Attack
from tests.chromium import chromium
from tests.events.conftest import game
from tests.waiting import free_port, until_answered

GAMES: Final = 100

KILLS_ON_ACKNOWLEDGEMENT: Final = 0.3
"""The share of runs that are killed as soon as the page has acknowledged the file; the others are killed earlier."""

_ACKNOWLEDGED: Final = re.compile(r"([\d,]+) new events?")

FORK_SERVER: Final = """
import os
import signal
import sys
import tempfile
import streamlit
from tabletape.cli.serve import open_dashboard
from tabletape.dashboard import frame
from tabletape.dashboard.pages import import_logs
from tabletape.projector.games import game, games
for each in games():
    game(each)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    database, port = line.rstrip("\\n").split("\\t")
    dashboard = os.fork()
    if not dashboard:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        tempfile.tempdir = os.path.dirname(database)
        os.chdir(tempfile.tempdir)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        open_dashboard(database, int(port))
        os._exit(0)
    print(dashboard, flush=True)
"""
"""Forks a dashboard for each line that names a log and a port, and prints its process id."""

StartDashboard = Callable[[Path], tuple[str, int]]
"""Starts a dashboard of a log: returns its address and its process id (it leads a process group of its own)."""


@contextmanager
def fork_server() -> Iterator[StartDashboard]:
    """Load the dashboard once; yield a function that starts one."""
    hidden = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", FORK_SERVER],
        env={**hidden, "PYTHONPATH": str(ROOT / ".package")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise TypeError
        requests, answers = process.stdin, process.stdout

        def start(database: Path) -> tuple[str, int]:
            port = free_port()
            requests.write(f"{database}\t{port}\n")
            dashboard = int(answers.readline())
            until_answered(port)
            return f"http://localhost:{port}", dashboard

        yield start


def kill(dashboard: int) -> None:
    """Kill a dashboard with all of its processes, and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(dashboard, signal.SIGKILL)
        while True:
            os.kill(dashboard, 0)
            time.sleep(0.01)


@contextmanager
def uploads() -> Iterator[Attack]:
    """Open a browser; yield the attack that uploads a log and kills the dashboard meanwhile."""
    with chromium() as browser, fork_server() as start:
        upload_times: list[float] = []

        def kill_upload(folder: Path, dice: random.Random) -> str:
            """Kill the dashboard during an upload; return what is wrong afterwards, or an empty text."""
            database, source = folder / "tabletape.db", folder / "evening.jsonl"
            Log.open(database, create=True).close()
            lines = [each for part in range(GAMES) for each in game(f"g{part}", turns=20)]
            source.write_text("\n".join(lines), encoding="utf-8")
            address, dashboard = start(database)
            page = browser.new_page()
            try:
                acknowledged = upload(page, address, source, _moment_of_kill(dice, upload_times))
            finally:
                kill(dashboard)
                page.close()
            return wrong_with(database, len(lines) if acknowledged else 0, len(lines))

        yield kill_upload


def _moment_of_kill(dice: random.Random, upload_times: list[float]) -> Callable[[Any], None]:
    """Return a function that waits for the page's acknowledgement, or for a random time up to the longest upload."""
    if upload_times and dice.random() >= KILLS_ON_ACKNOWLEDGEMENT:
        return lambda _page: time.sleep(dice.uniform(0, max(upload_times)))

    def until_acknowledged(page: Any) -> None:
        started = time.monotonic()
        page.get_by_text(_ACKNOWLEDGED).first.wait_for()
        upload_times.append(time.monotonic() - started)

    return until_acknowledged


def upload(page: Any, address: str, file: Path, wait_for_kill: Callable[[Any], None]) -> bool:
    """Upload a file on the page Import; return whether the page has acknowledged it when `wait_for_kill` returns."""
    page.goto(f"{address}/import")
    page.locator("input[type=file]").set_input_files(file)
    wait_for_kill(page)
    return _ACKNOWLEDGED.search(page.locator("[data-testid=stMain]").inner_text()) is not None


def wrong_with(database: Path, acknowledged: int, whole: int) -> str:
    """Return what is wrong with a log after an upload of `whole` events, of which some were acknowledged."""
    with Log.open(database) as log:
        events = sum(each.events for each in log.games())
        if events not in {whole, acknowledged}:
            return f"{events} events are stored, {acknowledged} of {whole} were acknowledged"
        build(log)
        return "; ".join(each.message for each in verify(log))
