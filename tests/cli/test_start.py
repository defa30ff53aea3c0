"""A verb loads what it needs and nothing else, so that it answers at once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

READERS = ("re2", "xlsxwriter", "python_calamine", "tomlkit", "events.importing.taking")
COUNTING = ("pyarrow", "duckdb", "scipy", "numpy")
PAGES = ("streamlit", "altair", "textual")
RULES = ("projector.games.crystal", "projector.games.splicers", "projector.games.evolve")

LOADED = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
from cli.main import run
sys.argv[0] = "tabletape"
run()
"""


@pytest.mark.parametrize(
    ("verb", "idle"),
    [
        (("--help",), (*READERS, *COUNTING, *PAGES, *RULES, "sqlalchemy")),
        (("games",), (*READERS, *COUNTING, *PAGES, *RULES)),
        (("stats",), (*READERS, *PAGES, *RULES, "scipy.stats")),
        (("stats", "games"), (*READERS, *PAGES, *RULES, "scipy.stats")),
        (("rules", "duelyst.move.once-per-turn"), (*READERS, *COUNTING, *PAGES, *RULES)),
        (("audit",), (*READERS, *COUNTING, *PAGES, *RULES)),
    ],
)
def test_a_verb_loads_only_what_it_needs(verb: tuple[str, ...], idle: tuple[str, ...], tmp_path: Path) -> None:
    """No verb waits for a library, a reader of files or the rules of a game that it has no use for."""
    ended = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", LOADED, *verb], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    loaded = set(json.loads(ended.stderr.splitlines()[-1]))
    assert "cli.main" in loaded
    assert not loaded & set(idle)
