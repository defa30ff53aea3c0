"""Importing: files in, games appended, bad lines in quarantine, and a report of it."""

from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tabletape.events.importing.file_import import FileImport
from tabletape.events.importing.files.known import KnownFiles, ReadingStamps
from tabletape.events.importing.files.sources import NotALogError, find, passed_over
from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.maps.values.times import ZoneError
from tabletape.events.importing.quarantine.mends import kept_mends
from tabletape.events.importing.report import ImportReport, Options
from tabletape.events.log import Log
from tabletape.events.log.schema import LockedError, LogError

EVENTS_A_TRANSACTION: Final = 20_000
"""How many events end a transaction of several files: each transaction waits for the disk."""


def import_paths(log: Log, paths: Iterable[str | Path], options: Options | None = None) -> ImportReport:
    """Import files, folders and standard input (`-`) into a log.

    A game is taken whole or not at all, and so is a file; after an interruption the files before it are there, and
    nothing of the one it came in. What is wrong with a file or a line is in the report, never an exception; what may
    take long to come, a pipe or a workbook, is read before the log is locked for others. Raises `LogError` where the
    log itself cannot be written; where others keep it locked after something was stored, the report says so.
    """
    options, asked = options or Options(), [*map(Path, paths)]
    report = ImportReport(dry_run=options.dry_run, remarks=list(passed_over(asked)))
    try:
        checks = Checks(options.known, options.zone, options.titles)
    except ZoneError as error:
        raise LogError(str(error)) from error
    waiting = deque(_file_imports(log, asked, options, checks))
    try:
        while waiting:
            if waiting[0].is_known:
                report.files.append(waiting.popleft().report)
                continue
            waiting[0].prepare()
            with log.writing(keep=not options.dry_run) as tape:
                while waiting and waiting[0].is_quick() and (options.dry_run or tape.events < EVENTS_A_TRANSACTION):
                    report.files.append(waiting.popleft().run(tape))
    except LockedError as error:
        if not report.files:
            raise
        locked = NotALogError("locked", str(error), "import it again")
        report.files += [each.report if each.is_known else each.refused(locked) for each in waiting]
    finally:
        for each in waiting:
            each.close()
    report.head = log.head()
    return report


def _file_imports(log: Log, asked: list[Path], options: Options, checks: Checks) -> list[FileImport]:
    """Return the imports of all files; those that were read before know it."""
    mends = kept_mends(log)
    stamps = ReadingStamps(options, checks, mends)
    imports = [FileImport(name, error, options, checks) for name, error in find(asked)]
    before = KnownFiles(log, (each.name for each in imports), stamps)
    for each in imports:
        each.named = Path(each.path) in asked
        each.mends, each.stamps = mends, stamps
        each.recognise(before)
        # A rehearsal is one transaction.
        if options.dry_run and not each.is_quick():
            each.prepare()
    return imports
