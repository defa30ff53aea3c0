"""What the first page needs, loaded while the browser is still opening."""

from contextlib import suppress
from importlib import import_module

from tabletape.dashboard.workspace import log_address

MODULES = ("tabletape.dashboard.frame", "tabletape.dashboard.pages.overview")


def warm_up() -> None:
    """Load the modules of the first page, open the datasets, and check whether they are up to date.

    An error here occurs again when the page asks, and is reported there.
    """
    with suppress(Exception):
        for module in MODULES:
            import_module(module)
        from tabletape.dashboard.questions import ask  # noqa: PLC0415 - loaded just now, beside the server
        from tabletape.dashboard.site import site_of  # noqa: PLC0415
        from tabletape.events.log import Log  # noqa: PLC0415
        from tabletape.projector.datasets.freshness import outdated  # noqa: PLC0415

        site = site_of()
        if not site.has_log:
            ask("overview", site.folder)
            return
        with Log.open(log_address()) as log:
            ask("overview", site.folder)
            outdated(log)
