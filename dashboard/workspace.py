"""Which log the dashboard shows."""

import os
from typing import Final

from events.log_schema import DEFAULT_FILE

VARIABLE: Final = "TABLETAPE_DB"
"""The environment variable that names the log, for the terminal and the dashboard alike."""


def log_address() -> str:
    """Return the file or URL of the log: what the environment says, or the usual file of the working folder."""
    return os.environ.get(VARIABLE) or DEFAULT_FILE
