"""A file of 200 MB is imported without filling the memory."""

import subprocess
import sys
from pathlib import Path

from tests.events.conftest import game

SIZE = 200 << 20
ALLOWED = 400 << 20
"""Python, its libraries and the database's page cache need a third of this; two copies of the file would not fit."""

IMPORT = """
import resource, sys
from tabletape.events.importing import import_paths
from tabletape.events.log import Log

def peak():
    # On Linux, getrusage also counts the test runner, from which this process was forked.
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (own,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    return int(own.split()[1]) * 1024

with Log.open(sys.argv[1], create=True) as log:
    report = import_paths(log, [sys.argv[2]])
    print(report.events, report.quarantined, len(report.games), peak())
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """A large file of many games is imported completely, in a bounded amount of memory."""
    path = tmp_path / "large.jsonl"
    lines = [
        each.replace('"player"', f'"note": "{"tea and cake " * 6}", "player"') for each in game("THE-GAME", turns=400)
    ]
    text = "\n".join(lines) + "\n"
    games = SIZE // len(text) + 1
    with path.open("w") as file:
        for number in range(games):
            file.write(text.replace("THE-GAME", f"g-{number}"))
    command = [sys.executable, "-c", IMPORT, str(tmp_path / "log.db"), str(path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)  # noqa: S603 - our own words
    events, quarantined, taken, peak = map(int, done.stdout.split())
    assert (events, quarantined, taken) == (games * len(game(turns=400)), 0, games)
    assert peak < ALLOWED
