"""`tabletape serve`: the dashboard in the browser."""

import os
import socket
import sys
from importlib.resources import as_file, files
from typing import Annotated, Any, Final

import typer

from cli.options import DATABASE, Database
from cli.output import RefusedError, say
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
) -> None:
    """Open the dashboard in the browser: what the playtests tell, every game step by step, a page to import logs.

    It runs until it is stopped (Ctrl+C) and answers this computer only.

    Example:
        tabletape serve
        tabletape serve --db demo/tabletape.db --port 8600
    """
    open_dashboard(db, port)


def open_dashboard(database: str, port: int) -> None:
    """Serve the dashboard of the log in a file or at a URL until it is stopped; a browser opens where there is one.

    Raises `RefusedError` where something else answers at the port already.
    """
    _require_free(port)
    file = file_of(address(database))
    os.environ[VARIABLE] = str(file.absolute()) if file else database
    from streamlit.web import bootstrap  # noqa: PLC0415 - slow to load; the port is looked at first

    settings = {**SETTINGS, "server.port": port, "server.headless": not _has_display()}
    bootstrap.load_config_options({key.replace(".", "_"): value for key, value in settings.items()})
    say("The dashboard answers at ", (f"http://{HOST}:{port}", "bold"), "; Ctrl+C stops it.")
    sys.stdout.flush()
    with as_file(files("dashboard").joinpath("entry", "app.py")) as script:
        bootstrap.run(str(script), is_hello=False, args=[], flag_options={})


def _require_free(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise RefusedError(
                f"the dashboard cannot answer at port {port} ({error.strerror}); `--port {port + 1}` may be free"
            ) from None


def _has_display() -> bool:
    """Return whether a browser can open: always on a desktop system, elsewhere where there is a screen."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
