"""Paths into a JSON or XML document or a row of a sheet: `log.public_log`, `players[0].name`."""

import re
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple

_STEP: Final = re.compile(r"([^.\[\]]+)|\[(\d{1,9})\]")
_LOOKUP: Final = re.compile(r"(?P<rows>[^\[\]]+)\[(?P<key>[^\[\]]+)\]\.(?P<value>.+)")

_PLACE: Final = re.compile(
    r"(?P<list>[^\[\]]+)\[\s*(?P<key>[^\[\]\s+-]+)\s*(?:(?P<sign>[+-])\s*(?P<more>\d{1,6}|[A-Za-z_][\w.]{0,60}?)\s*)?"
    r"(?:\bmod\s+(?P<mod>size|[1-9]\d{0,5})\s*)?\](?:\.(?P<value>.+))?"
)

MOST_DIGITS: Final = 10
"""How many digits a place in a list may have."""

MOST_PIECES: Final = 100
"""In how many pieces a text may be written."""

DEEPEST_PIECE: Final = 12
"""How deep pieces may lie within others."""

LABEL_KEYS: Final = ("text", "label", "name")
"""The keys under which an object among the pieces of a text says what it is called."""


class IndexedPath(NamedTuple):
    """A path to an element of a list by its place: `deck[target].rank`, `players[n + 1 mod size]`.

    The place, from 0, is what the row has at `key` (`n`: the number of the row), `more` added, `mod` a number. At
    `start` the document may have a number to be added, too: `players[n + options.startingPlayer mod size]`.
    """

    rows: str
    key: str
    more: int
    mod: str
    value: str
    start: str = ""


def read_indexed(path: str) -> IndexedPath | None:
    """Return what a path by index says, None where it is none."""
    match = _PLACE.fullmatch(path)
    if match is None:
        return None
    written = match["more"] or "0"
    more = int(written) if written.isdecimal() else 0
    more = -more if match["sign"] == "-" else more
    start = "" if written.isdecimal() else written
    return IndexedPath(match["list"], match["key"], more, match["mod"] or "", match["value"] or "", start)


class PathDocument:
    """A document whose values are found by path; numbers that stand for something are looked up where the map says so.

    `lookup` maps a key to where its value leads: `playerRefId` to `players[id].name`, the `name` of the element of the
    list `players` whose `id` it is, and `gameRefId.cooperative` to something else of such an element. `by_index` gives
    each row further values by their places in lists. `lines` are those of the rows of a sheet.
    """

    def __init__(
        self,
        root: Any,
        lookup: Mapping[str, str],
        *,
        by_index: Mapping[str, str] = MappingProxyType({}),
        lines: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.root = root
        self._lines = lines
        self._lookup = {key: self._table(path) for key, path in lookup.items()}
        paths = ((name, read_indexed(path)) for name, path in by_index.items())
        self._by_index = [(name, self._started(each), value_at(root, each.rows)) for name, each in paths if each]

    def _started(self, path: IndexedPath) -> IndexedPath:
        """Return a path by index with the number that the document adds to the place, if it says one."""
        start = as_text(value_at(self.root, path.start)) if path.start else ""
        return path._replace(more=path.more + int(start)) if start.isdecimal() and len(start) < MOST_DIGITS else path

    def _table(self, path: str) -> dict[str, Any]:
        match = _LOOKUP.fullmatch(path)
        rows = value_at(self.root, match["rows"]) if match else None
        if match is None or not isinstance(rows, list):
            return {}
        return {str(value_at(row, match["key"])): value_at(row, match["value"]) for row in rows}

    def get(self, row: Any, path: str) -> Any:
        """Return the value at a path of a row, looked up where the last key says so; None where there is none."""
        if not self._lookup:
            return value_at(row, path)
        before, dot, key = path.rpartition(".")
        beside = self._lookup.get(path) if dot else None
        here = value_at(row, before if beside is not None else path)
        table = self._lookup.get(key) if beside is None else beside
        return here if table is None else table.get(as_text(here))

    def completed(self, row: Mapping[str, Any], number: int) -> Mapping[str, Any]:
        """Return the row with a number, from 0, with what stands at its places in lists: None for no such place."""
        if not self._by_index:
            return row
        completed_row = {"n": number, **row}
        for name, path, rows in self._by_index:
            size = len(rows) if isinstance(rows, list) else 0
            place = as_text(value_at(completed_row, path.key))
            at = int(place) + path.more if place.isdecimal() and len(place) < MOST_DIGITS else -1
            if path.mod and size:
                at %= size if path.mod == "size" else int(path.mod)
            element = rows[at] if place.isdecimal() and 0 <= at < size else None
            completed_row[name] = value_at(element, path.value) if path.value else element
        return completed_row

    @property
    def is_sheet(self) -> bool:
        """Whether it is a sheet: its rows have lines, and its columns are all that there is."""
        return bool(self._lines)

    def rows(self, path: str) -> Iterator[tuple[int, str, Any]]:
        """Return the elements of the list at a path (`.`: the document itself), each with its line and its place."""
        there = self.root if path in {"", "."} else value_at(self.root, path)
        for number, row in enumerate(there if isinstance(there, list) else [] if there is None else [there]):
            if self._lines:
                yield *self._lines[number], row
            else:
                yield number + 1, f"{'' if path in {'', '.'} else path}[{number}]", row


def value_at(row: Any, path: str) -> Any:
    """Return the value at a path of a document, None where there is none; a column may be called like a whole path."""
    # Asking whether something is a `Mapping` takes ten times as long.
    if (type(row) is dict or isinstance(row, Mapping)) and path in row:
        return row[path]
    for step in _steps(path):
        if type(step) is str and (type(row) is dict or isinstance(row, Mapping)):
            row = row.get(step)
        elif type(step) is int and isinstance(row, list) and step < len(row):
            row = row[step]
        else:
            return None
    return row


@lru_cache(maxsize=4096)
def _steps(path: str) -> tuple[str | int, ...]:
    """Return the keys and the places in lists that a path goes through."""
    return tuple(key or int(index) for key, index in _STEP.findall(path))


def as_text(value: Any, *, in_pieces: bool = False) -> str:
    """Return a value of a document as text, empty where there is none.

    A list of pieces is what they say together: texts and numbers, objects with a `text` (Telegram writes bold words
    so), and among texts those with a `label` or `name`, or a `message` in pieces; texts alone where they are
    known to be `in_pieces`. Of another list or an object it is only the beginning: it may be as long as the document,
    and stand beside each row.
    """
    if isinstance(value, list) and (in_pieces or any(isinstance(each, Mapping) for each in value[:MOST_PIECES])):
        pieces = [*islice(_pieces(value, DEEPEST_PIECE), MOST_PIECES + 1)]
        marked = all(isinstance(each, Mapping) and "text" in each for each in value)
        among = marked or any(isinstance(each, str) for each in value)
        if among and len(pieces) <= MOST_PIECES and None not in pieces:
            return "".join(filter(None, pieces))
    return "" if value is None else reprlib.repr(value) if isinstance(value, list | dict) else str(value)


def _pieces(value: Any, depth: int) -> Iterator[str | None]:
    """Return the pieces of a text in their order, None for what is none."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list) and depth:
        for each in value:
            yield from _pieces(each, depth - 1)
    elif isinstance(value, Mapping) and depth:
        called = next((value[key] for key in LABEL_KEYS if isinstance(value.get(key), str)), None)
        yield from _pieces(value.get("message"), depth - 1) if called is None else (called,)
    else:
        yield None
