"""Answers of the datasets as rows: in words for people, as CSV for a spreadsheet."""

import csv
import io
from datetime import datetime
from typing import Annotated, Any

import pyarrow as pa
import typer

from cli.output import write

AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, for a spreadsheet.")]

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet read a cell as a formula; a text from a log that begins so is put behind an apostrophe."""


def said(value: Any) -> str:
    """Give a value as a person writes it: yes and no, at most two decimals, a time to the minute."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return str(value)


def print_csv(table: pa.Table) -> None:
    """Print a table as CSV with a line of headings; numbers as they are, times as RFC 3339."""
    stream = io.StringIO()
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(table.column_names)
    lines.writerows([_cell(value) for value in row.values()] for row in table.to_pylist())
    write(stream.getvalue())


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value.startswith(FORMULA):
        return "'" + value
    return value
