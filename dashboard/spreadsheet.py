"""Answers as CSV for a spreadsheet."""

import csv
import io
import re
from datetime import datetime
from typing import Any, Final

import pyarrow as pa

from tabletape.events.printable import printable

FORMULA: Final = re.compile(r"[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""What makes a spreadsheet read a cell as a formula; a text from a log that begins so is put behind an apostrophe."""


def csv_of(table: pa.Table) -> str:
    """Return a table as CSV with a line of headings; numbers as they are, times as RFC 3339."""
    stream = io.StringIO()
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(map(_cell, table.column_names))
    lines.writerows([_cell(value) for value in row.values()] for row in table.to_pylist())
    return stream.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str):
        return printable(f"'{value}" if FORMULA.match(value) else value)
    return value
