"""Dashboards that end while a page takes a log: what the page had acknowledged is there, and the log is well.

One browser hands in all of them, and every dashboard is forked from one process that has loaded everything: so each
begins in a moment, and most of an attack is what it attacks.
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

from events.integrity import verify
from events.log import Log
from projector.datasets.build import build
from tests.attack.kills import ROOT, Attack
from tests.chromium import chromium
from tests.events.conftest import game
from tests.waiting import free_port, until_answered

GAMES: Final = 100

AT_ONCE_AFTER: Final = 0.3
"""The share of runs that end as soon as the page has acknowledged the file; the others end earlier."""

_TOLD: Final = re.compile(r"([\d,]+) new events?")

NURSERY: Final = """
import os
import signal
import sys
import tempfile
import streamlit
from cli.serve import open_dashboard
from dashboard import frame
from dashboard.pages import import_logs
from projector.games import game, games
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
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        open_dashboard(database, int(port))
        os._exit(0)
    print(dashboard, flush=True)
"""
"""Forks a dashboard for each line that names a log and a port, and says its process."""

Begin = Callable[[Path], tuple[str, int]]
"""Begins a dashboard of a log: returns its address, and its process (which leads a group of its own)."""


@contextmanager
def nursery() -> Iterator[Begin]:
    """Load the dashboard once; return what begins one."""
    hidden = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", NURSERY],
        env={**hidden, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise TypeError
        ask, answer = process.stdin, process.stdout

        def begin(database: Path) -> tuple[str, int]:
            port = free_port()
            ask.write(f"{database}\t{port}\n")
            dashboard = int(answer.readline())
            until_answered(port)
            return f"http://localhost:{port}", dashboard

        yield begin


def end(dashboard: int) -> None:
    """Kill a dashboard with all of its processes, and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(dashboard, signal.SIGKILL)
        while True:
            os.kill(dashboard, 0)
            time.sleep(0.01)


@contextmanager
def uploads() -> Iterator[Attack]:
    """Open a browser; return the attack that hands a log in and kills the dashboard meanwhile."""
    with chromium() as browser, nursery() as begin:
        taken: list[float] = []

        def kill_upload(folder: Path, dice: random.Random) -> str:
            """Kill the dashboard while it takes a log; return what is wrong afterwards, nothing where all is well."""
            database, source = folder / "tabletape.db", folder / "evening.jsonl"
            Log.open(database, create=True).close()
            lines = [each for part in range(GAMES) for each in game(f"g{part}", turns=20)]
            source.write_text("\n".join(lines), encoding="utf-8")
            address, dashboard = begin(database)
            page = browser.new_page()
            try:
                told = hand_in(page, address, source, _moment(dice, taken))
            finally:
                end(dashboard)
                page.close()
            return wrong_with(database, len(lines) if told else 0, len(lines))

        yield kill_upload


def _moment(dice: random.Random, taken: list[float]) -> Callable[[Any], None]:
    """Return what waits for the moment of the kill: the word of the page, or any time up to when it usually comes."""
    if taken and dice.random() >= AT_ONCE_AFTER:
        return lambda _page: time.sleep(dice.uniform(0, max(taken)))

    def told(page: Any) -> None:
        begun = time.monotonic()
        page.get_by_text(_TOLD).first.wait_for()
        taken.append(time.monotonic() - begun)

    return told


def hand_in(page: Any, address: str, file: Path, moment: Callable[[Any], None]) -> bool:
    """Hand a file in on the page Import; return whether the page has acknowledged it when the moment has come."""
    page.goto(f"{address}/import")
    page.locator("input[type=file]").set_input_files(file)
    moment(page)
    return _TOLD.search(page.locator("[data-testid=stMain]").inner_text()) is not None


def wrong_with(database: Path, told: int, whole: int) -> str:
    """Return what is wrong with a log into which a file of `whole` events went, of which `told` were acknowledged."""
    with Log.open(database) as log:
        events = sum(each.events for each in log.games())
        if events not in {whole, told}:
            return f"{events} events are there, {told} of {whole} were acknowledged"
        build(log)
        return "; ".join(each.message for each in verify(log))
