"""All kinds of files: packed, in old encodings, broken, missing, empty, many, repeated, grown, contradicting."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing import ImportReport, Options, import_paths
from tabletape.events.importing.files import streams
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.schema import LogError
from tests.events.conftest import game, head, import_file, line, write_lines

NAMES = [head(players=[{"id": "A", "name": "Zo\u00eb"}, {"id": "B", "name": "Bj\u00f6rn"}]), *game()[1:]]
CONTENT = "".join(each + "\n" for each in NAMES)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.jsonl", CONTENT.encode()),
        ("windows.jsonl", CONTENT.replace("\n", "\r\n").encode("utf-8-sig")),
        ("marked-utf-16.jsonl", CONTENT.encode("utf-16")),
        ("big-endian.jsonl", CONTENT.encode("utf-16-be")),
        ("little-endian.jsonl", CONTENT.encode("utf-16-le")),
        ("marked-big-endian.jsonl", b"\xfe\xff" + CONTENT.encode("utf-16-be")),
        ("latin-1.jsonl", CONTENT.encode("latin-1")),
        ("packed.jsonl.gz", gzip.compress(CONTENT.encode())),
        ("packed-twice.jsonl.gz", gzip.compress(CONTENT[:300].encode()) + gzip.compress(CONTENT[300:].encode())),
        ("packed.jsonl.zst", zstandard.compress(CONTENT.encode())),
        ("packed-windows.gz", gzip.compress(CONTENT.replace("\n", "\r\n").encode("utf-16"))),
        ("no-suffix", CONTENT.encode()),
        ("wrong-suffix.csv", CONTENT.encode()),
        ("no-line-end.jsonl", CONTENT[:-1].encode()),
    ],
)
def test_the_same_game_however_it_is_written(log: Log, tmp_path: Path, name: str, content: bytes) -> None:
    """Encoding, byte order mark, line ends and packing make no difference to what is stored."""
    path = tmp_path / name
    path.write_bytes(content)
    report = import_file(log, path)
    assert (report.quarantined, report.events, report.format) == (0, len(NAMES), "jsonl")
    stored = log.game("g")
    assert [seat.name for seat in stored.players] == ["Zo\u00eb", "Bj\u00f6rn"]
    assert stored.fingerprint == take_plain(CONTENT)
    assert b"".join(log.raw_content(log.raw_files()[0])) == content
    assert list(verify(log)) == []


def take_plain(content: str) -> str:
    """Return the fingerprint of the one game in a text."""
    with Log.open("sqlite://", create=True) as log:
        log_lines = [json.loads(each) for each in content.splitlines()]
        from tabletape.events.vocabulary import vocabulary  # noqa: PLC0415 - only here

        events = [vocabulary("splicers").convert(each) for each in log_lines]
        return log.append("g", events, expected_last_seq=0).fingerprint


def test_an_old_encoding_is_remarked_upon(log: Log, tmp_path: Path) -> None:
    """A file that is not UTF-8 is read as Windows-1252, and the report says so once."""
    lines = [*NAMES, line("note.added", text="\u201cna\u00efve\u201d"), line("note.added", text="caf\u00e9")]
    report = import_file(log, write_lines(tmp_path / "g.jsonl", lines, encoding="cp1252"))
    assert report.remarks == ["read as Latin-1 (Windows-1252) where it is not UTF-8"]
    assert log.events(log.game("g"))[-2].text == "\u201cna\u00efve\u201d"  # type: ignore[attr-defined]


def test_a_file_may_mix_encodings(log: Log, tmp_path: Path) -> None:
    """One line in an old encoding does not spoil the others."""
    notes = [line("note.added", text="\u00fc").encode(each) + b"\n" for each in ("utf-8", "latin-1", "utf-8")]
    path = tmp_path / "g.jsonl"
    path.write_bytes(head().encode() + b"\n" + b"".join(notes))
    assert import_file(log, path).quarantined == 0
    assert [event.text for event in log.events(log.game("g"))[1:]] == ["\u00fc"] * 3  # type: ignore[attr-defined]


NOTHING = [
    ("empty.jsonl", b"", "empty"),
    ("blank.jsonl", b"\n \n\n", "empty"),
    ("mark-only.jsonl", b"\xef\xbb\xbf", "empty"),
    ("empty.jsonl.gz", gzip.compress(b""), "empty"),
    ("header-only.csv", b"type,player\n", "empty"),
    ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), "binary"),
    ("binary.jsonl", bytes(range(256)) * 50, "binary"),
    ("list.json", b'[{"type": "turn.ended"}]', "json-list"),
    ("pasted.txt", b"{\\rtf1\\ansi Ann plays Owl\\par}", "binary"),
    ("prose.txt", b"Dear diary,\ntoday we played.\n", "unknown-format"),
    ("prose.csv", b"Dear diary\ntoday we played\n", "unknown-format"),
    ("no-heads.csv", b"game.started,splicers\n", "no-header"),
    ("no-zip.xlsx", b"PK\x03\x04 but not really", "damaged"),
    ("not-packed.gz", b"\x1f\x8b but not really", "damaged"),
    ("odd.jsonl", "\ufeff{".encode("utf-16-le") + b"\n", "encoding"),
]


@pytest.mark.parametrize(("name", "content", "code"), NOTHING, ids=[each[0] for each in NOTHING])
def test_a_file_that_is_no_log_is_refused_as_a_whole(
    log: Log, tmp_path: Path, name: str, content: bytes, code: str
) -> None:
    """Nothing of it is imported, the reason is given in words, and the log stays as it was."""
    path = tmp_path / name
    path.write_bytes(content)
    report = import_file(log, path)
    assert report.problem is not None
    assert (report.problem.code, report.problem.file, report.problem.line) == (code, str(path), 0)
    assert report.problem.message
    assert (log.games(), log.raw_files(), log.quarantine()) == ([], [], [])


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_file_that_breaks_off_is_imported_up_to_there(log: Log, tmp_path: Path, pack: Any) -> None:
    """The games before the damage are imported, and an entry says where the damage begins."""
    lines = [each for number in range(3000) for each in game(f"g-{number}", turns=number % 7)]
    packed = pack("\n".join(lines).encode())
    path = tmp_path / "g.jsonl.gz"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    report = import_file(log, path)
    if report.problem is None:
        assert report.entries[-1].code in ("damaged", "truncated")
        assert 0 < len(report.games) < 3000
    else:
        assert report.problem.code == "damaged"


def test_a_missing_file_is_answered_with_the_nearest_name(log: Log, tmp_path: Path) -> None:
    """For a misspelt name the error suggests the file that was probably meant; the other files are imported."""
    path = write_lines(tmp_path / "evening-1.jsonl", game())
    report = import_paths(log, [tmp_path / "evenin-1.jsonl", path])
    assert [each.code for each in report.problems] == ["no-file"]
    assert report.problems[0].suggestion == "did you mean `evening-1.jsonl`?"
    assert report.events == len(game())


def test_a_file_that_disappears_is_reported(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file is deleted between the listing and the reading, the other files are imported."""
    paths = [write_lines(tmp_path / f"{name}.jsonl", game(name)) for name in "abc"]
    init = streams.Source.__init__

    def open_late(self: Any, name: str, progress: Any, **more: Any) -> None:
        if name == str(paths[1]):
            paths[1].unlink()
        init(self, name, progress, **more)

    monkeypatch.setattr(streams.Source, "__init__", open_late)
    report = import_paths(log, [tmp_path])
    assert [(each.file, each.code) for each in report.problems] == [(str(paths[1]), "no-file")]
    assert [each.game_id for each in log.games()] == ["a", "c"]


def test_a_disk_that_fails_half_way_leaves_nothing_of_the_file(log: Log, tmp_path: Path) -> None:
    """An error while reading undoes what was imported of the file so far."""
    path = write_lines(tmp_path / "g.jsonl", [each for number in range(9000) for each in game(f"g-{number}")])

    def fail(_count: int, calls: list[int] = []) -> None:  # noqa: B006 - counts the calls
        calls.append(1)
        if len(calls) == 3:
            raise OSError(5, "Input/output error")

    report = import_file(log, path, progress=fail)
    assert report.problem is not None
    assert "Input/output error" in report.problem.message
    assert (log.games(), log.raw_files()) == ([], [])


def test_an_interruption_leaves_nothing_half_written(tmp_path: Path) -> None:
    """After Ctrl-C in the middle of a file the log is as it was before that file, and undamaged."""
    first = write_lines(tmp_path / "a.jsonl", game("first"))
    second = write_lines(tmp_path / "b.jsonl", [each for number in range(9000) for each in game(f"g-{number}")])
    read = 0

    def interrupt(count: int) -> None:
        nonlocal read
        read += count
        if read > second.stat().st_size // 2:
            raise KeyboardInterrupt

    with Log.open(tmp_path / "log.db", create=True) as log:
        import_file(log, first)
        with pytest.raises(KeyboardInterrupt):
            import_file(log, second, progress=interrupt)
    with Log.open(tmp_path / "log.db") as log:
        assert [each.game_id for each in log.games()] == ["first"]
        assert list(verify(log)) == []
        assert len(import_file(log, second).games) == 9000


def test_progress_counts_every_byte(log: Log, tmp_path: Path) -> None:
    """The counts passed to `progress` add up to the size of the file, even of a packed one."""
    path = tmp_path / "g.jsonl.gz"
    path.write_bytes(gzip.compress(CONTENT.encode()))
    counts: list[int] = []
    import_file(log, path, progress=counts.append)
    assert sum(counts) == path.stat().st_size


def test_a_folder_is_searched_at_any_depth(log: Log, tmp_path: Path) -> None:
    """Logs are found by name or content, in order; notes, pictures and hidden files are ignored."""
    (tmp_path / "may" / "first").mkdir(parents=True)
    write_lines(tmp_path / "may" / "first" / "b.jsonl", game("b"))
    write_lines(tmp_path / "may" / "a.log", game("a"))
    write_lines(tmp_path / "README.md", ["# Evenings", "", "Logs of May."])
    write_lines(tmp_path / ".hidden.jsonl", game("hidden"))
    (tmp_path / "photo.jpg").write_bytes(bytes(range(256)))
    report = import_paths(log, [tmp_path])
    assert [each.game_id for each in report.games] == ["a", "b"]
    assert report.clean


def test_a_folder_without_logs_is_an_error(log: Log, tmp_path: Path) -> None:
    """The error for an empty folder says what logs look like."""
    (problem,) = import_paths(log, [tmp_path]).problems
    assert problem.code == "no-logs"
    assert ".jsonl" in problem.suggestion


def test_a_thousand_files(log: Log, tmp_path: Path) -> None:
    """Every file of a large folder is imported once, even if it is also named beside its folder."""
    for number in range(1000):
        write_lines(tmp_path / f"{number:04}.jsonl", game(f"g-{number:04}"))
    report = import_paths(log, [tmp_path, tmp_path / "0007.jsonl"])
    assert [each.game_id for each in report.games] == [f"g-{number:04}" for number in range(1000)]
    assert len(log.raw_files()) == 1000
    again = import_paths(log, [tmp_path])
    assert all(file.unchanged for file in again.files)


def test_standard_input(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash stands for standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CONTENT.encode())))
    report = import_file(log, "-")
    assert (report.name, report.events) == ("standard input", len(NAMES))


def test_a_dry_run_writes_nothing(log: Log, tmp_path: Path) -> None:
    """A dry run reports what an import would report, game for game, and stores nothing."""
    paths = [
        write_lines(tmp_path / "a.jsonl", [*game("a"), "oops"]),
        write_lines(tmp_path / "b.jsonl", [*game("a", turns=5)[:-1], *game("b")]),
    ]
    rehearsal = import_paths(log, paths, Options(dry_run=True))
    assert (log.games(), log.raw_files(), log.quarantine()) == ([], [], [])
    assert summary(import_paths(log, paths)) == summary(rehearsal)


def summary(report: ImportReport) -> list[tuple[Any, ...]]:
    """Return the parts of a report that are compared."""
    return [(file.name, file.games, file.entries, file.problem) for file in report.files]


def test_the_same_file_again_changes_nothing(log: Log, tmp_path: Path) -> None:
    """A second import of a file reports it as unchanged, bad lines included."""
    path = write_lines(tmp_path / "g.jsonl", [*game(), "oops"])
    import_file(log, path)
    before = (log.games(), log.quarantine(), log.raw_files())
    report = import_file(log, path)
    assert report.unchanged
    assert (log.games(), log.quarantine(), log.raw_files()) == before


def test_a_shorter_file_is_contained(log: Log, tmp_path: Path) -> None:
    """A log that ends earlier than the stored one adds nothing and contradicts nothing."""
    import_file(log, write_lines(tmp_path / "long.jsonl", game()))
    assert import_file(log, write_lines(tmp_path / "short.jsonl", game()[:4])).unchanged


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 8), st.integers(0, 8))
def test_a_grown_log_appends_its_tail(cut: int, more: int) -> None:
    """A log that is imported in growing parts gives the same game as one that is imported at once."""
    lines = game(turns=4)
    end = min(cut + more, len(lines))
    with Log.open("sqlite://", create=True) as log, pytest.MonkeyPatch.context() as patch:
        for upto in (cut, end, len(lines)):
            text = "\n".join(lines[:upto]).encode()
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
            report = import_file(log, "-")
            assert report.games[0].status in ("new", "grown", "unchanged")
        assert log.game("g").events == len(lines)
        assert log.game("g").fingerprint == take_plain("\n".join(lines))
        assert list(verify(log)) == []


def test_the_format_can_be_given(log: Log, tmp_path: Path) -> None:
    """The given format is used, whatever the file looks like."""
    report = import_file(log, write_lines(tmp_path / "g.txt", ["oops", *game()]), format="jsonl")
    assert (report.quarantined, report.events) == (1, len(game()))


def test_a_file_name_need_not_be_text(log: Log, tmp_path: Path) -> None:
    """A file whose name is not UTF-8 is read, and reported with a replacement character."""
    try:
        path = write_lines(tmp_path / "caf\udce9.jsonl", [*game(), "oops"])
    except OSError:
        pytest.skip("this disk takes no such name")
    report = import_file(log, path)
    assert (report.quarantined, report.name) == (1, str(tmp_path / "caf?.jsonl"))


def test_a_file_of_one_endless_line_is_refused(log: Log, tmp_path: Path) -> None:
    """A file without line ends is no log, and is not read into memory."""
    path = tmp_path / "g.jsonl"
    path.write_bytes(b'{"type": "' + b"x" * (17 << 20))
    report = import_file(log, path)
    assert report.problem is not None
    assert report.problem.code == "no-lines"


def test_a_log_that_may_not_be_written_is_an_error(tmp_path: Path) -> None:
    """If the log itself fails, the import raises `LogError`."""
    path = write_lines(tmp_path / "g.jsonl", game())
    with Log.open(tmp_path / "log.db", create=True) as log:
        with log.reading() as connection:
            connection.exec_driver_sql("DROP TABLE recording")
            connection.commit()
        with pytest.raises(LogError):
            import_file(log, path)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.one_of(st.binary(max_size=60), st.sampled_from([each.encode() for each in game()])), max_size=12))
def test_no_file_raises_an_exception(lines: list[bytes]) -> None:
    """Any bytes are read or refused, the report accounts for them, and the log stays undamaged."""
    with Log.open("sqlite://", create=True) as log, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
        report = import_file(log, "-")
        assert report.problem or report.games or report.entries
        assert sum(each.events for each in log.games()) == report.events
        assert list(verify(log)) == []
