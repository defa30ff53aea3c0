"""What it takes to serve pages: a free port, a browser where there is one, the scribe on the local network."""

import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Final

import segno

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.output import say
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.lock import new_code
from tabletape.dashboard.service.server import on_the_network, own_address, server
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log

HOST: Final = "localhost"
"""Only this computer can open a page: logs are nobody else's business."""

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - only with --lan, behind a code
SCRIBE_PORT: Final = 8511
LAST_PORT: Final = 65535

MoreHosts = Annotated[
    list[str] | None, option("--allow-host NAME", "Answer under this name too; may be given repeatedly.")
]
"""An option of the commands that serve pages: names under which they answer besides their own."""


def require_free(port: int, host: str = HOST) -> None:
    """Raise `RefusedError` where something else answers at a port already."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            other = port + 1 if port < LAST_PORT else port - 1
            raise RefusedError(
                f"the dashboard cannot answer at port {port} ({error.strerror}); `--port {other}` may be free"
            ) from None


def has_display() -> bool:
    """Return whether a browser can open: always on a desktop system, elsewhere where there is a screen."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def serve_network(log: Log, port: int, only: Sequence[str] = (), query: str = "", hosts: Sequence[str] = ()) -> None:
    """Serve the scribe on the local network behind a new code until it is stopped: the games `only`, and those begun.

    Its address is printed, also as a QR code. Raises `RefusedError` where something else answers at the port already.
    """
    require_free(port, EVERYWHERE)
    code, address = new_code(), own_address()
    place = f"http://{address}:{port}/{code}/{query}"
    say("On this network the scribe answers at ", (place, "bold"))
    say("Whoever has this address can see and write the games begun there, and nothing else; Ctrl+C stops it.")
    segno.make(place, micro=False).terminal(out=sys.stdout, compact=True, border=2)
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        server(on_the_network(Desk(log, only), code, address, hosts), EVERYWHERE, port).run()
