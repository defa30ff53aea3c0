"""A verb loads only the modules that it needs, so that it starts quickly."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.attack.inputs import RECORDINGS

READERS = ("re2", "xlsxwriter", "python_calamine", "tomlkit", "tabletape.events.importing.import_files")
COUNTING = ("pyarrow", "duckdb", "scipy", "numpy")
PAGES = ("streamlit", "altair", "textual")
RULES = ("tabletape.projector.games.crystal", "tabletape.projector.games.splicers", "tabletape.projector.games.evolve")

LOADED = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
from tabletape.cli.main import run
sys.argv[0] = "tabletape"
run()
"""


@pytest.mark.parametrize(
    ("verb", "idle"),
    [
        (("--help",), (*READERS, *COUNTING, *PAGES, *RULES, "sqlalchemy")),
        (("games",), (*READERS, *COUNTING, *PAGES, *RULES, "pydantic")),
        (("games", "--game", "crystal", "--db", "tabletape.db"), (*READERS, *COUNTING, *PAGES, *RULES, "pydantic")),
        (("stats",), (*READERS, *PAGES, *RULES, "scipy.stats", "pydantic")),
        (("stats", "games"), (*READERS, *PAGES, *RULES, "scipy.stats", "pydantic")),
        (("rules", "duelyst.move.once-per-turn"), (*READERS, *COUNTING, *PAGES, *RULES, "pydantic")),
        (("audit",), (*READERS, *COUNTING, *PAGES, *RULES, "pydantic")),
    ],
)
def test_a_verb_loads_only_what_it_needs(verb: tuple[str, ...], idle: tuple[str, ...], tmp_path: Path) -> None:
    """No verb loads a library, a file reader or the rules of a game that it does not use."""
    loaded = loaded_by(verb, tmp_path)
    assert "tabletape.cli.main" in loaded
    assert not loaded & set(idle)


def loaded_by(verb: Sequence[str], folder: Path) -> set[str]:
    """Return the modules that a verb has loaded at its end."""
    ended = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", LOADED, *verb], cwd=folder, capture_output=True, text=True, check=False
    )
    return set(json.loads(ended.stderr.splitlines()[-1]))


def test_a_build_loads_the_rules_of_new_games_only(tmp_path: Path) -> None:
    """New games are built without the rules of other games, and without pandas, which Arrow would otherwise import."""
    splicers, crystal = (sorted((RECORDINGS / slug).glob("*.jsonl")) for slug in ("splicers", "crystal"))
    files = [splicers[0], *crystal[:2]]
    for number, file in enumerate(files):
        lines = file.read_text(encoding="utf-8").splitlines()
        started = json.dumps(json.loads(lines[0]) | {"id": f"game-{number}"})
        (tmp_path / f"{number}.jsonl").write_text("\n".join([started, *lines[1:]]), encoding="utf-8")
        loaded_by(["import", f"{number}.jsonl"], tmp_path)
        loaded = loaded_by(["build"], tmp_path)
        assert {"pyarrow", f"tabletape.projector.games.{file.parent.name}"} <= loaded
        assert not loaded & {"pandas", "duckdb", "pydantic", *PAGES}
    assert "tabletape.projector.games.splicers" not in loaded


def test_a_known_file_loads_no_game(tmp_path: Path) -> None:
    """The same file again is recognized without the rules of its games, their vocabularies, the fold or maps."""
    shutil.copy(next(iter(sorted((RECORDINGS / "splicers").glob("*.jsonl")))), tmp_path / "g.jsonl")
    assert "tabletape.projector.games.splicers" in loaded_by(["import", "g.jsonl"], tmp_path)
    again = loaded_by(["import", "g.jsonl"], tmp_path)
    assert "tabletape.events.importing.files.known" in again
    idle = {
        *COUNTING,
        *PAGES,
        *RULES,
        "pydantic",
        "tabletape.events.games.splicers",
        "tabletape.projector.fold.folding",
        "tabletape.events.importing.maps.map",
    }
    assert not again & idle


def test_loaded_modules_are_kept_from_the_garbage_collector(tmp_path: Path) -> None:
    """The objects of loaded modules are frozen, so that no garbage collection visits them, not even the last one."""
    count_frozen = "import atexit, gc; atexit.register(lambda: print('kept', gc.get_freeze_count()))"
    code = f"{count_frozen}\nfrom tabletape.cli.main import run\nrun()"
    ended = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", code, "games"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert int(ended.stdout.split("kept ")[-1]) > 0


def test_spark_finds_pandas() -> None:
    """pandas, which is hidden from Arrow, can be imported again once Spark is the engine of the build."""
    program = """
import importlib.util
from tabletape.cli.build import _engine
from tabletape.events.startup import hide_pandas

hide_pandas()
try:
    import pandas
except ModuleNotFoundError:
    print("hidden")
try:
    _engine("spark", "local[2]")
except Exception as error:
    print(type(error).__name__)
print("found" if importlib.util.find_spec("pandas") else "lost")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - our own command
    assert ended.stdout.split()[0] == "hidden"
    assert ended.stdout.split()[-1] == "found"
