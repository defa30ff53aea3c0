"""The rows of a sheet of results that are games: headings, sums and what stands for several rows are sorted out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class SheetRows:
    """Sorts the rows of a document out; `headings` and `sums` count what is no game."""

    def __init__(self, fill_down: Sequence[str]) -> None:
        """Take the columns whose values stand for the rows below too."""
        self._fill_down = fill_down
        self.headings = 0
        self.sums = 0

    def games(self, rows: Iterable[Placed]) -> Iterator[Placed]:
        """Return the rows that are games, with line and place; a document of JSON or XML has no other ones."""
        above: dict[str, Any] = {}
        self.headings = self.sums = 0
        for line, place, row in rows:
            if not isinstance(row, Mapping):
                yield line, place, row
            elif set(row) == {HEADING}:
                self.headings += 1
            elif _is_sum(row):
                self.sums += 1
            else:
                above |= {name: row[name] for name in self._fill_down if row.get(name) not in {None, ""}}
                yield line, place, {**above, **row} if above else row

    def told(self) -> Iterator[str]:
        """Say what was passed over."""
        for count, one, many in (
            (self.headings, "heading", "headings"),
            (self.sums, "row of sums or averages", "rows of sums or averages"),
        ):
            if count:
                yield f"{count} {one if count == 1 else many} passed over"


def _is_sum(row: Mapping[str, Any]) -> bool:
    first = next((value for name, value in row.items() if name != HEADING), None)
    return isinstance(first, str) and first.strip(" :").casefold() in SUMS
