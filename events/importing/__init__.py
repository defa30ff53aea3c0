"""Importing playtest logs: JSON Lines, CSV and spreadsheets, packed or not, single files, folders, standard input.

`import_paths(log, paths, options)` gives a `ImportReport`; nothing here prints.
"""

from collections.abc import Iterable
from pathlib import Path

from tabletape.events.importing.report import FileReport, ImportReport, Known, LogDifference, Options, TakenGame
from tabletape.events.log import Log

__all__ = ["FileReport", "ImportReport", "Known", "LogDifference", "Options", "TakenGame", "import_paths"]


def import_paths(log: Log, paths: Iterable[str | Path], options: Options | None = None) -> ImportReport:
    """Import files, folders and standard input (`-`) into a log: see `events.importing.import_files`."""
    from tabletape.events.importing import import_files  # noqa: PLC0415 - who asks for a `ImportReport` does not wait for all the readers

    return import_files.import_paths(log, paths, options)
