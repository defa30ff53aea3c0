"""The dashboard loads its modules while the browser is still opening."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabletape.dashboard.workspace import VARIABLE

PROGRAM = """
import json, sys
from tabletape.dashboard.warming import warm_up
before = set(sys.modules)
warm_up()
from tabletape.dashboard.questions.database import _connected
print(json.dumps([sorted(before), sorted(sys.modules), _connected.cache_info().currsize]))
"""


def modules_of_warm_up(log: Path) -> tuple[set[str], set[str], int]:
    """Return the modules that are loaded before and after warming up, and the number of open connections."""
    environment = {**os.environ, VARIABLE: str(log)}
    ended = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - our own command
    before, after, connections = json.loads(ended.stdout)
    return set(before), set(after), connections


def test_the_modules_of_the_first_page_are_loaded_beforehand(evening: Path) -> None:
    """The frame, the first page and DuckDB are loaded and the datasets open; the server did not load them before."""
    before, after, connections = modules_of_warm_up(evening.parent.parent / "tabletape.db")
    assert before.isdisjoint({"streamlit", "duckdb", "pyarrow", "tabletape.dashboard.frame"})
    assert after >= {"streamlit", "duckdb", "pandas", "tabletape.dashboard.frame", "tabletape.dashboard.pages.overview"}
    assert connections == 1


@pytest.mark.parametrize("content", [b"", b"no log at all"])
def test_a_log_that_cannot_be_read_is_left_to_the_page(content: bytes, tmp_path: Path) -> None:
    """Warming up reports no error; the page does when it opens the log."""
    log = tmp_path / "tabletape.db"
    if content:
        log.write_bytes(content)
    _, after, connections = modules_of_warm_up(log)
    assert after >= {"tabletape.dashboard.frame", "tabletape.dashboard.pages.overview"}
    assert not connections
    assert log.exists() == bool(content)
