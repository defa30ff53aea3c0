"""A copy of a log, made while others write to it, and checked before it counts."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.schema import file_of, plainly
from tabletape.events.whole_files import whole


def copy_log(log: Log, file: Path) -> str:
    """Copy a log in SQLite as it is now into a new file, verify the copy, and return its head.

    The file is there when the copy is right, and else not. Raises `RefusedError` where it is there already, for a log
    on a server, and for a log that is damaged; `OSError` where it cannot be written.
    """
    source = file_of(log.url)
    if source is None:
        raise RefusedError(f"{log} lives on a server: copy it with pg_dump, and bring it back with pg_restore")
    if file.exists():
        raise RefusedError(f"{file} is there already: nothing is written over it")
    before = log.head()
    with whole(file) as part, plainly(log.url):
        try:
            with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(part)) as there:
                here.backup(there)
        except sqlite3.Error as error:
            raise OSError(0, str(error), str(file)) from error
        with Log.open(part) as copied:
            wrong = next(iter(verify(copied, [before] if before else [])), None)
            if wrong is not None:
                raise RefusedError(f"{log} is damaged ({wrong.message}): `tabletape verify` says what else is")
            return copied.head()
