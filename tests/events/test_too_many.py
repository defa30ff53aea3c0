"""A file with more lines that cannot be read than anybody goes through is read no further, and one entry says so."""

from pathlib import Path

import pytest
import xlsxwriter

from tabletape.events.importing import ImportReport, import_paths, rejected
from tabletape.events.importing.rejected import TOO_MANY
from tabletape.events.log import Log
from tabletape.events.log.rows import QuarantinedLine
from tests.events.conftest import game, line, write_lines

MOST = 5
BAD = line("turn.endet", player="A", what="nothing")
GOOD = line("note.added", text="x")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take five lines for many: what is done does not depend on the number."""
    monkeypatch.setattr(rejected, "MOST_ENTRIES", MOST)


def imported(tmp_path: Path, file: Path) -> tuple[ImportReport, list[QuarantinedLine]]:
    """Import a file into a new log; return the report and the quarantine."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        return import_paths(log, [file]), log.quarantine()


def test_behind_many_lines_that_cannot_be_read_a_file_is_read_no_further(tmp_path: Path) -> None:
    """The entry names the first line that was not read and counts those behind it; the games before are taken."""
    file = write_lines(tmp_path / "log.jsonl", [*game("one"), *[BAD] * (MOST + 3), GOOD, *game("two")])
    report, quarantine = imported(tmp_path, file)
    first = len(game("one")) + MOST + 1
    total = len(game("one")) + MOST + 3 + 1 + len(game("two"))
    assert [each.code == TOO_MANY for each in quarantine] == [False] * MOST + [True]
    assert quarantine[-1].line == first
    assert f"this line and the {total - first} behind it were not read" in quarantine[-1].message
    assert [taken.game_id for taken in report.games] == ["one"]
    assert report.files[0].lines == total
    assert report.quarantined == MOST + 1
    assert any("read no further" in each for each in report.files[0].remarks)


def test_as_many_lines_as_may_be_are_no_reason_to_stop(tmp_path: Path) -> None:
    """What is behind the last of them is read."""
    file = write_lines(tmp_path / "log.jsonl", [*game("one"), *[BAD] * MOST, *game("two")])
    report, quarantine = imported(tmp_path, file)
    assert [taken.game_id for taken in report.games] == ["one", "two"]
    assert len(quarantine) == MOST


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_sheet_is_read_no_further_either(tmp_path: Path, ending: str) -> None:
    """In a workbook the sheets behind it are not read either, and the entry says so."""
    rows = [["type", "game", "edition", "id", "players", "player"], *[["turn.endet", "", "", "", "", "A"]] * 20]
    head = ["game.started", "crystal", "2025", "c", '[{"id":"A","name":"Ann"},{"id":"B","name":"Ben"}]', ""]
    rows.insert(1, head)
    file = tmp_path / f"log.{ending}"
    if ending == "csv":
        cells = ([f'"{each.replace(chr(34), chr(34) * 2)}"' for each in row] for row in rows)
        file.write_text("\n".join(map(",".join, cells)), encoding="utf-8")
    else:
        with xlsxwriter.Workbook(file) as book:
            for _ in range(2):
                sheet = book.add_worksheet()
                for number, row in enumerate(rows):
                    sheet.write_row(number, 0, row)
    _, quarantine = imported(tmp_path, file)
    assert len(quarantine) == MOST + 1
    assert quarantine[-1].code == TOO_MANY
    assert quarantine[-1].line == 2 + MOST + 1
    assert f"the {20 - MOST - 1} behind it were not read" in quarantine[-1].message
    assert quarantine[-1].message.endswith("nor the sheets behind this one") == (ending == "xlsx")


def test_lines_that_were_taken_with_a_doubt_stop_nothing(tmp_path: Path) -> None:
    """All of them are in their game; one entry counts those that nobody is asked about any more."""
    doubtful = line("note.added", text="x", at="half past")
    file = write_lines(tmp_path / "log.jsonl", [*game("one"), *[doubtful] * (MOST + 3), *game("two")])
    report, quarantine = imported(tmp_path, file)
    assert [taken.game_id for taken in report.games] == ["one", "two"]
    assert report.events == 2 * len(game("one")) + MOST + 3
    assert len(quarantine) == MOST + 1
    assert "3 more lines were taken with the same doubts" in quarantine[-1].message


def test_what_a_map_leaves_over_is_counted_behind_the_first(tmp_path: Path) -> None:
    """Each kind of line of a chat is an entry, as many as may be."""
    words = ["moon", "tide", "reed", "wasp", "elm", "oak", "fern", "moss", "lynx"]
    lines = ["Ann joins.", "Ben joins.", *(f"{word} {'and ' * number}{word}!" for number, word in enumerate(words))]
    file = tmp_path / "friday.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "friday.map.toml").write_text(
        'map = 1\ngame = "tabletop"\nshape = "lines"\n[[line]]\nis = "{player} joins."\nseats = true\n',
        encoding="utf-8",
    )
    _, quarantine = imported(tmp_path, file)
    assert len(quarantine) == MOST + 1
    assert quarantine[-1].code == TOO_MANY
    assert "more entries like this were left out" in quarantine[-1].message
