"""The columns of results: what stands in the cells of a row, split where a cell has several names, yes or no."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from tabletape.events.importing.maps.documents.paths import PathDocument, as_text
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.fates import NOT_READ_FATE, LineFate
from tabletape.events.importing.maps.results.sheet_rows import COLUMN, HEADING, words
from tabletape.events.importing.maps.schema import AnyColumn, Column, Columns
from tabletape.events.importing.maps.values.captured import ValueFault, number

T = TypeVar("T")

YES: Final = words("yes")

NO: Final = words("no")

LOST: Final = words("no", "lost")
"""Words for a game that all have lost together, in small letters."""

FAILED_FORMULAS: Final = frozenset(
    {"#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#ERROR!", "#BEZUG!", "#NV"}
)
"""What a spreadsheet writes into a cell whose formula has failed."""

DRAW_WORDS: Final = words("draw")
"""Words for a game that ended in a draw, in small letters."""

DRAWS: Final = words("draw", "nobody")
"""What stands for the winner of a game that nobody has won, in small letters."""

DASHES: Final = "-\u2013\u2014"
"""What stands in a cell that says nothing."""

NOBODY_MARKED: Final = "nobody is marked as the winner, and no scores say more: that may be a draw, or all have lost"
"""Why a row is left over from which nobody can tell how the game went."""

TOO_LONG: Final = "the columns of the map take too long over it"
"""Why a row is left over that no steps were left for."""

_SUM: Final = re.compile(r"-?\d+(?:\.\d+)?(?:\s*[+-]\s*\d+(?:\.\d+)?)+")
_SUMMANDS: Final = re.compile(r"[+-]?\s*\d+(?:\.\d+)?")
_OF_NAME: Final = re.compile(r"(?:\s*[:=(]\s*|\s+[\u2013-]\s+|\s+)(.*?\S)\)?")
"""What stands behind the name of a player in a part of a cell."""

_SPLIT: Final = re.compile(r"(?P<column>.+?) \(split (?P<sign>.+)\)")


class ResultFault(Exception):  # noqa: N818 - no error of the program: the row is left over, and this says why
    """A row that says too little, or contradicts itself; the message says how, `column` where."""

    def __init__(self, message: str, column: str = "") -> None:
        super().__init__(message)
        self.column = column


def is_draw(text: str) -> bool:
    """Return whether a text stands for the winner of a game that nobody has won: `Remis`, `Empate`, `\u00bd`."""
    return _bare(text) in DRAWS or text in DRAWS


def is_draw_marked(text: str) -> bool:
    """Return whether a text, as a comment, says that a game was a draw; `nobody` may as well mean that all lost."""
    return _bare(text) in DRAW_WORDS


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).strip("()!.")


class _Read(NamedTuple):
    """A column made ready: its path, what parts several values, which mean nothing, which mean yes; `steps` it takes.

    Where a semicolon and a comma may part names, a semicolon in the cell leaves the commas to the names (`alone`).
    `column` is what it was made of: as long as that is held its identity belongs to nothing else.
    """

    column: str | Column
    path: str
    parting: re.Pattern[str] | None
    alone: re.Pattern[str] | None
    signs: int
    none: frozenset[str]
    yes: frozenset[str]
    steps: int


class Cells:
    """Reads the cells of a document by columns of a map, within the steps that its file has left."""

    def __init__(self, document: PathDocument, effort: Effort) -> None:
        """Read the cells of the rows of a document."""
        self._document = document
        self._effort = effort
        self._columns: dict[int | str, _Read] = {}

    def values(self, row: Any, column: AnyColumn) -> list[str]:
        """Return what stands in a column, split where it is a list.

        Raises `EffortError` where no steps are left, `ResultFault` for a cell whose formula has failed.
        """
        if isinstance(column, list):
            return [text for each in column for text in self.values(row, each)]
        return [text for text in self._parts(row, column) if text]

    def _parts(self, row: Any, column: str | Column) -> list[str]:
        """Return what stands in a column, empty where nothing, or what counts as that, stands between two signs."""
        if column == "":
            return []
        read = self._column(column)
        self._effort.take(read.steps)
        cell = self._document.get(row, read.path) if read.path else None
        if isinstance(cell, str) and cell in FAILED_FORMULAS:
            raise ResultFault(f"the formula in the cell has failed: {cell}", read.path)
        if isinstance(cell, list):
            self._effort.take(len(cell))
            values = cell
        elif read.parting is not None:
            text = str(_plain(cell))
            self._effort.take((len(text) >> 3) + (read.signs * len(text) >> 9))
            values = (read.alone if read.alone is not None and ";" in text else read.parting).split(text)
        else:
            values = [cell]
        texts = [str(_plain(each)).strip() for each in values]
        return ["" if text in read.none else text for text in texts]

    def whole(self, row: Any, column: AnyColumn) -> str:
        """Return the first text of a column without parting it."""
        texts = (as_text(_plain(self._document.get(row, path))).strip() for path in paths(column))
        return next(filter(None, texts), "")

    def one(self, row: Any, column: AnyColumn) -> str:
        """Return the first text of a column, empty where there is none."""
        return next(iter(self.values(row, column)), "")

    def is_marked(self, row: Any, column: AnyColumn) -> bool | None:
        """Return whether a column says yes, one of a list of them; None where nothing stands there."""
        if isinstance(column, list):
            marks = [self.is_marked(row, each) for each in column]
            return any(marks) if any(each is not None for each in marks) else None
        text = self.one(row, column)
        if not text:
            return None
        yes = self._column(column).yes
        return text in yes if yes else text.casefold() in YES

    def sides(self, row: Any, columns: Columns) -> list[tuple[str, str]]:
        """Return who plays in a row that names the players of each team in a column of its own, each with the team."""
        return [(name, first_path(side)) for side in columns.sides for name in self.names(row, side)]

    def names(self, row: Any, column: AnyColumn) -> list[str]:
        """Return the names in a column; a dash stands for a place that nobody took."""
        return [name for name in self.values(row, column) if name.strip(DASHES)]

    def for_each(self, row: Any, column: AnyColumn, columns: Columns, players: Sequence[Any]) -> list[str]:
        """Return what stands in a column for each of the players of a row; nothing where it is not one for each.

        Of a team it stands for all who are in it. Where players have columns, what stands beside nobody is nobody's.
        """
        if columns.sides:
            own = column if isinstance(column, list) else []
            listed = [self.one(row, each) for each in own] if own else self.values(row, column)
            if len(listed) != len(columns.sides):
                return []
            of_side = dict(zip(map(first_path, columns.sides), listed, strict=True))
            texts = [of_side[side] for _, side in self.sides(row, columns)]
        elif isinstance(column, list) and isinstance(columns.players, list) and len(column) == len(columns.players):
            beside = zip(columns.players, column, strict=True)
            texts = [self.one(row, own) for who, own in beside if self.names(row, who)]
        else:
            texts = in_order_of(self.names(row, columns.players), self.values(row, column))
        return texts if len(texts) == len(players) and all(texts) else []

    def marks(self, row: Any, column: AnyColumn, columns: Columns, players: Sequence[str]) -> list[str]:
        """Return what stands in a column for each of some players, empty of who is not named; of several, in their own.

        Nothing where it is not one for each, and no names tell.
        """
        if isinstance(column, list):
            own = {whom_names(each, players): each for each in paths(column)}
            return [self.one(row, own.get(who, "")) for who in players]
        told = named_in(players, self.values(row, column)) or self.for_each(row, column, columns, players)
        if told or columns.sides:
            return told
        with_gaps = self._parts(row, column)  # `5; ; 4`: the second says nothing
        return with_gaps if len(with_gaps) == len(players) and any(with_gaps) else []

    def won_together(self, row: Any, columns: Columns) -> bool:
        """Return whether all players of a row have won. Raises `ResultFault` where it does not say won or lost."""
        column = columns.won
        if self.is_marked(row, columns.cooperative) is False:
            apart = "they did not play together, and nothing says who of them won"
            raise ResultFault(apart, first_path(column))
        if self.is_marked(row, column):
            return True
        text = self.one(row, column)
        if text.casefold() in LOST:
            return False
        said = f"`{text}` is neither won nor lost" if text else "nothing says whether all won or lost"
        raise ResultFault(said, first_path(column))

    def _column(self, column: str | Column) -> _Read:
        """Return a column made ready, once for a file."""
        key = column if isinstance(column, str) else id(column)
        prepared = self._columns.get(key)
        if prepared is None:
            prepared = self._columns[key] = _read(column)
        return prepared


def in_order_of(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return what is said of each name where every text begins with another one, else the texts as they are."""
    said = named_in(names, texts)
    return said if all(said) and len(said) == len(texts) else [*texts]


def named_in(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return what texts say of each of some names, `Tom: Warden`, `Ilse 14`, empty of who is not named.

    Nothing where some text does not begin with a name, or two begin with one.
    """
    said: dict[str, str] = {}
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    for text in map(str.strip, texts):
        behind = ((name, _OF_NAME.fullmatch(text[len(name) :])) for name in longest_first if text.startswith(name))
        name, rest = next((pair for pair in behind if pair[1]), ("", None))
        if rest is not None:
            said.setdefault(name, rest[1])
    return [said.get(name, "") for name in names] if said and len(said) == len(texts) else []


def whom_names(heading: str, names: Iterable[str]) -> str:
    """Return whom of some a heading names, as `fun Ann` does; empty for nobody."""
    there = (name for name in names if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", heading))
    return max(there, key=len, default="")


def _read(column: str | Column) -> _Read:
    path, signs = (column.column, column.split) if isinstance(column, Column) else (column, "")
    match = _SPLIT.fullmatch(path)
    if match:
        path, signs = match["column"], match["sign"]
    none = column.none if isinstance(column, Column) else []
    wanted = column.says if isinstance(column, Column) else []
    yes = wanted if isinstance(wanted, list) else [wanted]
    listed = [signs] if isinstance(signs, str) else signs
    without_comma = [sign for sign in listed if sign != ","]
    steps = 3 + (len(path) >> 5)
    return _Read(
        column,
        path,
        parting(listed) if signs else None,
        parting(without_comma) if {";", ","} <= {*listed} else None,
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
    match = _SPLIT.fullmatch(path)
    return [match["column"] if match else path] if path else []


def columns_read(columns: Columns) -> dict[str, list[str]]:
    """Return every column that is read, by its path, with what it is read as."""
    others = {"each", "best", "fill_down", "example", "sums", "ranked", "feedback"}
    named = {name: getattr(columns, name) for name in Columns.__struct_fields__ if name not in others}
    read_as: dict[str, list[str]] = {}
    for name, column in (named | columns.feedback).items():
        for path in paths(column):
            read_as.setdefault(path, []).append(name.replace("_", " "))
    return read_as


def column_fates(
    columns: Columns, seen: Mapping[str, tuple[int, int, str]], more: Mapping[str, list[str]]
) -> list[LineFate]:
    """Return what becomes of each column that was seen: in how many rows, from which line on, what stands there.

    `more` are those that are read without being named by the map.
    """
    read = {**more, **columns_read(columns)}
    if columns.each:
        read.setdefault(columns.each, ["players"])
    fates = []
    for name, (rows, line, example) in seen.items():
        inner = (each for path, names in read.items() if path.startswith((f"{name}.", f"{name}[")) for each in names)
        fate = ", ".join(dict.fromkeys([*read.get(name, []), *inner]))
        if fate or name not in {HEADING, COLUMN}:
            fates.append(LineFate(rows, name, fate or NOT_READ_FATE, line, example))
    return fates


def score_in(text: str) -> int | float | None:
    """Return a score, also one that is written as a sum (`12+5`); None for other texts."""
    parts = _SUMMANDS.findall(text) if _SUM.fullmatch(text) else [text]
    try:
        return sum(map(number, parts))
    except ValueFault:
        return None


def _plain(value: Any) -> Any:
    """Return a number of a sheet as people read it: 3, not 3.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else "" if value is None else value


def meant_in(meaning: Callable[[str], T], text: str, column: AnyColumn) -> T:
    """Return what a text in a column means. Raises `ResultFault` with the column where it means nothing."""
    try:
        return meaning(text)
    except ValueFault as fault:
        raise ResultFault(str(fault), first_path(column)) from None
