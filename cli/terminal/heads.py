"""A file of heads: what a log proves itself by, kept beside it or, better, somewhere else."""

import os
import re
from pathlib import Path

from tabletape.events.errors import RefusedError
from tabletape.events.whole_files import add_line

_LINE = re.compile(r"([0-9a-f]{64})(\s.*)?")


def kept_heads(file: Path) -> list[str]:
    """Return the heads in a file, one at the beginning of each line. Raises `RefusedError` for a line without one.

    A last line without an end is passed over where it is none: a power cut has stopped its writing.
    """
    heads = []
    for number, line in enumerate(_text(file).splitlines(keepends=True), 1):
        if not line.strip() or line.startswith("#"):
            continue
        head = _LINE.fullmatch(line.strip().lower())
        if head is None and line.endswith(("\n", "\r")):
            raise RefusedError(f"{file}:{number}: a head is expected, 64 digits from 0 to f, and what comes after it")
        if head is not None:
            heads.append(head[1])
    return heads


def keep_head(file: Path, head: str, *, events: int, games: int) -> None:
    """Put a head, and what there was of the log at it, at the end of a file, on the disk, unless it stands there."""
    if not head or (file.exists() and head in kept_heads(file)):
        return
    last = (_text(file).splitlines(keepends=True) or [""])[-1] if file.exists() else ""
    unfinished = bool(last.strip()) and not last.endswith(("\n", "\r"))
    if unfinished and _LINE.fullmatch(last.strip().lower()) is None and not last.startswith("#"):
        os.truncate(file, file.read_bytes().rfind(b"\n") + 1)
        unfinished = False
    line = f"{head} {events} events of {games} games"
    add_line(file, f"\n{line}" if unfinished else line)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
