"""Files of other programs in the log: by which map they are read, what is said of those that none reads."""

import json
import shlex
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from msgspec import UNSET

from tabletape.events.importing import ImportReport, Options, import_paths
from tabletape.events.importing.remapping import remap
from tabletape.events.log import Log
from tabletape.events.vocabulary.shared import FeedbackGiven
from tests.events.test_maps import CHAT


def imported(folder: Path, *names: str, **options: Any) -> ImportReport:
    """Import files of a folder into its log."""
    with Log.open(folder / "tabletape.db", create=True) as log:
        return import_paths(log, [folder / name for name in names], Options(workspace=folder, **options))


TALK = "Ann sits down\nBen sits down\nAnn plays Lamp\nBen trips\nBen plays Tea\nBen wins\n"


def test_a_map_with_the_name_of_the_file_is_used(tmp_path: Path) -> None:
    """A map beside the file reads it, one entry for each kind of unread lines goes to quarantine, the file is kept."""
    (tmp_path / "chat.map.toml").write_text(CHAT)
    (tmp_path / "chat.txt").write_text(TALK)
    report = imported(tmp_path, "chat.txt")
    assert [(game.game_id, game.status) for game in report.games] == [("chat", "new")]
    assert report.quarantined == 1
    assert imported(tmp_path, "chat.txt").games[0].status == "unchanged"


def test_a_changed_map_is_no_contradiction(tmp_path: Path) -> None:
    """If the map reads one more kind of line, importing the file again gives the next revision of its game."""
    (tmp_path / "chat.map.toml").write_text(CHAT)
    (tmp_path / "chat.txt").write_text(TALK)
    imported(tmp_path, "chat.txt")
    (tmp_path / "chat.map.toml").write_text(CHAT + '[[line]]\nis = "{player} trips"\nskip = true\n')
    report = imported(tmp_path, "chat.txt")
    assert [(game.status, game.revision) for game in report.games] == [("revised", 2)]
    with Log.open(tmp_path / "tabletape.db") as log:
        assert log.quarantine() == []


def test_a_chat_that_has_grown_adds_its_tail(tmp_path: Path) -> None:
    """A longer copy of the same chat appends the new events."""
    (tmp_path / "chat.map.toml").write_text(CHAT)
    (tmp_path / "chat.txt").write_text(TALK.replace("Ben wins\n", ""))
    imported(tmp_path, "chat.txt")
    (tmp_path / "chat.txt").write_text(TALK)
    assert [game.status for game in imported(tmp_path, "chat.txt").games] == ["grown"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "[19:02] Ann: hi\n[19:03] Ben: hello\n", "a chat or a log in words"),
        ("b.json", '{\n "plays": [1]\n}\n', "a JSON document"),
        ("c.csv", "who,when,how\na,b,c\nd,e,f\n", "a sheet without a column `type`"),
        ("d.xml", "<plays>\n<play/>\n</plays>\n", "an XML document"),
    ],
)
def test_a_file_that_no_map_fits_is_refused_with_the_way_out(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    """The refusal says what the file looks like, and which command makes a map for it."""
    (tmp_path / name).write_text(content)
    (problem,) = imported(tmp_path, name).problems
    assert message in problem.message
    assert "tabletape map" in problem.suggestion


def test_kept_files_are_read_again_when_their_map_has_changed(tmp_path: Path) -> None:
    """The original files are not needed: their stored copies are read by the map as it is now."""
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "any.map.toml").write_text(CHAT)
    (tmp_path / "chat.txt").write_text(TALK)
    imported(tmp_path, "chat.txt")
    (tmp_path / "chat.txt").unlink()
    with Log.open(tmp_path / "tabletape.db") as log:
        assert [game.status for game in remap(log, Options(workspace=tmp_path)).games] == ["unchanged"]
        (tmp_path / "maps" / "any.map.toml").write_text(CHAT + '[[line]]\nis = "{player} trips"\nharmless = true\n')
        assert [game.status for game in remap(log, Options(workspace=tmp_path)).games] == ["revised"]
        assert log.quarantine() == []


def test_unread_files_of_a_folder_are_named(tmp_path: Path) -> None:
    """In a folder a chat that a map reads is imported, and a file of notes gets a remark but is no problem."""
    folder = tmp_path / "evening"
    folder.mkdir()
    (folder / "chat.map.toml").write_text(CHAT)
    (folder / "chat.txt").write_text(TALK)
    (folder / "notes.txt").write_text("Buy tea.\nAsk Ben about the moss deck.\n")
    report = imported(tmp_path, "evening")
    assert [game.game_id for game in report.games] == ["chat"]
    assert report.problems == []
    (notes,) = [file for file in report.files if file.name.endswith("notes.txt")]
    assert notes.remarks[0].startswith("passed over: this looks like a chat")


def test_a_zip_archive_is_not_reported_as_a_damaged_workbook(tmp_path: Path) -> None:
    """The message says that this is an archive, and what is in it."""
    with zipfile.ZipFile(tmp_path / "notes.zip", "w") as archive:
        archive.writestr("a.txt", "hello")
    (problem,) = imported(tmp_path, "notes.zip").problems
    assert problem.message == "this is a zip archive and no workbook; in it is a.txt"


def test_files_in_a_folder_that_are_no_logs_are_named(tmp_path: Path) -> None:
    """The files that were ignored in a folder are named; hidden ones are not."""
    folder = tmp_path / "evening"
    folder.mkdir()
    for name in ("a.png", "b.md", ".hidden"):
        (folder / name).write_bytes(b"\x89PNG")
    (folder / "g.csv").write_text("players,winner\nAnn; Ben,Ann\n")
    (remark,) = imported(tmp_path, "evening").remarks
    assert remark == f"{folder}: 2 files that are no logs were passed over: a.png (a picture), b.md (a picture)"


def test_a_copy_of_a_file_under_another_name_is_no_second_evening(tmp_path: Path) -> None:
    """Games that are called like their file are not counted twice: the same bytes are taken once, and it is said."""
    sheet = "players,winner\nAnn; Ben,Ann\nAnn; Ben,Ben\n"
    for name in ("may.csv", "may (1).csv"):
        (tmp_path / name).write_text(sheet)
    assert imported(tmp_path, "may.csv").events == 4
    copy = imported(tmp_path, "may (1).csv")
    assert (copy.events, copy.problems) == (0, [])
    (said,) = copy.files[0].remarks
    assert said.startswith(
        f"byte for byte what was imported as {tmp_path / 'may.csv'}: its games are not taken a second"
    )
    assert f"`tabletape import '{tmp_path / 'may (1).csv'}' --map MAP` takes them" in said
    (tmp_path / "may (1).csv").write_text(f"{sheet}Ann; Cem,Cem\n")
    assert imported(tmp_path, "may (1).csv").events == 6


def test_a_copy_of_what_has_been_revised_since_is_taken(tmp_path: Path) -> None:
    """A sheet that is written over each week stands for its last games: a copy of an earlier one brings its own."""
    for winner in ("Ann", "Ben"):
        (tmp_path / "results.csv").write_text(f"players,winner\nAnn; Ben,{winner}\n")
        assert imported(tmp_path, "results.csv", revise=True).events == 2
    (tmp_path / "first week.csv").write_text("players,winner\nAnn; Ben,Ann\n")
    (tmp_path / "second week.csv").write_text("players,winner\nAnn; Ben,Ben\n")
    assert imported(tmp_path, "first week.csv").events == 2
    assert imported(tmp_path, "second week.csv").events == 0


def test_json_on_one_line_that_no_map_fits_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """`type` within a document of another program makes no event of it, however long its line is; nor does a list."""
    rows = [{"type": "bid", "entity": number} for number in range(300)]
    for name, document in (("a b.json", {"title": "1889", "actions": rows}), ("list.json", [{"a": 1}, {"a": 2}])):
        (tmp_path / name).write_text(json.dumps(document))
        (problem,) = imported(tmp_path, name).problems
        assert "a JSON document" in problem.message
        assert shlex.quote(str(tmp_path / name)) in problem.suggestion


def test_a_workbook_without_a_log_names_the_way_on(tmp_path: Path) -> None:
    """A workbook of which nobody has said what it means is refused with the command that asks."""
    with xlsxwriter.Workbook(tmp_path / "x.xlsx") as book:
        book.add_worksheet().write_row(0, 0, ["foo", "bar", "baz"])
    (problem,) = imported(tmp_path, "x.xlsx").problems
    assert "tabletape map" in problem.suggestion


FORM = """map = 1
game = "tabletop"
shape = "results"
[columns]
players = { column = "Who played?", split = "," }
winner = "Who won?"
date = "Start time"
by = "Your name"
feedback = { fun = "How much fun was it?", again = "Would you play it again?", text = "What should we know?" }
"""


def test_a_workbook_of_microsoft_forms_is_feedback(tmp_path: Path) -> None:
    """As the program writes it: times as numbers of days, an anonymous address, and what was not answered is empty."""
    asked = ("Your name", "Who played?", "Who won?", "How much fun was it?", "Would you play it again?")
    heading = ("ID", "Start time", "Completion time", "Email", "Name", *asked, "What should we know?")
    began = datetime(2026, 9, 11, 21, 40, tzinfo=UTC)
    rows = (("Ann", "Ann, Ben", "Ben", 4, "Yes", "Too late."), ("Ben", "Ann, Ben", "Ben", 5, "No", ""))
    with xlsxwriter.Workbook(tmp_path / "form.xlsx", {"remove_timezone": True}) as book:
        sheet, day = book.add_worksheet("Sheet1"), book.add_format({"num_format": "m/d/yy h:mm:ss"})
        sheet.write_row(0, 0, heading)
        for number, answers in enumerate(rows, start=1):
            sheet.write_row(number, 0, [number, *(began.replace(minute=40 + number + end) for end in (0, 1))], day)
            sheet.write_row(number, 3, ["anonymous", "", *answers])
    (tmp_path / "form.map.toml").write_text(FORM)
    report = imported(tmp_path, "form.xlsx")
    assert not report.problems
    with Log.open(tmp_path / "tabletape.db") as log:
        (stored,) = log.games()
        said = [each for each in log.events(stored) if isinstance(each, FeedbackGiven)]
    assert [(each.player, each.fun, each.again, each.text) for each in said] == [
        ("A", 4, True, "Too late."),
        ("B", 5, False, UNSET),
    ]
