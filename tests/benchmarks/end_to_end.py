"""Measure the commands that people wait for, on a log of all five games played by bots.

    python tests/benchmarks/end_to_end.py [--events 1000000]

Each command runs as people run it: `tabletape` in a process of its own, with its start, its reading and its writing.
Bots play some games of each kind with `tabletape simulate --full`; these games are repeated under other ids until there
are enough events, the same number for each kind. The table has the seconds, the processor time of all processes of a
command, and how many events it handles in the time in which python-chess, in the same run, checks (`is_legal`) and
makes (`push`) one move on one core: a busy machine slows both down. Our modules are compiled to bytecode before, as pip
does on installation.
"""

import argparse
import compileall
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from tests.benchmarks.replay_speed import check_chess, chess_games, seconds
from tests.chromium import CHROMIUM, chromium

EVENTS: Final = 1_000_000
GAMES: Final = ("crystal", "duelyst", "evolve", "phylogenome", "splicers")
GAMES_PLAYED: Final = 40
"""How many games of each kind the bots play; all other games are copies of these under other ids."""

NEW_GAME_ID: Final = "bot-new"
"""The id of the game that is added after all others."""

CHESS_GAMES: Final = 60
PACKAGES: Final = ("events", "projector", "dashboard", "cli", "migrations")

TABLETAPE: Final = (sys.executable, "-c", "from tabletape.cli.main import run; run()")
TIMEOUT: Final = 60
"""Seconds to wait for a dashboard that does not answer."""


class Timing(NamedTuple):
    """The seconds and the processor time of a command, and how many events it handled (0 if that is no measure)."""

    seconds: float
    processor: float
    events: int = 0


def compile_modules() -> None:
    """Compile our modules to bytecode; with PYTHONDONTWRITEBYTECODE set every command would do so again."""
    for package in PACKAGES:
        compileall.compile_dir(Path(__file__).parents[2] / package, quiet=1)


def tabletape(folder: Path, *words: str, events: int = 0, rounds: int = 1) -> Timing:
    """Run a command in a workspace; return the fastest of some rounds. Ends the benchmark if the command fails."""
    timings = []
    for _ in range(rounds):
        began, before = time.perf_counter(), os.times()
        ended = subprocess.run([*TABLETAPE, *words], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
        after = os.times()
        if ended.returncode:
            raise SystemExit(f"tabletape {' '.join(words)}: {ended.stderr}")
        used = after.children_user + after.children_system - before.children_user - before.children_system
        timings.append(Timing(time.perf_counter() - began, used, events))
    return min(timings, key=lambda each: each.processor)


def played(folder: Path, slug: str) -> list[tuple[str, list[str]]]:
    """Play one kind of game by bots; return the id and the lines of each match."""
    file = folder / f"{slug}.jsonl"
    tabletape(folder, "simulate", slug, "--games", str(GAMES_PLAYED), "--full", "--out", file.name)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    begins = [number for number, line in enumerate(lines) if '"type":"game.started"' in line.replace(" ", "")]
    file.unlink()
    matches = [lines[begin:end] for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True)]
    return [(match[0].partition('"id":')[2].split('"')[1], match) for match in matches]


def renamed_copies(matches: list[tuple[str, list[str]]], minimum: int) -> Iterator[list[str]]:
    """Yield copies of matches under new ids until there are at least `minimum` events."""
    written = 0
    for copy in count():
        for game_id, (started, *rest) in matches:
            if written >= minimum:
                return
            yield [started.replace(f'"{game_id}"', f'"{game_id}-{copy}"', 1), *rest]
            written += len(rest) + 1


def write_corpus(folder: Path, events: int) -> tuple[list[Path], Path, int]:
    """Write a file for each kind of game and one with a new game; return both and the number of events."""
    compile_modules()
    files, total = [], 0
    matches: list[tuple[str, list[str]]] = []
    for slug in GAMES:
        matches = played(folder, slug)
        files.append(folder / f"{slug}.jsonl")
        with files[-1].open("w", encoding="utf-8") as file:
            for match in renamed_copies(matches, events // len(GAMES)):
                file.writelines(match)
                total += len(match)
    new = folder / "new.jsonl"
    game_id, (started, *rest) = matches[0]
    new.write_text("".join([started.replace(f'"{game_id}"', f'"{NEW_GAME_ID}"', 1), *rest]), encoding="utf-8")
    return files, new, total


def time_dashboard(folder: Path) -> Iterator[tuple[str, Timing]]:
    """Start the dashboard; yield the time until it answers, and until a browser shows the first numbers."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    began = time.perf_counter()
    with subprocess.Popen([*TABLETAPE, "serve", "--port", str(port)], cwd=folder, stdout=subprocess.DEVNULL) as server:  # noqa: S603 - our own command
        try:
            while not _answers(port):
                if server.poll() is not None or time.perf_counter() - began > TIMEOUT:
                    raise SystemExit("tabletape serve does not answer")
                time.sleep(0.02)
            answers = time.perf_counter() - began
            yield "serve, until it answers", Timing(answers, 0.0)
            if CHROMIUM:
                with chromium() as browser:
                    page = browser.new_page()
                    opened = time.perf_counter()
                    page.goto(f"http://localhost:{port}/?source=bots")
                    page.wait_for_selector('[data-testid="stMetricValue"]', timeout=TIMEOUT * 1000)
                    shown = time.perf_counter() - opened
                yield "serve, the first page in a browser", Timing(answers + shown, 0.0)
        finally:
            server.terminate()


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://localhost:{port}/", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


def measure(folder: Path, files: list[Path], new: Path, events: int) -> Iterator[tuple[str, Timing]]:
    """Run every command of the table, in the order in which people run them."""
    names = [file.name for file in files]
    yield "import", tabletape(folder, "import", *names, events=events)
    yield "import, the same files again", tabletape(folder, "import", *names, events=events, rounds=3)
    yield "audit, one process", tabletape(folder, "audit", "--processes", "1", events=events)
    yield "audit", tabletape(folder, "audit", events=events)
    yield "build", tabletape(folder, "build", events=events)
    tabletape(folder, "import", new.name)
    yield "build, after one new game", tabletape(folder, "build")
    lines = new.read_bytes().count(b"\n")
    yield f"share, a game of {lines} events", tabletape(folder, "share", NEW_GAME_ID, rounds=3)
    yield "stats first-player", tabletape(folder, "stats", "first-player", "--bots", rounds=3)
    yield "games --game crystal", tabletape(folder, "games", "--game", "crystal", rounds=3)
    with tempfile.TemporaryDirectory() as empty:
        yield "games, in a log of one game", _in_new_log(Path(empty), new, "games")
        yield "rules ID, in a log of one game", _in_new_log(Path(empty), new, "rules", "crystal.draw.one-per-turn")
    yield from time_dashboard(folder)


def _in_new_log(folder: Path, new: Path, *words: str) -> Timing:
    tabletape(folder, "import", str(new))
    return tabletape(folder, *words, rounds=3)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--events", type=int, default=EVENTS)
    arguments = parser.parse_args()
    matches = chess_games(CHESS_GAMES)
    moves = sum(map(len, matches))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files, new, events = write_corpus(folder, arguments.events)
        chess = [moves / seconds(lambda: check_chess(matches)) for _ in range(3)]
        timings = list(measure(folder, files, new, events))
        chess += [moves / seconds(lambda: check_chess(matches)) for _ in range(3)]
    rate = max(chess)
    table = Table("tabletape", "s", "processor, s", "events/s", "events a chess move", title=f"{events:,} events")
    for name, each in timings:
        speed = f"{each.events / each.seconds:,.0f}" if each.events else ""
        ratio = f"{each.events / each.processor / rate:.2f}" if each.events else ""
        table.add_row(name, f"{each.seconds:.2f}", f"{each.processor:.2f}" if each.processor else "", speed, ratio)
    Console().print(table)
    Console().print(f"python-chess: {rate:,.0f} moves/s, the best of six rounds, by processor time")


if __name__ == "__main__":
    main()
