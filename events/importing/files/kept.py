"""The files that a log keeps as they came, written out again so that they can be read once more."""

from collections.abc import Iterable
from pathlib import Path, PurePath

from tabletape.events.log import Log
from tabletape.events.log.rows import Arrival


def kept_copies(log: Log, arrivals: Iterable[Arrival], folder: Path) -> dict[str, str]:
    """Write the kept files into a folder; return the names by which they came by their paths there."""
    names: dict[str, str] = {}
    for number, arrival in enumerate(arrivals):
        path = folder / str(number) / (PurePath(arrival.name).name or "log")
        path.parent.mkdir()
        with path.open("wb") as copy:
            copy.writelines(log.raw_content(arrival.file))
        names[str(path)] = arrival.name
    return names
