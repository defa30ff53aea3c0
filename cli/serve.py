"""`tabletape serve`: the dashboard in the browser."""

import os
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from importlib.resources import as_file, files
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, Final

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Database, Datasets
from tabletape.cli.terminal.output import plainly, say
from tabletape.cli.terminal.serving import (
    HOST,
    LAST_PORT,
    SCRIBE_PORT,
    MoreHosts,
    has_display,
    require_free,
    serve_network,
)
from tabletape.dashboard.hosts import AllowedHosts
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.server import on_demand
from tabletape.dashboard.warming import warm_up
from tabletape.dashboard.workspace import DATASETS, SCRIBE, VARIABLE
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.events.log.schema import address, file_of

SETTINGS: Final[dict[str, Any]] = {
    "server.address": HOST,
    "server.fileWatcherType": "none",
    "server.maxUploadSize": 2048,
    "browser.serverAddress": HOST,
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "logger.hideWelcomeMessage": True,
    "theme.light.primaryColor": "#1F68B5",
    "theme.dark.primaryColor": "#4A97E6",
}
"""How Streamlit runs: nothing is sent to anybody, and nothing of the machinery shows."""


def serve(
    *,
    db: Database = DATABASE,
    datasets: Datasets = "",
    port: Annotated[int, typer.Option(min=1, max=LAST_PORT, help="Where the dashboard answers.")] = 8501,
    lan: Annotated[
        bool, option("--lan", "Let phones on this network keep logs too (the scribe alone), behind a code.")
    ] = False,
    allow_host: MoreHosts = None,
) -> None:
    """Open the dashboard in the browser: what the playtests tell, every game step by step, a page to import logs.

    It runs until it is stopped (Ctrl+C) and answers this computer only, and only as localhost: a web site that lets
    its own name lead here is refused (403). Behind a proxy of yours, --allow-host names the name that it goes by.
    With --lan the scribe, and nothing else, answers the local network as well, for who has the code in its address.

    A log that --db names has to be there; without --db one is begun.

    With --datasets it shows datasets without their log, in a folder or at an address, and asks that address alone:
    what they count is shown, but no game can be replayed, imported or kept.

    Example:
        tabletape serve
        tabletape serve --datasets s3://bucket/study
        tabletape serve --db demo/tabletape.db --port 8600
    """
    if datasets and lan:
        raise RefusedError("--lan keeps logs, and --datasets shows datasets without a log: leave out one of them")
    alone = _whole(datasets) if datasets else ""
    if not alone and db != DATABASE:
        Log.open(db).close()  # a log that is named is there, the usual one is begun
    if lan:
        Thread(target=_serve_phones, args=(db, allow_host or ()), daemon=True).start()
    open_dashboard(db, port, allow_host or (), datasets=alone)


def _whole(datasets: str) -> str:
    """Return the whole path or address of datasets. Raises `DatasetError` where they cannot be read."""
    from tabletape.projector.datasets.manifest import named_folder  # noqa: PLC0415 - a log is shown before Arrow is loaded
    from tabletape.projector.datasets.places import is_address  # noqa: PLC0415

    named_folder(datasets)
    return datasets if is_address(datasets) else str(Path(datasets).resolve())


def _opened(database: str) -> Log:
    """Open the log, or begin it where there is none; where that fails, no empty file is left."""
    with removed_if_empty(database):
        return Log.open(database, create=True)


def _serve_phones(database: str, hosts: Sequence[str]) -> None:
    """Serve the scribe to the local network for as long as the dashboard runs."""
    with plainly(), _opened(database) as log:
        serve_network(log, SCRIBE_PORT, hosts=hosts)


def open_dashboard(database: str, port: int, hosts: Sequence[str] = (), *, datasets: str = "") -> None:
    """Serve the dashboard of the log in a file or at a URL until it is stopped; a browser opens where there is one.

    It answers as localhost and under the names `hosts`. With `datasets`, a path or an address, it shows these, and
    nothing of the log. Raises `RefusedError` where something else answers at the port already.
    """
    require_free(port)
    os.environ[DATASETS] = datasets
    file = file_of(address(database))
    os.environ[VARIABLE] = str(file.absolute()) if file else database
    import streamlit as st  # noqa: PLC0415 - slow to load; the port is looked at first
    from starlette.middleware import Middleware  # noqa: PLC0415
    from starlette.routing import Mount  # noqa: PLC0415

    place = f"http://{HOST}:{port}"
    say("The dashboard answers at ", (place, "bold"), "; Ctrl+C stops it.")
    sys.stdout.flush()
    with as_file(files("tabletape.dashboard").joinpath("entry", "app.py")) as script:
        # Streamlit puts the folder of the program that it runs in first on the path.
        sys.argv = [str(script)]
        dashboard = st.App(
            script,
            middleware=[Middleware(AllowedHosts, hosts=hosts)],
            routes=[] if datasets else [Mount(SCRIBE, on_demand(lambda: Desk(_opened(database))))],
            lifespan=_opening(place),
        )
        with suppress(KeyboardInterrupt):
            dashboard.run(config={**SETTINGS, "server.port": port, "server.headless": True})


def _opening(place: str) -> Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]:
    """Return what happens while the dashboard runs: a browser opens it, where there is one, and it gets ready."""

    @asynccontextmanager
    async def opening(_app: Any) -> AsyncIterator[dict[str, Any]]:
        # Ctrl-C waits for neither: what is loaded may hang, as the game of another package.
        if has_display():
            Thread(target=webbrowser.open, args=(place,), daemon=True).start()
        Thread(target=warm_up, daemon=True).start()
        yield {}

    return opening
