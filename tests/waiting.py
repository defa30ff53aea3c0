"""Waiting until another process or a page has reached a state, however long that takes on a busy machine."""

import socket
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import subprocess

PATIENCE: Final = 300.0
"""Seconds after which a wait fails. Where everything works, nothing waits that long."""

PORTS: Final = range(20_000, 30_000)
"""Below the ephemeral ports of the operating system: a connection could take one of those after it was found free."""

BLOCK: Final = 100
"""Ports that one test process has for itself, as long as it runs."""


def until(holds: Callable[[], object], wanted: str = "what is waited for") -> None:
    """Wait until `holds` returns true. Raise `AssertionError` that names what is wanted if it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{wanted} did not come within {PATIENCE:.0f} seconds"
        time.sleep(0.05)


def until_answered(port: int, server: "subprocess.Popen[Any] | None" = None) -> None:
    """Wait until something answers at a port of this computer. Raise `AssertionError` if the server ends before."""

    def answers() -> bool:
        assert server is None or server.poll() is None, "the server ended"
        try:
            with socket.create_connection(("localhost", port), timeout=PATIENCE):
                return True
        except OSError:
            return False

    until(answers, f"an answer at port {port}")


_MARKS: Final[list[socket.socket]] = []


@cache
def _block() -> Iterator[int]:
    """Take a block of ports that no other test process has, and yield its ports without end.

    Its first port stays bound until the process ends, and nothing listens there: others see that it is taken.
    """
    for first in PORTS[::BLOCK]:
        mark = socket.socket()
        try:
            mark.bind(("localhost", first))
        except OSError:
            mark.close()
            continue
        _MARKS.append(mark)
        return cycle(range(first + 1, first + BLOCK))
    raise AssertionError("every block of ports is taken")


def free_port() -> int:
    """Return a free port, another one each time."""
    while True:
        with socket.socket() as probe:
            port = next(_block())
            try:
                probe.bind(("localhost", port))
            except OSError:
                continue
            return port


ALL_LINES: Final = 10**9
"""More lines than any search for a slip folds anew: it tries all that it can."""
