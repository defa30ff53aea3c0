"""Games as a workbook: a sheet each for games, seats, cards and findings, and one that says what the columns mean."""

import io
from collections.abc import Iterable, Mapping
from typing import Any, Final

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from tabletape.events.errors import TabletapeError
from tabletape.events.log.rows import StoredGame
from tabletape.projector.datasets.columns import DATASETS
from tabletape.projector.datasets.rows.game_rows import rows_of_game
from tabletape.projector.fold.replay import Replay

SHEETS: Final = ("games", "seats", "cards", "findings")
"""The datasets that have a sheet, in the order of the sheets."""

MEANINGS: Final = "columns"
"""The sheet that says what each column means."""

MOST_ROWS: Final = 1_048_576
"""Rows that a sheet of a workbook has, its heading row included."""

LONGEST_TEXT: Final = 32_767
"""Letters that a cell holds; a longer text ends with `…`."""

_OPTIONS: Final[Mapping[str, Any]] = {
    "constant_memory": True,
    "remove_timezone": True,
    "default_date_format": "yyyy-mm-dd hh:mm:ss",
    # What comes out of logs is text, never a formula, a link or a number in disguise.
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


class TooManyRowsError(TabletapeError):
    """A sheet cannot hold this many rows; the message says which, and what to do."""


def workbook(played: Iterable[tuple[StoredGame, Replay]]) -> bytes:
    """Return games as a workbook (.xlsx); times are in UTC, what nobody wrote down is an empty cell.

    Raises `TooManyRowsError` where a sheet would get more rows than a workbook holds.
    """
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, dict(_OPTIONS)) as book:
        bold = book.add_format({"bold": True, "bottom": 1})
        sheets = {name: _sheet(book, name, DATASETS[name].names, bold) for name in SHEETS}
        lines = dict.fromkeys(SHEETS, 1)
        for _, replay in played:
            rows = rows_of_game(replay)
            for name, sheet in sheets.items():
                for row in rows.rows[name]:
                    _write(sheet, lines[name], (*rows.common, *row))
                    lines[name] += 1
        for name, sheet in sheets.items():
            sheet.autofilter(0, 0, max(lines[name] - 1, 1), len(DATASETS[name].names) - 1)
        _explain(_sheet(book, MEANINGS, ("sheet", "column", "meaning"), bold))
    return content.getvalue()


def _sheet(book: Any, name: str, columns: Iterable[str], bold: Any) -> Worksheet:
    sheet: Worksheet = book.add_worksheet(name)
    names = list(columns)
    sheet.set_column(0, len(names) - 1, 16)
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, names, bold)
    return sheet


def _write(sheet: Worksheet, line: int, values: Iterable[Any]) -> None:
    """Write a row, from 0; raise `TooManyRowsError` where the sheet is full."""
    if line >= MOST_ROWS:
        message = f"the sheet {sheet.get_name()} would get more than the {MOST_ROWS:,} rows that a workbook holds"
        raise TooManyRowsError(f"{message}; name fewer games, or use `tabletape build` and its Parquet files")
    for column, value in enumerate(values):
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            sheet.write_string(line, column, f"{value[: LONGEST_TEXT - 1]}…")
        elif value is not None:
            sheet.write(line, column, value)


def _explain(sheet: Worksheet) -> None:
    fields = ((name, field) for name in SHEETS for field in DATASETS[name])
    for line, (name, field) in enumerate(fields, 1):
        sheet.write_row(line, 0, (name, field.name, (field.metadata or {}).get(b"doc", b"").decode()))
