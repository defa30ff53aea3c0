"""How fast games are audited, and how fast any step of a long one is reached.

    python tests/benchmarks/replay_speed.py [--games 40] [--times 7]

The audit folds whole games with all checks, one process, one core: games that are read and decoded already beside
python-chess, which checks (`is_legal`) and makes (`push`) moves; games out of a log, read and decoded on the way,
beside python-chess reading moves as text (`push_uci`, which checks them too). All are measured in this run, in turn,
on games of random players, made here.
Long logs are games in which plays are taken back and played again until there are 10,000 events.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import chess
import msgspec
from rich.console import Console
from rich.table import Table

from events.log import Log
from events.shared import PlayTakenBack
from events.vocabulary import Decision, Event
from projector.fold.folding import fold
from projector.fold.gc_pause import collect_less_often
from projector.fold.replay import Replay
from projector.fold.traced import Traced
from projector.games import game, games
from projector.model.game import Game
from projector.reading.view import View
from projector.selfplay.simulate import Plan, simulate

CONSOLE = Console()
LONG = 10_000
AGAIN = 20
"""Events of a long log that are taken back and played again each time."""


def played(one: Game, number: int, *, full: bool) -> list[list[Event]]:
    """Play games with random bots, with or without what follows written down."""
    plan = Plan(seed=1, full=full)
    return [match.events for match in simulate(one, one.cards, plan, number) if not match.abandoned]


def chess_games(number: int) -> list[list[chess.Move]]:
    """Play chess with random players, 200 moves at most."""
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


def audit(one: Game, games_of: Iterable[Sequence[Event]]) -> int:
    """Fold games with all checks, one after the other, and read what was found in each; return their events."""
    events = 0
    for game_of in games_of:
        replay = fold(one, game_of)
        replay.findings  # noqa: B018 - it is worked out when it is read
        if replay.stopped or len(replay.events) != len(game_of):
            raise SystemExit(f"a game of {one.slug} was not folded to its end: {replay.stopped}")
        events += len(replay.events)
        replay.table.clear_away()
    return events


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one run."""
    began = time.process_time()
    work()
    return time.process_time() - began


def audit_speed(number: int, times: int) -> None:
    """Print audited events a second for every game, and the ratio to chess: the best of runs in turn counts."""
    table = Table("game", "log", "events", "events/s", "to chess", "from a log", "to chess", title="Audited replay")
    matches = chess_games(number)
    written = [[move.uci() for move in match] for match in matches]
    moves = sum(map(len, matches))
    fastest = [0.0, 0.0]
    for slug in games():
        one = game(slug)
        for full in (True, False):
            logs = played(one, number, full=full)
            with stored(logs) as log:
                speeds = [0.0] * 4
                for _ in range(times):
                    events = sum(map(len, logs))
                    took = (
                        events / seconds(lambda: audit(one, logs)),  # noqa: B023 - run at once, as those below
                        moves / seconds(lambda: check_chess(matches)),
                        events / seconds(lambda: audit(one, (each for _, each in log.each(log.games())))),  # noqa: B023
                        moves / seconds(lambda: read_chess(written)),
                    )
                    speeds = list(map(max, speeds, took))
            fold_speed, check_speed, log_speed, read_speed = speeds
            fastest = [max(fastest[0], check_speed), max(fastest[1], read_speed)]
            row = [f"{events:,}", f"{fold_speed:,.0f}", f"{fold_speed / check_speed:.2f}"]
            row += [f"{log_speed:,.0f}", f"{log_speed / read_speed:.2f}"]
            table.add_row(one.title, "full" if full else "sparse", *row)
    CONSOLE.print(table)
    CONSOLE.print("python-chess at best: {:,.0f} moves/s checked, {:,.0f} read and checked".format(*fastest))


@contextmanager
def stored(logs: Sequence[Sequence[Event]]) -> Iterator[Log]:
    """Return a log that holds games."""
    with tempfile.TemporaryDirectory() as folder, Log.open(Path(folder) / "games.db", create=True) as log:
        for events in logs:
            log.append(events[0].id, events, expected_last_seq=0)  # type: ignore[attr-defined] # it is its start
        yield log


def long_log(one: Game) -> list[Event]:
    """Make a log of 10,000 events: a game in which stretches are taken back and played again."""
    source = [msgspec.structs.replace(event, seq=msgspec.UNSET) for event in max(played(one, 5, full=False), key=len)]
    first = next(index for index, event in enumerate(source) if index > AGAIN and isinstance(event, Decision))
    log: list[Event] = list(source[:first])
    position = first
    while len(log) < LONG - AGAIN:
        stretch = source[position : position + AGAIN]
        here = len(log)
        log += [*stretch, PlayTakenBack(to=here)]
        if len(log) > LONG * (position - first + AGAIN) / (len(source) - first):
            log += stretch
            position += len(stretch)
        if position + AGAIN >= len(source):
            position = first
            log.append(PlayTakenBack(to=first))
    return log


def look_up_speed(one: Game, times: int) -> None:
    """Print how long it takes to reach any step of a long log, as whoever looks at a replay does, and to step back."""
    log = long_log(one)
    replay = fold(one, log, traced=True)
    if not isinstance(replay, Traced) or replay.stopped:
        raise SystemExit(f"the long log of {one.slug} could not be folded: {replay.stopped}")
    view = View(replay)
    dice = random.Random(2)  # noqa: S311 - a benchmark
    steps = [dice.randrange(len(replay.events)) for _ in range(2000 * times)]
    seeks = sorted(clocked(lambda step=step: view.table(step)) for step in steps)
    table = Table("game", "events", "what", "p50 µs", "p99 µs", title="Reaching a step")
    table.add_row(one.title, f"{len(log):,}", "any step, anew", *quantiles(seeks))
    table.add_row("", "", "one step back", *quantiles(sorted(step_backs(replay))))
    CONSOLE.print(table)


def step_backs(replay: Replay) -> list[float]:
    """Take the last events off one by one; return the seconds of each."""
    lengths = replay.journal_ends
    return [clocked(lambda step=step: replay.table.undo(lengths[step])) for step in range(len(lengths) - 2, 2000, -1)]


def clocked(work: Callable[[], object]) -> float:
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
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--times", type=int, default=7)
    chosen = parser.parse_args()
    collect_less_often()  # as every command does, and the screen on which people step through a game
    audit_speed(chosen.games, chosen.times)
    look_up_speed(game("splicers"), chosen.times)


if __name__ == "__main__":
    main()
