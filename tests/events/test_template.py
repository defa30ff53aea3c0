"""The spreadsheet to keep a log in: it explains every event, and what is filled in imports."""

from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

from events.log import Log
from events.template import write_template
from events.vocabulary import fields_of, games, vocabulary
from tests.events.conftest import CARDS, take


def cells(path: Path, name: str) -> list[list[Any]]:
    """Return the cells of a sheet."""
    return CalamineWorkbook.from_path(str(path)).get_sheet_by_name(name).to_python(skip_empty_area=False)


@pytest.mark.parametrize("game", games())
def test_the_template_imports_as_it_is(log: Log, tmp_path: Path, game: str) -> None:
    """The example in the sheet is a log, in every game."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary(game), path, CARDS, edition="0.1")
    report = take(log, path)
    assert (report.entries, report.problem) == ([], None)
    assert [(each.game, each.game_id) for each in report.games] == [(game, f"{game}-example")]
    assert log.game(f"{game}-example").edition == "0.1"


@pytest.mark.parametrize("game", games())
def test_the_template_knows_every_event_and_field(tmp_path: Path, game: str) -> None:
    """Every field has a column, and every event type is explained with its fields."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary(game), path, CARDS)
    columns = cells(path, "log")[0]
    told = {row[0]: row for row in cells(path, "how to")}
    assert len(columns) == len(set(columns))
    for tag, event_type in vocabulary(game).types.items():
        assert told[tag][1] == event_type.CLASS
        for field in fields_of(event_type):
            assert field.encode_name in columns
            assert field.encode_name in told[tag][3]


def test_the_lists_offer_types_cards_and_words(tmp_path: Path) -> None:
    """What may be chosen stands on the sheet `lists`."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary("splicers"), path, CARDS)
    table = cells(path, "lists")
    offered = {
        str(name).removeprefix("words for "): [row[place] for row in table[1:] if row[place] != ""]
        for place, name in enumerate(table[0])
    }
    assert offered["type"] == list(vocabulary("splicers").types)
    assert offered["card"] == [f"{player}:{card}" for player in "AB" for card in CARDS]
    assert offered["splicer"] == CARDS
    assert offered["face"] == ["up", "down"]
    assert {"ability", "setup", "domination"} < set(offered["reason"])
    assert offered["exhausted"] == ["true", "false"]


def test_a_filled_in_template_imports(log: Log, tmp_path: Path) -> None:
    """A game that is typed under the template's own header comes in whole."""
    path = tmp_path / "template.xlsx"
    write_template(vocabulary("splicers"), path, CARDS)
    header, started = cells(path, "log")[:2]
    typed = [
        {"type": "seed.played", "player": "A", "card": "A:reed-heron", "biom": "moss-parish"},
        {"type": "tings.spliced", "player": "B", "tings": "B:tin-wasp; B:mire-calf", "found": "null"},
        {"type": "cards.drawn", "player": "A", "count": 2, "reason": "round-start"},
        {"type": "turn.ended", "player": "A", "note": "tea"},
    ]
    with xlsxwriter.Workbook(str(tmp_path / "filled.xlsx")) as book:
        sheet = book.add_worksheet("log")
        for line, row in enumerate([header, started, *[[row.get(name, "") for name in header] for row in typed]]):
            sheet.write_row(line, 0, row)
    report = take(log, tmp_path / "filled.xlsx")
    assert (report.entries, report.events) == ([], 1 + len(typed))


def test_a_template_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    """A folder that is not there is an error, not a traceback of a library."""
    with pytest.raises(OSError, match="cannot be written"):
        write_template(vocabulary("splicers"), tmp_path / "no" / "template.xlsx")
