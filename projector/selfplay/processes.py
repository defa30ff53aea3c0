"""Work in several processes, handed back in its order; it ends when nobody asks for more."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Lock, Thread
from typing import Final, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD: Final = 2
"""How many tasks for each process are handed out at a time: who stops early has not paid for all."""


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
    pool = ProcessPoolExecutor(number, mp_context=spawning, initializer=_begin, initargs=(theirs,))
    running: deque[Future[Result]] = deque()
    try:
        running.extend(pool.submit(_interruptibly, work, each) for each in islice(left, AHEAD * number))
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


def _begin(alive: Connection) -> None:
    """Leave Ctrl-C to the process that waits for this one; end when it closes its end of a pipe, or ends itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _handing_over.acquire()
    Thread(target=_end_with, args=(alive,), daemon=True).start()


def _interruptibly(work: Callable[[Task], Result], task: Task) -> Result:
    _handing_over.release()
    try:
        return work(task)
    finally:
        _handing_over.acquire()


def _end_with(alive: Connection) -> None:
    wait([alive])
    parent = parent_process()
    while not _handing_over.acquire(timeout=1) and parent is not None and parent.is_alive():
        pass
    os._exit(1)
