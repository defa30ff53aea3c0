"""Files of other programs: they are recognized by their beginning, however large they are."""

import json
import zipfile
from pathlib import Path

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.files import streams
from tabletape.events.importing.maps.finding import fitting_map
from tabletape.events.importing.maps.proposing.describing import describe
from tabletape.events.importing.report import FileReport
from tabletape.events.log import Log

MAP = """
map = 1
game = "tabletop"
shape = "json"
rows = "."
text = "text"
player = "who"
[[line]]
is = "waits"
event = "turn.ended"
"""
ROWS = [{"who": who, "text": "waits"} for who in ("Ann", "Ben")] * 40


def _imported(tmp_path: Path, name: str, text: str, options: Options | None = None) -> FileReport:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        (file,) = import_paths(log, [tmp_path / name], options or Options()).files
    return file


@pytest.mark.parametrize(
    ("name", "text", "description"),
    [
        ("chat.txt", "[19:02] Ann: plays Moss Golem\n" * 100, "a chat or a log in words"),
        ("commas.txt", "[14.11.2026, 20:02] Ann: so, Moss Golem, the last\n" * 100, "a chat or a log in words"),
        ("plays.json", json.dumps({"plays": ROWS}), "a JSON document"),
        ("plays.jsonl", "\n".join(map(json.dumps, ROWS)), "a JSON document"),
        ("plays.csv", "who,what,card\n" + "Ann,plays,Moss Golem\n" * 100, "a sheet without a column `type`"),
        ("plays.xml", "<plays>\n" + "<play/>\n" * 400 + "</plays>", "an XML document"),
    ],
)
def test_a_file_that_is_too_large_for_a_map_is_refused_by_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, description: str
) -> None:
    """No more is read than the limit; the refusal says what the file looks like and what to do."""
    monkeypatch.setattr(streams, "MAX_FOREIGN", 1 << 10)
    problem = _imported(tmp_path, name, text).problem
    assert problem is not None
    assert problem.code == "too-large"
    assert f"this looks like {description}" in problem.message
    assert "--any-size" in problem.suggestion


def test_any_size_lifts_the_limit_of_foreign_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `--any-size` a file of any size is read through its map."""
    monkeypatch.setattr(streams, "MAX_FOREIGN", 1 << 10)
    (tmp_path / "plays.map.toml").write_text(MAP, encoding="utf-8")
    taken = _imported(tmp_path, "plays.json", json.dumps(ROWS), Options(any_size=True))
    assert [(game.status, game.events) for game in taken.games] == [("new", 1 + len(ROWS))]


def test_a_log_of_any_size_is_no_foreign_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is one of maps: a log is read line by line."""
    monkeypatch.setattr(streams, "MAX_FOREIGN", 100)
    head = {
        "type": "game.started",
        "game": "tabletop",
        "edition": "x",
        "id": "g",
        "players": [{"id": "A", "name": "A"}],
    }
    lines = [head, *({"type": "turn.ended", "player": "A"} for _ in range(50))]
    assert _imported(tmp_path, "log.jsonl", "\n".join(map(json.dumps, lines))).events == 51


def test_json_lines_of_another_program_are_a_list(tmp_path: Path) -> None:
    """A map reads JSON Lines as it reads a list of the same objects, and `tabletape map` finds their keys."""
    (tmp_path / "plays.map.toml").write_text(MAP, encoding="utf-8")
    taken = _imported(tmp_path, "plays.jsonl", "\n".join(map(json.dumps, ROWS)))
    assert [(game.status, game.events) for game in taken.games] == [("new", 1 + len(ROWS))]
    described = describe("\n".join(map(json.dumps, ROWS)).encode())
    assert described is not None
    assert described.head["text"] == "text"


def test_json_lines_of_another_program_are_refused_with_the_way_out(tmp_path: Path) -> None:
    """If no map fits, the file is refused, with the command that makes a map, and its lines do not go to quarantine."""
    problem = _imported(tmp_path, "plays.jsonl", "\n".join(map(json.dumps, ROWS))).problem
    assert problem is not None
    assert "a JSON document" in problem.message
    assert "`tabletape map " in problem.suggestion


def test_json_lines_that_name_events_stay_a_log(tmp_path: Path) -> None:
    """A log whose `type` is misspelt on every line is still a log: each line is asked about."""
    lines = [{"typ": "game.started", "game": "tabletop"}, {"typ": "turn.ended", "player": "A"}]
    taken = _imported(tmp_path, "log.jsonl", "\n".join(map(json.dumps, lines)))
    assert taken.problem is None
    assert taken.quarantined


def test_a_map_is_chosen_by_the_beginning_of_a_text(tmp_path: Path) -> None:
    """Text far after the beginning does not change which map fits, not even a character that is cut in two."""
    start = "Ann brings moss to The Crucible\nBen brings fern to The Crucible\n" + "Key phase - Ann\n" * 9000
    for behind in (b"", "\u00e9".encode() * (1 << 16), b"\xff\n" * 1000):
        used = fitting_map(tmp_path / "a.txt", start.encode() + behind, None)
        assert used is not None
        assert "keyforge" in used.name


def test_a_text_in_pieces_is_one_text(tmp_path: Path) -> None:
    """The JSON of Telegram splits a message with bold words into pieces, which are read as one text."""
    pieces = ["plays ", {"type": "bold", "text": "Moss Golem"}]
    texts = [pieces if number % 5 == 0 else "plays Moss Golem" for number in range(20)]
    messages = [
        {"type": "message", "date": "2026-05-01T19:00:00", "from": ("Ann", "Ben")[number % 2], "text": text}
        | {"text_entities": [{"type": "plain", "text": "plays "}, {"type": "bold", "text": "Moss Golem"}]}
        for number, text in enumerate(texts)
    ]
    content = json.dumps({"name": "friday", "messages": messages})
    described = describe(content.encode())
    assert described is not None
    assert (described.head["text"], described.head["player"], described.head["at"]) == ("text", "from", "date")
    assert "unfold" not in described.head
    written = (
        MAP.replace('rows = "."', 'rows = "messages"').replace('"who"', '"from"').replace("waits", "plays Moss Golem")
    )
    (tmp_path / "chat.map.toml").write_text(written, encoding="utf-8")
    assert _imported(tmp_path, "chat.json", content).events == 1 + len(texts)


def test_players_that_are_objects_are_called_by_their_names() -> None:
    """In a list of duels each of two objects is a player: both are found by their names."""
    duels = [{"player1": {"username": "Ann"}, "player2": {"username": "Ben"}, "winner": who} for who in ("Ann", "Ben")]
    described = describe(json.dumps({"duels": duels}).encode())
    assert described is not None
    assert described.head["columns"]["players"] == ["player1.username", "player2.username"]


def test_a_zipped_log_that_no_map_fits_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """A zipped Vassal log need not be unpacked by hand: the refusal names `tabletape map`, which reads it as it is."""
    with zipfile.ZipFile(tmp_path / "game.vlog", "w") as packed:
        packed.writestr("savedGame", "!VCSK00" + b"LOG\tCHAT<Ann> - hello\x1b".hex())
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        (file,) = import_paths(log, [tmp_path / "game.vlog"]).files
    assert file.problem is not None
    assert "a zipped Vassal log" in file.problem.message
    assert "`tabletape map " in file.problem.suggestion
