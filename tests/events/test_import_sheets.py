"""Logs from spreadsheets: the same games as from JSON Lines, and errors that name the cell."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from tabletape.events.importing import FileReport
from tabletape.events.log import Log
from tests.events.conftest import game, head, import_file, line, write_lines

Rows = list[dict[str, Any]]


def rows(lines: list[str]) -> Rows:
    """Return lines as rows: lists and objects as JSON in the cell, null as the word null."""
    return [
        {
            key: json.dumps(value) if not isinstance(value, str | int) else value
            for key, value in json.loads(each).items()
        }
        for each in lines
    ]


def column_names(table: Rows) -> list[str]:
    """Return all columns of the rows, in the order of their appearance."""
    return list(dict.fromkeys(name for row in table for name in row))


def as_csv(table: Rows, delimiter: str = ",", end: str = "\r\n") -> str:
    """Write rows as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, column_names(table), delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


def sheet(path: Path, **sheets: list[list[Any]]) -> Path:
    """Write a workbook with some sheets of cells."""
    with xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd hh:mm:ss"}) as book:
        for name, table in sheets.items():
            page = book.add_worksheet(name.replace("_", " "))
            for place, row in enumerate(table):
                page.write_row(place, 0, row)
    return path


def take_csv(log: Log, tmp_path: Path, text: str, encoding: str = "utf-8") -> FileReport:
    """Import a text as a CSV file."""
    path = tmp_path / "g.csv"
    path.write_bytes(text.encode(encoding))
    return import_file(log, path)


FULL = [
    *game()[:-1],
    line("mulligan.taken", player="A", returned=[], drawn=[]),
    line("cards.drawn", player="A", count=2, reason="ability"),
    line("tings.spliced", player="A", tings=["A:reed-heron", "A:tin-wasp"], found=None),
    line("state.observed", player="A", hand=3, exhausted=True, dominator=None),
    line("round.counted", dominated={"A": ["moss-parish"], "B": []}),
    line("note.added", text='[sic] "tea", spilled; 5', at="2026-05-01T19:02:11Z"),
    line("note.added", text="null"),
    line("play.taken-back", to=3, cause=3),
    game()[-1],
]


@pytest.mark.parametrize(
    ("delimiter", "end", "prefix", "encoding"),
    [
        (",", "\r\n", "", "utf-8"),
        (",", "\n", "", "utf-8-sig"),
        (";", "\r\n", "", "cp1252"),
        (";", "\r\n", "sep=;\r\n", "utf-8"),
        ("\t", "\r\n", "", "utf-16"),
    ],
)
def test_a_csv_file_gives_the_same_game(  # noqa: PLR0913, PLR0917 - one for each way to write a CSV file
    log: Log, tmp_path: Path, delimiter: str, end: str, prefix: str, encoding: str
) -> None:
    """Comma, semicolon or tab, with or without a byte order mark: the game has the hashes of the JSON Lines file."""
    plain = import_file(log, write_lines(tmp_path / "g.jsonl", FULL))
    report = take_csv(log, tmp_path, prefix + as_csv(rows(FULL), delimiter, end), encoding)
    assert (plain.quarantined, report.quarantined, report.format) == (0, 0, "csv")
    assert report.unchanged


def test_a_workbook_gives_the_same_game(log: Log, tmp_path: Path) -> None:
    """Numbers, booleans and text of a spreadsheet are converted to the type of the field."""
    import_file(log, write_lines(tmp_path / "g.jsonl", FULL))
    table = rows(FULL)
    columns = column_names(table)
    cells = [[True if row.get(name) == "true" else row.get(name, "") for name in columns] for row in table]
    report = import_file(log, sheet(tmp_path / "g.xlsx", log=[columns, *cells]))
    assert (report.entries, report.format) == ([], "xlsx")
    assert report.unchanged


def test_every_sheet_of_a_workbook_may_be_an_evening(log: Log, tmp_path: Path) -> None:
    """Sheets whose first row names `type` are logs; others are ignored; no game continues on the next sheet."""
    pages = {}
    for name in ("may", "june"):
        table = rows(game(name))
        pages[name] = [column_names(table), *[[row.get(each, "") for each in column_names(table)] for row in table]]
    stray = [["type", "player"], ["turn.ended", "A"]]
    report = import_file(
        log, sheet(tmp_path / "g.xlsx", may=pages["may"], notes=[["bring", "tea"]], june=pages["june"], x=stray)
    )
    assert [each.game_id for each in report.games] == ["may", "june"]
    assert [(entry.file, entry.line, entry.code) for entry in report.entries] == [(f"{report.name} [x]", 2, "no-game")]


def test_a_friendly_cell_is_understood(log: Log, tmp_path: Path) -> None:
    """A single name is a list of one, semicolons separate several, and a number is text in a field of text."""
    table: list[list[Any]] = [
        ["type", "game", "edition", "id", "players", "player", "tings", "found", "count", "exhausted", "biom", "seq"],
        ["game.started", "splicers", 2025, "g", '[{"id": "A", "name": "Ann"}]'],
        ["tings.spliced", "", "", "", "", "A", "A:tin-wasp; A:reed-heron", "null"],
        ["tings.spliced", "", "", "", "", "A", "A:tin-wasp", "", 1],
        ["state.observed", "", "", "", "", "A", "", "", "", "TRUE", "moss-parish", 7],
    ]
    report = import_file(log, sheet(tmp_path / "g.xlsx", log=table))
    assert report.entries == []
    first, second, third = log.events(log.game("g"))[1:]
    assert (first.tings, first.found) == (("A:tin-wasp", "A:reed-heron"), None)  # type: ignore[attr-defined]
    assert (second.tings, second.count) == (("A:tin-wasp",), 1)  # type: ignore[attr-defined]
    assert (third.exhausted, third.seq) == (True, 7)  # type: ignore[attr-defined]
    assert log.game("g").edition == "2025"


def test_a_date_cell_is_a_time(log: Log, tmp_path: Path) -> None:
    """A spreadsheet's date is a time in UTC."""
    from datetime import datetime  # noqa: PLC0415 - only here

    moment = datetime(2026, 5, 1, 19, 2, 11)  # noqa: DTZ001 - a spreadsheet knows no time zone
    players = '[{"id": "A", "name": "Ann"}]'
    table: list[list[Any]] = [
        ["type", "game", "edition", "id", "players", "at"],
        ["game.started", "splicers", "x", "g", players, moment],
    ]
    assert import_file(log, sheet(tmp_path / "g.xlsx", log=table)).entries == []
    assert log.game("g").started_at == "2026-05-01T19:02:11Z"


HEADER = "type,game,edition,id,players,player,card,biom,cards,reason\n"
HEAD = 'game.started,splicers,x,g,"[{""id"": ""A"", ""name"": ""Ann""}]",,,,,\n'


@pytest.mark.parametrize(
    ("row", "column", "code", "suggestion"),
    [
        ("seed.plyd,,,,,A,A:x,moss,,", 1, "unknown-type", "did you mean `seed.played`?"),
        ("seed.played,,,,,A,,moss,,", 1, "missing-field", ""),
        ("seed.played,,,,,B,A:x,moss,,", 6, "unknown-player", ""),
        ("turn.ended,,,,,A,A:x,,,", 7, "unknown-field", "its fields are seq, at, cause, note, player"),
        ('cards.drawn,,,,,A,,,"[""A:x"",",ability', 9, "not-json", ""),
        ("cards.drawn,,,,,A,,,A:x,abilt", 10, "wrong-type", "did you mean `ability`?"),
        ("turn.ended,,,,,A,,,,,more", 11, "unknown-field", ""),
        (",,,,,A,,,,", 1, "missing-field", ""),
    ],
)
def test_a_bad_row_names_its_cell(log: Log, tmp_path: Path, row: str, column: int, code: str, suggestion: str) -> None:  # noqa: PLR0913, PLR0917 - one column of the table each
    """The entry has line and column of the cell, and the other rows are imported."""
    report = take_csv(log, tmp_path, f"{HEADER}{HEAD}turn.ended,,,,,A,,,,\n{row}\nturn.ended,,,,,A,,,,,,\n")
    (entry,) = report.entries
    assert (entry.line, entry.column, entry.code, entry.suggestion) == (4, column, code, suggestion)
    assert entry.raw == row
    assert [event.type for event in log.stored(log.game("g"))][1:] == ["turn.ended", "log.gap", "turn.ended"]


def test_the_line_of_a_row_is_where_it_begins(log: Log, tmp_path: Path) -> None:
    """A cell with line ends in it does not change the line numbers of later rows."""
    table = rows([*game()[:2], line("note.added", text="one\ntwo\nthree")])
    report = take_csv(log, tmp_path, as_csv(table, end="\n") + "oops" + "," * (len(column_names(table)) - 1) + "\n")
    assert [(entry.line, entry.code) for entry in report.entries] == [(7, "unknown-type")]
    assert log.events(log.game("g"))[2].text == "one\ntwo\nthree"  # type: ignore[attr-defined]


def test_trailing_commas_and_blank_rows_are_no_error(log: Log, tmp_path: Path) -> None:
    """Empty cells and rows at the edges of a sheet are ignored."""
    lines = as_csv(rows(game()), end="\n").splitlines()
    text = "\n".join([f"{each},,," for each in lines] + [",,,,", ""])
    assert (take_csv(log, tmp_path, text).quarantined, log.game("g").events) == (0, len(game()))


def test_a_misspelt_head_loses_its_own_rows_only(log: Log, tmp_path: Path) -> None:
    """The rows under a head that cannot be read do not go to the game before."""
    table = rows([*game("a"), head("b").replace("game.started", "game.strtd"), *game("b")[1:]])
    report = take_csv(log, tmp_path, as_csv(table))
    assert [(each.game_id, each.events) for each in report.games] == [("a", len(game()))]
    assert [entry.code for entry in report.entries] == ["unknown-type"]


def test_column_names_may_be_in_capitals(log: Log, tmp_path: Path) -> None:
    """Blanks around the names of columns are ignored, too."""
    text = as_csv(rows(game()))
    first, _, rest = text.partition("\r\n")
    assert take_csv(log, tmp_path, first.upper().replace(",", " , ") + "\r\n" + rest).quarantined == 0


def test_a_field_that_is_too_long_is_no_traceback(log: Log, tmp_path: Path) -> None:
    """A cell with an unclosed quote that swallows the file ends in an entry."""
    text = f'{HEADER}{HEAD}turn.ended,,,,,A,,,,\n"' + "x" * 200_000
    report = take_csv(log, tmp_path, text)
    assert [entry.code for entry in report.entries] == ["damaged"]
    assert log.game("g").events == 2
