"""Counting legal decisions in a process of its own: it goes on whichever page is shown, and can be stopped.

`python -m tabletape.dashboard.decision_process GAME FOLDER` counts the decisions of a game in the log that TABLETAPE_DB
names. It holds a lock for as long as it lives, and writes into the folder how far it is.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock, Timeout

from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.events.log.schema import LogError
from tabletape.events.plans import planned
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.datasets.freshness import outdated
from tabletape.projector.datasets.manifest import DatasetError
from tabletape.projector.datasets.plans import Request
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import RulesetError

STATE: Final = "decision-count.json"
LOCK: Final = "decision-count.lock"
"""What lies beside the datasets: how far a count is, and what is locked while it runs."""

ASK_SECONDS: Final = 5.0
"""Seconds that a count waits for its lock: a page that asks how far it is holds it for a moment."""

POLITE: Final = 10
"""How much the count steps back behind whatever else the computer does (nice)."""


@planned
class Count(msgspec.Struct, frozen=True):
    """A count of the legal decisions of a game: its process, how many games are done, and what went wrong."""

    pid: int
    game: str
    done: int = 0
    total: int = 0
    problem: str = ""


def place_of(datasets: Path) -> Path:
    """Return the folder in which a count beside some datasets keeps its state."""
    return datasets.parent


def start(place: Path, slug: str) -> bool:
    """Begin to count the decisions of a game; return whether it has begun: no other count may be under way.

    Raises `OSError` where the folder cannot be written.
    """
    place.mkdir(parents=True, exist_ok=True)
    if under_way(place):
        return False
    (place / STATE).unlink(missing_ok=True)  # What the one before has written is about another process.
    command = [sys.executable, "-P", "-m", "tabletape.dashboard.decision_process", slug, str(place)]
    process = _begun[place] = subprocess.Popen(  # noqa: S603 - our own command
        command, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with suppress(FileExistsError), (place / STATE).open("xb") as state:  # The count itself may be further by now.
        state.write(msgspec.json.encode(Count(process.pid, slug)))
    return True


_begun: Final[dict[Path, subprocess.Popen[bytes]]] = {}
"""The counts that this process has begun: they are under way before they hold the lock."""


def under_way(place: Path) -> Count | None:
    """Return how far the count that is running is, None where none is."""
    begun = _begun.get(place)
    if begun is not None and begun.poll() is None:
        return last(place)
    if not (place / LOCK).exists():
        return None
    try:
        with FileLock(place / LOCK).acquire(blocking=False):
            return None
    except Timeout:
        return last(place)


def last(place: Path) -> Count | None:
    """Return what the last count, which may be running, has written; None where there was none."""
    try:
        return msgspec.json.decode((place / STATE).read_bytes(), type=Count)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def stop(place: Path) -> None:
    """End the count that is running; the datasets stay as they were before it."""
    count = under_way(place)
    if count is not None:
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                os.kill(count.pid, signal.SIGTERM)
            else:
                os.killpg(count.pid, signal.SIGTERM)


def _write(place: Path, count: Count) -> None:
    fresh = place / f".{STATE}.{os.getpid()}"
    fresh.write_bytes(msgspec.json.encode(count))
    fresh.replace(place / STATE)


def main() -> None:
    """Count the decisions of the game that the command line names."""
    slug, folder = sys.argv[1:]
    if sys.platform != "win32":
        os.nice(POLITE)
    place = Path(folder)
    try:
        held = FileLock(place / LOCK).acquire(timeout=ASK_SECONDS)
    except Timeout:  # Another count was begun at the same moment.
        return
    with held:
        _count_game(place, slug)


def _count_game(place: Path, slug: str) -> None:
    workspace_at(log_address())  # The games of the workspace are known from here on.
    count = Count(os.getpid(), slug)
    try:
        with Log.open(log_address()) as log:
            count = msgspec.structs.replace(count, total=len(log.games(game=slug)))
            _count(log, place, count)
    except (LogError, DatasetError, RulesetError, CardError, OSError) as error:
        _write(place, msgspec.structs.replace(count, problem=str(error)))


def _count(log: Log, place: Path, count: Count) -> None:
    """Build the datasets of a log with the decisions of a game, and what has been recorded meanwhile."""
    from tabletape.projector.datasets.build import build  # noqa: PLC0415 - pages only ask how far this process is

    done = 0

    def progress(games: int, _of: int) -> None:
        nonlocal done
        done = min(done + games, count.total)
        _write(place, msgspec.structs.replace(count, done=done))

    asked = Request(game=count.game, decision_load=True)
    build(log, asked, progress=progress)
    if outdated(log):
        build(log, asked)


if __name__ == "__main__":
    main()
