"""Measure how fast games are audited, and how fast any step of a long game is reached.

    python tests/benchmarks/replay_speed.py [--games 200] [--times 7] [--of GAME ...]

The games of files under docs/own-games stand behind those with packages, in sparse logs.

The audit folds whole games with all checks in one process on one core. Decoded games are compared with python-chess
checking (`is_legal`) and making (`push`) moves; games that are read from a log and decoded are compared with
python-chess reading moves as text (`push_uci`, which checks them too). All are measured in turn in the same run, on
games of random players.
A long log is a game in which plays are taken back and played again until there are 10,000 events.
"""

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import chess
import msgspec
from rich.console import Console
from rich.table import Table

from tabletape.events.log import Log
from tabletape.events.startup import collect_less_often
from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.open_games import look_in, looked_in
from tabletape.events.vocabulary.shared import PlayTakenBack
from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate, usual_seats

CONSOLE = Console()
LONG_LOG = 10_000
STRETCH = 20
"""How many events of a long log are taken back and played again each time."""


FILES = Path(__file__).parents[2] / "docs" / "own-games"
SEATS = {"fireworks": 3, "market": 3}
"""The players of a game with a file, where they are more than the fewest."""


def games_of_bots(one: Game, number: int, *, full: bool) -> list[list[Event]]:
    """Return games of random bots, with or without their consequences."""
    seats = SEATS.get(one.slug, usual_seats(one))
    plan = Plan(seed=1, full=full, bots=(Bot.RANDOM,) * seats)
    return [match.events for match in simulate(one, one.cards, plan, number) if not match.abandoned]


def chess_games(number: int) -> list[list[chess.Move]]:
    """Return games of chess of random players, each of 200 moves at most."""
    dice = random.Random(1)  # noqa: S311 - a benchmark
    matches = []
    for _ in range(number):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 200:
            board.push(dice.choice(list(board.legal_moves)))
        matches.append(list(board.move_stack))
    return matches


def check_chess(matches: Sequence[Sequence[chess.Move]]) -> None:
    """Check and make every move."""
    for match in matches:
        board = chess.Board()
        for move in match:
            board.is_legal(move)
            board.push(move)


def read_chess(matches: Sequence[Sequence[str]]) -> None:
    """Read, check and make every move."""
    for match in matches:
        board = chess.Board()
        for move in match:
            board.push_uci(move)


def audit(one: Game, matches: Iterable[Sequence[Event]]) -> int:
    """Fold games with all checks and read the findings of each; return the number of events."""
    events = 0
    for match in matches:
        replay = fold(one, match)
        replay.findings  # noqa: B018 - reading it computes it
        if replay.stopped or len(replay.events) != len(match):
            raise SystemExit(f"a game of {one.slug} was not folded to its end: {replay.stopped}")
        events += len(replay.events)
        replay.table.clear_away()
    return events


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one run."""
    began = time.process_time()
    work()
    return time.process_time() - began


def audit_speed(slugs: Sequence[str], number: int, rounds: int) -> None:
    """Print audited events per second for each game, and the ratio to chess: the fastest of the rounds counts."""
    table = Table("game", "log", "events", "events/s", "to chess", "from a log", "to chess", title="Audited replay")
    matches = chess_games(number)
    written = [[move.uci() for move in match] for match in matches]
    moves = sum(map(len, matches))
    fastest = [0.0, 0.0]
    for slug in slugs:
        one = game(slug)
        for full in (True, False) if slug in games() else (False,):
            logs = games_of_bots(one, number, full=full)
            with stored(logs) as log:
                speeds = [0.0] * 4
                for _ in range(rounds):
                    events = sum(map(len, logs))
                    new_speeds = (
                        events / seconds(lambda: audit(one, logs)),  # noqa: B023 - run at once, as those below
                        moves / seconds(lambda: check_chess(matches)),
                        events / seconds(lambda: audit(one, (each for _, each in log.each(log.games())))),  # noqa: B023
                        moves / seconds(lambda: read_chess(written)),
                    )
                    speeds = list(map(max, speeds, new_speeds))
            fold_speed, check_speed, log_speed, read_speed = speeds
            fastest = [max(fastest[0], check_speed), max(fastest[1], read_speed)]
            row = [f"{events:,}", f"{fold_speed:,.0f}", f"{fold_speed / check_speed:.2f}"]
            row += [f"{log_speed:,.0f}", f"{log_speed / read_speed:.2f}"]
            table.add_row(one.title, "full" if full else "sparse", *row)
    CONSOLE.print(table)
    CONSOLE.print("python-chess at best: {:,.0f} moves/s checked, {:,.0f} read and checked".format(*fastest))


@contextmanager
def stored(logs: Sequence[Sequence[Event]]) -> Iterator[Log]:
    """Yield a log with these games."""
    # In the workspace that is looked at, so that its files are not read again.
    file = Path(tempfile.mkstemp(suffix=".db", dir=looked_in())[1])
    file.unlink()
    with Log.open(file, create=True) as log:
        for events in logs:
            log.append(events[0].id, events, expected_last_seq=0)  # type: ignore[attr-defined]  # a game begins with `game.started`
        yield log


def long_log(one: Game) -> list[Event]:
    """Return a log of 10,000 events: a game in which stretches are taken back and played again."""
    source = [
        msgspec.structs.replace(event, seq=msgspec.UNSET) for event in max(games_of_bots(one, 5, full=False), key=len)
    ]
    first = next(index for index, event in enumerate(source) if index > STRETCH and isinstance(event, Decision))
    log: list[Event] = list(source[:first])
    position = first
    while len(log) < LONG_LOG - STRETCH:
        stretch = source[position : position + STRETCH]
        here = len(log)
        log += [*stretch, PlayTakenBack(to=here)]
        if len(log) > LONG_LOG * (position - first + STRETCH) / (len(source) - first):
            log += stretch
            position += len(stretch)
        if position + STRETCH >= len(source):
            position = first
            log.append(PlayTakenBack(to=first))
    return log


def look_up_speed(one: Game, rounds: int) -> None:
    """Print how long it takes to reach any step of a long log, as the replay screen does, and to step back."""
    log = long_log(one)
    replay = fold(one, log, traced=True)
    if not isinstance(replay, Traced) or replay.stopped:
        raise SystemExit(f"the long log of {one.slug} could not be folded: {replay.stopped}")
    view = View(replay)
    dice = random.Random(2)  # noqa: S311 - a benchmark
    steps = [dice.randrange(len(replay.events)) for _ in range(2000 * rounds)]
    seeks = sorted(wall_time(partial(view.table, step)) for step in steps)
    table = Table("game", "events", "what", "p50 µs", "p99 µs", title="Reaching a step")
    table.add_row(one.title, f"{len(log):,}", "any step, anew", *quantiles(seeks))
    table.add_row("", "", "one step back", *quantiles(sorted(step_backs(replay))))
    CONSOLE.print(table)


def step_backs(replay: Replay) -> list[float]:
    """Undo the last events one by one; return the seconds of each."""
    journal_ends = replay.journal_ends
    return [
        wall_time(partial(replay.table.undo, journal_ends[step])) for step in range(len(journal_ends) - 2, 2000, -1)
    ]


def wall_time(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def quantiles(values: Sequence[float]) -> tuple[str, str]:
    """Return median and 99th percentile of sorted seconds, in microseconds."""
    return tuple(f"{values[int(len(values) * share)] * 1e6:.1f}" for share in (0.5, 0.99))  # type: ignore[return-value]  # two of them


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--times", type=int, default=7)
    own = [file.stem for file in sorted(FILES.glob("*.toml"))]
    parser.add_argument("--of", nargs="+", choices=(*games(), *own), default=(*games(), *own), metavar="GAME")
    arguments = parser.parse_args()
    collect_less_often()  # as every command and the replay screen do
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(FILES, Path(folder) / "games")
        look_in(Path(folder))
        audit_speed(arguments.of, arguments.games, arguments.times)
    look_up_speed(game("splicers"), arguments.times)


if __name__ == "__main__":
    main()
