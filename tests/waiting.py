"""Waiting for what another process or a page does: for a state, however long it takes on a busy machine."""

import os
import socket
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import subprocess

PATIENCE: Final = 300.0
"""Seconds after which what does not come is taken for stuck. Nothing waits so long where all is well."""

PORTS: Final = range(20_000, 30_000)
"""Below those that the operating system gives to connections, one of which could take a port that was free just now."""

BLOCK: Final = 25
"""Ports that one process of tests tries before its neighbour's."""


def until(holds: Callable[[], object], wanted: str = "what is waited for") -> None:
    """Wait until something holds; raises `AssertionError` with what is wanted where it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{wanted} did not come within {PATIENCE:.0f} seconds"
        time.sleep(0.05)


def until_answered(port: int, server: "subprocess.Popen[Any] | None" = None) -> None:
    """Wait until a port of this computer is answered at; the server, where it is given, may not end before."""

    def answers() -> bool:
        assert server is None or server.poll() is None, "the server ended"
        try:
            with socket.create_connection(("localhost", port), timeout=PATIENCE):
                return True
        except OSError:
            return False

    until(answers, f"an answer at port {port}")


def _ports() -> Iterator[int]:
    """Yield ports without end, others in each of the processes that run tests side by side: their numbers differ."""
    begin = os.getpid() * BLOCK
    for number in count(begin):
        yield PORTS[number % len(PORTS)]


_NEXT: Final = _ports()


def free_port() -> int:
    """Return a port that nobody listens on, another one each time."""
    while True:
        with socket.socket() as probe:
            port = next(_NEXT)
            try:
                probe.bind(("localhost", port))
            except OSError:
                continue
            return port
