"""A file that comes again as it was is not read again, and what is said of it is what a reading would say."""

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from events.importing import import_paths
from events.importing.known_files import KnownFiles
from events.importing.mends import Mend, keep_mends
from events.importing.reading import Reader
from events.integrity import verify
from events.log import Log
from events.log_readings import last_readings
from events.log_schema import upgrade
from events.vocabulary import games
from projector.reading.archive import known_of, sources_of, titles
from tests.attack.inputs import RECORDINGS
from tests.events.conftest import CARDS, KNOWN, game, head, line, take, written
from tests.migrations.first_version import unpack

SHEET = ["type,game,edition,id,players,player", 'game.started,splicers,0.2a,s,"[{""id"":""A"",""name"":""Ann""}]",']


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which each reading of a file adds its name."""
    names: list[str] = []
    read = Reader.read

    def noted(self: Reader, *mends: Any) -> None:
        names.append(self._name)
        read(self, *mends)

    monkeypatch.setattr(Reader, "read", noted)
    return names


FILES: dict[str, Callable[[Path], Path]] = {
    "a log": lambda folder: written(folder / "g.jsonl", [*game("a"), *game("b")]),
    "a packed log": lambda folder: packed(folder / "g.jsonl.gz", game()),
    "a sheet": lambda folder: written(folder / "g.csv", [*SHEET, "turn.ended,,,,,A"]),
    "another encoding": lambda folder: written(
        folder / "g.jsonl", [head(), line("note.added", text="Grüße")], encoding="cp1252"
    ),
    "lines as people write them": lambda folder: written(folder / "g.jsonl", [*game(), line("Turn ended", player="A")]),
    "an unknown edition": lambda folder: written(folder / "g.jsonl", [head(edition="7")]),
}


def packed(path: Path, lines: list[str]) -> Path:
    """Write a packed log."""
    path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return path


@pytest.mark.parametrize("what", FILES)
def test_the_same_file_is_known(
    log: Log, tmp_path: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It is not read, its report is that of a reading in every word, and the log is what it was."""
    file = FILES[what](tmp_path)
    known = KNOWN._replace(editions=("0.2a",))
    assert take(log, file, known=lambda _: known).events
    before = log.head()
    readings.clear()
    short = take(log, file, known=lambda _: known)
    assert (readings, log.head()) == ([], before)
    monkeypatch.setattr(KnownFiles, "report", lambda *_: None)
    assert take(log, file, known=lambda _: known) == short
    assert (len(readings), log.head(), short.unchanged) == (1, before, True)


def changed(folder: Path) -> Path:
    """Write another game of the same length under the name of the first."""
    return written(folder / "g.jsonl", [text.replace("A:reed", "A:weed") for text in game()])


@pytest.mark.parametrize(
    ("second", "options"),
    [
        (lambda folder: written(folder / "other.jsonl", game()), {}),
        (lambda folder: written(folder / "g.jsonl", [*game(), line("note.added", text="more")]), {}),
        (changed, {}),
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
def test_whatever_may_change_the_reading_is_read(
    log: Log, tmp_path: Path, readings: list[str], second: Callable[[Path], Path], options: dict[str, Any]
) -> None:
    """Another name, another content of the same length, other cards or options: the file is read."""
    take(log, written(tmp_path / "g.jsonl", game()), known=lambda _: KNOWN)
    readings.clear()
    take(log, second(tmp_path), **{"known": lambda _: KNOWN, **options})
    assert len(readings) == 1


@pytest.mark.parametrize("slug", games())
def test_the_games_own_cards_are_part_of_it(log: Log, tmp_path: Path, readings: list[str], slug: str) -> None:
    """What is known of every game with rules can be told apart, and a recorded game of it is known when it returns."""
    file = next(iter(sorted((RECORDINGS / slug).glob("*.jsonl"))))
    take(log, file, known=partial(known_of, tmp_path), titles=titles())
    readings.clear()
    assert take(log, file, known=partial(known_of, tmp_path), titles=titles()).unchanged
    assert readings == []


def test_own_cards_that_change_are_noticed_by_their_file(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """Where the files are named that a game is known from, a file is known until one of them changes or comes."""
    file = next(iter(sorted((RECORDINGS / "splicers").glob("*.jsonl"))))
    known = {"known": partial(known_of, tmp_path), "sources": partial(sources_of, tmp_path)}
    assert any(each.name == "cards.toml" for each in sources_of(tmp_path, "splicers"))
    take(log, file, **known)
    readings.clear()
    assert take(log, file, **known).unchanged
    assert readings == []
    own = tmp_path / "cards" / "splicers.toml"
    own.parent.mkdir()
    for text in ("", "# nothing of my own yet"):
        own.write_text(text)
        readings.clear()
        assert take(log, file, **known).unchanged
        assert len(readings) == 1


def test_other_sources_read_anew(
    log: Log, tmp_path: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Tabletape that reads files in another way reads this one again."""
    file = written(tmp_path / "g.jsonl", game())
    take(log, file)
    monkeypatch.setattr("events.importing.known_files._reader", lambda: b"of tomorrow")
    readings.clear()
    take(log, file)
    assert len(readings) == 1


def test_an_update_reads_a_file_once(
    log: Log, tmp_path: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an update brings nothing new for a file, the log keeps the new stamp: the file is known from then on."""
    file = written(tmp_path / "g.jsonl", game())
    take(log, file)
    games = log.games()
    monkeypatch.setattr("events.importing.known_files._reader", lambda: b"of tomorrow")
    readings.clear()
    for _ in range(3):
        assert take(log, file).unchanged
    assert len(readings) == 1
    assert (log.games(), len(log.raw_files()), list(verify(log))) == (games, 1, [])


def test_what_was_not_taken_whole_is_read_again(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """Of a file with a line in quarantine, or a game that contradicts the log, every import says so."""
    bad = written(tmp_path / "g.jsonl", [*game(), "{"])
    reports = [take(log, bad) for _ in range(2)]
    assert [each.quarantined for each in reports] == [1, 1]
    other = written(tmp_path / "h.jsonl", [*game()[:2], *game()[4:], *game("new")])
    reports = [take(log, other) for _ in range(2)]
    assert [len(each.refused) for each in reports] == [1, 1]
    assert len(readings) == 4


def test_a_file_with_other_mends_is_read_again(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """What a line was mended to is part of how its file is read: the file is known only as long as that stays."""
    file = written(tmp_path / "g.jsonl", game())
    take(log, file)
    raw = game()[3]
    keep_mends(log, str(file), [Mend(str(file), 4, raw, None)])
    readings.clear()
    assert take(log, file).unchanged
    assert readings == [str(file)]


def test_a_game_with_another_revision_is_read_again(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """A file whose game was revised since is compared with the revisions, and one that came in between counts."""
    first = written(tmp_path / "first.jsonl", game())
    take(log, first)
    take(log, written(tmp_path / "second.jsonl", [*game()[:3], *game()[4:]]), revise=True)
    readings.clear()
    assert take(log, first).unchanged
    assert len(readings) == 1


def test_the_last_file_of_a_name_counts(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """The file of yesterday under the name that a longer one has had since is read, and is unchanged."""
    short, long = game(), [*game(), line("note.added", text="more")]
    for lines in (short, long):
        take(log, written(tmp_path / "g.jsonl", lines))
    readings.clear()
    assert take(log, written(tmp_path / "g.jsonl", short)).unchanged
    assert len(readings) == 1


def test_known_files_keep_their_place_in_the_report(log: Log, tmp_path: Path, readings: list[str]) -> None:
    """Known and new files stand in the report in the order of their import, in one import."""
    names = ["a", "b", "c", "d"]
    files = [written(tmp_path / f"{name}.jsonl", game(name)) for name in names]
    import_paths(log, [files[1], files[3]])
    readings.clear()
    report = import_paths(log, files)
    assert [Path(each.name).stem for each in report.files] == names
    assert [each.games[0].status for each in report.files] == ["new", "unchanged", "new", "unchanged"]
    assert len(readings) == 2


def test_known_files_need_no_lock(tmp_path: Path) -> None:
    """Somebody else who writes does not hold up who brings nothing new."""
    file = written(tmp_path / "g.jsonl", game())
    with Log.open(tmp_path / "log.db", create=True) as log, Log.open(tmp_path / "log.db", wait=0) as other:
        take(log, file)
        with log.writing():
            assert take(other, file).unchanged


def test_a_log_that_was_brought_up_learns_its_files(tmp_path: Path, readings: list[str]) -> None:
    """A log of the first version knows no readings; what it takes after the upgrade it knows."""
    old = unpack(tmp_path / "old.db")
    upgrade(old)
    file = written(tmp_path / "g.jsonl", game("new"))
    with Log.open(old) as log:
        assert last_readings(log, [each.name for each in log.raw_files()]) == {}
        assert [take(log, file).unchanged for _ in range(2)] == [False, True]
        assert len(readings) == 1
        assert list(verify(log, [log.head()])) == []


@pytest.mark.parametrize("more", ["", line("note.added", text="late") + "\n"])
def test_an_update_reads_what_it_read_before_anew(log: Log, tmp_path: Path, more: str) -> None:
    """A file that an older program read otherwise is read again, as it was or grown: a revision, no contradiction."""
    path = written(tmp_path / "g.jsonl", [*game("a"), line("Turn ended", player="A")])
    with pytest.MonkeyPatch.context() as older:
        older.setattr("events.importing.known_files._reader", lambda: b"older")
        older.setattr("events.importing.reading.may_be_meant", lambda _error: False)
        assert take(log, path).quarantined == 1
    with path.open("a", encoding="utf-8") as file:
        file.write(more)
    report = take(log, path)
    assert [(each.status, each.revision) for each in report.games] == [("revised", 2)]
    assert report.quarantined == 0


def test_a_file_that_begins_otherwise_still_contradicts(log: Log, tmp_path: Path) -> None:
    """Another line where one was read before is refused, however long the file has become."""
    path = written(tmp_path / "g.jsonl", game("a"))
    take(log, path)
    changed = path.read_text(encoding="utf-8").replace("moss-parish", "cinder-steppe")
    path.write_text(changed + line("turn.ended", player="A") + "\n", encoding="utf-8")
    assert [each.status for each in take(log, path).games] == ["refused"]
