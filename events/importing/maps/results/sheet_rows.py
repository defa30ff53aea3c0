"""The rows of a sheet of results that are games: headings, sums and examples are sorted out."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from tabletape.events.importing.maps.documents.paths import as_text
from tabletape.events.importing.maps.fates import EXAMPLE_KEPT
from tabletape.events.importing.maps.results.words import words
from tabletape.events.importing.remarks import EXAMPLE

HEADING: Final = "(heading)"
"""The column in which the heading stands that a row is under."""

COLUMN: Final = "(column)"
"""The column in which the heading of a game's own column stands, where the columns of a sheet are the games."""

UNREAD_SHEET: Final = "(not read)"
"""The column in which the name of a sheet stands that is not read."""

AVERAGES: Final = words("averages")
"""A row that begins with one of these words says no total."""

SUMS: Final = words("averages", "sums")
"""A row that begins with one of these words adds up others."""

Placed = tuple[int, str, Any]

_HOLE: Final = re.compile(r"\{([^{}]+)\}")


class SheetRows:
    """Sorts the rows of a document out; `headings`, `sums` and `examples` count what is no game."""

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
        self.headings = self.sums = self.examples = self.added_up = 0
        self.columns: dict[str, tuple[int, int, str]] = {}
        self.not_read: list[str] = []

    def games(self, rows: Iterable[Placed]) -> Iterator[Placed]:
        """Return the rows that are games, with line and place; a document of JSON or XML has no other ones."""
        above: dict[str, Any] = {}
        self.headings = self.sums = self.examples = self.added_up = 0
        self.columns, self.not_read = {}, []
        for line, place, row in rows:
            if not isinstance(row, Mapping):
                yield line, place, row
            elif set(row) == {HEADING}:
                self.headings += 1
            elif UNREAD_SHEET in row:
                self.not_read.append(str(row[UNREAD_SHEET]))
            elif self._only_sums and not _begins_with(row, SUMS - AVERAGES):
                self.added_up += 1
            elif not self._only_sums and _begins_with(row, SUMS):
                self.sums += 1
            elif self._example and _is_example(row, self._example, self._read):
                self.examples += 1
            else:
                self._note(line, row)
                above |= {name: row[name] for name in self._fill_down if row.get(name) not in (None, "")}
                yield line, place, {**above, **row} if above else row

    def _note(self, line: int, row: Mapping[str, Any]) -> None:
        """Note for each column in how many rows something stands, and the first of them with its line."""
        for name, value in row.items():
            rows, first, example = self.columns.get(name) or (0, line, as_text(value)[:EXAMPLE_KEPT])
            self.columns[name] = rows + 1, first, example

    def passed_over(self) -> Iterator[str]:
        """Return what was passed over."""
        for count, one, many in (
            (self.headings, "heading", "headings"),
            (self.added_up, "row that a total adds up", "rows that a total adds up"),
            (self.sums, "row of sums or averages", "rows of sums or averages"),
            (self.examples, f"row that is {EXAMPLE}", f"rows that are {EXAMPLE}"),
        ):
            if count:
                yield f"{count} {one if count == 1 else many} passed over"
        if self.not_read:
            sheets = "1 sheet" if len(self.not_read) == 1 else f"{len(self.not_read)} sheets"
            yield f"{sheets} not read, because the headings are others: {'; '.join(self.not_read)}"


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
