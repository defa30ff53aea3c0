"""The maps by which files were read, kept in the workspace: a map that lay elsewhere is found again from any folder."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tabletape.events.importing.maps.finding import map_of_file, own_map_files, own_maps, shipped_maps, stem_of
from tabletape.events.importing.maps.map import SUFFIX, Map, MapError, map_name
from tabletape.events.log import Log
from tabletape.events.whole_files import made_folder, write_whole

MOST_NAMED: Final = 3

FOLDER: Final = Path("maps") / "used"
"""Within the workspace; maps in it are those of files that were imported, and are not tried on others."""

_DIGITS: Final = re.compile(r"-[0-9a-f]{8}$")
_PROPOSED: Final = re.compile(r"^proposed\s*=\s*true[^\S\n]*(?:#[^\n]*)?\n", re.MULTILINE)
_FORMAT: Final = re.compile(r"map (?P<id>(?P<name>.+) [0-9a-f]{8})(?: (?P<zone>\S+))?")


def remember(workspace: Path, used: Map) -> None:
    """Keep a copy of a map by its name and what is written in it; one that comes with Tabletape is there anyway."""
    if any(used.text == each.text for each in shipped_maps()):
        return
    path = _path(workspace, used.id)
    if not path.exists():
        with made_folder(path.parent):
            write_whole(path, used.text)


def map_then(workspace: Path | None, form: str) -> tuple[Map, str] | None:
    """Return the map by which a file was read that came in a format, and the zone; None where no copy of it is kept."""
    match = _FORMAT.fullmatch(form)
    path = _path(workspace, match["id"]) if match is not None and workspace is not None else None
    if match is None or path is None or not path.is_file():
        return None
    used = _usable(path)
    if used is None:
        return None
    # Its file is called by its digits too; the map is called as it was.
    return used._replace(name=f"{match['name']}{SUFFIX}"), match["zone"] or ""


def maps_before(file: Path, workspace: Path, game: str) -> list[Map]:
    """Return the maps by which other files of a game are read: as they lie beside the file now, else as last used."""
    copies = sorted((workspace / FOLDER).glob(f"*{SUFFIX}"), key=lambda each: each.stat().st_mtime_ns)
    paths = {_DIGITS.sub("", map_name(each)): each for each in copies}
    paths |= {map_name(each): each for each in own_map_files(file, workspace)}
    maps = {name: _usable(path) for name, path in paths.items() if name != stem_of(file)}
    return [
        used._replace(name=f"{name}{SUFFIX}")
        for name, used in maps.items()
        if used is not None and used.written.game == game
    ]


def _usable(path: Path) -> Map | None:
    """Return a map; None for one that cannot be used now, as where the file of its game lacks what it says."""
    try:
        return map_of_file(path)
    except MapError:
        return None


def unconfirmed(log: Log, workspace: Path) -> list[str]:
    """Return the files of a log that were read by a proposal which nobody has looked at."""
    arrivals = [each for each in log.arrivals() if each.format.startswith("map ")]
    maps = {form: map_then(workspace, form) for form in {each.format for each in arrivals}}
    proposed = {form for form, then in maps.items() if then is not None and then[0].written.proposed}
    return [each.name for each in arrivals if each.format in proposed]


def confirm(log: Log, workspace: Path) -> None:
    """Write the proposals by which files of a log were read anew as maps that somebody has looked at.

    They lie where they lay, or in the workspace where that is not known; `remap` reads the files by them.
    """
    files = {*unconfirmed(log, workspace)}
    for each in log.arrivals():
        used = map_now(workspace, Path(each.name), each.format) if each.name in files else None
        if used is not None:
            place = Path(used.name) if Path(used.name).is_file() else workspace / "maps" / Path(used.name).name
            with made_folder(place.parent):
                write_whole(place, _PROPOSED.sub("", used.text))


def names_of(files: Sequence[str]) -> str:
    """Return the names of files to stand in a sentence, the first few of many."""
    return ", ".join(files[:MOST_NAMED]) + (f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else "")


def said_of_unconfirmed(files: Sequence[str]) -> str:
    """Return in a sentence that games may be read wrongly, with the way to confirm them; empty without files."""
    if not files:
        return ""
    return (
        f"Not confirmed: games of {names_of(files)} are counted as a proposal reads them that nobody has looked at. "
        "Once who played, began and won is right, delete `proposed = true` from its map, and "
        "`tabletape import --remap`."
    )


def map_now(workspace: Path | None, file: Path, form: str) -> Map | None:
    """Return the map that a file is read by again: as it lies beside it or in the workspace now, else as it was then.

    None where there is none of that name; `form` is the format in which the file came.
    """
    match = _FORMAT.fullmatch(form)
    if match is None:
        return None
    try:
        own = next((each for each in own_maps(file, workspace) if map_name(Path(each.name)) == match["name"]), None)
    except MapError:
        return None  # Looking for it once more says what is wrong with it.
    then = map_then(workspace, form)
    return own or (then[0] if then is not None else None)


def _path(workspace: Path, map_id: str) -> Path:
    return workspace / FOLDER / f"{map_id.replace(' ', '-')}{SUFFIX}"
