"""The rollback journal that a writer leaves beside a SQLite log when it is killed: whether it is that of the log.

Whoever opens the log next has SQLite put the journal's pages back, whatever log they came from: a copy that was laid
over a log whose journal stayed there would be overwritten in silence. Each transaction counts up a number in the first
page, and the journal has that page as it was before: beside its own log the number is the same, or one less.
"""

import os
from pathlib import Path
from typing import BinaryIO, Final

MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
COUNTER: Final = slice(24, 28)
"""Where the first page counts the transactions."""


def journal_of(file: Path) -> Path:
    """Return where the journal of a log lies."""
    return file.with_name(f"{file.name}-journal")


def is_foreign(file: Path) -> bool:
    """Return whether the journal beside a log is certainly one of another log, or of another copy of it."""
    place = journal_of(file)
    try:
        with place.open("rb") as journal, file.open("rb") as log:
            read = os.fstat(journal.fileno())
            before = _counter_in(journal)
            now = log.read(COUNTER.stop)[COUNTER]
        status = place.stat()
    except OSError:  # There is none, or no more: its writer has just come to its end.
        return False
    is_there = (read.st_ino, read.st_mtime_ns, read.st_size) == (status.st_ino, status.st_mtime_ns, status.st_size)
    return is_there and bool(before and now) and (_number(now) - _number(before)) % 2**32 > 1


def _counter_in(journal: BinaryIO) -> bytes:
    """Return the count in the first page that a journal keeps; empty where it does not keep it (yet)."""
    head = journal.read(28)
    if head[:8] != MAGIC or len(head) < 28:
        return b""
    sector, size = _number(head[20:24]), _number(head[24:28])
    if not 512 <= size <= 65536 or not 32 <= sector <= 65536:
        return b""
    place = sector
    while True:
        journal.seek(place)
        number = journal.read(4)
        if len(number) < 4:
            return b""
        if _number(number) == 1:
            return journal.read(size)[COUNTER]
        place += size + 8


def _number(content: bytes) -> int:
    return int.from_bytes(content, "big")
