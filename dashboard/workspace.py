"""Which log the dashboard shows, or which datasets alone."""

import os
from typing import Final

from tabletape.events.log.schema import DEFAULT_FILE

VARIABLE: Final = "TABLETAPE_DB"
"""The environment variable that names the log, for the terminal and the dashboard alike."""

SCRIBE: Final = "/scribe"
"""Where the scribe answers beside the dashboard."""

DATASETS: Final = "TABLETAPE_DATASETS"
"""The environment variable by which `serve --datasets` tells the pages which datasets they show without a log."""


def log_address() -> str:
    """Return the file or URL of the log: what the environment says, or the usual file of the working folder."""
    return os.environ.get(VARIABLE) or DEFAULT_FILE


def datasets_address() -> str:
    """Return the path or address of the datasets that are shown without their log; empty where there is a log."""
    return os.environ.get(DATASETS, "")
