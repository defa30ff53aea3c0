"""The rows of a sheet of results that are games: headings, sums and examples are sorted out."""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from tabletape.events.importing.maps.documents.paths import as_text
from tabletape.events.importing.maps.fates import EXAMPLE_KEPT, NOT_READ_FATE, LineFate
from tabletape.events.importing.remarks import EXAMPLE


@cache
def _tables() -> Mapping[str, Sequence[str]]:
    folder = files("tabletape.events.importing.maps.results")
    return tomllib.loads(folder.joinpath("words.toml").read_text(encoding="utf-8"))


def words(*names: str) -> frozenset[str]:
    """Return the words in the cells of results (`words.toml`) of some tables, `draw` and `nobody`, in small letters."""
    return frozenset(word for name in names for word in _tables()[name])


HEADING: Final = "(heading)"
"""The column in which the heading stands that a row is under."""

COLUMN: Final = "(column)"
"""The column in which the heading of a game's own column stands, where the columns of a sheet are the games."""

SHEET_NAME: Final = "(sheet)"
"""The column in which the name of a sheet of a workbook stands whose rows follow."""

UNREAD_SHEET: Final = "(not read)"
"""The column in which the name of a sheet stands that is not read; how many rows it has is beside it."""

ROWS: Final = "(rows)"
"""The column in which it stands how many rows a sheet has that is not read."""

OTHER_HEADINGS: Final = f"{NOT_READ_FATE}, because the headings are others"
"""The fate of a sheet that is not read."""

AVERAGES: Final = words("averages")
"""A row that begins with one of these words says no total."""

SUMS: Final = words("averages", "sums")
"""A row that begins with one of these words adds up others."""

Placed = tuple[int, str, Any]

_HOLE: Final = re.compile(r"\{([^{}]+)\}")


class SheetRows:
    """Sorts the rows of a document out; `columns` has where something stands in the rows of games.

    `sheets` are those of a workbook, `others` the kinds of rows that are no games, each with what becomes of it.
    """

    def __init__(
        self,
        fill_down: Sequence[str],
        example: Mapping[str, str] = MappingProxyType({}),
        read: Collection[str] = (),
        *,
        only_sums: bool = False,
    ) -> None:
        """Take the columns whose values stand for the rows below too, the row that is only an example, what is `read`.

        With `only_sums` the totals are the games, and the rows above them are what they add up.
        """
        self._fill_down = fill_down
        self._example = example
        self._read = {*_named_in(example), *read}
        self._only_sums = only_sums
        self.columns: dict[str, tuple[int, int, str]] = {}
        self.sheets: list[LineFate] = []
        self.others: dict[tuple[str, str], LineFate] = {}

    def games(self, rows: Iterable[Placed]) -> Iterator[Placed]:
        """Return the rows that are games, with line and place; a document of JSON or XML has no other ones."""
        above: dict[str, Any] = {}
        self.columns, self.sheets, self.others = {}, [], {}
        for line, place, row in rows:
            if not isinstance(row, Mapping):
                yield line, place, row
            elif SHEET_NAME in row:
                self.sheets.append(LineFate(0, f"sheet {row[SHEET_NAME]}", "games", line, ""))
            elif UNREAD_SHEET in row:
                said = str(row.get(ROWS, ""))[:9]  # Any text may have the sign of such a sheet.
                count = int(said) if said.isdecimal() else 0
                self.sheets.append(LineFate(count, f"sheet {row[UNREAD_SHEET]}", OTHER_HEADINGS, line, ""))
            elif kind := self._no_game(row):
                first = as_text(next(iter(row.values())))[:EXAMPLE_KEPT]
                before = self.others.get(kind) or LineFate(0, kind[1], "passed over", line, first)
                self.others[kind] = before._replace(lines=before.lines + 1)
            else:
                self._note(line, row)
                above |= {name: row[name] for name in self._fill_down if row.get(name) not in (None, "")}
                yield line, place, {**above, **row} if above else row

    def _no_game(self, row: Mapping[str, Any]) -> tuple[str, str] | None:
        """Return what one and several rows of this kind are called; None where the row may be a game."""
        if set(row) == {HEADING}:
            return "heading", "headings"
        if self._only_sums and not _begins_with(row, SUMS - AVERAGES):
            return "row that a total adds up", "rows that a total adds up"
        if not self._only_sums and _begins_with(row, SUMS):
            return "row of sums or averages", "rows of sums or averages"
        is_example = self._example and _is_example(row, self._example, self._read)
        return (f"row that is {EXAMPLE}", f"rows that are {EXAMPLE}") if is_example else None

    def _note(self, line: int, row: Mapping[str, Any]) -> None:
        """Note for each column in how many rows something stands, and the first of them with its line."""
        if self.sheets:
            self.sheets[-1] = self.sheets[-1]._replace(lines=self.sheets[-1].lines + 1)
        for name, value in row.items():
            rows, first, example = self.columns.get(name) or (0, line, as_text(value)[:EXAMPLE_KEPT])
            self.columns[name] = rows + 1, first, example

    def passed_over(self) -> Iterator[str]:
        """Return what was passed over."""
        for names, kind in self.others.items():
            yield f"{kind.lines} {names[kind.lines > 1]} passed over"
        if unread := [sheet.sentence.removeprefix("sheet ") for sheet in self.sheets if sheet.fate == OTHER_HEADINGS]:
            sheets = "1 sheet" if len(unread) == 1 else f"{len(unread)} sheets"
            yield f"{sheets} {OTHER_HEADINGS}: {'; '.join(unread)}"


def _begins_with(row: Mapping[str, Any], words: frozenset[str]) -> bool:
    first = next((value for name, value in row.items() if name != HEADING), None)
    return isinstance(first, str) and first.strip(" :").casefold() in words


def _named_in(example: Mapping[str, str]) -> set[str]:
    """Return the columns that an example fills, those among them that it takes from others."""
    return {*example, *(name for text in example.values() for name in _HOLE.findall(text))}


def _is_example(row: Mapping[str, Any], example: Mapping[str, str], read: Collection[str]) -> bool:
    """Return whether a row is the example as it was written; a `{column}` in it is what the row has there.

    What stands beside it in columns that are not `read` changes nothing.
    """
    cells = {name: str(value).strip() for name, value in row.items() if name in read and value is not None}
    filled = {name: text for name, text in cells.items() if text}
    as_written = {name: _HOLE.sub(lambda hole: filled.get(hole[1], ""), text) for name, text in example.items()}
    return filled.keys() == _named_in(example) and filled.items() >= as_written.items()
