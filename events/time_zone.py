"""The time zone of a workspace, asked for once: `zone = "Europe/Berlin"` in its `tabletape.toml`."""

import tomllib
from pathlib import Path
from typing import Final

from tabletape.events.log.schema import LogError
from tabletape.events.whole_files import write_whole

FILE: Final = "tabletape.toml"


def zone_of(workspace: Path) -> str:
    """Return the zone that a workspace remembers, empty for none. Raises `LogError` where its file is no TOML."""
    file = workspace / FILE
    if not file.is_file():
        return ""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("zone", "")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LogError(f"{file} cannot be read: {error}") from error
    if not isinstance(found, str):
        raise LogError(f'{file}: `zone` is the name of a time zone, as in zone = "Europe/Berlin"')
    return found


def remember_zone(workspace: Path, zone: str) -> None:
    """Write the zone of a workspace down; whatever else stands in its file stays as it is."""
    file = workspace / FILE
    import tomlkit  # noqa: PLC0415 - keeps the comments of the file; who only reads does not wait for it

    document = tomlkit.parse(file.read_text(encoding="utf-8-sig")) if file.is_file() else tomlkit.document()
    if document.get("zone") != zone:
        document["zone"] = zone
        write_whole(file, tomlkit.dumps(document))
