"""Reading the kept files of other programs again, by the maps and readers as they are now."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tabletape.events.importing.files.kept import kept_copies
from tabletape.events.importing.import_files import import_paths
from tabletape.events.importing.maps.remembering import map_now
from tabletape.events.importing.readers import READER
from tabletape.events.importing.report import ImportReport, Options
from tabletape.events.log import Log
from tabletape.events.log.rows import Arrival


def remap(log: Log, options: Options) -> ImportReport:
    """Derive the games of all files that a map or a reader has read anew; where it has changed a game gets a revision.

    The files are those that are kept in the log. Raises as `import_paths` does.
    """
    with TemporaryDirectory() as folder:
        mapped = [each for each in log.arrivals() if each.format.startswith(("map ", READER))]
        return import_again(log, mapped, options, Path(folder))


def import_again(log: Log, arrivals: Sequence[Arrival], options: Options, folder: Path) -> ImportReport:
    """Import kept files once more, from copies in an empty folder: each by the map that is now what it was read by."""
    names = kept_copies(log, arrivals, folder)
    by_path = zip(names, arrivals, strict=True)
    used_now = {path: map_now(options.workspace, Path(each.name), each.format) for path, each in by_path}
    maps = {path: used for path, used in used_now.items() if used is not None}
    return import_paths(log, list(names), replace(options, names=names, maps=maps))
