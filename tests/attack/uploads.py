"""Dashboards that end while a page takes a log: what the page had acknowledged is there, and the log is well."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from events.integrity import verify
from events.log import Log
from projector.datasets.build import build
from tests.attack.kills import ROOT
from tests.cli.test_serve import CHROMIUM, FLAGS
from tests.events.conftest import game

GAMES: Final = 200
LONGEST: Final = 6.0
"""Seconds in which a page has taken, audited and built so many games, and told what became of them."""

AT_ONCE_AFTER: Final = 0.3
"""So often it ends as soon as the page has acknowledged the file."""

_TOLD: Final = re.compile(r"([\d,]+) new events?")


@contextmanager
def dashboard(database: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Serve a log in a process group of its own; return the address, and the process."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "cli.main", "serve", "--db", str(database), "--port", str(port)]
    hidden = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    environment = {**hidden, "PYTHONPATH": str(ROOT), "TMPDIR": str(database.parent)}
    server = subprocess.Popen(  # noqa: S603 - our own command
        command,
        cwd=database.parent,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    address = f"http://localhost:{port}"
    try:
        _wait_for(f"{address}/_stcore/health")
        yield address, server
    finally:
        end(server)


def _wait_for(address: str, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - our own address
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(address)


def end(server: "subprocess.Popen[str]") -> None:
    """Kill a dashboard with all of its processes."""
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def hand_in(page: Any, address: str, file: Path) -> None:
    """Hand a file in on the page Import."""
    page.goto(f"{address}/import", timeout=120_000)
    page.locator("input[type=file]").set_input_files(file, timeout=120_000)


def kill_upload(folder: Path, dice: random.Random) -> str:
    """Kill the dashboard while it takes a log; return what is wrong afterwards, nothing where all is well."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the other attacks need no browser

    database = folder / "tabletape.db"
    Log.open(database, create=True).close()
    lines = [each for part in range(GAMES) for each in game(f"g{part}", turns=20)]
    source = folder / "evening.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    with sync_playwright() as playwright, dashboard(database) as (address, server):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        hand_in(page, address, source)
        if dice.random() < AT_ONCE_AFTER:
            page.get_by_text(_TOLD).first.wait_for(timeout=120_000)
        else:
            time.sleep(dice.uniform(0, LONGEST))
        told = _TOLD.search(page.locator("[data-testid=stMain]").inner_text())
        end(server)
        browser.close()
    return wrong_with(database, len(lines) if told else 0, len(lines))


def wrong_with(database: Path, told: int, whole: int) -> str:
    """Return what is wrong with a log into which a file of `whole` events went, of which `told` were acknowledged."""
    with Log.open(database) as log:
        events = sum(each.events for each in log.games())
        if events not in {whole, told}:
            return f"{events} events are there, {told} of {whole} were acknowledged"
        build(log)
        return "; ".join(each.message for each in verify(log))
