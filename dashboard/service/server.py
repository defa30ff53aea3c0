"""Serving the scribe: on this computer alone, or on the local network behind a code."""

import logging
import socket
from collections.abc import Callable, Iterable
from typing import Any, Final

import uvicorn

from tabletape.dashboard.hosts import AllowedHosts, Application, Message, Receive, Send
from tabletape.dashboard.service.access import PairedDevices
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.connections import MAX_HEAD, LimitedProtocol
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.lock import Locked

UNUSED_ADDRESS: Final = ("192.0.2.1", 9)
"""An address that is never in use (RFC 5737): the route to it shows which of our own addresses others see."""

STOP_SECONDS: Final = 2
"""Seconds that a server which is stopped waits for whoever listens to a game: they listen for as long as it runs."""


def own_address() -> str:
    """Return the address of this computer in the local network, or where it has none its own name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(UNUSED_ADDRESS)  # nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def local(desk: Desk, hosts: Iterable[str] = ()) -> Application:
    """Return the scribe as this computer may ask it, under its own names and `hosts`."""
    return AllowedHosts(application(desk, PairedDevices()), hosts)


def on_the_network(desk: Desk, code: str, own: str, hosts: Iterable[str] = ()) -> Application:
    """Return the scribe as other computers may ask it: at our `own` address or the names `hosts`, and with the code."""
    return AllowedHosts(Locked(application(desk, PairedDevices()), code, is_form=desk.is_form), hosts, [own])


def on_demand(desk: Callable[[], Desk]) -> Application:
    """Return the scribe of a desk that is set up when somebody first asks for it: until then no log is made."""
    apps: list[Application] = []

    async def ask(scope: Message, receive: Receive, send: Send) -> None:
        if not apps:
            apps.append(application(desk(), PairedDevices()))
        await apps[0](scope, receive, send)

    return ask


def server(
    app: Application, host: str, port: int, protocol: type[LimitedProtocol] = LimitedProtocol, **more: Any
) -> uvicorn.Server:
    """Return a server of an application that says nothing of itself; `run()` serves until it is stopped.

    `protocol` limits its connections, `more` are settings of uvicorn. What others send it can neither keep it waiting
    nor fill the terminal (see `dashboard.service.connections`).
    """
    settings: dict[str, Any] = {
        "http": protocol,
        "ws": "none",
        "h11_max_incomplete_event_size": MAX_HEAD,
        "backlog": protocol.backlog,
        "log_level": "error",
        "lifespan": "off",
        "timeout_graceful_shutdown": STOP_SECONDS,
        "server_header": False,
        **more,
    }
    config = uvicorn.Config(app, host=host, port=port, proxy_headers=False, **settings)
    # That somebody listened until the server was stopped is no news.
    logging.getLogger("uvicorn.error").addFilter(lambda record: not str(record.msg).startswith("Cancel "))
    return uvicorn.Server(config)
