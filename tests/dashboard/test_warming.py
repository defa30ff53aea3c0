"""The dashboard gets ready while the browser is still opening."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.workspace import VARIABLE

SEEN = """
import json, sys
from dashboard.warming import warm_up
before = set(sys.modules)
warm_up()
from dashboard.database import _connected
print(json.dumps([sorted(before), sorted(sys.modules), _connected.cache_info().currsize]))
"""


def warmed(log: Path) -> tuple[set[str], set[str], int]:
    """Return what is loaded before and after getting ready, and how many connections to datasets are open."""
    surroundings = {**os.environ, VARIABLE: str(log)}
    ended = subprocess.run([sys.executable, "-c", SEEN], env=surroundings, capture_output=True, text=True, check=True)  # noqa: S603 - our own command
    before, after, connections = json.loads(ended.stdout)
    return set(before), set(after), connections


def test_what_the_first_page_needs_is_there_before_it_asks(evening: Path) -> None:
    """The frame, the first page, Arrow and DuckDB are loaded and the datasets open; the server waited for none."""
    before, after, connections = warmed(evening.parent.parent / "tabletape.db")
    assert before.isdisjoint({"streamlit", "duckdb", "pyarrow", "dashboard.frame"})
    assert after >= {"streamlit", "duckdb", "pandas", "dashboard.frame", "dashboard.pages.overview"}
    assert connections == 1


@pytest.mark.parametrize("content", [b"", b"no log at all"])
def test_a_log_that_cannot_be_read_is_left_to_the_page(content: bytes, tmp_path: Path) -> None:
    """Getting ready says nothing of what is wrong: the page does when it asks."""
    log = tmp_path / "tabletape.db"
    if content:
        log.write_bytes(content)
    _, after, connections = warmed(log)
    assert after >= {"dashboard.frame", "dashboard.pages.overview"}
    assert not connections
    assert log.exists() == bool(content)
