"""A spreadsheet to keep a log in: one event a row, with lists to choose from and an explanation of every event.

What is filled in imports as it is (`events.importing`).
"""

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import xlsxwriter
from msgspec.json import encode
from xlsxwriter.utility import xl_col_to_name

from events.importing.cells import fields as cell_fields
from events.importing.checks import KINDS
from events.vocabulary import ENVELOPE, Event, Vocabulary, choices_of, fields_of

ROWS: Final = 5000
"""So many rows have lists to choose from."""

PLAYERS: Final = ("A", "B", "C", "D")
FIRST_COLUMNS: Final = ("type", "player", "game", "edition", "id", "players", "rulings")
LAST_COLUMNS: Final = ("at", "cause", "note")

ADVICE: Final = """\
Write one event a row on the sheet `log`, in the order in which things happened at the table.
Replace the grey example by your own game. A game begins with its game.started; several games may follow each other.
Fill in only the cells that belong to the event: the table below names them. An empty cell: it was not written down.
The word null means that there was none, and [] that a list has nothing in it (a hand that was kept).
A card on the table is A:{card} (its owner and its name); where a player has several, A:{card}#2.
A card that nobody has seen is A:?1.
Where a cell may hold several things, separate them with a semicolon.
The lists to choose from are a help, not a fence: other words may be typed.
Save the file and import it: tabletape import <file>
"""


class Column(NamedTuple):
    """A column of the sheet and the words that may be chosen in it."""

    name: str
    words: tuple[str, ...]


def write_template(
    vocabulary: Vocabulary, path: str | Path, cards: Iterable[str] = (), *, edition: str = "draft"
) -> None:
    """Write the spreadsheet of a game (.xlsx): the sheets `log`, `how to` and `lists`.

    `cards` are the ids of the game's cards, `edition` stands in the example. Raises `OSError` where the file cannot be
    written.
    """
    known = tuple(cards)
    columns = _columns(vocabulary, known)
    try:
        with xlsxwriter.Workbook(str(path), {"strings_to_formulas": False, "strings_to_urls": False}) as book:
            log, how_to, lists = (book.add_worksheet(name) for name in ("log", "how to", "lists"))
            _write_log(book, log, columns, _example(vocabulary, edition))
            _write_how_to(book, how_to, vocabulary, known[0] if known else "reed-heron")
            _write_lists(log, lists, columns)
    except xlsxwriter.exceptions.FileCreateError as error:
        raise OSError(f"{path} cannot be written: {error}") from error


def _columns(vocabulary: Vocabulary, cards: Sequence[str]) -> list[Column]:
    """Return all columns that an event type of the game may fill, the envelope's at both ends."""
    words: dict[str, dict[str, None]] = {name: {} for name in FIRST_COLUMNS}
    words["type"] = dict.fromkeys(vocabulary.types)
    words["player"] = dict.fromkeys(PLAYERS)
    for event_type in vocabulary.types.values():
        for field in fields_of(event_type):
            words.setdefault(field.encode_name, {}).update(dict.fromkeys(_words(event_type, field, cards)))
    words["game"] = {vocabulary.game: None}
    last = {name: words.pop(name, {}) for name in LAST_COLUMNS}
    return [Column(name, tuple(found)) for name, found in {**words, **last}.items()]


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


def _example(vocabulary: Vocabulary, edition: str) -> list[dict[str, str]]:
    """Return rows that import as they are."""
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    head = {
        "type": "game.started",
        "game": vocabulary.game,
        "edition": edition,
        "id": f"{vocabulary.game}-example",
        "players": encode(players).decode(),
        "rulings": "{}",
    }
    rows = [
        head,
        {"type": "first-player.chosen", "player": "A", "method": "coin"},
        {"type": "note.added", "text": "An example: replace these rows by your own."},
    ]
    return [row for row in rows if row["type"] in vocabulary.types]


def _write_log(book: Any, sheet: Any, columns: Sequence[Column], rows: Sequence[dict[str, str]]) -> None:
    """Write the header and the example."""
    bold = book.add_format({"bold": True, "bottom": 1})
    grey = book.add_format({"font_color": "#808080"})
    names = [column.name for column in columns]
    sheet.write_row(0, 0, names, bold)
    sheet.freeze_panes(1, 2)
    sheet.set_column(0, len(columns) - 1, 16)
    for line, row in enumerate(rows, 1):
        for name, text in row.items():
            sheet.write_string(line, names.index(name), text, grey)


def _write_how_to(book: Any, sheet: Any, vocabulary: Vocabulary, card: str) -> None:
    """Explain the sheet and every event type."""
    bold = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    for column, width in enumerate((24, 14, 50, 110)):
        sheet.set_column(column, column, width)
    line = 0
    for advice in ADVICE.splitlines():
        sheet.write_string(line, 0, advice.format(card=card))
        line += 1
    sheet.write_row(line + 1, 0, ("type", "class", "what happened", "cells to fill in"), bold)
    for row, (tag, event_type) in enumerate(vocabulary.types.items(), line + 2):
        meaning = " ".join((inspect.getdoc(event_type) or "").split())
        sheet.write_row(row, 0, (tag, event_type.CLASS, meaning, _told_fields(event_type)), wrapped)


def _told_fields(event_type: type[Event]) -> str:
    """Name the fields of an event type, what they mean, and which may be left empty."""
    return "\n".join(_told(field) for field in fields_of(event_type)) or f"none beside {', '.join(ENVELOPE[1:])}"


def _told(field: msgspec.structs.FieldInfo) -> str:
    said = [mark.description for mark in getattr(field.type, "__metadata__", ()) if getattr(mark, "description", None)]
    meaning = f": {said[-1]}" if said else ""
    choices = choices_of(field.type)
    of = f" ({', '.join(choices)})" if choices else ""
    return f"{field.encode_name}{meaning}{of}" + ("" if field.required else " - may be left empty")


def _write_lists(log: Any, sheet: Any, columns: Sequence[Column]) -> None:
    """Write the words of each column, and let the log offer them; another word may still be typed."""
    offered = [(place, column) for place, column in enumerate(columns) if column.words]
    for place, (of, column) in enumerate(offered):
        sheet.write_string(0, place, f"words for {column.name}")
        sheet.write_column(1, place, column.words)
        letter = xl_col_to_name(place)
        rule = {
            "validate": "list",
            "source": f"=lists!${letter}$2:${letter}${len(column.words) + 1}",
            "error_type": "information",
            "error_title": "Not in the list",
            "error_message": f"This is none of the words of `{column.name}`; keep it if it is meant so.",
        }
        log.data_validation(1, of, ROWS, of, rule)
