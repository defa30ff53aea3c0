"""No file harms the import of others: decompression bombs, panics, endless pipes, bugs of our own."""

import gzip
import io
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
import zstandard

from tabletape.events.importing import Options, import_files, import_paths
from tabletape.events.importing.file_import import FileImport
from tabletape.events.importing.files import streams
from tabletape.events.importing.games import reading
from tabletape.events.importing.lines.json_lines import JsonLines
from tabletape.events.log import Log
from tabletape.events.log.schema import LockedError
from tests.events.conftest import game, head, import_file, line, write_lines
from tests.events.test_import_sheets import column_names, rows, sheet
from tests.waiting import PATIENCE


def taken_beside(log: Log, tmp_path: Path, bad: Path, **options: Any) -> Any:
    """Import a bad file between two good ones, which must be imported; return the report of the bad one."""
    good = [write_lines(tmp_path / f"{name}.jsonl", game(name)) for name in ("first", "last")]
    report = import_paths(log, [good[0], bad, good[1]], Options(**options))
    assert [each.game_id for each in log.games() if each.game_id in {"first", "last"}] == ["first", "last"]
    return report.files[1]


@pytest.mark.parametrize(
    "text",
    [
        r'{"type": "note.added", "text": ["\ud83d", "\ude00abcdef"]}',
        r'{"type": "note.added", "text": {"\ud800": "\ud801"}}',
        r'{"type": "note.added", "text": "\udc00"}',
        r'{"type": "note.added", "text": "\ud800x"}',
        r'{"type": "game.started", "game": "\ud800 and more"}',
    ],
)
def test_half_a_letter_costs_its_line(log: Log, tmp_path: Path, text: str) -> None:
    """Half of a surrogate pair is reported as such, with its column, and the rest of the file is imported."""
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), text, *game("h")]))
    (entry,) = report.entries
    assert "half a letter" in entry.message
    assert text[entry.column - 1 :].startswith(r"\u")
    assert [each.game_id for each in report.games] == ["g", "h"]


def test_half_a_letter_in_a_cell_costs_its_row(log: Log, tmp_path: Path) -> None:
    """JSON in a cell may hold one as well."""
    table = rows([head(), line("mulligan.taken", player="A", returned=[], drawn=[])])
    table[1]["returned"] = r'["A:\ud800xxxxxx"]'
    cells = [column_names(table), *[[row.get(name, "") for name in column_names(table)] for row in table]]
    report = import_file(log, sheet(tmp_path / "g.xlsx", log=cells))
    assert ["half a letter" in entry.message for entry in report.entries] == [True]


@pytest.mark.parametrize(("number", "shape"), [(-1e300, "[h]:mm"), (1e13, "[h]:mm"), (1e13, "yyyy-mm-dd")])
def test_a_date_that_cannot_be_costs_its_workbook(log: Log, tmp_path: Path, number: float, shape: str) -> None:
    """For a cell at which the workbook reader panics only that file or row is refused."""
    path = tmp_path / "bad.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        page = book.add_worksheet("log")
        page.write_row(0, 0, ["type", "text"])
        page.write_number(1, 1, number, book.add_format({"num_format": shape}))
    report = taken_beside(log, tmp_path, path)
    assert report.problem or report.quarantined


def far_away(path: Path) -> Path:
    """Write a workbook of 6 kB with two cells, the first and the last that a sheet can have."""
    with xlsxwriter.Workbook(str(path)) as book:
        page = book.add_worksheet("log")
        page.write_string(0, 0, "type")
        page.write_string(1048575, 16383, "far away")
    return path


def test_a_cell_far_away_refuses_its_workbook(log: Log, tmp_path: Path) -> None:
    """A sheet from A1 to XFD1048576 is refused with its last cell before it takes the memory of 17 billion cells."""
    report = taken_beside(log, tmp_path, far_away(tmp_path / "far.xlsx"))
    assert "reaches to cell XFD1048576" in report.problem.message


def test_a_reader_that_ends_badly_refuses_its_workbook(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the reading process dies, here for lack of memory, the file is refused and the others are imported."""
    monkeypatch.setattr("tabletape.events.importing.sheets.workbooks.MAX_MEMORY", 1 << 20)
    report = taken_beside(log, tmp_path, sheet(tmp_path / "g.xlsx", log=[["type"]]))
    assert report.problem.code == "too-large"
    assert "save the sheet as CSV" in report.problem.suggestion


def test_a_workbook_that_unpacks_to_too_much_is_refused(log: Log, tmp_path: Path) -> None:
    """A workbook of 600 kB whose sheet has 600 MB of blanks is not unpacked."""
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book, book.open("xl/worksheets/sheet1.xml", "w") as part:
        for _ in range(600):
            part.write(b" " * (1 << 20))
    report = taken_beside(log, tmp_path, path)
    assert "unpack to more than 512 MB" in report.problem.message


def bomb(pack: Any, megabytes: int) -> bytes:
    """Return a log of one game and many blank lines, packed."""
    content = io.BytesIO()
    with pack(content) as stream:
        stream.write("".join(f"{each}\n" for each in game("bomb")).encode())
        for _ in range(megabytes):
            stream.write((b" " * 1023 + b"\n") * 1024)
    return content.getvalue()


def gzipped(content: io.BytesIO) -> Any:
    """Return a stream that packs with gzip."""
    return gzip.GzipFile(fileobj=content, mode="wb")


def zstandarded(content: io.BytesIO) -> Any:
    """Return a stream that packs with Zstandard."""
    return zstandard.ZstdCompressor().stream_writer(content, closefd=False)


@pytest.mark.parametrize("pack", [gzipped, zstandarded])
def test_a_bomb_is_refused_unless_it_is_wanted(log: Log, tmp_path: Path, pack: Any) -> None:
    """A file that unpacks to 200 times its size is refused; the option that is named lifts the limit."""
    path = tmp_path / "bomb.gz"
    path.write_bytes(bomb(pack, 40))
    report = taken_beside(log, tmp_path, path)
    assert "the file unpacks to more than 16 MB" in report.problem.message
    assert "--any-size" in report.problem.suggestion
    assert import_file(log, path, any_size=True).games[0].status == "new"


def test_a_pipe_has_a_size_limit(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import does not wait for a program that writes forever."""
    monkeypatch.setattr(streams, "MAX_UNPACKED", 1 << 20)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("wb") as stream:
            try:
                while True:
                    stream.write(b"\n" * 65536)
            except BrokenPipeError:
                pass

    writer = threading.Thread(target=write)
    writer.start()
    report = taken_beside(log, tmp_path, pipe)
    writer.join()
    assert "through the pipe came more than 1 MB" in report.problem.message


def test_a_pipe_that_nobody_writes_to_is_reported(log: Log, tmp_path: Path) -> None:
    """The import waits `wait` seconds for a named pipe and no longer."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    report = taken_beside(log, tmp_path, pipe, wait=0.1)
    assert "for 0.1 seconds nobody wrote to it" in report.problem.message


def test_a_device_is_no_log(log: Log, tmp_path: Path) -> None:
    """A device, which may be endless, is refused before anything is read."""
    report = taken_beside(log, tmp_path, Path("/dev/zero"))
    assert "is a device" in report.problem.message


def test_a_slow_pipe_does_not_lock_the_log(tmp_path: Path) -> None:
    """While a file comes through a pipe bit by bit, others can write to the log."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    begun = threading.Event()

    def slow() -> None:
        with Log.open(tmp_path / "log.db", create=True) as log:
            begun.set()
            import_file(log, pipe)

    with Log.open(tmp_path / "log.db", create=True, wait=PATIENCE) as other:
        reader = threading.Thread(target=slow)
        reader.start()
        begun.wait()
        with pipe.open("wb") as stream:
            stream.write(f"{head('slow')}\n".encode())
            stream.flush()
            assert import_file(other, write_lines(tmp_path / "quick.jsonl", game("quick"))).events
        reader.join()
        assert [each.game_id for each in other.games()] == ["quick", "slow"]


def test_an_import_that_waits_in_vain_says_what_was_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the log stays locked, the files before are reported as stored and the others as not."""
    monkeypatch.setattr(import_files, "EVENTS_A_TRANSACTION", 1)
    paths = [write_lines(tmp_path / f"{name}.jsonl", game(name)) for name in "abc"]
    seen: list[int] = []
    with Log.open(tmp_path / "log.db", create=True) as other, Log.open(tmp_path / "log.db", wait=0.1) as log:
        tape = other.writing()

        def lock(_bytes: int) -> None:
            seen.append(1)

        monkeypatch.setattr(FileImport, "prepare", locking(tape, 2))
        report = import_paths(log, paths, Options(progress=lock))
        tape.__exit__(None, None, None)
        assert [(each.events > 0, each.problem is not None) for each in report.files] == [
            (True, False),
            (False, True),
            (False, True),
        ]
        assert {each.code for each in report.problems} == {"locked"}
        assert "--wait" in report.problems[0].message
        with other.writing(), pytest.raises(LockedError):
            import_paths(log, paths[1:])


def locking(tape: Any, at: int) -> Any:
    """Return a `prepare` during whose `at`-th call another writer takes the lock."""
    calls: list[int] = []
    prepare = FileImport.prepare

    def wrapped(each: Any) -> None:
        calls.append(1)
        if len(calls) == at:
            tape.__enter__()
        prepare(each)

    return wrapped


def test_a_bug_of_ours_costs_its_line(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that makes the reader fail goes to quarantine, with a request to report it; the others are imported."""

    def stumble(*_: Any) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(JsonLines, "diagnose", stumble)
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), "{", *game("h")]))
    (entry,) = report.entries
    assert (entry.code, entry.line) == ("defect", len(game()) + 1)
    assert "ZeroDivisionError" in entry.message
    assert "please report it" in entry.suggestion
    assert [each.events for each in log.games()] == [len(game()) + 1, len(game())]


def test_a_bug_of_ours_costs_its_file(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that makes the reader fail is refused, with a request to report it; the others are imported."""
    opened = reading.Reader.read

    def read(self: Any, *mends: Any) -> None:
        if "bad" in self._name:
            raise ZeroDivisionError("division by zero")
        opened(self, *mends)

    monkeypatch.setattr(reading.Reader, "read", read)
    report = taken_beside(log, tmp_path, write_lines(tmp_path / "bad.jsonl", game("bad")))
    assert report.problem.code == "defect"
    assert "please report it" in report.problem.suggestion


def test_a_small_workbook_is_read_quickly(log: Log, tmp_path: Path) -> None:
    """The process that reads workbooks loads none of the libraries that the rest of Tabletape needs."""
    from tabletape.events.importing.sheets import workbook_reader  # noqa: PLC0415 - only its source is looked at

    source = Path(str(workbook_reader.__file__)).read_text(encoding="utf-8")
    assert "from tabletape" not in source
    table = [
        ["type", "game", "edition", "id", "players"],
        ["game.started", "splicers", "x", "g", '[{"id":"A","name":"A"}]'],
    ]
    assert import_file(log, sheet(tmp_path / "g.xlsx", log=table)).events == 1
