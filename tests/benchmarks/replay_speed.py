"""How fast games are audited, and how fast any step of a long one is reached.

    python tests/benchmarks/replay_speed.py [--games 40] [--times 7]

The audit folds whole games with all checks, one process, one core, and is set beside python-chess, which checks
(`is_legal`) and makes (`push`) moves: both in this run, in turn, on games of random players. The games are made here.
Long logs are games in which plays are taken back and played again until there are 10,000 events.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence

import chess
import msgspec
from rich.console import Console
from rich.table import Table

from events.shared import PlayTakenBack
from events.vocabulary import Decision, Event
from projector.fold.folding import fold
from projector.fold.gc_pause import collect_less_often
from projector.fold.replay import Replay
from projector.fold.traced import Traced
from projector.model.game import Game, game, games
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


def audit(one: Game, logs: Sequence[Sequence[Event]]) -> None:
    """Fold games with all checks, one after the other, and read what was found in each, as `tabletape audit` does."""
    for log in logs:
        replay = fold(one, log)
        replay.findings  # noqa: B018 - it is worked out when it is read
        replay.table.clear_away()


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one run."""
    began = time.process_time()
    work()
    return time.process_time() - began


def audit_speed(number: int, times: int) -> None:
    """Print audited events a second for every game, and the ratio to chess: the best of runs in turn counts."""
    table = Table("game", "log", "events", "events/s", "chess moves/s", "ratio", title="Audited replay, one core")
    matches = chess_games(number)
    moves = sum(map(len, matches))
    for slug in games():
        one = game(slug)
        for full in (True, False):
            logs = played(one, number, full=full)
            events = sum(map(len, logs))
            ours = theirs = 0.0
            for _ in range(times):
                ours = max(ours, events / seconds(lambda: audit(one, logs)))  # noqa: B023 - run at once
                theirs = max(theirs, moves / seconds(lambda: check_chess(matches)))
            row = [f"{events:,}", f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.2f}"]
            table.add_row(one.title, "with consequences" if full else "decisions and chance", *row)
    CONSOLE.print(table)


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
