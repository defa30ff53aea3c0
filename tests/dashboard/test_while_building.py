"""Questions that are asked while a build ends and deletes the old files of the datasets."""

from pathlib import Path

import pytest

from tabletape.dashboard.questions import ask, database
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.manifest import Manifest, read_manifest
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a log of two games of bots, whose datasets are built."""
    place = tmp_path / "tabletape.db"
    one = game("crystal")
    with Log.open(place, create=True) as log:
        for match in simulate(one, one.cards, Plan(seed=3), 2):
            log.append(match.game_id, match.events, expected_last_seq=0)
        build(log)
    return place


def test_a_question_whose_files_are_deleted_reads_the_new_ones(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a build has deleted the files of a manifest, questions and SQL of the user read the new manifest."""
    with Log.open(place) as log:
        folder = folder_of(log)
        before = ask("overview", folder, source="bots")
        old = read_manifest(folder)
        build(log, Request(decision_load=True))

    def outdated_once(folder: Path) -> Manifest:
        return outdated.pop() if outdated else read_manifest(folder)

    monkeypatch.setattr(database, "read_manifest", outdated_once)
    outdated = [old]
    assert ask("overview", folder, source="bots") == before
    assert not outdated
    outdated = [old]
    assert database.run("SELECT count(*) AS n FROM games", folder, seconds=30, rows=9).table.to_pylist() == [{"n": 2}]
    assert not outdated


def test_a_missing_file_is_an_error_if_there_was_no_build(place: Path) -> None:
    """If a file of the datasets is lost and the manifest is unchanged, the error names the file."""
    with Log.open(place) as log:
        folder = folder_of(log)
    lost = folder / read_manifest(folder).files("games")[0]
    lost.unlink()
    with pytest.raises(database.QuestionError, match=lost.name):
        ask("overview", folder, source="bots")
