"""A server of pages, for tests that look at them in a real browser."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tabletape.dashboard.workspace import VARIABLE
from tests.waiting import until_answered

ROOT: Final = Path(__file__).parents[2]

READY: Final = """() => document.querySelector('[data-testid="stMainBlockContainer"] :is(h1, h2)')
    && document.querySelector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    && !document.querySelector('[data-testid="stSkeleton"], [data-stale="true"]')"""
"""Whether a page has its title, and its script has come to its end."""


@contextmanager
def serving(command: Sequence[str], place: Path, port: int) -> Iterator[str]:
    """Run a Python module that serves pages about the log at `place`; yield its address, without a slash."""
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(ROOT / ".package"), VARIABLE: str(place)}
    address = f"http://localhost:{port}"
    with (place.parent / "server.log").open("wb") as output:
        server = subprocess.Popen(  # noqa: S603 - our own server
            [sys.executable, "-m", *command], env=environment, cwd=place.parent, stdout=output, stderr=output
        )
        try:
            until_answered(port, server)
            yield address
        finally:
            server.kill()  # A regular stop waits for pages that are still drawn, on a busy machine for minutes.
            server.wait()


@contextmanager
def serving_page(script: str, place: Path, port: int) -> Iterator[str]:
    """Run a script as a Streamlit page about the log at `place`; yield its address, without a slash."""
    file = place.with_name("page.py")
    file.write_text(script, encoding="utf-8")
    options = ["--server.headless=true", f"--server.port={port}", "--server.address=localhost"]
    command = ["streamlit", "run", str(file), *options, "--browser.gatherUsageStats=false"]
    with serving(command, place, port) as address:
        yield address
