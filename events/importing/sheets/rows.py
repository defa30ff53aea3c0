"""Logs as sheets: one event a row, under a row that names the columns; CSV and spreadsheets."""

import csv
import io
from collections.abc import Callable, Iterator
from datetime import date
from itertools import chain
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz

from tabletape.events.importing.files.sources import FILE_ERRORS, NotALogError
from tabletape.events.importing.games.heads import is_head
from tabletape.events.importing.games.notation import Notation
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.lines.json_lines import LIKE_A_HEAD, OLD_ENCODING, old_text, whole_lines
from tabletape.events.importing.lines.lenient_reader import typed
from tabletape.events.importing.lines.runs import LONGEST, LongLine, lines_of
from tabletape.events.importing.maps.values.times import Clock
from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.importing.sheets.cells import fields, value
from tabletape.events.importing.sheets.headings import fields_named
from tabletape.events.vocabulary import Event, Vocabulary

ROWS_AT_ONCE: Final = 1000
DELIMITERS: Final = ",;\t"

Row = list[Any]

NO_HEADER: Final = NotALogError(
    "no-header",
    "the first row does not name the columns",
    "write type, player and the names of the fields into the first row; `tabletape template` makes such a sheet",
)


COMMENTS: Final = frozenset({"comment", "comments", "remark", "remarks", "notes", "kommentar", "bemerkung"})
"""Columns that are called so hold the note of a row."""


class NumberedRow(NamedTuple):
    """A row and the line (from 1) where it begins."""

    line: int
    cells: Row


class Sheet(Notation):
    """The notation of a sheet: an item is a row's cells."""

    def __init__(self, rows: Iterator[NumberedRow], clock: Clock | None = None) -> None:
        """Read the header; `clock` reads dates of cells. Raises `NotALogError` where there is none."""
        self._rows = rows
        self._clock = clock or Clock(None)
        header: Row = []
        for _, cells in rows:
            if not self.is_blank(cells):
                header = cells
                break
        self._names = fields_named(header)
        if "type" not in self._names:
            raise NO_HEADER
        notes = ["note" if name in COMMENTS else name for name in self._names]
        self._meant_names = notes if notes.count("note") < 2 else self._names

    def batches(self) -> Iterator[list[NumberedRow]]:
        """Return the numbered rows under the header."""
        batch: list[NumberedRow] = []
        try:
            for row in self._rows:
                batch.append(row)
                if len(batch) >= ROWS_AT_ONCE:
                    yield batch
                    batch = []
        except FILE_ERRORS:
            yield batch
            raise
        yield batch

    def decoder(self, vocabulary: Vocabulary) -> Callable[[Row], Event]:
        """Return what turns a row into an event of a game; it raises `BadLineError` and what msgspec raises."""
        return lambda row: vocabulary.convert(self._fields(row, vocabulary))

    def _fields(self, row: Row, vocabulary: Vocabulary) -> dict[str, Any]:
        """Return the filled cells of a row as fields; an empty cell is a field that was not written down."""
        event_type = vocabulary.types.get(str(self._cell(row, "type")))
        known = fields(event_type) if event_type else {}
        filled: dict[str, Any] = {}
        for place, cell in enumerate(row):
            if _is_empty(cell):
                continue
            name = self._names[place] if place < len(self._names) else ""
            if not name:
                raise BadLineError("unknown-field", (place,), f"the cell in column {place + 1} stands under no name")
            filled[name] = value(self._zoned(cell), name, known.get(name))
        return filled

    def _zoned(self, cell: Any) -> Any:
        """Return a date of a spreadsheet, which knows no zones, in the zone that was said; other cells as they are."""
        return (self._clock.read(cell) or cell) if isinstance(cell, date) else cell

    def _cell(self, row: Row, name: str) -> str:
        place = self._names.index(name) if name in self._names else len(row)
        return str(row[place]).strip() if place < len(row) and not _is_empty(row[place]) else ""

    def named(self, raw: str) -> dict[str, str]:
        """Return the filled cells of a row that `raw` has written, by the names of their columns."""
        cells = next(csv.reader(io.StringIO(raw, newline="")), [])
        more = (f"column {place + 1}" for place in range(len(self._names), len(cells)))
        named = zip((*self._meant_names, *more), cells, strict=False)
        return {name: cell for name, cell in named if cell.strip()}

    def column(self, number: int) -> str:
        """Return the name of a column (from 1), empty where it has none."""
        return self._meant_names[number - 1] if 0 < number <= len(self._names) else ""

    def plain(self, row: Row, vocabulary: Vocabulary) -> dict[str, Any] | None:
        """Return the fields of a row whose type is written as words; a row with nothing but a comment is a note."""
        names = self._meant_names
        if any(not _is_empty(cell) for cell in row[len(names) :]) or not all(
            name or _is_empty(cell) for name, cell in zip(names, row, strict=False)
        ):
            return None
        filled = {
            name: self._zoned(cell) for name, cell in zip(names, row, strict=False) if name and not _is_empty(cell)
        }
        if set(filled) == {"note"}:
            return {"type": "note.added", "text": str(filled["note"])}
        return typed(filled, vocabulary)

    @staticmethod
    def is_separator(row: Row) -> bool:
        """Return whether nothing but strokes stand in a row."""
        filled = [str(cell).strip() for cell in row if not _is_empty(cell)]
        return all(not text.strip("-=_*#~.\u2013\u2014") for text in filled)

    @staticmethod
    def is_blank(row: Row) -> bool:
        """Return whether nothing stands in a row."""
        return all(_is_empty(cell) for cell in row)

    def slug(self, row: Row) -> str | None:
        """Return the game that a `game.started` row begins; `None` for another row."""
        return self._cell(row, "game") if is_head(self._cell(row, "type")) else None

    def may_be_head(self, row: Row) -> bool:
        """Return whether an unreadable row was probably meant to begin a game."""
        filled = self._cell(row, "edition") and self._cell(row, "players")
        return bool(filled) or fuzz.ratio(self._cell(row, "type").casefold(), "game.started") >= LIKE_A_HEAD

    @staticmethod
    def raw(row: Row) -> str:
        """Return a row as a line of CSV, for the quarantine."""
        text = io.StringIO()
        csv.writer(text, lineterminator="").writerow(row)
        return text.getvalue()

    def diagnose(self, row: Row, error: Exception, vocabulary: Vocabulary) -> tuple[BadLineError, int]:
        """Return why a row cannot be read, and in which column of the sheet."""
        if not isinstance(error, BadLineError):
            error = explain(error, self._fields(row, vocabulary), vocabulary)
        place = error.path[0] if error.path else "type"
        if isinstance(place, int):
            return error, place + 1
        return error, self._names.index(place) + 1 if place in self._names else 1


def _is_empty(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def csv_rows(stream: "io.BufferedReader[Any]", encoding: str, remark: Callable[[str], None]) -> Iterator[NumberedRow]:
    """Return the rows of a CSV file, comma-, semicolon- or tab-separated as its header is."""
    lines = _text_lines(stream, encoding, remark)
    first = next(lines, "")
    skipped = 0
    if first.lower().startswith("sep="):
        skipped = 1
        first = next(lines, "")
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(chain([first], lines), delimiter=delimiter)
    line = skipped + 1
    for row in reader:
        yield NumberedRow(line, row)
        line = skipped + reader.line_num + 1


def _text_lines(stream: "io.BufferedReader[Any]", encoding: str, remark: Callable[[str], None]) -> Iterator[str]:
    """Return the lines as text, those that are not UTF-8 in the old encoding."""
    for lines, _ in whole_lines(stream, encoding):
        for line in lines_of(lines):
            if isinstance(line, LongLine):
                raise csv.Error(f"the next line is longer than {LONGEST:,} bytes")
            try:
                text = line.decode()
            except UnicodeDecodeError:
                remark(OLD_ENCODING)
                text = old_text(line)
            yield text.rstrip("\r") + "\n"
