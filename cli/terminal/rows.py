"""Answers of the datasets as rows: in words for people, as CSV for a spreadsheet."""

from typing import Annotated

import pyarrow as pa
import typer

from tabletape.cli.terminal.output import write
from tabletape.dashboard.spreadsheet import csv_of

AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, for a spreadsheet.")]


def print_csv(table: pa.Table) -> None:
    """Print a table as CSV with a line of headings; numbers as they are, times as RFC 3339."""
    write(csv_of(table))
