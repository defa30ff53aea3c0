"""Tables in a text as people make them: parted by commas, semicolons, tabs or strokes, or with aligned columns."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Final

from tabletape.events.importing.maps.documents.trees import ForeignError

SIGNS: Final = "\t|;,"
"""What parts cells; where several stand equally often in the first rows, the first of them counts."""

SAMPLE_LINES: Final = 20
"""How many lines show how a table is written."""

WHO: Final = "(player)"
DONE: Final = "(done)"
"""The columns of a sheet in which those of its players stood beside each other: whose it was, and what stood there."""

NumberedRow = tuple[int, str, dict[str, Any]]
"""A row with its line and its place."""

_RULE: Final = re.compile(r"[\s|+:=\u2500-\u257f-]*[-=\u2500-\u257f]{2}[\s|+:=\u2500-\u257f-]*")
_GAP: Final = re.compile(r"\s{2,}")


def table_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Return the rows of a table, each with its line; rules and blank lines are passed over. Raises `ForeignError`."""
    lines = text.replace("\u2502", "|").replace("\u2503", "|").splitlines()
    skipped = 1 if lines and lines[0].lower().startswith("sep=") else 0
    sample = [line for line in lines[skipped:] if line.strip() and not _RULE.fullmatch(line)][:SAMPLE_LINES]
    sign = _sign(sample)
    if sign in {"|", ""}:
        offsets = [match.end() for match in _GAP.finditer(sample[0].rstrip())] if sample and not sign else []
        for number, line in enumerate(lines[skipped:], skipped + 1):
            cells = _by_strokes(line) if sign else _aligned(line, [0, *offsets])
            if any(cells) and not _RULE.fullmatch(line):
                yield number, cells
        return
    reader = csv.reader(lines[skipped:], delimiter=sign)
    place = skipped + 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield place, cells
            place = skipped + reader.line_num + 1
    except csv.Error as error:
        raise ForeignError(f"the file is no sheet: {error}") from None


def _sign(sample: Sequence[str]) -> str:
    """Return what parts the cells of a table; nothing where its columns are aligned with blanks."""
    if not sample:
        return ","
    head = next((line for line in sample if any(sign in line for sign in SIGNS)), sample[0])
    likeliest = max(SIGNS, key=head.count)
    return likeliest if likeliest in head else "" if len(_GAP.split(sample[0].strip())) > 1 else ","


def _by_strokes(line: str) -> list[str]:
    """Return the cells between strokes; a stroke behind a backslash is one of the text."""
    line = line.strip()
    line = line.removeprefix("|")
    cells = re.split(r"(?<!\\)\|", line.removesuffix("|"))
    return [cell.replace("\\|", "|").strip() for cell in cells]


def _aligned(line: str, offsets: Sequence[int]) -> list[str]:
    """Return the cells of a line whose columns begin where those of the head do."""
    cells = [cell for cell in _GAP.split(line.strip()) if cell]
    if len(cells) == len(offsets):
        return cells
    ends = [*offsets[1:], len(line)]
    return [line[start:end].strip() for start, end in zip(offsets, ends, strict=True)]


def one_below_the_other(rows: Iterable[NumberedRow], columns: Sequence[str]) -> Iterator[NumberedRow]:
    """Yield a row for each cell of some columns, which are called like players: theirs, with the rest of the row.

    They are numbered from 1; the place says the row and the column.
    """
    numbers = count(1)
    for _, place, row in rows:
        rest = {name: cell for name, cell in row.items() if name not in columns}
        for name in columns:
            if cell := row.get(name):
                yield next(numbers), f"{place}, {name}", {**rest, WHO: name, DONE: cell}
