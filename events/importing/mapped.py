"""A file of another program as the import reads it: through the map that was asked for, or the one that fits."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from tabletape.events.importing.files.kept import kept_copies
from tabletape.events.importing.files.sources import NotALogError
from tabletape.events.importing.files.streams import Source
from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.lines.text import MendsOfFile
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.finding import fitting_map, own_map, stem_of
from tabletape.events.importing.maps.map import MapError
from tabletape.events.importing.maps.notation import WAY_OUT, MappedLog
from tabletape.events.importing.maps.notation import FileReading as MapReading
from tabletape.events.importing.maps.remembering import map_then
from tabletape.events.importing.maps.values.times import ZoneError
from tabletape.events.importing.report import Options
from tabletape.events.log import Log
from tabletape.events.log.rows import Arrival


def mapped_log(
    names: tuple[str, str], content: bytes, options: Options, checks: Checks, mends: MendsOfFile = MappingProxyType({})
) -> MappedLog | None:
    """Return a file as its map reads it, None where no map fits; `names` are its path and what it is called.

    `mends` are what people have said of single lines of it.

    Raises `NotALogError` where the map cannot be used, or does not fit the file that it was asked for.
    """
    path, name = names
    try:
        called = Path(options.names.get(path, path))
        used = options.map or options.maps.get(path) or fitting_map(called, content, options.workspace)
        if used is None:
            return None
        reading = MapReading(checks.cards, options.zone, stem_of(Path(name)), mends, checks.titles)
        return MappedLog(name, used, content, reading)
    except (MapError, ForeignError, ZoneError) as error:
        raise NotALogError("map", str(error), WAY_OUT) from error


def has_own_map(path: str, content: bytes, options: Options) -> bool:
    """Return whether somebody has written a map for a file: it was asked for, or it lies beside it and fits.

    Raises `NotALogError` where a map beside it cannot be used.
    """
    if options.map is not None or path in options.maps:
        return True
    try:
        return own_map(Path(options.names.get(path, path)), content, options.workspace) is not None
    except MapError as error:
        raise NotALogError("map", str(error), WAY_OUT) from error


def kept_log(log: Log, arrival: Arrival, options: Options, mends: MendsOfFile) -> MappedLog | None:
    """Return a kept file as the map reads it that it was last read by.

    None where no copy of that map was kept, and it is gone or another now.

    Raises `NotALogError` as `mapped_log` does.
    """
    checks = Checks(options.known, options.zone, options.titles)
    with TemporaryDirectory() as folder:
        (path,) = kept_copies(log, [arrival], Path(folder))
        with Source(path, None, any_size=True) as source:
            content = sheet_of(source.read_all())
    names = arrival.name, arrival.name
    then = map_then(options.workspace, arrival.format)
    if then is not None:
        return mapped_log(names, content, replace(options, map=then[0], zone=then[1]), checks, mends)
    mapped = mapped_log(names, content, options, checks, mends)
    if mapped is not None and mapped.format != arrival.format:
        # The zone is that of the import, which may have been another one.
        zone = arrival.format.removeprefix(f"map {mapped.used.id}").strip()
        mapped = mapped_log(names, content, replace(options, zone=zone), checks, mends)
    return mapped if mapped is not None and mapped.format == arrival.format else None
