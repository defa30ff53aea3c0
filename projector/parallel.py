"""Work in several processes, what comes out in its order: packs of stored games, or whatever tasks there are.

Packs share the work with the process that asks, and are all done; tasks are worked on ahead of whoever asks, and those
that nobody asks for any more are ended.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, Protocol, TypeVar

from tabletape.events.errors import TabletapeError
from tabletape.events.interrupts import interrupts_held
from tabletape.events.log.game_source import GameSource, Opener
from tabletape.events.startup import collect_less_often, hide_pandas
from tabletape.events.vocabulary.open_games import look_in, looked_in

TASKS_AHEAD: Final = 2
"""How many tasks for each process are handed out at a time: who stops early has not paid for all."""

PACK_EVENTS: Final = 20_000
"""Events after which a pack is full: a tenth of a second of work, so that all processes end at about the same time."""

WORTH_PROCESSES: Final = 100_000
"""Events from which on starting further processes costs less than it saves."""

Source = TypeVar("Source", bound=GameSource)
Pack = TypeVar("Pack")
Task = TypeVar("Task")
Result = TypeVar("Result")


class LostProcessError(TabletapeError):
    """A process died at its work; the message says what to do."""


class HasEvents(Protocol):
    """A game, or what is to be done with one, of so many events."""

    @property
    def events(self) -> int:
        """The number of its events."""


Work = TypeVar("Work", bound=HasEvents)


def packs_of(games: Iterable[Work]) -> list[list[Work]]:
    """Return games in the same order, in packs of about `PACK_EVENTS` events; a game is never split."""
    packs: list[list[Work]] = []
    events = PACK_EVENTS
    for game in games:
        if events >= PACK_EVENTS:
            packs.append([])
            events = 0
        packs[-1].append(game)
        events += game.events
    return packs


def worth_processes(games: Iterable[HasEvents]) -> int:
    """Return how many processes pay for some games: one for each core, or 1 where there are few events."""
    events = sum(game.events for game in games)
    return (os.cpu_count() or 1) if events >= WORTH_PROCESSES else 1


def work_in_order(
    source: Source, packs: Sequence[Pack], work: Callable[[Source, Pack], Result], processes: int
) -> Iterator[Result]:
    """Yield what `work` makes of each pack of the games of a source, in the order of the packs.

    This process is one of `processes`, and does all of it where it is the only one. `work` and what it takes and gives
    go from process to process, so they have to be such that can be pickled; the others open the source for themselves.
    Raises what `work` raises, and `LostProcessError` where a process dies.
    """
    others = min(processes, len(packs)) - 1
    opener = source.opener()
    if others < 1 or opener is None:
        yield from (work(source, pack) for pack in packs)
        return
    # Spawned, not forked: the same on every system, and a fork would share the log's connection.
    pool = ProcessPoolExecutor(others, mp_context=get_context("spawn"), initializer=_begin_sharing)

    def hand_out(pack: Pack) -> Future[Result]:
        with interrupts_held():
            return pool.submit(work_apart, opener, pack, work)

    try:
        yield from _collected(packs, lambda pack: work(source, pack), hand_out, 2 * others)
    except BrokenProcessPool as error:
        message = "one of the processes that shared the work died, perhaps for want of memory; try --processes 1"
        raise LostProcessError(message) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _collected(
    packs: Iterable[Pack], work: Callable[[Pack], Result], hand_out: Callable[[Pack], Future[Result]], width: int
) -> Iterator[Result]:
    """Yield the result of each pack in order; `width` packs are handed out at a time, others are worked on here."""
    todo = deque(enumerate(packs))
    apart: dict[int, Future[Result]] = {}
    mine: dict[int, Result] = {}
    for number in range(len(todo)):
        while number not in mine:
            for _ in range(min(len(todo), width - sum(not each.done() for each in apart.values()))):
                index, pack = todo.popleft()
                apart[index] = hand_out(pack)
            if not todo or (number in apart and apart[number].done()):
                break
            index, pack = todo.popleft()
            mine[index] = work(pack)
        yield mine.pop(number) if number in mine else apart.pop(number).result()


def work_apart(opener: Opener, pack: Pack, work: Callable[[Any, Pack], Result]) -> Result:
    """Work on a pack in a process of its own."""
    return work(_opened(opener), pack)


@cache
def _opened(opener: Opener) -> Any:
    """Return a source of games, opened once for the life of the process."""
    return opener.open(*opener.words)


def _begin_sharing() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the one that people talk to: it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_less_often()
    hide_pandas()


def in_processes(work: Callable[[Task], Result], tasks: Iterable[Task], processes: int = 0) -> Iterator[Result]:
    """Yield what `work` makes of each task, in the order of the tasks; `processes` 0 takes all cores.

    `work` and the tasks have to be picklable. Where the caller stops asking, or is interrupted, what has not begun is
    never begun.
    """
    number = processes or os.cpu_count() or 1
    if number < 2:
        yield from map(work, tasks)
        return
    left = iter(tasks)
    # Spawned, not forked: the same on every system, and a fork would share connections and threads.
    spawning = get_context("spawn")
    theirs, ours = spawning.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        number, mp_context=spawning, initializer=_begin_task_process, initargs=(theirs, looked_in())
    )
    running: deque[Future[Result]] = deque()
    try:
        running.extend(pool.submit(_interruptibly, work, each) for each in islice(left, TASKS_AHEAD * number))
        while running:
            done = running.popleft().result()
            running.extend(pool.submit(_interruptibly, work, each) for each in islice(left, 1))
            yield done
    finally:
        # What is still being done is not waited for: its processes are ended. They are waited for: Python that ends
        # while they do would say so in a traceback.
        if running:
            ours.close()
        pool.shutdown(cancel_futures=True)
        ours.close()
        theirs.close()


_handing_over: Final = Lock()
"""Held in a process that works for another one, except while it works: half a result would be waited for for ever."""


def _begin_task_process(alive: Any, workspace: Path | None) -> None:
    """Leave Ctrl-C to the process that waits for this one; end when it closes its end of a pipe, or ends itself.

    The games of the `workspace` that process has looked into are known here as well.
    """
    if workspace is not None:
        look_in(workspace)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _handing_over.acquire()
    Thread(target=_end_with, args=(alive,), daemon=True).start()


def _interruptibly(work: Callable[[Task], Result], task: Task) -> Result:
    _handing_over.release()
    try:
        return work(task)
    finally:
        _handing_over.acquire()


def _end_with(alive: Any) -> None:
    wait([alive])
    parent = parent_process()
    while not _handing_over.acquire(timeout=1) and parent is not None and parent.is_alive():
        pass
    os._exit(1)
