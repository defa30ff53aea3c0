"""The rows of a sheet of results that are games: headings, sums and examples are sorted out."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

HEADING: Final = "(heading)"
"""The column in which the heading stands that a row is under."""

SUMS: Final = frozenset(
    {
        *("total", "totals", "sum", "sums", "average", "averages", "avg", "mean", "median"),
        *("summe", "summen", "gesamt", "durchschnitt", "schnitt", "mittelwert"),
        *("somme", "moyenne", "totaux", "suma", "promedio", "media", "totale"),
    }
)
"""A row that begins with one of these words adds up others."""

Placed = tuple[int, str, Any]

_HOLE: Final = re.compile(r"\{([^{}]+)\}")


class SheetRows:
    """Sorts the rows of a document out; `headings`, `sums` and `examples` count what is no game."""

    def __init__(self, fill_down: Sequence[str], example: Mapping[str, str] = MappingProxyType({})) -> None:
        """Take the columns whose values stand for the rows below too, and the row that is only an example."""
        self._fill_down = fill_down
        self._example = example
        self.headings = self.sums = self.examples = 0

    def games(self, rows: Iterable[Placed]) -> Iterator[Placed]:
        """Return the rows that are games, with line and place; a document of JSON or XML has no other ones."""
        above: dict[str, Any] = {}
        self.headings = self.sums = self.examples = 0
        for line, place, row in rows:
            if not isinstance(row, Mapping):
                yield line, place, row
            elif set(row) == {HEADING}:
                self.headings += 1
            elif _is_sum(row):
                self.sums += 1
            elif self._example and _is_example(row, self._example):
                self.examples += 1
            else:
                above |= {name: row[name] for name in self._fill_down if row.get(name) not in (None, "")}
                yield line, place, {**above, **row} if above else row

    def passed_over(self) -> Iterator[str]:
        """Return what was passed over."""
        for count, one, many in (
            (self.headings, "heading", "headings"),
            (self.sums, "row of sums or averages", "rows of sums or averages"),
            (self.examples, "row that is the example of the sheet", "rows that are the example of the sheet"),
        ):
            if count:
                yield f"{count} {one if count == 1 else many} passed over"


def _is_sum(row: Mapping[str, Any]) -> bool:
    first = next((value for name, value in row.items() if name != HEADING), None)
    return isinstance(first, str) and first.strip(" :").casefold() in SUMS


def _is_example(row: Mapping[str, Any], example: Mapping[str, str]) -> bool:
    """Return whether a row is the example as it was written; a `{column}` in it is what the row has there."""
    cells = {name: str(value).strip() for name, value in row.items() if name != HEADING and value is not None}
    filled = {name: text for name, text in cells.items() if text}
    named = {name for text in example.values() for name in _HOLE.findall(text)}
    as_written = {name: _HOLE.sub(lambda hole: filled.get(hole[1], ""), text) for name, text in example.items()}
    return filled.keys() == example.keys() | named and filled.items() >= as_written.items()
