"""Mends: what lines in quarantine were meant to say.

A mend is kept in the log like a file of its own, so the file that it mends stays as it came; whenever that file is
read, also when it has grown, the lines that were mended are read as they were mended.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.importing.lines.text import Fields, MendsOfFile
from tabletape.events.log import Log
from tabletape.events.log.writing import Intake
from tabletape.events.plans import planned

FORMAT: Final = "mends"
"""The format of an intake that holds the mends of a file."""

ENDING: Final = " (mended lines)"
"""What stands behind the name of a file in the name of its mends."""


@planned
class Mend(msgspec.Struct, frozen=True):
    """What a line says: `file` (or a sheet of it), `line` and `raw` as in quarantine.

    `fields` are those of the event; without any the line says nothing that belongs to a log, and is passed over.
    """

    file: str
    line: int
    raw: str
    fields: dict[str, Any] | None


_MENDS_DECODER: Final = msgspec.json.Decoder(list[Mend])


def kept_mends(log: Log) -> Mapping[str, MendsOfFile]:
    """Return all mends in a log, by the file (or sheet) whose lines they are."""
    by_file: dict[str, dict[tuple[int, str], Fields | None]] = {}
    for arrival in log.arrivals():
        if arrival.format == FORMAT:
            for mend in _MENDS_DECODER.decode(b"".join(log.raw_content(arrival.file))):
                by_file.setdefault(mend.file, {})[mend.line, mend.raw] = mend.fields
    return by_file


def keep_mends(log: Log, name: str, mends: Iterable[Mend]) -> None:
    """Keep mends of the file with a name, beside those that are kept already; a newer one of a line counts."""
    before = [each for each in log.arrivals() if each.name == name + ENDING]
    old = [mend for each in before for mend in _MENDS_DECODER.decode(b"".join(log.raw_content(each.file)))]
    all_of_them = {(mend.file, mend.line, mend.raw): mend for mend in (*old, *mends)}
    content = msgspec.json.encode(list(all_of_them.values()))
    with log.writing() as tape:
        raw = tape.keep_whole(content, name + ENDING)
        tape.add_intake(Intake(raw, name + ENDING, FORMAT, len(all_of_them)))
