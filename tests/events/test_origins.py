"""The place of each event of a stored game in the file that it came from."""

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
import xlsxwriter

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.finding import map_of_file
from tabletape.events.importing.origins import Origins
from tabletape.events.importing.quarantine.mending import mend, open_lines
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary

PLAYERS = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]


def head(name: str) -> dict[str, object]:
    """Return the first line of a game."""
    return {"type": "game.started", "game": "splicers", "edition": "0.2a", "id": name, "players": PLAYERS}


NOTE = {"type": "note.added", "text": "later"}
PASS = {"type": "turn.passed", "player": "A"}
LINES = [
    "",
    json.dumps(head("one")),
    json.dumps(PASS),
    '{"type": "turn.past", "player": "A"}',
    "",
    json.dumps(NOTE),
    json.dumps(head("two")),
    json.dumps(PASS),
    json.dumps(head("three")).replace("splicers", "splcer"),
    json.dumps(PASS),
    json.dumps(head("four")),
]


def origins(path: Path) -> dict[str, dict[int, int]]:
    """Import a file into a log; return for every game the line of each event."""
    with Log.open(path.parent / "log.db", create=True) as log:
        import_paths(log, [path])
        found = Origins(log)
        return {game.game_id: found.lines(game) for game in log.games()}


EXPECTED = {"one": {1: 2, 2: 3, 3: 4, 4: 6}, "two": {1: 7, 2: 8}, "four": {1: 11}}


def test_blank_and_unreadable_lines_shift_no_line_number(tmp_path: Path) -> None:
    """Every event has its own line, a gap its first one, and a game ends where the next one begins."""
    path = tmp_path / "evening.jsonl"
    path.write_text("\n".join(LINES), encoding="utf-8")
    assert origins(path) == EXPECTED


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_packed_files_and_other_encodings_have_lines_too(tmp_path: Path, ends: str) -> None:
    """Windows line ends, a byte order mark and packing change no line number."""
    path = tmp_path / "evening.jsonl.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + ends.join(LINES).encode()))
    assert origins(path) == EXPECTED


def test_a_sheet_has_lines_too(tmp_path: Path) -> None:
    """In a CSV file the header is line 1."""
    text = io.StringIO()
    sheet = csv.DictWriter(text, ["type", "game", "edition", "id", "players", "player", "text"])
    sheet.writeheader()
    sheet.writerow({**head("one"), "players": json.dumps(PLAYERS)})
    sheet.writerows([PASS, NOTE])
    path = tmp_path / "evening.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    assert origins(path) == {"one": {1: 2, 2: 3, 3: 4}}


def test_a_log_that_has_grown_is_looked_up_in_its_newest_form(tmp_path: Path) -> None:
    """The line numbers are those of the file as it was last imported."""
    path = tmp_path / "evening.jsonl"
    path.write_text("\n".join(LINES[1:3]), encoding="utf-8")
    assert origins(path) == {"one": {1: 1, 2: 2}}
    path.write_text("\n".join([LINES[1], "", LINES[2], LINES[5]]), encoding="utf-8")
    assert origins(path) == {"one": {1: 1, 2: 3, 3: 4}}


def test_a_game_that_was_refused_has_no_lines_in_that_file(tmp_path: Path) -> None:
    """If the newest version of a file contradicts a stored game, its lines are not those of the stored events."""
    path = tmp_path / "evening.jsonl"
    path.write_text("\n".join([LINES[1], LINES[2], LINES[5]]), encoding="utf-8")
    assert origins(path) == {"one": {1: 1, 2: 2, 3: 3}}
    path.write_text("\n".join([LINES[1], LINES[5], LINES[2], *LINES[6:8]]), encoding="utf-8")
    assert origins(path) == {"one": {}, "two": {1: 4, 2: 5}}


def test_a_game_that_came_from_no_file_has_no_lines(tmp_path: Path) -> None:
    """Events that were appended directly have no line."""
    with Log.open(tmp_path / "log.db", create=True) as log:
        event = vocabulary("splicers").decode(json.dumps(head("one")))
        assert Origins(log).lines(log.append("one", [event], expected_last_seq=0)) == {}


def test_a_mended_line_is_the_line_of_its_event(tmp_path: Path) -> None:
    """A mended event has the number of its line, and a line that was passed over has no event."""
    path = tmp_path / "evening.jsonl"
    path.write_text("\n".join([LINES[1], '{"type": "pizza"}', LINES[3], LINES[5]]), encoding="utf-8")
    with Log.open(tmp_path / "log.db", create=True) as log:
        import_paths(log, [path])
        pizza, turn = open_lines(log)[0]
        mend(
            log,
            [(one.name, each) for one, answer in ((pizza, None), (turn, PASS)) for each in one.mends(answer)],
            Options(),
        )
        assert Origins(log).lines(log.game("one")) == {1: 1, 2: 3, 3: 4}


def test_rows_of_a_workbook_and_what_people_write_have_lines(tmp_path: Path) -> None:
    """Separators and remarks between the rows shift no number, and the row is that of the sheet."""
    with xlsxwriter.Workbook(str(tmp_path / "evening.xlsx")) as book:
        sheet = book.add_worksheet("log")
        rows = [
            ["type", "game", "edition", "id", "players", "player", "comment"],
            ["Game started", "splicers", "x", "one", "Ann; Ben"],
        ]
        rows += [[], ["-----"], ["turn passed", "", "", "", "", "Ann"], ["", "", "", "", "", "", "tea"]]
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    assert origins(tmp_path / "evening.xlsx") == {"one": {1: 2, 2: 5, 3: 6}}


CHAT = """
map = 1
game = "tabletop"
shape = "lines"
id = "{file}"
starts = "-- {n:number}"
[[line]]
is = "-- {n:number}"
skip = true
[[line]]
is = "{player} sits down"
seats = true
[[line]]
is = "{player} plays {cards}"
event = "card.moved"
with = { from = "hand", to = "table" }
"""


def test_events_of_a_mapped_file_have_the_lines_that_they_came_from(tmp_path: Path) -> None:
    """All events of a line have its number; lines that are skipped or not read shift no number."""
    (tmp_path / "chat.map.toml").write_text(CHAT, encoding="utf-8")
    lines = ["-- 1", "Ann sits down", "", "Ann plays Lamp and Tea", "Ann sneezes", "Ann plays Cup"]
    (tmp_path / "chat.txt").write_text("\n".join([*lines, "-- 2", "Ben sits down", "Ben plays Tea"]), encoding="utf-8")
    expected = {"chat": {1: 1, 2: 4, 3: 4, 4: 5, 5: 6}, "chat-2": {1: 7, 2: 9}}
    assert origins(tmp_path / "chat.txt") == expected
    (tmp_path / "chat.map.toml").write_text(CHAT.replace("table", "discard"), encoding="utf-8")
    with Log.open(tmp_path / "log.db") as log:
        found = Origins(log)
        assert [found.lines(game) for game in log.games()] == [{}, {}]


def test_a_result_has_the_row_that_it_came_from(tmp_path: Path) -> None:
    """All events of a result have the number of its row."""
    (tmp_path / "fridays.csv").write_text("players,winner,notes\nAnn; Ben,Ann,\nAnn; Cem,Cem,late\n", encoding="utf-8")
    assert origins(tmp_path / "fridays.csv") == {"fridays-1": {1: 2, 2: 2}, "fridays-2": {1: 3, 2: 3, 3: 3}}


@pytest.mark.parametrize(
    ("name", "content", "places"),
    [
        ("chat.txt", "Ann nods\n\nBen nods\n", ["chat.txt:1", "chat.txt:3"]),
        (
            "plays.json",
            '{"plays": [{"t": "Ann nods"}, {"t": "Ben nods"}]}',
            ["plays.json: plays[0]", "plays.json: plays[1]"],
        ),
        ("plays.csv", "t,n\nAnn nods,1\n,\nBen nods,2\n", ["plays.csv: row 2", "plays.csv: row 4"]),
    ],
)
def test_events_of_other_programs_are_found_at_their_place(
    tmp_path: Path, name: str, content: str, places: list[str]
) -> None:
    """The place is the line of a text, the path of an element or the row of a sheet."""
    shape = {
        "txt": 'shape = "lines"',
        "json": 'shape = "json"\nrows = "plays"\ntext = "t"',
        "csv": 'shape = "rows"\ntext = "t"',
    }
    written = f"""map = 1\ngame = "tabletop"\n{shape[name.partition(".")[2]]}\n[players]\nAnn = {{}}\nBen = {{}}
[[line]]\nis = "{{player}} nods"\nevent = "choice.made"\nwith = {{ what = "nod", choice = "yes" }}\n"""
    (tmp_path / "a.map.toml").write_text(written, encoding="utf-8")
    (tmp_path / name).write_text(content, encoding="utf-8")
    used = map_of_file(tmp_path / "a.map.toml")
    with Log.open(tmp_path / "log.db", create=True) as log:
        import_paths(log, [tmp_path / name], Options(map=used, folder=tmp_path))
        (game,) = log.games()
        found = Origins(log, Options(map=used)).places(game)
        assert [found[seq] for seq in (2, 3)] == places
