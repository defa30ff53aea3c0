"""Reads a workbook from standard input and writes its rows to standard output, in a process of its own.

Whatever a workbook does to its reader - a panic, an abort, memory without end - ends this process and nothing else.
It is run by its path (`workbooks` does so) and imports nothing of Tabletape, so that it starts in a tenth of a second.

What is written: frames of four bytes (length, big-endian) and that many bytes of MessagePack, each a list. `["rows",
sheet, [[line, cells], ...]]` are rows of a sheet that are not blank, of one that nobody sees as `Costs (hidden)`;
`["refused", code, message, suggestion]` says why there is nothing, `["end"]` comes last.
"""

import io
import re
import sys
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice
from typing import Any, Final

import msgspec

MAX_UNPACKED: Final = 512 << 20
"""Bytes to which all parts of a workbook may unpack."""

MAX_CELLS: Final = 10_000_000
"""Cells between A1 and the last filled one, empty ones included: a reader keeps all of them."""

MAX_OUTPUT: Final = 1 << 30
PIECE: Final = 1 << 20
ROWS_AT_ONCE: Final = 1000

DATETIME, DATE = 1, 2
"""The extension types of MessagePack in which a cell with a date stands, as ISO 8601."""

_CELL: Final = re.compile(rb"<c\b[^>]{0,200}?\br=\"([A-Z]{1,3})(\d{1,7})\"")
_LONGEST_TAG: Final = 300


class Refused(Exception):  # noqa: N818 - what was raised leaves this process as a frame
    """The workbook cannot be read: a code, a message, a suggestion."""


def main() -> None:
    """Read the workbook within the memory (bytes) and time (seconds) that the command line allows."""
    from python_calamine import CalamineError  # noqa: PLC0415 - who starts this process does without

    _limit(int(sys.argv[1]), int(sys.argv[2]))
    try:
        content = sys.stdin.buffer.read()
        _check(content)
        _write_sheets(content)
    except Refused as error:
        _write(["refused", *error.args])
    except (CalamineError, zipfile.BadZipFile) as error:
        _write(["refused", "damaged", f"the file is damaged: {error}", "fetch it again"])
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of the library below is no `Exception`
        reason = f"the reader of workbooks failed ({type(error).__name__}: {error})"
        _write(["refused", "defect", reason, "save the sheet as CSV and import that, and please report the file"])
    _write(["end"])
    sys.stdout.buffer.flush()


def _limit(memory: int, seconds: int) -> None:
    """Set the limits of this process, where the operating system can hold it to them."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - Windows has no such module

    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, MAX_OUTPUT),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _check(content: bytes) -> None:
    """Refuse what unpacks to too much, or reaches too far, before anything is made of it."""
    if not content.startswith(b"PK"):
        return
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        parts = book.infolist()
        if sum(part.file_size for part in parts) > MAX_UNPACKED:
            raise _too_much("its parts unpack")
        if not {"xl", "content.xml"} & {part.filename.partition("/")[0] for part in parts}:
            named = ", ".join(part.filename for part in parts[:3]) or "nothing"
            message = f"this is a zip archive and no workbook; in it is {named}"
            raise Refused("unknown-format", message, "unpack it and import what is in it")
        unpacked = 0
        for part in parts:
            if part.filename.startswith("xl/worksheets/") and part.filename.endswith(".xml"):
                unpacked = _check_area(book, part, unpacked)


def _check_area(book: zipfile.ZipFile, part: zipfile.ZipInfo, unpacked: int) -> int:
    """Refuse a sheet whose last cell is too far away; return the bytes unpacked so far."""
    column, row, rest = b"A", 1, b""
    with book.open(part) as sheet:
        while piece := sheet.read(PIECE):
            unpacked += len(piece)
            if unpacked > MAX_UNPACKED:
                raise _too_much("it unpacks")
            text = rest + piece
            for letters, digits in _CELL.findall(text):
                column, row = max(column, letters, key=_number), max(row, int(digits))
            rest = text[-_LONGEST_TAG:]
    cells = _number(column) * row
    if cells > MAX_CELLS:
        message = f"a sheet reaches to cell {column.decode()}{row}: {cells:,} cells, and at most {MAX_CELLS:,} are read"
        raise Refused("too-large", message, "delete what stands far away (Ctrl+End goes there) and save the sheet")
    return unpacked


def _too_much(what: str) -> Refused:
    message = f"the workbook is too large: {what} to more than {MAX_UNPACKED >> 20} MB"
    return Refused("too-large", message, "save the sheet as CSV and import that")


def _number(column: bytes) -> int:
    """Return the number of a column by its letters: A is 1, XFD 16,384."""
    number = 0
    for letter in column:
        number = number * 26 + letter - 64
    return number


def _write_sheets(content: bytes) -> None:
    from python_calamine import CalamineWorkbook, SheetVisibleEnum  # noqa: PLC0415 - the same

    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    seen = {sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible}
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        table = sheet.to_python(skip_empty_area=False)
        _unmerge(table, sheet.merged_cell_ranges or [])
        rows = _filled(table)
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            _write(["rows", name if name in seen else f"{name} (hidden)", batch])


def _unmerge(rows: list[list[Any]], merged: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    """Write what stands in a cell that reaches over several rows into each of them in which something else stands."""
    for (top, left), (bottom, _) in merged:
        value = rows[top][left] if top < len(rows) and left < len(rows[top]) else ""
        for row in rows[top + 1 : bottom + 1]:
            if value != "" and any(cell != "" for cell in row):
                row[left] = value


def _filled(rows: list[list[Any]]) -> Iterator[tuple[int, list[Any]]]:
    """Return the rows in which something stands, with their lines, without the empty cells at their ends."""
    for line, row in enumerate(rows, 1):
        while row and row[-1] in ("", None):
            row.pop()
        if row:
            yield line, [cell if isinstance(cell, str | float | int) else _plain(cell) for cell in row]


def _plain(cell: Any) -> Any:
    """Return what MessagePack has no type for: a date as an extension, a span of time as text."""
    if isinstance(cell, datetime):
        return msgspec.msgpack.Ext(DATETIME, cell.isoformat().encode())
    return msgspec.msgpack.Ext(DATE, cell.isoformat().encode()) if isinstance(cell, date) else str(cell)


def _write(frame: list[Any]) -> None:
    body = msgspec.msgpack.encode(frame)
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)


if __name__ == "__main__":
    main()
