"""A file that another program writes: what of it is whole, and whether it is still the same file."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

from tabletape.events.errors import RefusedError

ENDS: Final = {b"\xff\xfe": b"\n\0", b"\xfe\xff": b"\0\n"}
"""How a line ends in UTF-16, by the first bytes of a file."""


class GrowingFile:
    """A file that is looked at from time to time; it may grow, begin anew, or vanish for a while.

    `name` is what it is called in the log: its own name, and where it has begun anew `battle-2.txt`, `battle-3.txt`.
    """

    def __init__(self, path: Path, kept_of: Callable[[str], bytes | None]) -> None:
        """Take a path; `kept_of` returns what is kept of a file by its name, None for nothing."""
        self.path = path
        self.name = ""
        self._kept = kept_of
        self._read = b""
        self._stamp: tuple[int, int, int] | None = None

    def grown(self) -> bytes | None:
        """Return the file up to its last whole line where that is more than last time, else None.

        Raises `RefusedError` where lines that were read before have been changed, and `OSError` for what is no file.
        """
        try:
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if stamp == self._stamp:
                return None
            content = whole_lines(self.path.read_bytes())
        except FileNotFoundError:
            return None
        self._stamp = stamp
        if not content or (self.name and content == self._read):
            return None
        if not self.name or not content.startswith(self._read):
            self.name = self._name_of(content)
        self._read = content
        return content

    def _name_of(self, content: bytes) -> str:
        """Return the first name of which nothing is kept, or the beginning of this content."""
        last = b""
        for number in count(1):
            name = f"{self.path.stem}-{number}{self.path.suffix}" if number > 1 else self.path.name
            known = self._read if name == self.name else self._kept(name)
            if known is not None and content.startswith(known):
                return name
            if known is None:
                if len(content) >= len(last) and last and _first_line(content) == _first_line(last):
                    words = "lines that were read before are others now; `tabletape import` compares them"
                    raise RefusedError(f"{self.path}: {words}")
                return name
            last = known
        raise AssertionError("there are numbers enough")


def whole_lines(content: bytes) -> bytes:
    """Return a content without a last line that is only half written: one without an end that is no whole JSON."""
    end = ENDS.get(content[:2], b"\n")
    lines, separator, last = content.rpartition(end)
    for part in (last, content):
        if part.lstrip()[:1] in {b"{", b"["}:
            try:
                json.loads(part)
            except ValueError:
                continue
            return content
    return lines + separator


def _first_line(content: bytes) -> bytes:
    return content.partition(b"\n")[0].rstrip(b"\r")
