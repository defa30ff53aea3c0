"""`tabletape serve`: the dashboard in the browser."""

import asyncio
import os
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from importlib.resources import as_file, files
from typing import Annotated, Any, Final

import typer

from cli.options import DATABASE, Database
from cli.output import RefusedError, say
from dashboard.hosts import AllowedHosts
from dashboard.workspace import VARIABLE
from events.log_schema import address, file_of

HOST: Final = "localhost"
"""Only this computer can open the dashboard: logs are nobody else's business."""

SETTINGS: Final[dict[str, Any]] = {
    "server.address": HOST,
    "server.fileWatcherType": "none",
    "server.maxUploadSize": 2048,
    "browser.serverAddress": HOST,
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "logger.hideWelcomeMessage": True,
    "theme.light.primaryColor": "#2F7FD0",
    "theme.dark.primaryColor": "#4A97E6",
}
"""How Streamlit runs: nothing is sent to anybody, and nothing of the machinery shows."""


def serve(
    *,
    db: Database = DATABASE,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the dashboard answers.")] = 8501,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Answer under this name too; may be given repeatedly."),
    ] = None,
) -> None:
    """Open the dashboard in the browser: what the playtests tell, every game step by step, a page to import logs.

    It runs until it is stopped (Ctrl+C) and answers this computer only, and only as localhost: a web site that lets
    its own name lead here is refused (403). Behind a proxy of yours, --allow-host names the name that it goes by.

    Example:
        tabletape serve
        tabletape serve --db demo/tabletape.db --port 8600
    """
    open_dashboard(db, port, allow_host or ())


def open_dashboard(database: str, port: int, hosts: Sequence[str] = ()) -> None:
    """Serve the dashboard of the log in a file or at a URL until it is stopped; a browser opens where there is one.

    It answers as localhost and under the names `hosts`. Raises `RefusedError` where something else answers at the port
    already.
    """
    require_free(port)
    file = file_of(address(database))
    os.environ[VARIABLE] = str(file.absolute()) if file else database
    import streamlit as st  # noqa: PLC0415 - slow to load; the port is looked at first
    from starlette.middleware import Middleware  # noqa: PLC0415

    place = f"http://{HOST}:{port}"
    say("The dashboard answers at ", (place, "bold"), "; Ctrl+C stops it.")
    sys.stdout.flush()
    with as_file(files("dashboard").joinpath("entry", "app.py")) as script:
        # Streamlit puts the folder of the program that it runs in first on the path.
        sys.argv = [str(script)]
        dashboard = st.App(script, middleware=[Middleware(AllowedHosts, hosts=hosts)], lifespan=_opening(place))
        with suppress(KeyboardInterrupt):
            dashboard.run(config={**SETTINGS, "server.port": port, "server.headless": True})


def _opening(place: str) -> Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]:
    """Return what happens while the dashboard runs: a browser opens it, where there is one."""

    @asynccontextmanager
    async def opening(_app: Any) -> AsyncIterator[dict[str, Any]]:
        if has_display():
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, place)
        yield {}

    return opening


def require_free(port: int, host: str = HOST) -> None:
    """Raise `RefusedError` where something else answers at a port already."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise RefusedError(
                f"the dashboard cannot answer at port {port} ({error.strerror}); `--port {port + 1}` may be free"
            ) from None


def has_display() -> bool:
    """Return whether a browser can open: always on a desktop system, elsewhere where there is a screen."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
