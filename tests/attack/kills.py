"""Processes that are killed while they write: what they acknowledged is stored, and the log is intact."""

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.schema import SchemaError, upgrade
from tabletape.projector.datasets.build import build
from tests.events.conftest import game

FIRST_VERSION: Final = Path(__file__).parents[1] / "migrations" / "logs" / "first-version.db.zst"
ROOT: Final = Path(__file__).parents[2]

IMPORT: Final = """
import sys
from pathlib import Path
from tabletape.events.importing import import_paths
from tabletape.events.log import Log
with Log.open(sys.argv[1], create=True) as log:
    for file in sorted(Path(sys.argv[2]).glob("*.jsonl")):
        import_paths(log, [file])
        print(file.stem, flush=True)
"""
ON_A_FULL_DISK: Final = (
    """
import resource
import sys
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), hard))
"""
    + IMPORT
)
BUILD: Final = """
import sys
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
with Log.open(sys.argv[1]) as log:
    print("begun", flush=True)
    build(log)
    print("built", flush=True)
"""
UPGRADE: Final = """
import sys
from tabletape.events.log.schema import upgrade
print("begun", flush=True)
upgrade(sys.argv[1])
print("upgraded", flush=True)
"""


class Killed(NamedTuple):
    """What a killed process had acknowledged."""

    acknowledged: list[str]


def run_and_kill(code: str, *arguments: str | Path, after: float) -> Killed:
    """Run Python code, kill it `after` seconds after its first line of output (or its end); return what it printed."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own code
        if process.stdout is None:
            raise TypeError
        first_line = process.stdout.readline()
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        return Killed((first_line + process.stdout.read()).split())


def write_logs(folder: Path, number: int) -> Path:
    """Write `number` logs of 20 games each; return their folder."""
    place = folder / "logs"
    place.mkdir()
    for each in range(number):
        lines = [line for part in range(20) for line in game(f"g{each:04}-{part}", turns=20)]
        (place / f"g{each:04}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return place


def kill_import(folder: Path, dice: random.Random) -> str:
    """Kill an import; return what is wrong afterwards: an acknowledged file is lost, damage, half a file."""
    source = write_logs(folder, 40)
    database = folder / "log.db"
    acknowledged = run_and_kill(IMPORT, database, source, after=dice.uniform(0, 0.5)).acknowledged
    with Log.open(database) as log:
        stored = {each.game_id for each in log.games()}
        lost = [name for name in acknowledged if not {f"{name}-{part}" for part in range(20)} <= stored]
        if lost:
            return f"acknowledged but not stored: {', '.join(lost)}"
        return "; ".join(each.message for each in verify(log)) or ("half a file" if len(stored) % 20 else "")


def fill_disk(folder: Path, dice: random.Random) -> str:
    """Run an import whose log may not grow beyond a random size; return what is wrong afterwards."""
    source = write_logs(folder, 10)
    database = folder / "log.db"
    Log.open(database, create=True).close()
    limit = database.stat().st_size + dice.randrange(2_000_000)
    command = [sys.executable, "-c", ON_A_FULL_DISK, str(database), str(source), str(limit)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    with Log.open(database) as log:
        stored = {each.game_id for each in log.games()}
        lost = [name for name in result.stdout.split() if not {f"{name}-{part}" for part in range(20)} <= stored]
        return f"lost: {lost}" if lost else "; ".join(each.message for each in verify(log))


def kill_build(folder: Path, dice: random.Random) -> str:
    """Kill a build of the datasets; return what is wrong with the next one."""
    database = folder / "log.db"
    with Log.open(database, create=True) as log:
        from tabletape.events.importing import import_paths  # noqa: PLC0415 - only here

        import_paths(log, [write_logs(folder, 4)])
    run_and_kill(BUILD, database, after=dice.uniform(0, 0.6))
    with Log.open(database) as log:
        build(log)
        return "; ".join(each.message for each in verify(log))


def kill_upgrade(folder: Path, dice: random.Random) -> str:
    """Kill the upgrade of an older log; return what is wrong with it, or with the next upgrade."""
    database = folder / "log.db"
    database.write_bytes(zstandard.ZstdDecompressor().decompress(FIRST_VERSION.read_bytes()))
    run_and_kill(UPGRADE, database, after=dice.uniform(0, 0.8))
    try:
        Log.open(database).close()
    except SchemaError:
        upgrade(database)
    with Log.open(database) as log:
        events = sum(each.events for each in log.games(all_revisions=True))
        return "; ".join(each.message for each in verify(log)) or ("" if events == 51 else f"{events} events")


Attack = Callable[[Path, random.Random], str]
"""An attack in an empty folder: returns what was wrong, or an empty text."""

ATTACKS: Final[dict[str, Attack]] = {
    "import": kill_import,
    "build": kill_build,
    "upgrade": kill_upgrade,
    "disk": fill_disk,
}


def problems_after(attack: Attack, seeds: Iterable[int], folder: Path) -> list[str]:
    """Run an attack once for each seed; return what was wrong."""
    problems = []
    for seed in seeds:
        place = folder / f"{attack.__name__}-{seed}"
        place.mkdir()
        problem = attack(place, random.Random(seed))  # noqa: S311 - no secret
        if problem:
            problems.append(f"{seed}: {problem}")
        shutil.rmtree(place)
    return problems
