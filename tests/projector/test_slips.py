"""Sheets as they are typed at a table, with a dozen slips, and the answers to what is asked about them.

Each is two files in `recordings/slips`. `x.csv` is the sheet. `x.toml` has the answers to the questions of the
quarantine, by line: `take` what is suggested, `pass` to leave the line out, `keep` it as it was read, or the corrected
text; and under `proposals` what `mend` proposes for the findings that are left. The game that results is the example of
the game's template.
"""

import csv
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from tabletape.events.importing import import_paths
from tabletape.events.importing.lines.text import changed
from tabletape.events.importing.quarantine.mending import OpenLine, mend, open_lines
from tabletape.events.log import Log
from tabletape.events.log.revising import store_revision
from tabletape.events.templates.rows import rows_of
from tabletape.events.vocabulary import Event
from tabletape.projector.archive.samples import sample_games
from tabletape.projector.archive.stored import import_options, replays
from tabletape.projector.mending.proposals import mend as mending_of
from tabletape.projector.mending.proposals import mended, numbered_events
from tests.waiting import ALL_LINES

SHEETS = sorted((Path(__file__).parents[1] / "recordings/slips").glob("*.csv"))


def table(sheet: Path) -> list[list[str]]:
    """Return the cells of a sheet."""
    return list(csv.reader(sheet.read_text(encoding="utf-8").splitlines()))


def as_workbook(sheet: Path, path: Path) -> None:
    """Write a sheet as a spreadsheet program keeps it: numbers are numbers, some of them the result of a formula."""
    with xlsxwriter.Workbook(str(path)) as book:
        log = book.add_worksheet("log")
        for line, row in enumerate(table(sheet)):
            for column, text in enumerate(row):
                if text.removesuffix(",0").isdigit():
                    log.write_formula(line, column, f"=0+{text[0]}", None, float(text.replace(",", ".")))
                elif text:
                    log.write_string(line, column, text)


def answered(line: OpenLine, answers: Mapping[str, str]) -> Mapping[str, Any] | None:
    """Return the fields that answer the question about a line, or None to leave the line out."""
    match answers[str(line.entry.line)]:
        case "take":
            assert line.suggestion is not None
            return line.suggestion
        case "pass":
            return None
        case "keep":
            assert line.is_taken
            return line.fields
        case text:
            return changed(line.suggestion or line.fields, text, line.place)


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_a_sheet_with_slips_is_a_clean_game_after_two_rounds(tmp_path: Path, sheet: Path, form: str) -> None:
    """The first round answers the questions about lines, the second accepts a proposal for each finding left."""
    path, answers = tmp_path / f"friday.{form}", tomllib.loads(sheet.with_suffix(".toml").read_text(encoding="utf-8"))
    as_workbook(sheet, path) if form == "xlsx" else path.write_bytes(sheet.read_bytes())
    options = import_options(tmp_path)
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        import_paths(log, [path], options)
        path.unlink()
        lines, others = open_lines(log, options)
        assert others == []
        assert {str(each.entry.line) for each in lines} == {*answers["lines"]}
        mend(log, [(each.name, one) for each in lines for one in each.mends(answered(each, answers["lines"]))], options)
        assert [(each.place, each.message) for each in log.quarantine()] == []
        for text in answers["proposals"]:
            accept(log, text)
        ((_, replay),) = replays(log, log.games())
        assert replay.findings == []
        assert replay.table.over
        assert lines_of(replay.events) == lines_of(sample_games(sheet.stem)[0])


def accept(log: Log, text: str) -> None:
    """Accept the first proposal for the first finding, as `tabletape mend --accept 1` does."""
    ((stored, replay),) = replays(log, log.games())
    found = mending_of(stored.game_id, replay, lines=ALL_LINES)
    assert found is not None
    assert found.proposals[0].text == text
    store_revision(log, stored, numbered_events(mended(replay, found.proposals[0])), text)


def lines_of(events: Sequence[Event]) -> list[dict[str, str]]:
    """Return what was decided and drawn; without times, notes and the cards that were only counted."""
    omitted = {"cards", "count", "note"}
    return [{name: text for name, text in row.items() if name not in omitted} for row in rows_of(events)]
