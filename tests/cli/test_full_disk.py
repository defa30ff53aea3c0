"""A full disk: the error names the file, and no command leaves anything that is empty or half-written."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.inputs import RECORDINGS
from tests.attack.power_cuts import surroundings
from tests.cli.conftest import Tabletape

FULL = """
import resource
import sys
from tabletape.cli.start import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
run()
"""
"""Runs a command whose files cannot grow beyond a size."""

GAME = max((RECORDINGS / "crystal").glob("*.jsonl"), key=lambda file: file.stat().st_size)


@pytest.mark.parametrize(
    ("room", "words", "named"),
    [
        *((room, f"import {GAME} --db new.db", "new.db says: ") for room in (0, 20_000, 350_000)),
        *((room, "simulate splicers --import --db new.db", "new.db says: ") for room in (0, 20_000)),
        *((room, "scribe --db new.db", "new.db says: ") for room in (0, 20_000)),
        *((room, "demo --no-serve", "tabletape.db says: ") for room in (0, 20_000)),
        (0, "verify --keep kept.heads", "kept.heads: cannot be written"),
        (10, "verify --keep kept.heads", "kept.heads: cannot be written"),
        *((room, "pack packs", "packs/games-00001.parquet cannot be written") for room in (0, 1000)),
        (0, "new-game ladder --into games/mine", "cannot be written"),
        (0, "rulebook add crystal rules.md", "crystal.md: cannot be written"),
        (0, "map chat.txt --propose --players Ann,Ben --game tabletop", "chat.map.toml: cannot be written"),
        (0, "export --text evening.txt", "evening.txt: cannot be written"),
    ],
)
def test_a_full_disk_leaves_nothing_unfinished(
    room: int, words: str, named: str, tabletape: Tabletape, tmp_path: Path
) -> None:
    """A log that was begun, a file of heads, packs: what was not there before is not there afterwards."""
    tabletape("import", str(RECORDINGS / "crystal" / "ability-against-oneself.jsonl"))
    (tmp_path / "rules.md").write_text("# Set-up\n\nEach player draws five cards.\n")
    (tmp_path / "chat.txt").write_text("Ann: plays Fig\nBen: plays Oak\nAnn: plays Fir\nAnn wins\n")
    before = {each: each.is_file() and each.read_bytes() for each in tmp_path.rglob("*")}
    command = [sys.executable, "-c", FULL, str(room), *words.split()]
    ran = subprocess.run(command, cwd=tmp_path, env=surroundings(), capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    assert ran.returncode == 1, ran.stderr
    assert named in ran.stderr
    assert "Traceback" not in ran.stderr
    assert {each: each.is_file() and each.read_bytes() for each in tmp_path.rglob("*")} == before
