"""Making calls one after the other in a thread of their own: what runs without Python's lock costs no time here."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

MAX_WAITING: Final = 4
"""How many calls may wait while one is being made, which now and then waits for the disk."""


class BackgroundCalls:
    """A thread that makes calls in the order in which they come; it begins with the first of them."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._sent: deque[Future[object]] = deque()

    def wait(self, most: int = 0) -> None:
        """Wait until at most so many calls have not been made. Raises what one of those that were made has raised."""
        while len(self._sent) > most:
            self._sent.popleft().result()

    def make(self, call: Callable[..., object], *arguments: Any) -> None:
        """Make a call as soon as those before it are made; wait first while too many of them are not."""
        self.wait(MAX_WAITING)
        self._sent.append(self._thread.submit(call, *arguments))

    def close(self) -> None:
        """Wait for what was begun, whatever became of it; no call can be made afterwards."""
        self._thread.shutdown()
