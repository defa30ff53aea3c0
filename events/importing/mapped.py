"""A file of another program as the import reads it: through the map that was asked for, or the one that fits."""

from pathlib import Path

from events.importing.checks import Checks
from events.importing.maps.finding import fitting_map, stem_of
from events.importing.maps.foreign import ForeignError
from events.importing.maps.map import MapError
from events.importing.maps.notation import WAY_OUT, MappedLog
from events.importing.maps.notation import Reading as MapReading
from events.importing.maps.times import ZoneError
from events.importing.report import Options
from events.importing.sources import NotALogError


def mapped_log(names: tuple[str, str], content: bytes, options: Options, checks: Checks) -> MappedLog | None:
    """Return a file as its map reads it, None where no map fits; `names` are its path and what it is called.

    Raises `NotALogError` where the map cannot be used, or does not fit the file that it was asked for.
    """
    path, name = names
    try:
        used = options.map or fitting_map(Path(options.names.get(path, path)), content, options.workspace)
        if used is None:
            return None
        return MappedLog(name, used, content, MapReading(checks.cards, options.zone, stem_of(Path(name))))
    except (MapError, ForeignError, ZoneError) as error:
        raise NotALogError("map", str(error), WAY_OUT) from error
