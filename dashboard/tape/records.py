"""Lists of typed results that become Arrow, pandas or Polars, and show themselves as a table in a notebook."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, overload

from tabletape.events.errors import RefusedError

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
Row = Mapping[str, Any]

MAX_WIDTH: Final = 60
MAX_NAMED: Final = 10
"""How many rows a notebook shows, and a prompt; the list has all of them."""


class DataFrames(ABC):
    """What has an Arrow table, as the data frames of other libraries."""

    @abstractmethod
    def to_arrow(self) -> "pa.Table":
        """Return all of it as an Arrow table."""

    def to_pandas(self) -> Any:
        """Return it as a pandas data frame. Raises `RefusedError` where pandas is not installed."""
        _require("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return it as a Polars data frame. Raises `RefusedError` where Polars is not installed."""
        _require("polars")
        return import_module("polars").from_arrow(self.to_arrow())


class Records(DataFrames, Sequence[T], Generic[T]):
    """A list of typed results. `row_of` says what each is as a row, `columns` which fields it has, of which types."""

    def __init__(self, records: Iterable[T], row_of: Callable[[T], Row], columns: Mapping[str, type]) -> None:
        self._found = tuple(records)
        self._row_of = row_of
        self._columns = columns

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> "Records[T]": ...
    def __getitem__(self, place: int | slice) -> "T | Records[T]":
        """Return one of the results, or some of them."""
        if isinstance(place, slice):
            return Records(self._found[place], self._row_of, self._columns)
        return self._found[place]

    def __repr__(self) -> str:
        shown = [*map(repr, self._found[:MAX_NAMED])]
        more = [f"… and {len(self) - MAX_NAMED:,} more"] if len(self) > MAX_NAMED else []
        return "[" + ",\n ".join([*shown, *more]) + "]"

    def rows(self) -> list[dict[str, Any]]:
        """Return the results as plain rows."""
        return [dict(self._row_of(each)) for each in self._found]

    def to_arrow(self) -> "pa.Table":
        """Return the results as an Arrow table, with its columns also where there are no rows."""
        import pyarrow as pa  # noqa: PLC0415 - who only looks at results does not wait for it

        types = {str: pa.string(), int: pa.int64(), bool: pa.bool_(), list: pa.list_(pa.string())}
        return pa.Table.from_pylist(
            self.rows(), pa.schema([(name, types[kind]) for name, kind in self._columns.items()])
        )

    def _repr_html_(self) -> str:
        """Show the results as a table in a notebook."""
        rows = [[_cell(row[name]) for name in self._columns] for row in self[:MAX_WIDTH].rows()]
        return table_html([name.replace("_", " ") for name in self._columns], rows, len(self))


def _require(library: str) -> None:
    if find_spec(library) is None:
        raise RefusedError(f"{library} is not installed: pip install {library}, or take .to_arrow()")


def table_html(headings: Sequence[str], rows: Sequence[Sequence[str]], of: int, above: Sequence[str] = ()) -> str:
    """Return a table as HTML for a notebook, with sentences `above` it; `of` is how many rows there are in all."""
    from tabletape.dashboard.report.document import Paragraph, Rows  # noqa: PLC0415 - only a notebook needs it
    from tabletape.dashboard.report.writing import as_fragment  # noqa: PLC0415 - the same

    more = [Paragraph(f"and {of - len(rows):,} more", quiet=True)] if of > len(rows) else []
    table = Rows(tuple(headings), tuple(tuple(row) for row in rows))
    return as_fragment(*map(Paragraph, above), *([table] if rows else [Paragraph("None.", quiet=True)]), *more)


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else cell_text(value)


def rounded(value: float) -> float:
    """Return a number with two decimals, of a small one its first digit: three in ten thousand is not none."""
    return round(value, 2) or round(float(f"{value:.1g}"), 6)


def cell_text(value: Any) -> str:
    """Return a value as a person writes it: yes and no, at most two decimals (`rounded`), a time to the minute."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{rounded(value):.6f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return str(value)
