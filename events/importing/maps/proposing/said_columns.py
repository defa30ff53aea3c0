"""A sheet whose headings say little, read by what a person says of its columns: who played, who won, the points."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.events.importing.files.sources import is_of_results, looks_like_sheet
from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.documents.foreign import sheet_rows
from tabletape.events.importing.maps.documents.trees import ForeignError, text_of
from tabletape.events.importing.maps.proposing.column_names import heading_row_of, named
from tabletape.events.importing.maps.proposing.result_columns import SAMPLE, SIGNS, parted, results_in
from tabletape.events.importing.maps.proposing.score_columns import keys_of, marks_of_each, texts_of
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.results.columns import is_draw, parting, score_in
from tabletape.events.importing.maps.results.sheet_rows import COLUMN, HEADING, SHEET_NAME, UNREAD_SHEET

QUESTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "players": ("Who played?", "players"),
    "winner": ("Who won?", "winner"),
    "first_player": ("Who began?", "first player"),
    "score": ("The points of each?", "points"),
    "decks": ("The role or deck of each?", "decks"),
    "date": ("Which day?", "date"),
    "game": ("Which game?", "game"),
    "edition": ("Which version?", "version"),
    "minutes": ("How many minutes?", "minutes"),
    "fun": ("How much fun, 1 to 5?", "fun"),
    "note": ("What was said?", "remarks"),
}
"""What is asked of the columns of a sheet, and how a column is headed that says it."""

MORE: Final[Mapping[str, str]] = {
    "fun": "how much fun each player had",
    "decks": "the role or deck of each player",
    "scores": "the points of each player",
    "first_player": "who began",
    "minutes": "how many minutes",
    "edition": "the version of the game",
    "note": "a remark",
}
"""What a column of results may be that no heading tells, as far as no other column says it."""

NEEDED: Final = ("players", "winner")
"""Without these there is no result."""

_OF_A_ROW: Final = {"decks": "deck", "scores": "score"}
"""What says something of each player, and what it is called where each player has a row."""

_FUN: Final = re.compile(r"(?:mood|fun|enjoy\w*|rating|stimmung|spa(?:ss|ß)|humeur|plaisir)[\W\d]*", re.IGNORECASE)
_WORDS: Final = re.compile(r"[^\W\d_]+\W+[^\W\d_]+")


class AskedColumns(NamedTuple):
    """A sheet of which a person says which column says what: its rows by their columns, as far as they are looked at.

    `likely` are the columns that probably say what is asked.
    """

    rows: Sequence[Mapping[str, Any]]
    headings: Sequence[str]
    likely: Mapping[str, str]


def is_unknown_sheet(seen: Survey, content: bytes) -> bool:
    """Return whether a file looks like a sheet of which nobody knows who played and who won."""
    if "columns" in seen.head or (seen.players and not is_of_results(content)):
        return False
    return looks_like_sheet(content)


def askable_columns(content: bytes, heading_row: int = 0) -> AskedColumns | None:
    """Return the columns of a sheet that a person may be asked about; None of another file, or of too few columns."""
    try:
        rows, headings = columns_of(content, heading_row)
    except ForeignError:
        return None
    if len(headings) < len(NEEDED) or not rows:
        return None
    return AskedColumns(rows, headings, likely_columns(rows, headings))


def columns_of(content: bytes, heading_row: int = 0) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the rows of a sheet by their columns, as far as they are looked at, and how these are headed.

    Raises `ForeignError` for a file that is no sheet.
    """
    text = text_of(content)
    rows: list[Mapping[str, Any]] = [row for _, _, row in sheet_rows(text, heading_row or heading_row_of(text))]
    sample = [row for row in rows if not {SHEET_NAME, UNREAD_SHEET} & row.keys()][:SAMPLE]
    return sample, [key for key in keys_of(sample) if key not in {HEADING, COLUMN}]


def likely_columns(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> dict[str, str]:
    """Return which column probably says what is asked: by its heading, else by what stands in its cells."""
    likely = {name: key for name, key in named(keys).items() if name in QUESTIONS}
    texts = {key: texts_of(rows, key) for key in keys}

    def take(name: str, fits: Any) -> None:
        free = (key for key in keys if key not in likely.values() and texts[key] and fits(key))
        if name not in likely and (key := next(free, "")):
            likely[name] = key

    take("players", lambda key: 2 * sum(len(_names(text)) > 1 for text in texts[key]) > len(texts[key]))
    seats = [{plain(name) for name in _names(str(row.get(likely.get("players", "")) or ""))} for row in rows]

    def names_players(key: str) -> bool:
        return all(
            plain(text) in seat or is_draw(text)
            for row, seat in zip(rows, seats, strict=True)
            if (text := str(row.get(key) or "").strip())
        )

    take("winner", names_players)
    take("first_player", names_players)
    take("score", lambda key: _are_listed_scores([_names(text) for text in texts[key]]))
    take("decks", lambda key: _are_one_each(seats, rows, key))
    take("fun", lambda key: _FUN.fullmatch(key) is not None)
    take("note", lambda key: any(_WORDS.search(text) for text in texts[key]))
    return likely


def _are_listed_scores(cells: Sequence[Sequence[str]]) -> bool:
    """Return whether cells hold numbers, several in some of them."""
    return any(len(cell) > 1 for cell in cells) and all(score_in(each) is not None for cell in cells for each in cell)


def _are_one_each(seats: Sequence[Collection[str]], rows: Sequence[Mapping[str, Any]], key: str) -> bool:
    """Return whether every cell holds as many texts as players sat there, of which none is a number."""
    cells = [(len(seat), _names(str(row.get(key) or ""))) for row, seat in zip(rows, seats, strict=True)]
    told = [(number, cell) for number, cell in cells if cell]
    return bool(told) and all(number == len(cell) > 1 and not any(map(str.isdecimal, cell)) for number, cell in told)


def _names(cell: str) -> list[str]:
    """Return what stands in a cell, parted by the first of the usual signs that is in it."""
    sign = next((sign for sign in SIGNS if sign in cell), "")
    return [part.strip() for part in (parting([sign]).split(cell) if sign else [cell]) if part.strip()]


def survey_by_columns(
    rows: Sequence[Mapping[str, Any]], said: Mapping[str, str], heading_row: int = 0
) -> Survey | None:
    """Return a sheet as results of which it was said which column says what; None where who won does not come out.

    It is read as a sheet with the usual headings in their place; what is asked and was not said no column says.
    """
    asked = {name for _, name in QUESTIONS.values()}
    called = {key: QUESTIONS[name][1] for name, key in said.items() if key}
    silent = {key for name, key in named(keys_of(rows)).items() if name in QUESTIONS and key not in called}
    names = {
        key: called.get(key, f"({place})" if key in silent or plain(key) in asked else key)
        for place, key in enumerate(keys_of(rows))
    }
    headed = [{names[key]: value for key, value in row.items()} for row in rows]
    seen = results_in("rows", ".", headed, headed)
    if seen is None or not {"players", "winner"} <= seen.head["columns"].keys():
        return None
    back = {name: key for key, name in names.items()}
    head = {**seen.head, "columns": {name: _called(column, back) for name, column in seen.head["columns"].items()}}
    return seen._replace(head={"heading_row": heading_row, **head} if heading_row else head)


def _called(column: Any, back: Mapping[str, str]) -> Any:
    """Return a column of a map with the headings that stand in the sheet."""
    if isinstance(column, Mapping):
        return {name: _called(each, back) if name != "split" else each for name, each in column.items()}
    if isinstance(column, list):
        return [_called(each, back) for each in column]
    return back.get(column, column) if isinstance(column, str) else column


def unread_columns(seen: Survey, content: bytes) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the rows of a sheet of results, and those of its columns that are not read; none of another file."""
    try:
        rows, keys = columns_of(content, int(seen.head.get("heading_row", 0)))
    except ForeignError:
        return [], []
    taken = {*_headings_in(seen.head["columns"])}
    return rows, [key for key in keys if key not in taken and texts_of(rows, key)]


def _headings_in(column: Any) -> Iterator[str]:
    """Yield the headings that columns of a map name."""
    if isinstance(column, Mapping):
        named_in = [column["column"]] if "column" in column else column.values()
        yield from (heading for each in named_in for heading in _headings_in(each))
    elif isinstance(column, list):
        yield from (heading for each in column for heading in _headings_in(each))
    elif isinstance(column, str):
        yield column


def open_meanings(seen: Survey) -> dict[str, str]:
    """Return what a column that is not read may be, in words: what no other column of the sheet says."""
    columns = seen.head["columns"]
    known = {*columns, *columns.get("feedback", {}), *({"note"} if "text" in columns.get("feedback", {}) else ())}
    own = {_OF_A_ROW.get(name, name) if "player" in columns else name: name for name in MORE}
    return {name: MORE[asked] for name, asked in own.items() if name not in known}


def with_column(seen: Survey, rows: Sequence[Mapping[str, Any]], key: str, meaning: str) -> Survey:
    """Return a sheet of results in which a column is read as one of its `open_meanings`; as it is if that cannot be."""
    columns = seen.head["columns"]
    more: dict[str, Any] = {meaning: parted(rows, key) if meaning in _OF_A_ROW else key}
    if meaning == "fun":
        marks = marks_of_each(rows, {key: "fun"}, columns)
        more = {"feedback": {**columns.get("feedback", {}), **marks}} if marks else {}
    return seen._replace(head={**seen.head, "columns": {**columns, **more}})
