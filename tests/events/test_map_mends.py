"""Lines that a map could not read, and incomplete rows of results, are mended one by one."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import ImportReport, Options, import_paths
from tabletape.events.importing.lines.text import changed
from tabletape.events.importing.quarantine.mending import OpenLine, mend, open_lines
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tests.events.conftest import write_lines

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


def import_mapped(log: Log, folder: Path, name: str, lines: Iterable[str]) -> tuple[Path, ImportReport]:
    """Import a file through the map; return its path and the report."""
    write_lines(folder / "chat.map.toml", [MAP])
    path = write_lines(folder / name, lines)
    return path, import_paths(log, [path], Options(workspace=folder, zone="UTC"))


def lines_of(log: Log, folder: Path) -> list[OpenLine]:
    """Return the open lines."""
    return open_lines(log, Options(workspace=folder, zone="UTC"))[0]


def mend_line(log: Log, folder: Path, one: OpenLine, fields: Mapping[str, Any] | None) -> ImportReport:
    """Mend one line with fields, or pass it over without any."""
    options = Options(workspace=folder, zone="UTC")
    return mend(log, [(one.name, each) for each in one.mends(fields)], options)


def events(log: Log) -> list[tuple[str, str]]:
    """Return the types and bodies of the chat's events."""
    return [(row.type, row.body) for row in log.stored(log.game("chat"))]


def test_a_mended_line_is_put_into_its_game_in_its_place(log: Log, tmp_path: Path) -> None:
    """Its event is written as people write it; the gap around it shrinks, and the map need not change."""
    import_mapped(log, tmp_path, "chat.txt", CHAT)
    put = next(one for one in lines_of(log, tmp_path) if one.entry.line == 6)
    text = "type = card moved | player = Ann | card = Lamp | from = table | to = discard"
    (taken,) = mend_line(log, tmp_path, put, changed(put.fields, text)).games
    assert (taken.status, taken.revision) == ("revised", 2)
    types = [tag for tag, _ in events(log)]
    assert types == ["game.started", "card.moved", "log.gap", "card.moved", "log.gap", "game.ended"]
    assert '"card":"A:lamp","from":"table"' in events(log)[3][1]
    assert [one.entry.line for one in lines_of(log, tmp_path)] == [4, 7]
    assert list(verify(log)) == []


def test_lines_of_one_kind_are_passed_over_together(log: Log, tmp_path: Path) -> None:
    """A kind of lines has one entry: it is passed over once, and none of its lines is a gap any more."""
    _, report = import_mapped(log, tmp_path, "chat.txt", CHAT)
    assert report.quarantined == 3
    nods = lines_of(log, tmp_path)[0]
    assert nods.alike == ((4, "Ann nods at Ben"), (5, "Ben nods at Ann"))
    mend_line(log, tmp_path, nods, None)
    assert [one.entry.line for one in lines_of(log, tmp_path)] == [6, 7]
    assert [tag for tag, _ in events(log)].count("log.gap") == 1


def test_a_line_whose_event_lacks_something_is_shown_as_far_as_it_is_known(log: Log, tmp_path: Path) -> None:
    """Values that its sentence has captured need not be written again."""
    import_mapped(log, tmp_path, "chat.txt", CHAT)
    marks = next(one for one in lines_of(log, tmp_path) if one.entry.line == 7)
    assert marks.fields == {"type": "counter.changed", "player": "Ben", "counter": "score", "to": "three"}
    mend_line(log, tmp_path, marks, {**marks.fields, "to": "3"})
    assert ("counter.changed", '{"counter":"score","player":"B","seq":4,"to":3,"type":"counter.changed"}') in events(
        log
    )


@pytest.mark.parametrize("wrong", [{"type": "card.movd", "player": "Ann"}, {"type": "card.moved", "player": "Zoe"}])
def test_a_line_that_is_mended_wrongly_stays_open_as_it_was_written(
    log: Log, tmp_path: Path, wrong: Mapping[str, Any]
) -> None:
    """The entry says what is wrong now, and the line can be mended once more."""
    import_mapped(log, tmp_path, "chat.txt", CHAT)
    mend_line(log, tmp_path, next(one for one in lines_of(log, tmp_path) if one.entry.line == 6), wrong)
    again = next(one for one in lines_of(log, tmp_path) if one.entry.line == 6)
    assert again.fields == wrong
    assert any(word in again.entry.message for word in ("did you mean `card.moved`?", "nobody called 'Zoe'"))


def test_mended_lines_stay_mended_when_the_file_comes_again(log: Log, tmp_path: Path) -> None:
    """This holds for the same file and for one that has grown by a line."""
    path, _ = import_mapped(log, tmp_path, "chat.txt", CHAT)
    for one in lines_of(log, tmp_path):
        mend_line(log, tmp_path, one, None)
    options = Options(workspace=tmp_path, zone="UTC")
    assert import_paths(log, [path], options).files[0].unchanged
    write_lines(path, [*CHAT, "Ann nods"])
    assert import_paths(log, [path], options).quarantined == 1


def test_rows_of_results_are_mended_one_by_one(log: Log, tmp_path: Path) -> None:
    """A near name is suggested, a single word goes to the wrong cell, and each game keeps its id."""
    path, report = import_mapped(log, tmp_path, "fridays.csv", FRIDAYS)
    assert [taken.game_id for taken in report.games] == ["fridays-1", "fridays-5"]
    named, counted, nobody = lines_of(log, tmp_path)
    assert named.suggestion is not None
    assert (named.suggestion["winner"], counted.place, nobody.place) == ("Ann", "turns", "winner")
    mend_line(log, tmp_path, named, named.suggestion)
    mend_line(log, tmp_path, counted, changed(counted.fields, "8", counted.place))
    mend_line(log, tmp_path, nobody, None)
    assert log.quarantine() == []
    stored = {game.game_id: [row.body for row in log.stored(game)][-1] for game in log.games()}
    assert sorted(stored) == ["fridays-1", "fridays-2", "fridays-3", "fridays-5"]
    assert '"turns":8' in stored["fridays-3"]
    assert '"winners":["B"]' in stored["fridays-2"]
    assert import_paths(log, [path], Options(workspace=tmp_path, zone="UTC")).files[0].unchanged


def test_a_row_that_is_mended_wrongly_can_be_mended_again(log: Log, tmp_path: Path) -> None:
    """The row in the file stays as it was; the last answer counts."""
    import_mapped(log, tmp_path, "fridays.csv", FRIDAYS)
    counted = lines_of(log, tmp_path)[1]
    mend_line(log, tmp_path, counted, {**counted.fields, "turns": "ate"})
    again = lines_of(log, tmp_path)[1]
    assert (again.fields["turns"], again.entry.raw) == ("ate", counted.entry.raw)
    mend_line(log, tmp_path, again, {**again.fields, "turns": "8"})
    assert [one.entry.line for one in lines_of(log, tmp_path)] == [3, 5]
