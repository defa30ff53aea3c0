"""The map by which a file was read is kept with the log, and is found again from any folder."""

from pathlib import Path

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.finding import map_of_file
from tabletape.events.importing.maps.writing import expecting
from tabletape.events.importing.origins import Origins
from tabletape.events.importing.quarantine.mending import mend, open_lines
from tabletape.events.importing.remapping import remap
from tabletape.events.log import Log
from tests.events.test_mapped_files import TALK
from tests.events.test_maps import CHAT


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a workspace whose log has a chat that was read by a map from another folder, which is deleted now."""
    folder, elsewhere = tmp_path / "workspace", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "talk.txt").write_text(TALK)
    (elsewhere / "words.map.toml").write_text(CHAT)
    with Log.open(folder / "tabletape.db", create=True) as log:
        used = map_of_file(elsewhere / "words.map.toml")
        import_paths(log, [elsewhere / "talk.txt"], Options(workspace=folder, map=used))
    (elsewhere / "words.map.toml").unlink()
    (elsewhere / "talk.txt").unlink()
    monkeypatch.chdir(tmp_path)
    return folder


def test_events_are_traced_to_their_lines_without_the_map(workspace: Path) -> None:
    """The line of each event is found from any working folder."""
    with Log.open(workspace / "tabletape.db") as log:
        lines = Origins(log, Options(workspace=workspace)).lines(log.game("talk"))
    assert [lines[seq] for seq in sorted(lines)] == [1, 3, 4, 5, 6]


def test_unread_lines_are_mended_without_the_map(workspace: Path) -> None:
    """A line in quarantine is shown and mended by the kept copy of the map that did not read it."""
    with Log.open(workspace / "tabletape.db") as log:
        ((line,), rest) = open_lines(log, Options(workspace=workspace))
        assert (line.entry.raw, rest) == ("Ben trips", [])
        report = mend(log, [(line.name, each) for each in line.mends(None)], Options(workspace=workspace))
        assert [(game.game_id, game.status) for game in report.games] == [("talk", "revised")]
        assert log.quarantine() == []


def test_a_file_is_read_again_by_the_map_of_its_import(workspace: Path) -> None:
    """This is the kept copy, unless the workspace has a map of the same name, which is newer."""
    with Log.open(workspace / "tabletape.db") as log:
        assert [game.status for game in remap(log, Options(workspace=workspace)).games] == ["unchanged"]
        (workspace / "maps" / "words.map.toml").write_text(CHAT + '[[line]]\nis = "{player} trips"\nskip = true\n')
        assert [game.status for game in remap(log, Options(workspace=workspace)).games] == ["revised"]
        assert log.quarantine() == []


def test_a_dry_run_and_a_packaged_map_leave_no_copy(tmp_path: Path) -> None:
    """A dry run writes nothing, and a map that comes with Tabletape need not be copied."""
    (tmp_path / "talk.txt").write_text(TALK)
    (tmp_path / "talk.map.toml").write_text(CHAT)
    (tmp_path / "results.csv").write_text("players,winner\nAnn; Ben,Ann\n")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        import_paths(log, [tmp_path / "talk.txt"], Options(workspace=tmp_path, dry_run=True))
        assert len(import_paths(log, [tmp_path / "results.csv"], Options(workspace=tmp_path)).games) == 1
    assert not (tmp_path / "maps").exists()


def test_the_chat_of_another_game_of_the_same_name_is_asked_about(tmp_path: Path) -> None:
    """A map takes no game of which it understands less than half of what it was made with; a chat that grows stays."""
    (tmp_path / "talk.map.toml").write_text(expecting(CHAT, 83))
    other = TALK.replace("trips", "sails").replace("plays Lamp", "buys a boat").replace("plays", "loads")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        for text, games in ((f"{other}Ann sells two barrels\nBen rows\n", 0), (TALK, 1), (f"{TALK}Ben jumps\n", 1)):
            (tmp_path / "talk.txt").write_text(text)
            report = import_paths(log, [tmp_path / "talk.txt"], Options(workspace=tmp_path))
            assert len(report.games) == games
            asked = [each.message for each in report.files[0].entries if each.code == "expectation"]
            assert ["only 38 % of its 8 lines are understood, 41 % are expected" in each for each in asked] == (
                [True] * (not games)
            )
