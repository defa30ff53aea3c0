"""The spreadsheet for a log: it explains every event, and can be imported when it is filled in."""

import csv
import re
import unicodedata
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

from tabletape.events.importing import import_paths
from tabletape.events.importing.sheets.headings import heading, languages
from tabletape.events.log import Log
from tabletape.events.templates.log_sheet import write_template
from tabletape.events.templates.rows import rows_of
from tabletape.events.vocabulary import ENVELOPE, fields_of, games, vocabulary
from tabletape.events.vocabulary.names import slug_of
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.archive.samples import sample_games
from tabletape.projector.archive.stored import import_options, replays
from tabletape.projector.games import game
from tests.events.conftest import CARDS, import_file

RECORDINGS = Path(__file__).parents[1] / "recordings"


def cells(path: Path, name: str) -> list[list[Any]]:
    """Return the cells of a sheet."""
    return CalamineWorkbook.from_path(str(path)).get_sheet_by_name(name).to_python(skip_empty_area=False)


@pytest.mark.parametrize("game", games())
def test_the_example_of_the_template_is_no_game(log: Log, tmp_path: Path, game: str) -> None:
    """Who sends the sheet back as it was written has played nothing; a game below the example is asked about."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary(game), path, CARDS, edition="0.1")
    report = import_file(log, path)
    assert report.problem is not None
    assert (report.games, report.entries, report.problem.message) == ([], [], "the sheet is still empty")
    header, *example = [list(map(str, row)) for row in cells(path, "log") if any(row)]
    move = ["turn.ended" if name == "type" else "A" if name == "player" else "" for name in header]
    text = "\n".join(";".join(f'"{cell}"' for cell in row) for row in (header, *example, move))
    (tmp_path / "below.csv").write_text(text, encoding="utf-8")
    below = import_file(log, tmp_path / "below.csv")
    assert (below.games, [each.code for each in below.entries][-1:]) == ([], ["example"])


@pytest.mark.parametrize("game", games())
def test_the_template_knows_every_event_and_field(tmp_path: Path, game: str) -> None:
    """Every field has a column, and every event type is explained with its fields."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary(game), path, CARDS)
    columns = cells(path, "log")[0]
    explained = {row[0]: row for row in cells(path, "how to")}
    assert len(columns) == len(set(columns))
    for tag, event_type in vocabulary(game).types.items():
        assert explained[tag][1] == event_type.CLASS
        for field in fields_of(event_type):
            assert field.encode_name in columns
            assert field.encode_name in explained[tag][3]


def test_the_lists_offer_types_cards_and_words(tmp_path: Path) -> None:
    """The sheet `lists` holds the values to choose from."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary("splicers"), path, CARDS)
    table = cells(path, "lists")
    choices = {
        str(name).removeprefix("words for "): [row[place] for row in table[1:] if row[place] != ""]
        for place, name in enumerate(table[0])
    }
    assert choices["type"] == list(vocabulary("splicers").types)
    assert choices["card"] == [f"{player}:{card}" for player in "AB" for card in CARDS]
    assert choices["splicer"] == CARDS
    assert choices["face"] == ["up", "down"]
    assert {"ability", "setup", "domination"} < set(choices["reason"])
    assert choices["exhausted"] == ["true", "false"]


def test_a_filled_in_template_imports(log: Log, tmp_path: Path) -> None:
    """A game that is typed under the template's header is imported completely."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary("splicers"), path, CARDS)
    header, started = cells(path, "log")[:2]
    typed: list[dict[str, Any]] = [
        {"type": "seed.played", "player": "A", "card": "A:reed-heron", "biom": "moss-parish"},
        {"type": "tings.spliced", "player": "B", "tings": "B:tin-wasp; B:mire-calf", "found": "null"},
        {"type": "cards.drawn", "player": "A", "count": 2, "reason": "round-start"},
        {"type": "turn.ended", "player": "A", "note": "tea"},
    ]
    with xlsxwriter.Workbook(str(tmp_path / "filled.xlsx")) as book:
        sheet = book.add_worksheet("log")
        for line, row in enumerate([header, started, *[[row.get(name, "") for name in header] for row in typed]]):
            sheet.write_row(line, 0, row)
    report = import_file(log, tmp_path / "filled.xlsx")
    assert (report.entries, report.events) == ([], 1 + len(typed))


def test_a_template_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    """A missing folder raises `OSError`, not an exception of a library."""
    with pytest.raises(OSError, match="cannot be written"):
        write_template(vocabulary("splicers"), tmp_path / "no" / "template.xlsx")


# -- the smallest sheet ------------------------------------------------------------------------------------------------


def folded(path: Path) -> set[str]:
    """Return the names of the folded columns of the sheet `log`."""
    with zipfile.ZipFile(path) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    hidden = [found for found in re.findall(r"<col ([^>]*)/>", sheet) if 'hidden="1"' in found]
    runs = [[int(edge) for edge in re.findall(r'm(?:in|ax)="(\d+)"', found)] for found in hidden]
    return {str(name) for first, last in runs for name in cells(path, "log")[0][first - 1 : last]}


@pytest.mark.parametrize("slug", [*games(), "tabletop"])
def test_the_example_is_a_whole_game_in_the_usual_columns(tmp_path: Path, slug: str) -> None:
    """The second sheet, copied to the first, is a game without findings; at most 24 columns are not folded."""
    path = tmp_path / "template.xlsx"
    one = game(slug)
    write_template(one.vocabulary, path, (), edition=one.rulebook.editions[0].label, games=sample_games(slug))
    book = CalamineWorkbook.from_path(str(path))
    assert book.sheet_names[:2] == ["log", "example"]
    title, names, *rows = cells(path, "example")
    assert str(title[0]).startswith("An example of a whole game")
    header = [str(name) for name in cells(path, "log")[0]]
    assert header[:2] == ["type", "player"]
    assert len(set(header) - folded(path)) <= 24
    assert [name for name in header if name in names] == names
    with xlsxwriter.Workbook(str(tmp_path / "copied.xlsx")) as copied:
        sheet = copied.add_worksheet("log")
        for line, row in enumerate([names, *rows]):
            sheet.write_row(line, 0, row)
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        (report,) = import_paths(log, [tmp_path / "copied.xlsx"], import_options(tmp_path)).files
        assert (report.problem, report.entries) == (None, [])
        assert report.events == len(rows)
        ((_, replay),) = replays(log, log.games())
    assert replay.findings == []
    assert slug == "tabletop" or replay.table.over


def test_the_cells_that_a_row_needs_are_highlighted(tmp_path: Path) -> None:
    """The sheet `cells` names cells by type and column, those that are needed and those that are possible."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary("splicers"), path, CARDS)
    header = cells(path, "log")[0]
    needed, possible = ({str(row[place]) for row in cells(path, "cells") if row[place]} for place in (0, 1))
    of_a_seed = {header[int(each.split()[1]) - 1] for each in needed if each.startswith("seed.played ")}
    assert of_a_seed == {"player", "card", "biom"}
    draws = {header[int(each.split()[1]) - 1] for each in needed if each.startswith("cards.drawn ")}
    assert {"cards", "count"} <= draws
    assert not needed & possible
    with zipfile.ZipFile(path) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("<cfRule") == 2
    assert "COUNTIF(cells!$A$1:" in sheet


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_translated_heading_row_is_understood(log: Log, tmp_path: Path, language: str) -> None:
    """A sheet whose columns are named in another language is the same log, as a workbook and as CSV."""
    write_template(vocabulary("splicers"), tmp_path / "template.xlsx", CARDS, language=language)
    table = cells(tmp_path / "template.xlsx", "log")
    assert table[0][0] == languages()[language]["type"] != "type"
    problem = import_file(log, tmp_path / "template.xlsx").problem
    assert problem is not None
    assert problem.message == "the sheet is still empty"
    rows = (";".join(f'"{cell}"' for cell in row) for row in table[:-1])
    (tmp_path / "template.csv").write_text("\n".join(rows), encoding="utf-8")
    report = import_file(log, tmp_path / "template.csv")
    assert (report.problem, report.entries, report.events) == (None, [], 2)


@pytest.mark.parametrize("language", sorted(languages()))
@pytest.mark.parametrize("form", ["NFC", "NFD", "upper", "plain"])
def test_a_filled_sheet_in_another_language_is_the_same_log(log: Log, tmp_path: Path, language: str, form: str) -> None:
    """Every field of every game is recognized; one game shows that accents and capitals may have any form."""
    for slug in games() if form == "NFC" else ["splicers"]:
        (path,) = sorted(RECORDINGS.glob(f"{slug}/worked-game.jsonl"))
        events = [vocabulary(slug).decode(line) for line in recorded_lines(path)]
        rows = rows_of(events)
        names = list(dict.fromkeys(name for row in rows for name in row))
        plain = import_file(log, _sheet(tmp_path / f"{slug}-plain.csv", names, names, rows))
        headings = [_in_form(heading(name, language), form) for name in names]
        again = import_file(log, _sheet(tmp_path / f"{slug}.csv", headings, names, rows))
        assert (plain.problem, plain.entries, plain.events) == (None, [], len(rows))
        assert again.unchanged


def _in_form(text: str, form: Any) -> str:
    if form == "upper":
        return text.upper()
    if form != "plain":
        return unicodedata.normalize(form, text)
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def _sheet(path: Path, headings: Sequence[str], names: Sequence[str], rows: Sequence[Mapping[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file, delimiter=";")
        sheet.writerow(headings)
        sheet.writerows([row.get(name, "") for name in names] for row in rows)
    return path


def test_no_translation_is_the_name_of_another_column() -> None:
    """A translated name is never the name of another field."""
    types = [each for slug in (*games(), "tabletop") for each in vocabulary(slug).types.values()]
    fields = {"type", *ENVELOPE, *(field.encode_name for each in types for field in fields_of(each))}
    for words in languages().values():
        assert set(words) <= fields
        for field, word in words.items():
            assert word.casefold() == field or word.casefold() not in fields
        assert len({slug_of(word) for word in words.values()}) == len(words)
