"""The columns of results: what stands in the cells of a row, split where a cell has several names, yes or no."""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from events.importing.maps.effort import Effort
from events.importing.maps.paths import Document
from events.importing.maps.schema import AnyColumn, Column

YES: Final = frozenset({"1", "true", "yes", "y", "x", "won", "win", "winner", "ja", "oui", "si", "s\u00ed"})

_SPLIT: Final = re.compile(r"(?P<column>.+?) \(split (?P<sign>.+)\)")


class _Read(NamedTuple):
    """A column made ready: its path, what parts several values, which mean nothing, which mean yes; `steps` it takes.

    `column` is what it was made of: as long as that is held its identity belongs to nothing else.
    """

    column: str | Column
    path: str
    parting: re.Pattern[str] | None
    signs: int
    none: frozenset[str]
    yes: frozenset[str]
    steps: int


class Cells:
    """Reads the cells of a document by columns of a map, within the steps that its file has left."""

    def __init__(self, document: Document, effort: Effort) -> None:
        """Read the cells of the rows of a document."""
        self._document = document
        self._effort = effort
        self._columns: dict[int | str, _Read] = {}

    def values(self, row: Any, column: AnyColumn) -> list[str]:
        """Return what stands in a column, split where it is a list. Raises `EffortError` where no steps are left."""
        if isinstance(column, list):
            return [text for each in column for text in self.values(row, each)]
        if column == "":
            return []
        read = self._column(column)
        self._effort.take(read.steps)
        found = self._document.get(row, read.path) if read.path else None
        if isinstance(found, list):
            self._effort.take(len(found))
            values = found
        elif read.parting is not None:
            text = str(_plain(found))
            self._effort.take((len(text) >> 3) + (read.signs * len(text) >> 9))
            values = read.parting.split(text)
        else:
            text = str(_plain(found)).strip()
            return [text] if text and text not in read.none else []
        texts = [str(_plain(each)).strip() for each in values if each is not None]
        return [text for text in texts if text and text not in read.none]

    def one(self, row: Any, column: AnyColumn) -> str:
        """Return the first text of a column, empty where there is none."""
        return next(iter(self.values(row, column)), "")

    def says(self, row: Any, column: AnyColumn) -> bool | None:
        """Return whether a column says yes, one of a list of them; None where nothing stands there."""
        if isinstance(column, list):
            told = [self.says(row, each) for each in column]
            return any(told) if any(each is not None for each in told) else None
        text = self.one(row, column)
        if not text:
            return None
        yes = self._column(column).yes
        return text in yes if yes else text.casefold() in YES

    def _column(self, column: str | Column) -> _Read:
        """Return a column made ready, once for a file."""
        key = column if isinstance(column, str) else id(column)
        found = self._columns.get(key)
        if found is None:
            found = self._columns[key] = _read(column)
        return found


def _read(column: str | Column) -> _Read:
    path, signs = (column.column, column.split) if isinstance(column, Column) else (column, "")
    told = _SPLIT.fullmatch(path)
    if told:
        path, signs = told["column"], told["sign"]
    none = column.none if isinstance(column, Column) else []
    wanted = column.says if isinstance(column, Column) else []
    yes = wanted if isinstance(wanted, list) else [wanted]
    listed = [signs] if isinstance(signs, str) else signs
    steps = 2 + (len(path) >> 5)
    return _Read(
        column,
        path,
        parting(listed) if signs else None,
        len(listed),
        frozenset(map(str, none)),
        frozenset(map(str, yes)),
        steps,
    )


def parting(signs: Sequence[str]) -> re.Pattern[str]:
    """Return what finds signs between names, words among them in any case (` vs ` is ` VS ` too), long ones first."""
    return re.compile("|".join(map(re.escape, sorted(signs, key=len, reverse=True))), re.IGNORECASE)


def first_path(column: AnyColumn) -> str:
    """Return the first column that is meant, empty where there is none."""
    return next(iter(paths(column)), "")


def paths(column: AnyColumn) -> list[str]:
    """Return the columns that are meant, without what is done with them."""
    if isinstance(column, list):
        return [path for each in column for path in paths(each)]
    path = column.column if isinstance(column, Column) else column
    told = _SPLIT.fullmatch(path)
    return [told["column"] if told else path] if path else []


def _plain(value: Any) -> Any:
    """Return a number of a sheet as people read it: 3, not 3.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else "" if value is None else value
