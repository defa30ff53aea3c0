"""Lines in quarantine with what they may have meant, and writing them right: the file is read again from the log."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, cast

from tabletape.events.importing.files.kept import kept_copies
from tabletape.events.importing.files.sources import NotALogError, sniff
from tabletape.events.importing.files.streams import Source
from tabletape.events.importing.lines.text import Fields
from tabletape.events.importing.mapped import kept_log
from tabletape.events.importing.quarantine.bad_lines import DOUBTS
from tabletape.events.importing.quarantine.mends import Mend, keep_mends, kept_mends
from tabletape.events.importing.quarantine.suggesting import fields_of_json, suggested
from tabletape.events.importing.readers import READER
from tabletape.events.importing.rejected import TOO_MANY
from tabletape.events.importing.remapping import import_again
from tabletape.events.importing.report import Format, ImportReport, Options
from tabletape.events.importing.sheets.rows import Sheet, csv_rows
from tabletape.events.importing.sheets.workbooks import Workbook
from tabletape.events.log import Log
from tabletape.events.log.rows import Arrival, QuarantinedLine

OWN_FORMATS: Final = ("jsonl", "csv", "xlsx")
"""The formats of our own logs; all others are read through a map."""

WHOLE_GAMES: Final = frozenset({"contradicts", "damaged", "example", "too-long", TOO_MANY})
"""Codes of entries that are about more than a line."""


class OpenLine(NamedTuple):
    """A line in quarantine: its fields as far as they can be read, the field that is wrong, what was probably meant.

    `alike` are the number and text of all lines of its kind where a map left them over: they have one entry. `told` and
    `winners` are those of an `OpenRecord`.
    """

    entry: QuarantinedLine
    name: str
    fields: Fields
    place: str
    suggestion: Fields | None
    alike: tuple[tuple[int, str], ...] = ()
    told: str = ""
    winners: tuple[str, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether the line is in its game, and is only asked about."""
        return self.entry.code in DOUBTS

    def mends(self, fields: Fields | None) -> list[Mend]:
        """Return the mends that say what the line means; without fields it is passed over, and all that are like it."""
        entry = self.entry
        if fields is None:
            places = self.alike or ((entry.line, entry.raw),)
            return [Mend(entry.file, line, raw, None) for line, raw in places]
        return [Mend(entry.file, entry.line, entry.raw, dict(fields))]


def open_lines(log: Log, options: Options | None = None) -> tuple[list[OpenLine], list[QuarantinedLine]]:
    """Return the lines in quarantine that can be written right one by one, and the other entries.

    `options` are those of an import: what a map has left over can be mended where the map is still there.
    """
    entries = log.quarantine()
    lines: list[OpenLine] = []
    for arrival in log.arrivals() if entries else ():
        mine = [each for each in entries if _is_of(each, arrival) and each.line and each.code not in WHOLE_GAMES]
        if mine and (arrival.format in OWN_FORMATS or arrival.format.startswith(READER)):
            lines += _opened(log, arrival, mine)
        elif mine:
            lines += _left_over(log, arrival, mine, options or Options())
    open_entries = {id(each.entry) for each in lines}
    return lines, [each for each in entries if id(each) not in open_entries]


def _is_of(entry: QuarantinedLine, arrival: Arrival) -> bool:
    return entry.file == arrival.name or (
        arrival.format == "xlsx" and entry.file.startswith(f"{arrival.name} [") and entry.file.endswith("]")
    )


def _opened(log: Log, arrival: Arrival, entries: Sequence[QuarantinedLine]) -> list[OpenLine]:
    """Return the lines of one file, a row of a sheet under the names of its columns."""
    sheets = _sheets(log, arrival) if arrival.format in {"csv", "xlsx"} else {}
    before = kept_mends(log)
    opened = []
    for entry in entries:
        sheet = sheets.get(entry.file)
        fields: Fields = fields_of_json(entry.raw) if sheet is None else sheet.named(entry.raw)
        fields = before.get(entry.file, {}).get((entry.line, entry.raw)) or fields
        place, suggestion = suggested(entry, fields, None if sheet is None else sheet.column(entry.column))
        opened.append(OpenLine(entry, arrival.name, fields, place, suggestion))
    return opened


def _left_over(log: Log, arrival: Arrival, entries: Sequence[QuarantinedLine], options: Options) -> list[OpenLine]:
    """Return what a map has left over of a file, and the events of it that could not be taken."""
    before = kept_mends(log).get(arrival.name, {})
    try:
        mapped = kept_log(log, arrival, options, before)
    except NotALogError:
        return []
    if mapped is None:
        return []
    for _ in mapped.batches():
        pass
    records = {(each.line, each.raw): each for each in mapped.open}
    left = []
    for entry in entries:
        record = records.get((entry.line, entry.raw))
        fields = before.get((entry.line, entry.raw)) or (record.fields if record else fields_of_json(entry.raw))
        if record is not None:
            left.append(OpenLine(entry, arrival.name, fields, *record[4:6], record.alike, *record[6:]))
        elif fields:
            left.append(OpenLine(entry, arrival.name, fields, *suggested(entry, fields, None)))
    return left


def _sheets(log: Log, arrival: Arrival) -> dict[str, Sheet]:
    """Return the sheets of a kept file by the names that they have in quarantine; of each its head was read."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        (path,) = kept_copies(log, [arrival], Path(folder))
        source = stack.enter_context(Source(path, None, any_size=True))
        if arrival.format == "csv":
            encoding = sniff(source.start()).encoding
            return {arrival.name: Sheet(csv_rows(source.content, encoding, lambda _: None))}
        book = stack.enter_context(Workbook(source.content))
        return {f"{arrival.name} [{name}]": Sheet(rows) for name, rows in book.sheets()}


def mend(log: Log, mends: Iterable[tuple[str, Mend]], options: Options) -> ImportReport:
    """Keep mends, each with the name of its file, and read those files again from what the log keeps of them.

    What is mended joins its game where it belongs, as its next revision. Raises as `import_paths` does.
    """
    of_files: dict[str, list[Mend]] = {}
    for name, each in mends:
        of_files.setdefault(name, []).append(each)
    report = ImportReport()
    for name, its in of_files.items():
        keep_mends(log, name, its)
        (arrival,) = (each for each in log.arrivals() if each.name == name)
        with TemporaryDirectory() as folder:
            form = cast("Format", arrival.format) if arrival.format in OWN_FORMATS else None
            report_of_file = import_again(log, [arrival], replace(options, format=form, any_size=True), Path(folder))
        report.files += report_of_file.files
        report.head = report_of_file.head
    return report
