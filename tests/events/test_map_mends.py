"""What a map leaves over, and rows of results that say too little, are written right line by line."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from events.importing import Options, Report, import_paths
from events.importing.line_text import changed
from events.importing.mending import OpenLine, mend, open_lines
from events.integrity import verify
from events.log import Log
from tests.events.conftest import written

MAP = """map = 1
game = "tabletop"
shape = "lines"
id = "chat"
[[line]]
is = "{player} sits down"
seats = true
[[line]]
is = "{player} plays {card}"
event = "card.moved"
with = { from = "hand", to = "table" }
[[line]]
is = "{player} marks {n}"
event = "counter.changed"
with = { counter = "score", to = "{n}" }
[[line]]
is = "{player} wins"
event = "game.ended"
with = { winner = "{player}", reason = "points" }
"""
CHAT = ["Ann sits down", "Ben sits down", "Ann plays Lamp", "Ann nods at Ben", "Ben nods at Ann"]
CHAT += ["Ann puts the Lamp away", "Ben marks three", "Ben wins"]

FRIDAYS = [
    "date,players,winner,first player,turns",
    "2026-10-02,Ann; Ben,Ann,Ann,9",
    "2026-10-02,Ben; Ann,Anne,Ben,11",
    "2026-10-09,Ann; Cem,Cem,Ann,eight",
    "2026-10-09,Cem; Ben,,Cem,12",
    "2026-10-16,Ben; Cem,Ben,Ben,10",
]


def took(log: Log, folder: Path, name: str, lines: Iterable[str]) -> tuple[Path, Report]:
    """Import a file that a map reads."""
    written(folder / "chat.map.toml", [MAP])
    path = written(folder / name, lines)
    return path, import_paths(log, [path], Options(workspace=folder, zone="UTC"))


def lines_of(log: Log, folder: Path) -> list[OpenLine]:
    """Return what is open."""
    return open_lines(log, Options(workspace=folder, zone="UTC"))[0]


def said(log: Log, folder: Path, one: OpenLine, fields: Mapping[str, Any] | None) -> Report:
    """Say what a line means."""
    options = Options(workspace=folder, zone="UTC")
    return mend(log, [(one.name, each) for each in one.mends(fields)], options)


def events(log: Log) -> list[tuple[str, str]]:
    """Return the types and bodies of the chat's events."""
    return [(row.type, row.body) for row in log.stored(log.game("chat"))]


def test_a_line_that_a_map_left_over_joins_its_game_in_its_place(log: Log, tmp_path: Path) -> None:
    """What it says is written as people write it; the gap around it shrinks, and no map is needed for one line."""
    took(log, tmp_path, "chat.txt", CHAT)
    put = next(one for one in lines_of(log, tmp_path) if one.entry.line == 6)
    text = "type = card moved | player = Ann | card = Lamp | from = table | to = discard"
    (taken,) = said(log, tmp_path, put, changed(put.fields, text)).games
    assert (taken.status, taken.revision) == ("revised", 2)
    types = [tag for tag, _ in events(log)]
    assert types == ["game.started", "card.moved", "log.gap", "card.moved", "log.gap", "game.ended"]
    assert '"card":"A:lamp","from":"table"' in events(log)[3][1]
    assert [one.entry.line for one in lines_of(log, tmp_path)] == [4, 7]
    assert list(verify(log)) == []


def test_lines_of_one_kind_are_passed_over_together(log: Log, tmp_path: Path) -> None:
    """A kind has one entry: that it says nothing is said once, and it is no gap any more."""
    _, report = took(log, tmp_path, "chat.txt", CHAT)
    assert report.quarantined == 3
    nods = lines_of(log, tmp_path)[0]
    assert nods.alike == ((4, "Ann nods at Ben"), (5, "Ben nods at Ann"))
    said(log, tmp_path, nods, None)
    assert [one.entry.line for one in lines_of(log, tmp_path)] == [6, 7]
    assert [tag for tag, _ in events(log)].count("log.gap") == 1


def test_a_line_whose_event_lacks_something_is_shown_as_far_as_it_is_known(log: Log, tmp_path: Path) -> None:
    """What its sentence has captured need not be written again."""
    took(log, tmp_path, "chat.txt", CHAT)
    marks = next(one for one in lines_of(log, tmp_path) if one.entry.line == 7)
    assert marks.fields == {"type": "counter.changed", "player": "Ben", "counter": "score", "to": "three"}
    said(log, tmp_path, marks, {**marks.fields, "to": "3"})
    assert ("counter.changed", '{"counter":"score","player":"B","seq":4,"to":3,"type":"counter.changed"}') in events(
        log
    )


@pytest.mark.parametrize("wrong", [{"type": "card.movd", "player": "Ann"}, {"type": "card.moved", "player": "Zoe"}])
def test_a_line_that_is_mended_wrongly_stays_open_as_it_was_written(
    log: Log, tmp_path: Path, wrong: Mapping[str, Any]
) -> None:
    """What is wrong now is said, and the line can be mended once more."""
    took(log, tmp_path, "chat.txt", CHAT)
    said(log, tmp_path, next(one for one in lines_of(log, tmp_path) if one.entry.line == 6), wrong)
    again = next(one for one in lines_of(log, tmp_path) if one.entry.line == 6)
    assert again.fields == wrong
    assert any(word in again.entry.message for word in ("did you mean `card.moved`?", "nobody called 'Zoe'"))


def test_mended_lines_stay_mended_when_the_file_comes_again(log: Log, tmp_path: Path) -> None:
    """The file is as it was, and has grown by a line."""
    path, _ = took(log, tmp_path, "chat.txt", CHAT)
    for one in lines_of(log, tmp_path):
        said(log, tmp_path, one, None)
    options = Options(workspace=tmp_path, zone="UTC")
    assert import_paths(log, [path], options).files[0].unchanged
    written(path, [*CHAT, "Ann nods"])
    assert import_paths(log, [path], options).quarantined == 1


def test_rows_of_results_are_written_right_one_by_one(log: Log, tmp_path: Path) -> None:
    """A near name is suggested, a bare word belongs where the row is wrong, and a game keeps its name."""
    path, report = took(log, tmp_path, "fridays.csv", FRIDAYS)
    assert [taken.game_id for taken in report.games] == ["fridays-1", "fridays-5"]
    named, counted, nobody = lines_of(log, tmp_path)
    assert named.suggestion is not None
    assert (named.suggestion["winner"], counted.place, nobody.place) == ("Ann", "turns", "winner")
    said(log, tmp_path, named, named.suggestion)
    said(log, tmp_path, counted, changed(counted.fields, "8", counted.place))
    said(log, tmp_path, nobody, None)
    assert log.quarantine() == []
    stored = {game.game_id: [row.body for row in log.stored(game)][-1] for game in log.games()}
    assert sorted(stored) == ["fridays-1", "fridays-2", "fridays-3", "fridays-5"]
    assert '"turns":8' in stored["fridays-3"]
    assert '"winners":["B"]' in stored["fridays-2"]
    assert import_paths(log, [path], Options(workspace=tmp_path, zone="UTC")).files[0].unchanged


def test_a_row_that_is_mended_wrongly_can_be_mended_again(log: Log, tmp_path: Path) -> None:
    """The row in the file is what it was; what was said of it last counts."""
    took(log, tmp_path, "fridays.csv", FRIDAYS)
    counted = lines_of(log, tmp_path)[1]
    said(log, tmp_path, counted, {**counted.fields, "turns": "ate"})
    again = lines_of(log, tmp_path)[1]
    assert (again.fields["turns"], again.entry.raw) == ("ate", counted.entry.raw)
    said(log, tmp_path, again, {**again.fields, "turns": "8"})
    assert [one.entry.line for one in lines_of(log, tmp_path)] == [3, 5]
