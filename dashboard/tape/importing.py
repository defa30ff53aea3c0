"""Files in: which log an import opens, and how the files are to be read."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypedDict

from tabletape.events.errors import RefusedError
from tabletape.events.importing import ImportReport, Options, import_paths
from tabletape.events.importing.report import STANDARD_INPUT, Format
from tabletape.events.log import Log
from tabletape.events.log.schema import address, file_of
from tabletape.events.time_zone import remember_zone
from tabletape.projector.archive.stored import import_options
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.model.suggestions import unknown

MEMORY_ADDRESS: Final = "sqlite://"

MAX_GAMES_LOOKED_AT: Final = 1000
"""How many games of an import are looked at for what comes next."""


def is_rehearsal(url: str, files: Iterable[str], *, dry_run: bool) -> bool:
    """Return whether an import needs a log in memory: a rehearsal, or mistyped names, must not leave a new one."""
    file = file_of(address(url))
    begins = file is not None and not file.exists()
    return begins and (dry_run or not any(each == STANDARD_INPUT or Path(each).exists() for each in files))


class ImportOptions(TypedDict, total=False):
    """What can be asked of an import; see `events.importing.Options`. `map` is the file of a map."""

    dry_run: bool
    strict: bool
    revise: bool
    format: Format | None
    map: str | Path | None
    zone: str
    needs_zone: bool
    needs_look: bool
    any_size: bool
    wait: float
    progress: Callable[[int], object] | None
    folder: Path | None


def options_of(workspace: Path, asked: ImportOptions) -> Options:
    """Return the options of an import: those that the workspace says, and over them those that were asked for.

    Raises `RefusedError` for an option that there is none of.
    """
    for name in asked:
        if name not in ImportOptions.__annotations__:
            raise RefusedError(unknown("option of an import", name, ImportOptions.__annotations__))
    options = import_options(workspace)
    chosen = asked.get("map")
    others: dict[str, Any] = {name: each for name, each in asked.items() if name not in {"map", "zone"}}
    return replace(options, **others, map=_map_in(chosen) if chosen else None, zone=asked.get("zone") or options.zone)


def _map_in(file: str | Path) -> Any:
    from tabletape.events.importing.maps.finding import map_of_file  # noqa: PLC0415 - most imports need no map

    return map_of_file(Path(file))


def import_files(
    opened: Callable[[], AbstractContextManager[Log]], workspace: Path, files: Iterable[str], asked: ImportOptions
) -> ImportReport:
    """Import files into the log that `opened` opens. Raises as `import_paths` does."""
    zone = asked.get("zone", "")
    with opened() as log:
        report = import_paths(log, files, options_of(workspace, asked))
    if zone and not report.dry_run:
        remember_zone(workspace, zone)
    return report


def holds_only_results(log: Log, report: ImportReport) -> bool:
    """Return whether the games of an import are known by their result alone, so that there is nothing to audit."""
    changed = [taken.game_id for taken in report.games if taken.events][:MAX_GAMES_LOOKED_AT]
    return bool(changed) and all(detail_of(events) == "results" for _, events in log.each(log.games(ids=changed)))
