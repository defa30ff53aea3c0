"""Answers of the datasets as rows: in words for people, as CSV for a spreadsheet."""

from datetime import datetime
from typing import Annotated, Any

import pyarrow as pa
import typer

from tabletape.cli.terminal.output import write
from tabletape.dashboard.spreadsheet import csv_of

AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, for a spreadsheet.")]


def cell_text(value: Any) -> str:
    """Return a value as a person writes it: yes and no, at most two decimals, a time to the minute."""
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
    write(csv_of(table))
