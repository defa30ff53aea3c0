"""Power cuts: a real command is recorded, and the disk as a cut may leave it is opened at every moment.

What had been said by then is stored, the log passes `verify` with the heads that were kept, and what a command writes
beside the log is whole or not there.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.parquet as pq
import zstandard

from tabletape.cli.terminal.heads import kept_heads
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.schema import LogError, NoLogError, SchemaError, upgrade
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.manifest import read_manifest
from tests.attack.disk import LUCK, Disk, Files
from tests.attack.kills import FIRST_VERSION
from tests.attack.scribe import Client
from tests.attack.tracing import ROOT, Call, calls_in, traced
from tests.events.conftest import game, write_lines
from tests.waiting import PATIENCE, free_port, until_answered

LOG: Final = "tabletape.db"
HEADS: Final = "kept.heads"
SLIP: Final = ROOT / "tests" / "recordings" / "splicers" / "exhaust-not-twice-without-an-action.jsonl"
NOTES: Final = 4
"""How many lines are tapped in the scribe before the power fails."""


LINES: Final = 167
"""Lines of the game that the bots play with the first seed."""


class Command(NamedTuple):
    """A command whose power is cut: how its folder is prepared, its words, and what is wrong after a cut.

    `problem` is given the folder after a cut and everything that the command had said by then.
    """

    prepare: Callable[[Path], None]
    words: tuple[str, ...]
    problem: Callable[[Path, str], str]


def ours(*words: str) -> list[str]:
    """Return the command line of Tabletape with some words."""
    return [sys.executable, "-m", "tabletape", *words]


def surroundings() -> dict[str, str]:
    """Return the variables of the environment under which a command runs: it has no screen, and is our tree's."""
    kept = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    return {**kept, "PYTHONPATH": str(ROOT / ".package"), "PYTHONDONTWRITEBYTECODE": "1"}


def run(folder: Path, *words: str) -> str:
    """Run Tabletape in a folder; return what it prints. Raises `CalledProcessError` where it fails."""
    done = subprocess.run(ours(*words), cwd=folder, env=surroundings(), capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return done.stdout


# -- the commands, and what must be there after a cut ------------------------------------------------------------------


def _two_evenings(folder: Path) -> None:
    write_lines(folder / "first.jsonl", game("first"))
    write_lines(folder / "second.jsonl", [line for each in range(3) for line in game(f"second-{each}", turns=8)])
    run(folder, "import", "first.jsonl", "--heads", HEADS)


def _imported(folder: Path, said: str) -> str:
    with Log.open(folder / LOG) as log:
        stored = {each.game_id for each in log.games()}
        known = {"first", *(f"second-{each}" for each in range(3))}
        heads = kept_heads(folder / HEADS)
        wrong = _damage(log, *heads)
        if "3 new" in said:
            wrong += "" if stored == known else f"acknowledged, but only {stored} are stored. "
            wrong += "" if log.head() == heads[-1] else "acknowledged, but its head is not kept. "
        return wrong + ("" if stored in ({"first"}, known) else f"half a file: {stored}")


def _begin_log(folder: Path) -> None:
    write_lines(folder / "first.jsonl", game("first"))


def _begun(folder: Path, said: str) -> str:
    zone = folder / "tabletape.toml"
    if "1 new" not in said:
        return "" if not zone.exists() or zone.read_text() else "an empty tabletape.toml"
    with Log.open(folder / LOG) as log:
        wrong = "" if [each.game_id for each in log.games()] == ["first"] else "acknowledged, but not stored. "
        return wrong + _damage(log) + ("" if "Berlin" in zone.read_text() else "the zone is not remembered")


def _begun_empty(folder: Path, said: str) -> str:
    if not (folder / LOG).exists() or "is empty" in _opening(folder / LOG):
        return "acknowledged, but there is no log" if "upgraded from" in said else ""
    with Log.open(folder / LOG) as log:
        return _damage(log)


def _opening(file: Path) -> str:
    """Return what opening a log says."""
    try:
        Log.open(file).close()
    except LogError as error:
        return f"{error}"
    return ""


def _counted_evening(folder: Path) -> None:
    _two_evenings(folder)
    run(folder, "build")


def _log_of_a_game(folder: Path) -> None:
    _counted_evening(folder)
    run(folder, "import", "second.jsonl")


def _built(folder: Path, said: str) -> str:
    datasets = folder / ".tabletape" / "datasets"
    manifest = read_manifest(datasets)
    for name in manifest.all_files():
        pq.read_table(datasets / name)
    games = sum(pack.games for pack in manifest.packs)
    if games not in ((4,) if "3 games projected" in said else (1, 4)):
        return f"{games} games are in the datasets"
    with Log.open(folder / LOG) as log:
        build(log)
        return _damage(log)


def _older_log(folder: Path) -> None:
    (folder / LOG).write_bytes(zstandard.ZstdDecompressor().decompress(FIRST_VERSION.read_bytes()))


def _upgraded(folder: Path, said: str) -> str:
    try:
        Log.open(folder / LOG).close()
    except SchemaError:
        if "upgraded from" in said:
            return "acknowledged, but not upgraded"
        upgrade(folder / LOG)
    with Log.open(folder / LOG) as log:
        events = sum(each.events for each in log.games(all_revisions=True))
        return _damage(log) + ("" if events == 51 else f"{events} events")


def _log_with_a_slip(folder: Path) -> None:
    run(folder, "import", str(SLIP))


def _mended(folder: Path, said: str) -> str:
    with Log.open(folder / LOG) as log:
        revisions = [each.revision for each in log.games(all_revisions=True)]
        wrong = "acknowledged, but not stored. " if "stored as revision 2" in said and revisions != [1, 2] else ""
        return wrong + _damage(log)


def _nothing(_folder: Path) -> None:
    """A folder in which nothing is."""


def _simulated(folder: Path, said: str) -> str:
    try:
        with Log.open(folder / LOG) as log:
            games = len(log.games())
            wrong = "acknowledged, but not stored. " if "In the log: 2 new" in said and games != 2 else ""
            return wrong + _damage(log)
    except NoLogError:
        return "acknowledged, but there is no log" if "In the log: 2 new" in said else ""
    except LogError as error:
        return "" if "is empty" in str(error) and "In the log" not in said else f"{error}"


def _written(folder: Path, said: str) -> str:
    file = folder / "bots.jsonl"
    if not file.exists():
        return "acknowledged, but there is no file" if "1 game" in said else ""
    return "" if len(file.read_bytes().splitlines()) == LINES else "half a file"


def _a_file(name: str, mark: bytes) -> Callable[[Path, str], str]:
    """Return what looks whether a file that a command writes beside a log is whole: it ends with a mark."""

    def look(folder: Path, said: str) -> str:
        file = folder / name
        if not file.exists():
            return "acknowledged, but there is no file" if name in said and "Error" not in said else ""
        return "" if mark in file.read_bytes()[-200:] else "half a file"

    return look


COMMANDS: Final = {
    "import --heads": Command(_two_evenings, ("import", "second.jsonl", "--heads", HEADS), _imported),
    "import that begins a log": Command(_begin_log, ("import", "first.jsonl", "--zone", "Europe/Berlin"), _begun),
    "build": Command(_log_of_a_game, ("build",), _built),
    "db upgrade": Command(_older_log, ("db", "upgrade"), _upgraded),
    "db upgrade that begins a log": Command(_nothing, ("db", "upgrade"), _begun_empty),
    "mend --accept": Command(_log_with_a_slip, ("mend", "recording", "--accept", "1"), _mended),
    "simulate --import": Command(_nothing, ("simulate", "splicers", "--games", "2", "--import"), _simulated),
    "simulate --out": Command(_nothing, ("simulate", "splicers", "--games", "1", "--out", "bots.jsonl"), _written),
    "report --out": Command(_counted_evening, ("report", "--out", "evening.html"), _a_file("evening.html", b"</html>")),
    "share --out": Command(_two_evenings, ("share", "first", "--out", "board.html"), _a_file("board.html", b"</html>")),
    "export --xlsx": Command(_two_evenings, ("export", "--xlsx", "games.xlsx"), _a_file("games.xlsx", b"PK\x05\x06")),
}


def attacked_with_cuts(what: str, folder: Path, share: float = 1) -> tuple[int, list[str]]:
    """Cut the power of one of `COMMANDS`, or of the scribe; return as `problems_of` does."""
    folder.mkdir()
    record, command = (
        (recorded(COMMANDS[what], folder), COMMANDS[what]) if what in COMMANDS else recorded_scribe(folder)
    )
    return problems_of(record, command, folder, share)


def _damage(log: Log, *heads: str) -> str:
    return "".join(f"{each.message}. " for each in verify(log, heads))


# -- recording, cutting, opening ---------------------------------------------------------------------------------------


class Record(NamedTuple):
    """What a command did, from the disk as it was before."""

    disk: Disk
    calls: list[Call]


@cache
def _prepared(begin: Callable[[Path], None]) -> tempfile.TemporaryDirectory[str]:
    """Return a folder as some commands find it, which is removed at the end of the process."""
    folder = tempfile.TemporaryDirectory()
    begin(Path(folder.name))
    return folder


def prepare(command: Command, place: Path) -> None:
    """Make the folder that a command finds: a copy of one that is prepared once."""
    shutil.copytree(_prepared(command.prepare).name, place)


def recorded(command: Command, folder: Path) -> Record:
    """Run a command under strace in a folder of its own; return what it did."""
    place = folder / "disk"
    prepare(command, place)
    disk = Disk(place)
    subprocess.run(  # noqa: S603 - our own
        traced(folder / "trace", ours(*command.words)),
        cwd=place,
        env=surroundings(),
        capture_output=True,
        check=True,
    )
    return Record(disk, [*calls_in(folder / "trace")])


@contextmanager
def _scribe(folder: Path, trace: Path, port: int) -> Iterator[None]:
    """Have a scribe run under strace."""
    words = ours("scribe", "--db", LOG, "--port", str(port))
    with subprocess.Popen(  # noqa: S603 - our own
        traced(trace, words), cwd=folder, env=surroundings(), stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            until_answered(port, process)
            yield
        finally:
            os.killpg(process.pid, signal.SIGINT)  # strace ignores it
            process.communicate(timeout=PATIENCE)


def recorded_scribe(folder: Path) -> tuple[Record, Command]:
    """Tap a game in a scribe under strace; return what it did, and what must be there after a cut."""
    place, port = folder / "disk", free_port()
    place.mkdir()
    Log.open(place / LOG, create=True).close()
    disk = Disk(place)
    client = Client(port, random.Random(1))  # noqa: S311 - no secret
    with _scribe(place, folder / "trace", port):
        screen = client.begin("splicers")
        for number in range(NOTES):
            line = {"type": "note.added", "text": f"note {number}"}
            path = f"games/{client.game_id}/events?show=screen"
            screen = client.request(path, line, screen["seq"])["screen"]
    command = Command(_nothing, (), lambda place, said: problem_of_taps(place, said, client.game_id))
    return Record(disk, [*calls_in(folder / "trace")]), command


def problem_of_taps(folder: Path, said: str, game_id: str) -> str:
    """Return what is wrong with the log of a scribe that has `said` which lines were written."""
    with Log.open(folder / LOG) as log:
        games = [each for each in log.games() if each.game_id == game_id]
        stored = "".join(each.body for one in games for each in log.stored(one))
        shown = [f"note {number}" for number in range(NOTES) if f"note {number}" in said]
        lost = [each for each in shown if each not in stored]
        wrong = f"shown, but not stored: {', '.join(lost)}. " if lost else ""
        return wrong + _damage(log) + ("shown, but not begun" if game_id and game_id in said and not games else "")


def problems_of(record: Record, command: Command, folder: Path, share: float = 1) -> tuple[int, list[str]]:
    """Cut the power of a recorded command at each moment; return how many disks were opened, and what was wrong.

    `share` is that of the writes between two syncs after which the power is cut, and of what is left by luck; the four
    extremes around everything else are always tried.
    """
    seen: set[int] = set()
    problems = []
    dice = random.Random(0)  # noqa: S311 - no secret
    for moment in _moments(record, share):
        for what, (folders, files) in record.disk.cuts(dice):
            key = hash((record.disk.said, *sorted(folders), *sorted(files.items())))
            if key in seen or (what == LUCK and dice.random() >= share):
                continue
            seen.add(key)
            problem = _opened(folder / "after", record, folders, files, command)
            problems += [f"{moment}, {what}: {problem}"] if problem else []
    _compare(record.disk)
    return len(seen), problems


def _moments(record: Record, share: float) -> Iterator[str]:
    """Carry the calls of a record out one by one; yield the moments at which the power is cut."""
    dice = random.Random(1)  # noqa: S311 - no secret
    yield "at the beginning"
    yielded = True
    for number, call in enumerate(record.calls):
        plain = "write" in call.name
        if not plain and not yielded:
            yield f"before call {number} ({call.name})"
        if record.disk.take(call):
            yielded = not plain or dice.random() < share
            if yielded:
                yield f"after call {number} ({call.name})"
    yield "at the end"


def _opened(place: Path, record: Record, folders: set[Path], files: Files, command: Command) -> str:
    """Write a disk down as it is after a cut; return what is wrong with it."""
    root = record.disk.root
    for each in sorted(folders):
        (place / each.relative_to(root)).mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        (place / path.relative_to(root)).write_bytes(content)
    try:
        return command.problem(place, record.disk.said)
    except Exception as error:  # noqa: BLE001 - whatever a disk does to who opens it is a problem to report
        return f"{type(error).__name__}: {error}"
    finally:
        shutil.rmtree(place)


def _compare(disk: Disk) -> None:
    """Raise `AssertionError` where the model of the disk does not come to what the command has really left."""
    real = {path: path.read_bytes() for path in disk.root.rglob("*") if path.is_file()}
    model = {path: bytes(file.now) for path, file in disk.now.items() if file is not None}
    if real != model:
        raise AssertionError([path for path in real.keys() | model.keys() if real.get(path) != model.get(path)])
