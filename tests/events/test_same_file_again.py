"""An unchanged file is not read again, and its report is the one that reading it would give."""

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import import_paths
from tabletape.events.importing.files.known import KnownFiles
from tabletape.events.importing.games.reading import Reader
from tabletape.events.importing.quarantine.mends import Mend, keep_mends
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.log.readings import last_readings
from tabletape.events.log.schema import upgrade
from tabletape.events.vocabulary import games
from tabletape.projector.archive.stored import known_of, sources_of, titles
from tests.attack.inputs import RECORDINGS
from tests.events.conftest import CARDS, KNOWN, game, head, import_file, line, write_lines
from tests.migrations.first_version import unpack

SHEET = ["type,game,edition,id,players,player", 'game.started,splicers,0.2a,s,"[{""id"":""A"",""name"":""Ann""}]",']


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which each reading of a file adds the file's name."""
    names: list[str] = []
    read = Reader.read

    def record_reading(self: Reader, *mends: Any) -> None:
        names.append(self._name)
        read(self, *mends)

    monkeypatch.setattr(Reader, "read", record_reading)
    return names


FILES: dict[str, Callable[[Path], Path]] = {
    "a log": lambda folder: write_lines(folder / "g.jsonl", [*game("a"), *game("b")]),
    "a packed log": lambda folder: packed(folder / "g.jsonl.gz", game()),
    "a sheet": lambda folder: write_lines(folder / "g.csv", [*SHEET, "turn.ended,,,,,A"]),
    "another encoding": lambda folder: write_lines(
        folder / "g.jsonl", [head(), line("note.added", text="Grüße")], encoding="cp1252"
    ),
    "lines as people write them": lambda folder: write_lines(
        folder / "g.jsonl", [*game(), line("Turn ended", player="A")]
    ),
    "an unknown edition": lambda folder: write_lines(folder / "g.jsonl", [head(edition="7")]),
}


def packed(path: Path, lines: list[str]) -> Path:
    """Write a packed log."""
    path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return path


@pytest.mark.parametrize("what", FILES)
def test_the_same_file_is_known(
    log: Log, tmp_path: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It is not read, its report equals that of a reading, and the log does not change."""
    file = FILES[what](tmp_path)
    known = KNOWN._replace(editions=("0.2a",))
    assert import_file(log, file, known=lambda _: known).events
    before = log.head()
    readings.clear()
    short = import_file(log, file, known=lambda _: known)
    assert (readings, log.head()) == ([], before)
    monkeypatch.setattr(KnownFiles, "report", lambda *_: None)
    assert import_file(log, file, known=lambda _: known) == short
    assert (len(readings), log.head(), short.unchanged) == (1, before, True)


def same_length(folder: Path) -> Path:
    """Write another game of the same length under the name of the first."""
    return write_lines(folder / "g.jsonl", [text.replace("A:reed", "A:weed") for text in game()])


@pytest.mark.parametrize(
    ("second", "options"),
    [
        (lambda folder: write_lines(folder / "other.jsonl", game()), {}),
        (lambda folder: write_lines(folder / "g.jsonl", [*game(), line("note.added", text="more")]), {}),
        (same_length, {}),
        (lambda folder: folder / "g.jsonl", {"zone": "Europe/Berlin"}),
        (lambda folder: folder / "g.jsonl", {"format": "jsonl"}),
        (lambda folder: folder / "g.jsonl", {"any_size": True}),
        (
            lambda folder: folder / "g.jsonl",
            {"known": lambda _: KNOWN._replace(cards=frozenset({*CARDS, "weed-heron"}))},
        ),
        (lambda folder: folder / "g.jsonl", {"known": lambda _: KNOWN._replace(editions=("9",))}),
        (lambda folder: folder / "g.jsonl", {"titles": {"splicers": "splicers"}}),
    ],
)
def test_a_file_is_read_if_the_result_may_differ(
    log: Log, tmp_path: Path, readings: list[str], second: Callable[[Path], Path], options: dict[str, Any]
) -> None:
    """Another name, another content of the same length, other cards or options: the file is read."""
    import_file(log, write_lines(tmp_path / "g.jsonl", game()), known=lambda _: KNOWN)
    readings.clear()
    import_file(log, second(tmp_path), **{"known": lambda _: KNOWN, **options})
    assert len(readings) == 1


@pytest.mark.parametrize("slug", games())
def test_the_cards_of_a_game_are_part_of_the_stamp(log: Log, tmp_path: Path, readings: list[str], slug: str) -> None:
    """Known cards and rulings of every game have a fingerprint, so that its recorded game is known the second time."""
    file = next(iter(sorted((RECORDINGS / slug).glob("*.jsonl"))))
    import_file(log, file, known=partial(known_of, tmp_path), titles=titles())
    readings.clear()
    assert import_file(log, file, known=partial(known_of, tmp_path), titles=titles()).unchanged
    assert readings == []


def test_own_cards_that_change_are_noticed_by_their_file(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """If the source files of a game's cards are named, a file is known until one of them changes or is added."""
    file = next(iter(sorted((RECORDINGS / "splicers").glob("*.jsonl"))))
    known = {"known": partial(known_of, tmp_path), "sources": partial(sources_of, tmp_path)}
    assert any(each.name == "cards.toml" for each in sources_of(tmp_path, "splicers"))
    import_file(log, file, **known)
    readings.clear()
    assert import_file(log, file, **known).unchanged
    assert readings == []
    own = tmp_path / "cards" / "splicers.toml"
    own.parent.mkdir()
    for text in ("", "# nothing of my own yet"):
        own.write_text(text)
        readings.clear()
        assert import_file(log, file, **known).unchanged
        assert len(readings) == 1


def test_another_version_of_the_reader_reads_again(
    log: Log, tmp_path: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Tabletape whose reader differs reads the file again."""
    file = write_lines(tmp_path / "g.jsonl", game())
    import_file(log, file)
    monkeypatch.setattr("tabletape.events.importing.files.known._reader", lambda: b"of tomorrow")
    readings.clear()
    import_file(log, file)
    assert len(readings) == 1


def test_an_update_reads_a_file_once(
    log: Log, tmp_path: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an update gives the same result for a file, the log keeps the new stamp, and from then on knows the file."""
    file = write_lines(tmp_path / "g.jsonl", game())
    import_file(log, file)
    games = log.games()
    monkeypatch.setattr("tabletape.events.importing.files.known._reader", lambda: b"of tomorrow")
    readings.clear()
    for _ in range(3):
        assert import_file(log, file).unchanged
    assert len(readings) == 1
    assert (log.games(), len(log.raw_files()), list(verify(log))) == (games, 1, [])


def test_a_file_that_was_not_imported_completely_is_read_again(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """Every import of a file reports its quarantined lines and the games that contradict the log."""
    bad = write_lines(tmp_path / "g.jsonl", [*game(), "{"])
    reports = [import_file(log, bad) for _ in range(2)]
    assert [each.quarantined for each in reports] == [1, 1]
    other = write_lines(tmp_path / "h.jsonl", [*game()[:2], *game()[4:], *game("new")])
    reports = [import_file(log, other) for _ in range(2)]
    assert [len(each.refused) for each in reports] == [1, 1]
    assert len(readings) == 4


def test_a_file_with_other_mends_is_read_again(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """Mended lines are part of how a file is read: the file is known only as long as they stay the same."""
    file = write_lines(tmp_path / "g.jsonl", game())
    import_file(log, file)
    raw = game()[3]
    keep_mends(log, str(file), [Mend(str(file), 4, raw, None)])
    readings.clear()
    assert import_file(log, file).unchanged
    assert readings == [str(file)]


def test_a_game_with_another_revision_is_read_again(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """A file whose game has been revised since is read again and compared with the revisions."""
    first = write_lines(tmp_path / "first.jsonl", game())
    import_file(log, first)
    import_file(log, write_lines(tmp_path / "second.jsonl", [*game()[:3], *game()[4:]]), revise=True)
    readings.clear()
    assert import_file(log, first).unchanged
    assert len(readings) == 1


def test_only_the_last_file_of_a_name_is_known(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """An older file under a name that a longer one has had since is read, and reported as unchanged."""
    short, long = game(), [*game(), line("note.added", text="more")]
    for lines in (short, long):
        import_file(log, write_lines(tmp_path / "g.jsonl", lines))
    readings.clear()
    assert import_file(log, write_lines(tmp_path / "g.jsonl", short)).unchanged
    assert len(readings) == 1


def test_known_files_keep_their_place_in_the_report(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """Known and new files of one import are in the report in the given order."""
    names = ["a", "b", "c", "d"]
    files = [write_lines(tmp_path / f"{name}.jsonl", game(name)) for name in names]
    import_paths(log, [files[1], files[3]])
    readings.clear()
    report = import_paths(log, files)
    assert [Path(each.name).stem for each in report.files] == names
    assert [each.games[0].status for each in report.files] == ["new", "unchanged", "new", "unchanged"]
    assert len(readings) == 2


def test_known_files_need_no_lock(tmp_path: Path) -> None:
    """An import of known files does not wait for another writer."""
    file = write_lines(tmp_path / "g.jsonl", game())
    with Log.open(tmp_path / "log.db", create=True) as log, Log.open(tmp_path / "log.db", wait=0) as other:
        import_file(log, file)
        with log.writing():
            assert import_file(other, file).unchanged


def test_an_upgraded_log_remembers_new_files(tmp_path: Path, readings: list[str]) -> None:
    """A log of the first version has no readings; files that are imported after the upgrade are known."""
    old = unpack(tmp_path / "old.db")
    upgrade(old)
    file = write_lines(tmp_path / "g.jsonl", game("new"))
    with Log.open(old) as log:
        assert last_readings(log, [each.name for each in log.raw_files()]) == {}
        assert [import_file(log, file).unchanged for _ in range(2)] == [False, True]
        assert len(readings) == 1
        assert list(verify(log, [log.head()])) == []


@pytest.mark.parametrize("more", ["", line("note.added", text="late") + "\n"])
def test_a_file_that_an_update_reads_differently_is_revised(log: Log, tmp_path: Path, more: str) -> None:
    """A file that an older version read differently, unchanged or grown, gives a revision and no contradiction."""
    path = write_lines(tmp_path / "g.jsonl", [*game("a"), line("Turn ended", player="A")])
    with pytest.MonkeyPatch.context() as older:
        older.setattr("tabletape.events.importing.files.known._reader", lambda: b"older")
        older.setattr("tabletape.events.importing.games.reading.may_be_meant", lambda _error: False)
        assert import_file(log, path).quarantined == 1
    with path.open("a", encoding="utf-8") as file:
        file.write(more)
    report = import_file(log, path)
    assert [(each.status, each.revision) for each in report.games] == [("revised", 2)]
    assert report.quarantined == 0


def test_a_file_that_begins_differently_still_contradicts(log: Log, tmp_path: Path) -> None:
    """A changed line contradicts the log, even if the file has grown as well."""
    path = write_lines(tmp_path / "g.jsonl", game("a"))
    import_file(log, path)
    changed = path.read_text(encoding="utf-8").replace("moss-parish", "cinder-steppe")
    path.write_text(changed + line("turn.ended", player="A") + "\n", encoding="utf-8")
    assert [each.status for each in import_file(log, path).games] == ["refused"]
