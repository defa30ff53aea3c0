"""The sheets of a workbook as one table: those with the same headings below each other, the others named."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

SHEET: Final = "\x02"
"""Stands before the name of a sheet whose rows follow, in a row of its own."""

LEFT_OUT: Final = "\x03"
"""Stands before the name of a sheet that is not read, in a row of its own, before the number of its rows."""

ALIKE: Final = 0.5
"""The share of its headings that a sheet has to have in common with the first one to be read with it."""

MOST_NAMED: Final = 5
"""How many headings are named of a sheet that is not read."""


class NumberedSheet(NamedTuple):
    """A sheet: its name, and its rows by their lines."""

    name: str
    rows: dict[int, Sequence[Any]]

    @property
    def headings(self) -> list[str]:
        """The first row with several cells: it names the columns."""
        filled = ([str(cell).strip() for cell in row if cell not in (None, "")] for row in self.rows.values())
        return next((cells for cells in filled if len(cells) > 1), [])


def joined(sheets: Iterable[NumberedSheet], tells: Callable[[Sequence[str]], bool]) -> bytes:
    """Return the sheets of a workbook as CSV, empty where none has two rows; dates are written as ISO 8601.

    The first sheet whose headings tell who played or won (`tells`), else the first with two rows, gives the headings.
    Those that have them too follow, of several each with its name above it; then the names of the others, which are not
    read, with how many rows they have.
    """
    tables = [sheet for sheet in sheets if sheet.rows]
    longer = [sheet for sheet in tables if len(sheet.rows) > 1]
    if not longer:
        return b""
    first = next((sheet for sheet in longer if tells(sheet.headings)), longer[0])
    alike = [sheet for sheet in tables if sheet is first or _is_alike(sheet, first)]
    text = io.StringIO()
    writer = csv.writer(text)
    for sheet in alike:
        if len(tables) > 1:
            writer.writerow([f"{SHEET}{sheet.name}"])
        writer.writerows(sheet.rows.get(line, []) for line in range(1, max(sheet.rows) + 1))
    for sheet in tables:
        if sheet not in alike:
            writer.writerow([f"{LEFT_OUT}{sheet.name} ({_described(sheet)})", len(sheet.rows)])
    return text.getvalue().encode()


def _is_alike(sheet: NumberedSheet, first: NumberedSheet) -> bool:
    """Return whether a sheet has the headings of the first one, or is a pad as that one is: the same first column."""
    mine, others = set(sheet.headings), set(first.headings)
    if len(sheet.rows) < 2 or not mine:
        return False
    labels = [{str(row[0]) for row in each.rows.values() if row} for each in (sheet, first)]
    return len(mine & others) >= ALIKE * max(len(mine), len(others)) or len(labels[0] & labels[1]) > 3


def _described(sheet: NumberedSheet) -> str:
    heads = sheet.headings
    return f"headed {', '.join(heads[:MOST_NAMED])}" if heads else "a single column"
