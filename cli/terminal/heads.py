"""A file of heads: what a log proves itself by, kept beside it or, better, somewhere else."""

import re
from pathlib import Path

from tabletape.cli.terminal.output import RefusedError
from tabletape.events.importing import Report

_LINE = re.compile(r"([0-9a-f]{64})(\s.*)?")


def kept_heads(file: Path) -> list[str]:
    """Return the heads in a file, one at the beginning of each line. Raises `RefusedError` for a line without one."""
    heads = []
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line.strip().lower())
        if found is None:
            raise RefusedError(f"{file}:{number}: a head is expected, 64 digits from 0 to f, and what comes after it")
        heads.append(found[1])
    return heads


def keep_head(file: Path, report: Report) -> None:
    """Put the head after an import at the end of a file, unless it stands there already."""
    if report.head and not (file.exists() and report.head in kept_heads(file)):
        with file.open("a", encoding="utf-8") as stream:
            stream.write(f"{report.head} {report.events} events of {len(report.games)} games\n")
