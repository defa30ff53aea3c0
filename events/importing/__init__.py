"""Importing playtest logs: JSON Lines, CSV and spreadsheets, packed or not, single files, folders, standard input.

`import_paths(log, paths, options)` gives a `Report`; nothing here prints.
"""

from events.importing.report import Difference, FileReport, Known, Options, Report, TakenGame
from events.importing.taking import import_paths

__all__ = ["Difference", "FileReport", "Known", "Options", "Report", "TakenGame", "import_paths"]
