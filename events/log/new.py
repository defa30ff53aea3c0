"""A log that a command begins: where it fails before anything is stored, the file is taken away again."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tabletape.events.log import Log
from tabletape.events.log.journal import journal_of
from tabletape.events.log.schema import LogError, address, file_of


@contextmanager
def removed_if_empty(url: str | Path) -> Iterator[None]:
    """Remove the file of a log that did not exist before, where an exception leaves it without any record.

    A database on a server is left alone, and so is a file in which somebody else has stored something meanwhile.
    """
    file = file_of(address(url))
    begins = file is not None and not file.exists()
    try:
        yield
    except BaseException:
        if begins and file is not None:
            with suppress(LogError, OSError), Log.open(file, wait=0) as log, log.writing(keep=False):
                if not log.head():
                    file.unlink()  # Whoever waits to write finds the file gone, and says so.
            with suppress(OSError):
                if not file.exists() or not file.stat().st_size:
                    file.unlink(missing_ok=True)
                    journal_of(file).unlink(missing_ok=True)
        raise
