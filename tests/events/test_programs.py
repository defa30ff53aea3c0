"""The readers that come with Tabletape: a recorded file of each program, its lines, and what is not read."""

import json
from pathlib import Path

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.fates import LineFate
from tabletape.events.importing.programs import shipped_readers
from tabletape.events.importing.programs.eighteen_xx import standing
from tabletape.events.importing.readers import ReadLog, read_log
from tabletape.events.log import Log

RECORDED = Path(__file__).parents[1] / "recordings" / "programs"
NAMES = sorted(path.name for path in RECORDED.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_file_gives_its_lines(name: str) -> None:
    """Every file is read by its reader, line by line with its place, and what is not read is counted by kind."""
    (file,) = (RECORDED / name).glob("input.*")
    expected = json.loads((RECORDED / name / "expected.json").read_text(encoding="utf-8"))
    found = [*(shipped_readers()[expected["reader"]](file.read_bytes()) or ())]
    assert [[place, line] for place, line in (each for each in found if not isinstance(each, LineFate))] == [
        list(each) for each in expected["lines"]
    ]
    fates = {each.sentence: [each.fate, each.lines] for each in found if isinstance(each, LineFate)}
    assert fates == expected["fates"]


def test_every_shipped_reader_has_a_recorded_file() -> None:
    """Saves of Tabletop Simulator have tests of their own; each other reader is tried on a recorded file."""
    tried = {json.loads((RECORDED / name / "expected.json").read_text(encoding="utf-8"))["reader"] for name in NAMES}
    assert tried | {"tabletop-simulator"} == set(shipped_readers())


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_file_is_imported_without_a_line_left_over(name: str, tmp_path: Path) -> None:
    """What a reader makes of a file is right as it is: nothing is mended, nothing goes to quarantine."""
    (file,) = (RECORDED / name).glob("input.*")
    with Log.open(tmp_path / "one.db", create=True) as log:
        report = import_paths(log, [file], Options())
    assert report.clean
    assert len(report.files[0].games) == 1
    assert any("not read" in each for each in report.files[0].remarks)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_breaks_off_is_read_as_far_as_it_goes_or_not_at_all(name: str) -> None:
    """No reader fails at the beginning of a file of its kind, wherever it breaks off."""
    (file,) = (RECORDED / name).glob("input.*")
    content = file.read_bytes()
    told: list[str] = []
    for end in range(0, len(content), 97):
        found = read_log(content[:end], told.append)
        assert found is None or isinstance(found, ReadLog)
    assert told == []


def test_what_is_undone_can_be_done_again_until_something_else_is_done() -> None:
    """Talk is never undone; a redo without anything undone changes nothing."""

    def after(*kinds: str) -> list[str]:
        actions = [{"type": kind, "id": number} for number, kind in enumerate(kinds, 1)]
        return [str(each["type"]) for each in standing(actions) if each is not None]

    assert after("bid", "message", "undo") == ["message"]
    assert after("bid", "par", "undo", "undo", "redo", "redo") == ["bid", "par"]
    assert after("bid", "undo", "pass", "redo") == ["pass"]
