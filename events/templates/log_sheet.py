"""A spreadsheet to keep a log in: one event a row, with lists to choose from and an explanation of every event.

What is filled in imports as it is (`events.importing`). The columns that most rows need stand first, the others behind
a fold; the cells that a row needs light up when its type is chosen.
"""

import inspect
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from tabletape.events.importing.lines.kinds import KINDS
from tabletape.events.importing.remarks import EXAMPLE_NOTE
from tabletape.events.importing.sheets.cells import fields as cell_fields
from tabletape.events.importing.sheets.headings import heading
from tabletape.events.templates.rows import common_columns, required_columns, rows_of
from tabletape.events.vocabulary import ENVELOPE, SERVED, Event, Vocabulary, choices_of, fields_of
from tabletape.events.whole_files import write_whole

ROWS: Final = 5000
"""How many rows have lists to choose from."""

PLAYERS: Final = ("A", "B", "C", "D")
FIRST_COLUMNS: Final = ("type", "player")
HEAD_COLUMNS: Final = ("game", "edition", "id", "players")
"""What the first row of a game needs."""

LAST_COLUMNS: Final = ("at", "note")
HAND_FILLED_KEYS: Final = tuple(name for name in ENVELOPE if name not in SERVED)
"""The keys of the envelope that people fill in; the others are given by a service."""


NEEDED, POSSIBLE = "#FFE699", "#FFF7DC"
"""The colours of the cells that a row needs, and of those that it may have."""

ADVICE: Final = """\
Write one event a row on the sheet `log`, in the order in which things happened at the table.
Replace the grey rows by your own game, else nothing is taken; the sheet `example` shows a whole one.
A game begins with its game.started; several games may follow each other.
When a row has a type, the cells that it needs turn yellow, and those that it may have pale yellow; others stay empty.
An empty cell: it was not written down.
Columns for what happens rarely are folded away: the + above the sheet (or beside it) shows them.
The word null means that there was none, and [] that a list has nothing in it (a hand that was kept).
A card on the table is A:{card} (its owner and its name); where a player has several, A:{card}#2.
A card that nobody has seen is A:?1.
Names as they are printed and the names of players are understood as well.
Where a cell may hold several things, separate them with a semicolon.
The lists to choose from are a help, not a fence: other words may be typed.
Save the file and import it: tabletape import <file>
"""

MIN_WIDTH, MAX_WIDTH = 9, 24
"""The widths of columns, in letters."""

HOW_TO_WIDTHS: Final = (24, 14, 50, 110)
LINE_HEIGHT: Final = 15
"""The height of a line, in points."""

EXAMPLE: Final = "An example of a whole game. It is not imported: write on the sheet `log`."
"""The first row of the sheet `example`: a sheet that does not begin with the names of columns is no log."""


class SheetColumn(NamedTuple):
    """A column of the sheet and the words that may be chosen in it; a rare one lies behind the fold.

    What is typed into one of `text` stays as it is typed: `1.10` is no number there, and `1-2` no date.
    """

    name: str
    words: tuple[str, ...]
    rare: bool
    text: bool


def write_template(  # noqa: PLR0913 - each is a part of the workbook
    vocabulary: Vocabulary,
    path: str | Path,
    cards: Iterable[str] = (),
    *,
    edition: str = "draft",
    games: Sequence[Sequence[Event]] = (),
    language: str = "",
) -> None:
    """Write the spreadsheet of a game (.xlsx): the sheets `log`, `example`, `how to` and those behind them.

    `cards` are the ids of the game's cards, `edition` stands in the first row. The first of some `games` is the
    example, the columns that they use most stand first. A `language` (`de`) is that of the names of the columns.
    Raises `OSError` where the file cannot be written.
    """
    known = tuple(cards)
    columns = _columns(vocabulary, known, common_columns(games) or required_columns(vocabulary.types.values()))
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        log = book.add_worksheet("log")
        if games:
            _write_example(book, book.add_worksheet("example"), columns, rows_of(games[0]), language)
        how_to, lists, needs = (book.add_worksheet(name) for name in ("how to", "lists", "cells"))
        _write_log(book, log, columns, _first_rows(vocabulary, edition), language)
        _write_how_to(book, how_to, vocabulary, known[0] if known else "reed-heron")
        _write_lists(log, lists, columns)
        _light_up(book, log, needs, columns, vocabulary)
    write_whole(Path(path), content.getvalue())


def _columns(vocabulary: Vocabulary, cards: Sequence[str], common: Sequence[str]) -> list[SheetColumn]:
    """Return all columns that an event type of the game may fill: the usual ones, then those behind the fold."""
    words: dict[str, dict[str, None]] = {"type": dict.fromkeys(vocabulary.types), "player": dict.fromkeys(PLAYERS)}
    for event_type in vocabulary.types.values():
        for field in fields_of(event_type):
            words.setdefault(field.encode_name, {}).update(dict.fromkeys(_words(event_type, field, cards)))
    words["game"] = {vocabulary.game: None}
    usual = dict.fromkeys([*FIRST_COLUMNS, *(name for name in common if name in words), *HEAD_COLUMNS, *LAST_COLUMNS])
    rare = [name for name in (*words, *HAND_FILLED_KEYS) if name not in usual and name != "seq"]
    texts = _texts(vocabulary)
    return [
        SheetColumn(name, tuple(words.get(name, ())), name not in usual, name in texts)
        for name in (*usual, *dict.fromkeys(rare))
    ]


def _texts(vocabulary: Vocabulary) -> set[str]:
    """Return the fields that take a text or a list, and a number in no event type."""
    known = [item for event_type in vocabulary.types.values() for item in cell_fields(event_type).items()]
    numbers = {name for name, field in known if (field.number or field.truth) and not field.a_list}
    return {name for name, field in known if field.text or field.a_list} - numbers - {"at"}


def _words(event_type: type[Event], field: msgspec.structs.FieldInfo, cards: Sequence[str]) -> tuple[str, ...]:
    """Return the words that a field offers: its own words, players, cards of players, or cards."""
    kind = KINDS[event_type]
    if choices := choices_of(field.type):
        return choices
    if field.name in kind.players:
        return PLAYERS
    if field.name in kind.cards:
        return tuple(f"{player}:{card}" for player in PLAYERS[:2] for card in cards)
    if field.name in kind.ids:
        return tuple(cards)
    return ("true", "false") if cell_fields(event_type)[field.encode_name].truth else ()


def _first_rows(vocabulary: Vocabulary, edition: str) -> list[dict[str, str]]:
    """Return the example above which a game is written: as long as it stands there, no game is taken."""
    head = {
        "type": "game.started",
        "game": vocabulary.game,
        "edition": edition,
        "id": f"{vocabulary.game}-example",
        "players": "Ann; Ben",
    }
    rows = [
        head,
        {"type": "first-player.chosen", "player": "A", "method": "coin"},
        {"type": "note.added", "text": EXAMPLE_NOTE},
    ]
    return [row for row in rows if row["type"] in vocabulary.types]


def _write_log(
    book: Any, sheet: Any, columns: Sequence[SheetColumn], rows: Sequence[Mapping[str, str]], language: str
) -> None:
    """Write the header and the first rows, and fold what is rare."""
    bold = book.add_format({"bold": True, "bottom": 1})
    grey = book.add_format({"font_color": "#808080"})
    names = [column.name for column in columns]
    sheet.write_row(0, 0, [heading(name, language) for name in names], bold)
    sheet.freeze_panes(1, 2)
    _set_columns(book, sheet, columns, language)
    for line, row in enumerate(rows, 1):
        for name, text in row.items():
            sheet.write_string(line, names.index(name), text, grey)


def _set_columns(book: Any, sheet: Any, columns: Sequence[SheetColumn], language: str) -> None:
    """Make each column as wide as what is mostly written in it, and fold those that are rare."""
    as_typed = book.add_format({"num_format": "@"})
    folded = {"level": 1, "hidden": True}
    for place, column in enumerate(columns):
        width = max(MIN_WIDTH, *(len(word) + 2 for word in (heading(column.name, language), *column.words)))
        shape = as_typed if column.text else None
        sheet.set_column(place, place, min(width, MAX_WIDTH), shape, folded if column.rare else {})
    if columns[-1].rare:
        sheet.set_column(len(columns), len(columns), MIN_WIDTH, None, {"collapsed": True})


def _write_example(
    book: Any, sheet: Any, columns: Sequence[SheetColumn], rows: Sequence[Mapping[str, str]], language: str
) -> None:
    """Write a whole game, with the columns that it needs, in the order of the log."""
    used = {name for row in rows for name in row}
    names = [column.name for column in columns if column.name in used]
    sheet.write_string(0, 0, EXAMPLE, book.add_format({"italic": True}))
    sheet.write_row(1, 0, [heading(name, language) for name in names], book.add_format({"bold": True, "bottom": 1}))
    sheet.freeze_panes(2, 2)
    for place, name in enumerate(names):
        longest = max(map(len, (heading(name, language), *(row.get(name, "") for row in rows))))
        sheet.set_column(place, place, min(max(longest + 2, MIN_WIDTH), MAX_WIDTH))
    for line, row in enumerate(rows, 2):
        for name, text in row.items():
            sheet.write_string(line, names.index(name), text)


def _write_how_to(book: Any, sheet: Any, vocabulary: Vocabulary, card: str) -> None:
    """Explain the sheet and every event type."""
    bold = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    for column, width in enumerate(HOW_TO_WIDTHS):
        sheet.set_column(column, column, width)
    line = 0
    for advice in ADVICE.splitlines():
        sheet.write_string(line, 0, advice.format(card=card))
        line += 1
    sheet.write_row(line + 1, 0, ("type", "class", "what happened", "cells to fill in"), bold)
    for row, (tag, event_type) in enumerate(vocabulary.types.items(), line + 2):
        meaning = " ".join((inspect.getdoc(event_type) or "").split())
        fields = _described_fields(event_type)
        sheet.write_row(row, 0, (tag, event_type.CLASS, meaning, fields), wrapped)
        # Not every program makes a row as high as the text that is wrapped in it.
        sheet.set_row(row, LINE_HEIGHT * max(_height(meaning, HOW_TO_WIDTHS[2]), _height(fields, HOW_TO_WIDTHS[3])))


def _height(text: str, width: int) -> int:
    """Return how many lines a text takes that is wrapped in a column."""
    return sum(max(1, math.ceil(len(line) / (width * 0.9))) for line in text.splitlines())


def _described_fields(event_type: type[Event]) -> str:
    """Name the fields of an event type, what they mean, and which may be left empty."""
    return (
        "\n".join(_described(field) for field in fields_of(event_type))
        or f"none beside {', '.join(HAND_FILLED_KEYS[1:])}"
    )


def _described(field: msgspec.structs.FieldInfo) -> str:
    texts = [mark.description for mark in getattr(field.type, "__metadata__", ()) if getattr(mark, "description", None)]
    meaning = f": {texts[-1]}" if texts else ""
    choices = choices_of(field.type)
    of = f" ({', '.join(choices)})" if choices else ""
    return f"{field.encode_name}{meaning}{of}" + ("" if field.required else " - may be left empty")


def _write_lists(log: Any, sheet: Any, columns: Sequence[SheetColumn]) -> None:
    """Write the words of each column, and let the log offer them; another word may still be typed."""
    offered = [(place, column) for place, column in enumerate(columns) if column.words]
    sheet.set_column(0, len(offered), MAX_WIDTH)
    sheet.freeze_panes(1, 0)
    for place, (of, column) in enumerate(offered):
        sheet.write_string(0, place, f"words for {column.name}")
        sheet.write_column(1, place, column.words)
        letter = xl_col_to_name(place)
        rule = {
            "validate": "list",
            "source": f"=lists!${letter}$2:${letter}${len(column.words) + 1}",
            # Names as printed and several words in one cell are no mistake; a type that is none costs the row.
            "show_error": column.name == "type",
            "error_type": "information",
            "error_title": "Not in the list",
            "error_message": f"This is none of the words of `{column.name}`; keep it if it is meant so.",
        }
        log.data_validation(1, of, ROWS, of, rule)


def _light_up(book: Any, log: Any, sheet: Any, columns: Sequence[SheetColumn], vocabulary: Vocabulary) -> None:
    """Light up the cells that a row needs, and paler those that it may have, by its type.

    The hidden sheet `cells` lists them as `type number-of-the-column`, so that a formula can look a cell up.
    """
    places = {column.name: place + 1 for place, column in enumerate(columns)}
    needed: list[str] = []
    possible: list[str] = []
    for tag, event_type in vocabulary.types.items():
        one_of = getattr(event_type, "EXACTLY_ONE", ())
        for field in fields_of(event_type):
            listed = needed if field.required or field.name in one_of else possible
            listed.append(f"{tag} {places[field.encode_name]}")
    for place, (names, colour) in enumerate(((needed, NEEDED), (possible, POSSIBLE))):
        sheet.write_column(0, place, names)
        letter = xl_col_to_name(place)
        there = f'=COUNTIF(cells!${letter}$1:${letter}${len(names) + 1},$A2&" "&COLUMN())>0'
        rule = {"type": "formula", "criteria": there, "format": book.add_format({"bg_color": colour})}
        log.conditional_format(1, 1, ROWS, len(columns) - 1, rule)
    sheet.hide()
