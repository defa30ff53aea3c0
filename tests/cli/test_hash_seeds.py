"""Python shuffles its sets anew in each process; nothing that is printed or written may be in their order."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("every_command.py")
NOT_TOLD = {"tabletape.db", "manifest.json"}
"""Files that say when they were made; what is in the log is printed, and each dataset is a file."""


def written(folder: Path) -> dict[str, bytes]:
    """Return what the commands have printed and written, by its place."""
    files = (each for each in folder.rglob("*") if each.is_file() and each.name not in NOT_TOLD)
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


def test_every_command_says_the_same_under_every_hash_seed(tmp_path: Path) -> None:
    """Bots' games of all five games give the same bytes under two seeds, in what is printed and in what is written."""
    folders = [tmp_path / seed for seed in ("1", "2")]
    runs = [
        subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, str(SCRIPT), str(folder)],
            env=os.environ | {"PYTHONHASHSEED": folder.name, "PYTHONPATH": str(ROOT / ".package"), "COLUMNS": "100"},
        )
        for folder in folders
    ]
    assert [run.wait() for run in runs] == [0, 0]
    first, second = map(written, folders)
    assert first.keys() == second.keys()
    assert [name for name, content in first.items() if content != second[name]] == []
    refused = [
        text.split(b"\n")[0] for text in first.values() if b"\nexit code 1\n" in text or b"\nexit code 2\n" in text
    ]
    assert refused == []
