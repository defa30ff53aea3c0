"""The time zone of a workspace, asked for once: `zone = "Europe/Berlin"` in its `tabletape.toml`."""

from pathlib import Path
from typing import Final

from tabletape.events.log.schema import LogError
from tabletape.events.toml_text import TomlError, toml_of
from tabletape.events.whole_files import write_whole
from tabletape.events.workspace_files import lies_there, text_of

FILE: Final = "tabletape.toml"


def zone_of(workspace: Path) -> str:
    """Return the zone that a workspace remembers, empty for none. Raises `LogError` where its file is no TOML."""
    file = workspace / FILE
    if not lies_there(file):
        return ""
    try:
        zone = toml_of(text_of(file)).get("zone", "")
    except TomlError as error:
        raise LogError(f"{file}:{error.line}: {error}") from None
    except OSError as error:
        raise LogError(f"{file}: {error.strerror}") from None
    if not isinstance(zone, str):
        raise LogError(f'{file}: `zone` is the name of a time zone, as in zone = "Europe/Berlin"')
    return zone


def remember_zone(workspace: Path, zone: str) -> None:
    """Write the zone of a workspace down; whatever else stands in its file stays as it is."""
    file = workspace / FILE
    import tomlkit  # noqa: PLC0415 - keeps the comments of the file; who only reads does not wait for it

    document = tomlkit.parse(text_of(file)) if lies_there(file) else tomlkit.document()
    if document.get("zone") != zone:
        document["zone"] = zone
        write_whole(file, tomlkit.dumps(document))
