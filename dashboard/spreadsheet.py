"""Answers as CSV for a spreadsheet."""

import csv
import io
from datetime import datetime
from typing import Any, Final

import pyarrow as pa

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet read a cell as a formula; a text from a log that begins so is put behind an apostrophe."""


def csv_of(table: pa.Table) -> str:
    """Return a table as CSV with a line of headings; numbers as they are, times as RFC 3339."""
    stream = io.StringIO()
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(table.column_names)
    lines.writerows([_cell(value) for value in row.values()] for row in table.to_pylist())
    return stream.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value.startswith(FORMULA):
        return "'" + value
    return value
