"""Reading the kept files of other programs again, by the maps as they are now."""

from dataclasses import replace
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from events.importing.report import Options, Report
from events.importing.taking import import_paths
from events.log import Log


def remap(log: Log, options: Options) -> Report:
    """Derive the games of all files that a map has read anew; a changed map gives the next revision of a game.

    The files are those that are kept in the log. Raises as `import_paths` does.
    """
    with TemporaryDirectory() as folder:
        names: dict[str, str] = {}
        for number, (file, called) in enumerate(log.mapped_files()):
            path = Path(folder) / str(number) / (PurePath(called).name or "log")
            path.parent.mkdir()
            with path.open("wb") as copy:
                copy.writelines(log.raw_content(file))
            names[str(path)] = called
        return import_paths(log, list(names), replace(options, names=names))
