"""How much one address or token may ask of the service: so many requests a second, and a few more at once."""

from collections.abc import Callable
from time import monotonic
from typing import Final

A_SECOND: Final = 50.0
"""Requests a second that one token may make for as long as it likes."""

REQUESTS_AT_ONCE: Final = 200.0
"""Requests that it may make at once, having made none for a while."""

MAX_KNOWN: Final = 10_000
"""Of how many it is remembered what they asked; who asked longest ago is forgotten first."""


A_FORM: Final = (0.05, 20.0)
"""Answers a second, and at once, that one form takes: whoever sits at a table has its code, and some strangers may."""


class Rate:
    """Counts requests by who makes them."""

    def __init__(
        self, a_second: float = A_SECOND, at_once: float = REQUESTS_AT_ONCE, clock: Callable[[], float] = monotonic
    ) -> None:
        self.a_second = a_second
        self.at_once = at_once
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def wait(self, who: str) -> float:
        """Count a request; return after how many seconds it may be made, 0 for at once (and only then it counts)."""
        now = self._clock()
        left, since = self._left.pop(who, (self.at_once, now))
        left = min(self.at_once, left + (now - since) * self.a_second)
        waits = 0.0 if left >= 1 else (1 - left) / self.a_second
        self._left[who] = (left if waits else left - 1, now)
        if len(self._left) > MAX_KNOWN:
            del self._left[next(iter(self._left))]
        return waits
