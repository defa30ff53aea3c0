"""A file is written completely, or stays as it was before."""

import errno
from contextlib import suppress
from pathlib import Path

import pytest

from tabletape.events import whole_files
from tabletape.events.whole_files import add_line, made_folder, put_back, whole, write_whole


def test_the_new_content_replaces_the_old(tmp_path: Path) -> None:
    """Text keeps its line ends, and no other file is left in the folder."""
    file = tmp_path / "evening.csv"
    write_whole(file, "old")
    write_whole(file, "a\r\nß\n")
    assert file.read_bytes() == "a\r\nß\n".encode()
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize("before", [b"old", None])
def test_a_full_disk_leaves_the_old_content(tmp_path: Path, before: bytes | None) -> None:
    """Nothing is half-written, and the error names the file."""
    file = tmp_path / "evening.csv"
    if before is not None:
        file.write_bytes(before)

    def fill_disk() -> None:
        with whole(file) as part:
            part.write_bytes(b"half of")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=r"cannot be written \(No space.*evening\.csv'$"):
        fill_disk()
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == ({file.name: before} if before else {})


def test_a_missing_folder_is_reported_with_the_file(tmp_path: Path) -> None:
    """The error names the requested file, not the unfinished one beside it."""
    with pytest.raises(FileNotFoundError, match=r"cannot be written \(No such file or directory\): '.*/out/e\.csv'"):
        write_whole(tmp_path / "out" / "e.csv", "text")


def test_an_error_about_another_file_keeps_its_name(tmp_path: Path) -> None:
    """If another file is missing while one is written, that one is reported, and no unfinished file is left."""
    with pytest.raises(FileNotFoundError, match=r"missing\.csv"), whole(tmp_path / "out.csv") as part:
        part.write_bytes((tmp_path / "missing.csv").read_bytes())
    assert [*tmp_path.iterdir()] == []


def test_a_line_is_added_at_the_end(tmp_path: Path) -> None:
    """Lines that stand in the file stay, and a file that is not there begins with the line."""
    file = tmp_path / "kept.heads"
    add_line(file, "one")
    add_line(file, "two")
    assert file.read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize("others", [["zero"], []])
def test_a_file_that_cannot_be_begun_alone_takes_the_line_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: list[str]
) -> None:
    """What somebody else has begun the file with meanwhile stays; so it is on a disk that has no links."""
    file = tmp_path / "kept.heads"

    def fail(*_: object) -> None:
        if others:
            file.write_text("zero\n", encoding="utf-8")
        raise OSError(errno.EEXIST if others else errno.ENOTSUP, "")

    monkeypatch.setattr("os.link", fail)
    add_line(file, "one")
    assert file.read_text("utf-8").splitlines() == [*others, "one"]
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize("meanwhile", [[], ["two"]])
def test_a_line_that_fails_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: list[str]
) -> None:
    """A line that cannot be synced is cut off again; what somebody else has added meanwhile, and was told, stays."""
    file = tmp_path / "kept.heads"
    add_line(file, "one")

    def fail(_: int) -> None:
        with file.open("a", encoding="utf-8") as other:
            other.writelines(f"{line}\n" for line in meanwhile)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(whole_files, "_sync", fail)
    with pytest.raises(OSError, match=r"kept\.heads"):
        add_line(file, "lost")
    assert [line for line in file.read_text("utf-8").splitlines() if line != "lost"] == ["one", *meanwhile]
    assert meanwhile or "lost" not in file.read_text("utf-8")


def test_a_folder_that_was_made_in_vain_is_taken_away(tmp_path: Path) -> None:
    """After an exception the empty folders are gone, those that were there before and those with files in them stay."""
    for folder, keeps in ((tmp_path / "out" / "demo", False), (tmp_path / "demo", True)):
        with suppress(ValueError), made_folder(folder):
            if keeps:
                (folder / "tabletape.db").touch()
            raise ValueError
    assert [each.name for each in tmp_path.rglob("*")] == ["demo", "tabletape.db"]


@pytest.mark.parametrize("before", [None, b"old"])
def test_a_file_is_put_back_as_it_was_before_an_exception(tmp_path: Path, before: bytes | None) -> None:
    """What was not there is away again, with its folder; what was done without an exception stays."""
    file = tmp_path / "games" / "own.toml"
    if before is not None:
        file.parent.mkdir()
        file.write_bytes(before)

    def stop() -> None:
        with put_back(file):
            write_whole(file, "half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert (file.read_bytes() if file.exists() else None) == before
    assert file.parent.exists() == (before is not None)
    with put_back(file):
        write_whole(file, "whole")
    assert file.read_bytes() == b"whole"
