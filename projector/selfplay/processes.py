"""Work in several processes, handed back in its order; it ends when nobody asks for more."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD: Final = 2
"""So many tasks for each process are handed out at a time: who stops early has not paid for all."""


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
    pool = ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=_no_break)
    running: deque[Future[Result]] = deque()
    try:
        running.extend(pool.submit(work, each) for each in islice(left, AHEAD * number))
        while running:
            done = running.popleft().result()
            running.extend(pool.submit(work, each) for each in islice(left, 1))
            yield done
    finally:
        # What is still being done is not waited for: the processes end with it. Where all is done they are: Python
        # that ends while they do would say so in a traceback.
        pool.shutdown(wait=not running, cancel_futures=True)


def _no_break() -> None:
    """Leave Ctrl-C to the process that waits for this one, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
