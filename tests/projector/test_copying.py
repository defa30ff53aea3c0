"""Datasets that are copied elsewhere: completely, only new files, the manifest last."""

import os
from pathlib import Path
from typing import Any

import pyarrow.fs as pf
import pytest

from tabletape.dashboard.questions import ask
from tabletape.events.log import Log
from tabletape.projector.datasets import copying
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.copying import Copied, copy_datasets
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.game_packs import GamePacks
from tabletape.projector.datasets.manifest import FILE, DatasetError, Folder, named_folder, read_manifest
from tabletape.projector.datasets.places import place_of
from tabletape.projector.datasets.plans import Request
from tests.dashboard.test_datasets_on_s3 import address, bucket
from tests.projector.test_game_packs import log, packed

__all__ = ["bucket", "log"]

PLACES = (
    "path",
    "file",
    pytest.param(
        "s3",
        marks=pytest.mark.skipif(not os.environ.get("TABLETAPE_TEST_S3"), reason="TABLETAPE_TEST_S3 names no server"),
    ),
)
"""Where to copy to: a path, the same path as a URI, a bucket."""


@pytest.fixture(params=PLACES)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a path or an address where nothing exists yet."""
    if request.param == "s3":
        return address(request.getfixturevalue("bucket"))
    study = tmp_path / "there" / "study"
    return study.as_uri() if request.param == "file" else str(study)


def copied(log: Log, where: str, **options: Any) -> Copied:
    """Build the datasets of a log and copy them."""
    return copy_datasets(log, build(log).folder, where, **options)


def files_at(where: str) -> set[str]:
    """Return the names of the files at a path or an address."""
    files, folder = place_of(where)
    found = files.get_file_info(pf.FileSelector(folder, recursive=True))
    return {each.path.removeprefix(f"{folder}/") for each in found if each.type is pf.FileType.File}


def test_a_copy_gives_the_same_answers(log: Log, where: str) -> None:
    """The copy has exactly the files of the manifest, the same answers, and copying again does nothing."""
    first = copied(log, where)
    folder, there = folder_of(log), named_folder(where)
    assert files_at(where) == {*read_manifest(folder).all_files(), FILE}
    assert first == Copied(len(files_at(where)) - 1, 0)
    assert answers(there) == answers(folder)
    assert copied(log, where) == Copied(0, 0)


def answers(folder: Folder) -> list[Any]:
    """Return the answers to some questions, in any order."""
    asked = [row for name in ("overview", "cards", "at-stake") for row in ask(name, folder, source="all").to_pylist()]
    return sorted(map(repr, asked))


def test_a_new_build_replaces_the_old_one(log: Log, where: str) -> None:
    """Only new files are copied, and those that the manifest no longer names are deleted."""
    build(log, Request(fresh=True))
    copied(log, where)
    build(log, Request(game="crystal", decision_load=True))
    again = copied(log, where)
    assert 0 < again.files < len(files_at(where)) - 1
    assert again.swept > 0
    assert files_at(where) == {*read_manifest(folder_of(log)).all_files(), FILE}
    assert answers(named_folder(where)) == answers(folder_of(log))


def test_an_interrupted_copy_publishes_nothing(log: Log, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An incomplete copy is not readable; the next one continues it."""
    attempted: list[str] = []
    write = copying._Target.write

    def write_two(target: Any, file: str, content: bytes) -> None:
        attempted.append(file)
        if len(attempted) > 2:
            raise OSError("the network is gone")
        write(target, file, content)

    monkeypatch.setattr(copying._Target, "write", write_two)
    with pytest.raises(DatasetError, match=r"cannot be written to: the network is gone"):
        copied(log, where)
    assert FILE not in files_at(where)
    with pytest.raises(DatasetError, match="there are no datasets"):
        named_folder(where)
    monkeypatch.undo()
    if where.startswith("s3"):
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tests")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    rest = copied(log, where)
    assert rest.files == len(files_at(where)) - 1 - 2
    assert answers(named_folder(where)) == answers(folder_of(log))


def test_the_datasets_of_others_are_not_replaced(log: Log, where: str, tmp_path: Path) -> None:
    """Datasets of another log or of packs, or unreadable ones, are only replaced with `fresh`."""
    copied(log, where)
    packs = GamePacks(str(packed(log, tmp_path / "packs")), str(tmp_path / "workspace"))
    before = files_at(where)
    with Log.open(tmp_path / "other.db", create=True) as other:
        for source in (other, packs):
            with pytest.raises(DatasetError, match=r"are those of another log.*--fresh"):
                copy_datasets(source, folder_of(log), where)
        assert files_at(where) == before
        folder = build(other).folder
        assert copy_datasets(other, folder, where, fresh=True) == Copied(0, len(before) - 1)
    assert files_at(where) == {FILE}
    files, place = place_of(where)
    with files.open_output_stream(f"{place}/{FILE}") as stream:
        stream.write(b"{")
    with pytest.raises(DatasetError, match=r"manifest.json cannot be read"):
        copied(log, where)
    assert copied(log, where, fresh=True).files > 0
    assert named_folder(where) is not None


def test_a_place_that_cannot_be_written_to_is_reported(
    log: Log, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """A file instead of a folder, an unknown scheme and a missing bucket are reported in a sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match="cannot be written to"):
        copied(log, str(tmp_path / "file" / "study"))
    with pytest.raises(DatasetError, match="nowhere://at/all leads nowhere"):
        copied(log, "nowhere://at/all")
    if os.environ.get("TABLETAPE_TEST_S3"):
        request.getfixturevalue("bucket")
        with pytest.raises(
            DatasetError, match=r"^s3://no-such-bucket/\S+ cannot be written to: there is no such bucket"
        ):
            copied(log, address("no-such-bucket"))
