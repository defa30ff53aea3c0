"""Reading the files of a workspace, which others may have written: regular files of a bounded size, and nothing else.

A pipe would be waited for, and a device never ends.
"""

import errno
import os
import stat
from pathlib import Path
from typing import Final

from tabletape.events.errors import TabletapeError

PLAIN_FLAGS: Final[int] = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opened without waiting for a pipe, and on Windows without changing the ends of lines."""

MOST_BYTES: Final = 1_000_000
"""The largest file of games, cards or a map: a thousand cards need a tenth of it."""


class GameFileError(TabletapeError):
    """A file of a game in the workspace that cannot be used; the message begins with its name, and line if it has one.

    It stops what needs that game, and nothing else.
    """


def lies_there(file: Path) -> bool:
    """Return whether something has that name, be it a pipe or a link that leads nowhere."""
    return os.path.lexists(file)


def stamp_of(file: Path) -> int:
    """Return what changes when a file does; 0 where nothing has that name, and for a link that leads nowhere."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def content_of(file: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file.

    Raises `OSError`, with the reason in `strerror`, where it is not there, is no regular file, or has more than `most`.
    """
    number = os.open(file, os.O_RDONLY | PLAIN_FLAGS)
    with os.fdopen(number, "rb") as stream:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "this is no file that can be read: a folder, a pipe or a device", str(file))
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"the file is larger than {in_bytes(most)}, the most that is read", str(file))
    return content


def text_of(file: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file. Raises `OSError` as `content_of` does, and for what is not UTF-8."""
    try:
        return content_of(file, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"this is not UTF-8 text (byte {error.start}); save it as UTF-8"
        raise OSError(errno.EILSEQ, reason, str(file)) from None


def in_bytes(number: int) -> str:
    """Return a limit in words: `20 MB`, `200 kB`."""
    return f"{number // 1_000_000} MB" if number >= 1_000_000 else f"{number // 1000} kB"
