"""Ctrl-C, held back during work that it must not interrupt."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back: it takes effect after the block; a process that is started in the block ignores it."""
    if sys.platform == "win32":  # There no signal can be held back.
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
